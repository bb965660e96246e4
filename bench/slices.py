#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures how large the slices of open obligations are, on the lists of corpora.py or on files.

    bench/slices.py --lists svcomp-loops itc --list-dir DIR --corpora DIR --clew PATH [--sample N]
    bench/slices.py --clew PATH --files a.c b.c [--tool-args=--max-clock=1000]

A line of a slice is a line of the text; the size of a program is its lines that are not blank.
"""

import argparse
import os
import statistics
import sys
from dataclasses import dataclass, field
from importlib import util

from corpora.clew import Clew
from corpora.tool import answer, source_text


# Checks that are off unless asked for.
NOT_BY_DEFAULT = {"unsigned-wrap", "lossy-conversion", "float-underflow"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", nargs="*", default=[], metavar="LIST")
    parser.add_argument("--files", nargs="*", default=[], metavar="FILE", help="one program of these files")
    parser.add_argument("--list-dir", default=".")
    parser.add_argument("--corpora", default="bench/work/corpora")
    parser.add_argument("--clew", default="clew")
    parser.add_argument("--tool-args", nargs="*", default=[], metavar="ARG")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--sample", type=int, default=1)
    return parser.parse_args()


@dataclass
class Sizes:
    lines: list = field(default_factory=list)
    shares: list = field(default_factory=list)
    cut: int = 0
    without: int = 0
    lost: int = 0

    def add(self, rows, program_lines):
        for row in rows:
            slice_ = row.get("slice")
            if slice_ is None:
                self.without += 1
                continue
            self.lines.append(len(slice_["lines"]))
            self.shares.append(len(slice_["lines"]) / max(1, program_lines))
            self.cut += slice_["cut"]
            self.lost += any(line["lost"] for line in slice_["lines"])

    def row(self, name):
        if not self.lines:
            return f"| {name} | 0 | | | | | | {self.without} |"
        ordered = sorted(self.lines)
        ninth = ordered[int(0.9 * (len(ordered) - 1))]
        return (f"| {name} | {len(self.lines)} | {statistics.mean(self.lines):.1f} | {statistics.median(self.lines):.0f} "
                f"| {ninth} | {100 * statistics.mean(self.shares):.1f} % | {self.cut} | {self.without} "
                f"| {100 * self.lost / len(self.lines):.0f} % |")


def code_lines(files):
    return sum(1 for path in files for line in source_text(path).splitlines() if line.strip())


@dataclass
class Files:
    """One program, as a run of a list is."""
    files: list
    entry: str = ""
    flags: tuple = ()
    malloc_succeeds: bool = False


def of_list(options, name):
    """The runs of a list, as the script beside the package of the same name makes them."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpora.py")
    spec = util.spec_from_file_location("measure_corpora", path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    options = argparse.Namespace(**vars(options))
    options.lists, options.fetch, options.malloc_may_fail, options.only = [name], False, False, None
    return [run for _, run in module.collect(options)]


def main():
    options = arguments()
    options.tool_args = ["--slices", *options.tool_args]
    tool = Clew(options)
    print("| programs | slices | lines | median | nine in ten | share of the program | cut | without | say what was lost |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.lists:
        sizes = Sizes()
        for run in of_list(options, name):
            report = tool.report(run)
            rows = {}
            for question in run.questions:
                if question.selection and tool.knows(question.selection):
                    rows.update((row["id"], row) for row in answer(question, report).relevant)
            sizes.add([row for row in rows.values() if row["verdict"] == "open"], code_lines(run.files))
        print(sizes.row(name), flush=True)
    if options.files:
        sizes = Sizes()
        report = tool.report(Files(options.files))
        if report.status != "ok":
            sys.exit(f"slices.py: {report.status}: {report.said}")
        rows = [row for row in report.obligations if row["verdict"] == "open" and row["check"] not in NOT_BY_DEFAULT]
        sizes.add(rows, code_lines(options.files))
        print(sizes.row(f"{len(options.files)} files"))


if __name__ == "__main__":
    main()
