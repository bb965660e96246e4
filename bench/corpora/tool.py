# SPDX-License-Identifier: MIT OR Apache-2.0
"""What any tool gives back, and how a question is answered from it."""

import os
from dataclasses import dataclass, field
from functools import lru_cache


@dataclass
class Report:
    status: str  # ok, timeout, error
    said: str = ""
    obligations: list = field(default_factory=list)  # rows as in clew's JSON report, of reached functions
    everything: list = field(default_factory=list)  # the others too: what `given` may name
    seconds: float = 0.0
    alarms_only: bool = False  # the tool lists what it cannot prove, and nothing else


@dataclass
class Answer:
    """One line of the result.

    verdict: proved (every relevant obligation, unconditionally), given (all proved, some only under obligations
    that are not), open, violated, timeout, error, or no-check (nothing of the tool stands for the property).
    """

    verdict: str
    relevant: list = field(default_factory=list)
    below: list = field(default_factory=list)  # for `given`: the obligations that the proofs rest on
    said: str = ""


def answer(question, report):
    if question.selection is None:
        return Answer("no-check")
    if report.status != "ok":
        return Answer(report.status, said=report.said)
    rows = [row for row in report.obligations if question.selection.takes(row, source_line(row["file"], row["line"]))]
    if question.line is not None:
        rows = at_mark(question, rows, report)
        if not rows and not report.alarms_only:
            return Answer("no-check", said="no obligation at the mark")
    return decide(rows, report)


def at_mark(question, rows, report):
    """The obligations of the marked line; of the function if the line has none (a leak stands at the allocation)."""
    on_line = [row for row in rows if row["line"] == question.line]
    if report.alarms_only and question.expected:
        return on_line
    return on_line or [row for row in rows if row["function"] == question.function]


def decide(rows, report):
    verdicts = {row["verdict"] for row in rows}
    for worst in ("violated", "open"):
        if worst in verdicts:
            return Answer(worst, rows)
    settled = settled_ids(report.everything)
    if report.alarms_only:
        below = {row["id"] for row in report.everything}
    else:
        below = {key for row in rows for key in row["given"] if key not in settled}
    if not below:
        return Answer("proved", rows)
    return Answer("given", rows, [row for row in report.everything if row["id"] in below])


def settled_ids(rows):
    """Ids of the obligations that are proved with nothing open below them.

    The least fixed point: a circle of proofs that rest on each other settles nothing.
    """
    waiting = {row["id"]: row["given"] for row in rows if row["verdict"] in ("proved", "unreachable")}
    settled = set()
    while True:
        new = {key for key, given in waiting.items() if all(below in settled for below in given)}
        if not new:
            return settled
        settled |= new
        for key in new:
            del waiting[key]


@lru_cache(maxsize=64)
def source_text(path):
    if not os.path.isfile(path):
        return ""
    with open(path, errors="replace") as source:
        return source.read()


@lru_cache(maxsize=64)
def source_lines(path):
    return source_text(path).split("\n")


def source_line(path, number):
    lines = source_lines(path)
    return lines[number - 1] if 0 < number <= len(lines) else ""
