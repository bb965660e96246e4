#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares the JSON reports of two builds of clew, obligation by obligation: for changes of structure, not of answers.

    bench/same.py --before OLD/clew --after target/release/clew --lists ../lists/*.dev.csv --corpora DIR

Programs are the C files of `tests/` and every Nth program of the lists, so that about `--programs` of those are taken.
What is compared of an obligation: its id and place, verdict, confirmation, and what it is conditional on. Texts may
differ. A program on which the build before runs out of time says nothing and is counted apart.
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from corpora import tasks
from corpora.clew import write_out

HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--lists", nargs="*", default=[], help="lists of public programs (corpora.md)")
    parser.add_argument("--corpora", default=os.path.join(HERE, "work", "corpora"))
    parser.add_argument("--programs", type=int, default=300, help="how many programs of the lists, about")
    parser.add_argument("--tests", default=os.path.join(HERE, "..", "tests"))
    parser.add_argument("--only", default="", help="only programs with this in their name")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--args", nargs="*", default=[], help="more arguments for both, such as --no-replay")
    return parser.parse_args()


def programs(options):
    """Pairs of files and flags."""
    for path in sorted(glob.glob(os.path.join(options.tests, "**", "*.c"), recursive=True)):
        yield [path], []
    found = []
    for path in options.lists:
        found.extend(tasks.runs(path, options.corpora) or [])
    step = max(1, len(found) // max(1, options.programs))
    for run in found[::step]:
        yield run.files, run.flags


def report(clew, files, flags, options):
    """What a build says, without texts; None if it does not end in time."""
    with tempfile.TemporaryDirectory() as scratch:
        files = [os.path.abspath(file) for file in files]
        command = [os.path.abspath(clew), "check", "--format", "json", *options.args, *files]
        command += ["--", *flags] if flags else []
        try:
            done = subprocess.run(command, capture_output=True, timeout=options.timeout, cwd=scratch)
        except subprocess.TimeoutExpired:
            return None
    try:
        read = json.loads(done.stdout)
    except ValueError:
        return {"status": done.returncode}
    rows = {"status": done.returncode}
    write_out(read)
    for row in read["obligations"]:
        key = (row["id"], row["check"], row["function"], row["line"], row["column"])
        rows[key] = (row["verdict"], row.get("confirmed"), tuple(sorted(map(str, row.get("given", [])))))
    return rows


def compare(program, options):
    files, flags = program
    before = report(options.before, files, flags, options)
    if before is None:
        return files, "no answer before", []
    after = report(options.after, files, flags, options)
    if after is None:
        return files, "no answer after", []
    keys = sorted(set(before) | set(after), key=str)
    changed = [(key, before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)]
    return files, "different" if changed else "the same", changed


def main():
    options = arguments()
    chosen = [p for p in programs(options) if options.only in " ".join(p[0])]
    counts = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for files, what, changed in pool.map(lambda p: compare(p, options), chosen):
            counts[what] = counts.get(what, 0) + 1
            if what in ("different", "no answer after"):
                print(f"{what}: {' '.join(files)}")
                for key, old, new in changed[:5]:
                    print(f"    {key}: {old} -> {new}")
                sys.stdout.flush()
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts.get("different") or counts.get("no answer after") else 0


if __name__ == "__main__":
    sys.exit(main())
