# SPDX-License-Identifier: MIT OR Apache-2.0
"""clew as a tool of the comparison: one `clew check` a run, read from its JSON report."""

import json
import re
import subprocess

from corpora import kept, process
from corpora.tool import Report, source_text



def write_out(report):
    """Writes what proofs rest on where they are: a number stands for a list of `given_lists`."""
    lists = []

    def ids(parts):
        return [one for part in parts for one in (lists[part] if isinstance(part, int) else [part])]

    for parts in report.get("given_lists", []):
        lists.append(ids(parts))
    for row in report["obligations"] + report.get("rests_on", []):
        row["given"] = ids(row["given"])


class Clew:
    def __init__(self, options):
        self.path = options.clew
        self.timeout = options.timeout
        self.by_processor = getattr(options, "processor_time", False)
        self.memory = options.memory
        self.more = options.tool_args
        self.keep = getattr(options, "keep", None)
        self.listed = getattr(options, "listed", False)
        usage = subprocess.run([self.path, "check", "--help"], capture_output=True, text=True, check=True).stdout
        # Older builds have no assumptions on the command line; their reports are then of malloc that may fail.
        self.can_assume = "--assume" in usage
        named = [self.path, "assumptions"]
        self.assumptions = subprocess.run(named, capture_output=True, text=True, check=False).stdout if self.can_assume else ""

    def report(self, run):
        command = [self.path, "check", "--format", "json", "--check", self.checks(run), *self.more]
        if run.entry:
            command += ["--entry", run.entry]
        if run.malloc_succeeds and self.can_assume:
            command += ["--assume", "malloc-succeeds"]
        if run.values_stay and "uninitialised-values-stay" in self.assumptions:
            command += ["--assume", "uninitialised-values-stay"]
        folder = kept.folder(self.keep, run) if self.keep else None
        if folder:
            command += ["--keep", folder]
        ended = process.run([*command, *run.files, "--", *run.flags], self.timeout, self.memory,
                            by_processor=self.by_processor)
        if folder:
            kept.write(folder, ended)
        if ended.timed_out:
            return Report("timeout", seconds=ended.seconds)
        try:
            report = json.loads(ended.out)
        except ValueError:
            return Report("error", first_line(ended), seconds=ended.seconds)
        rejected = report["coverage"]["rejected"]
        if rejected or ended.code not in (0, 1):
            said = rejected[0]["reason"] if rejected else first_line(ended)
            return Report("error", f"exit {ended.code}: {said}", seconds=ended.seconds)
        write_out(report)
        unreached = {name for name in report["coverage"]["unreached"] if not is_shared(name, run.files)}
        rows = [row for row in report["obligations"] if row["function"] not in unreached]
        return Report("ok", obligations=rows, everything=report["obligations"], seconds=ended.seconds)

    def checks(self, run):
        """What clew is asked for."""
        selected = [question.selection.checks for question in run.questions if question.selection]
        return ",".join(sorted(set().union(*selected))) if self.listed else "all"

    @staticmethod
    def knows(selection):
        return True


def is_shared(name, files):
    """Whether several files define a function of this name, so that `unreached` may mean only one of them."""
    if len(files) == 1:
        return False
    head = re.compile(r"\b" + re.escape(name) + r"\s*\([^;{}]*\)\s*\{")
    return sum(bool(head.search(source_text(path))) for path in files) > 1


def first_line(ended):
    lines = (ended.err or ended.out).strip().splitlines()
    said = next((line for line in lines if "panicked" in line or line.startswith("error")), lines[0] if lines else "")
    return said or f"exit {ended.code} without a word"
