# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads what a kept test says when it is built and run again, apart from clew's own reading of it.

A violation that is marked `native` promises that the compiled program fails inside the statement of its obligation:
the first place of the report that lies in the user's own files is in that statement.
"""

import os
import re

from corpora.tool import source_lines

# Functions that say that something is wrong: the obligation stands at their call, the program ends inside them.
MESSENGERS = {"reach_error", "__VERIFIER_error", "__VERIFIER_assert", "__CPROVER_assert", "assert", "abort"}
BY_CALL = {"assertion", "error-call"}

UNDEFINED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):\d+: runtime error: ")
FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ (?:in )?(?P<function>\S+) (?P<file>\S[^:]*):(?P<line>\d+)(?::\d+)?$")
REPORT = re.compile(r"ERROR: AddressSanitizer|^clew: trap: |^(?:Direct|Indirect) leak of ")


def reports(said):
    """Each report as the places (function, file, line) of its stack, innermost first."""
    found = []
    stack = None
    for line in said.split("\n"):
        undefined, frame = UNDEFINED.match(line), FRAME.match(line)
        if undefined:
            found.append([(None, undefined["file"], int(undefined["line"]))])
            stack = None
        elif REPORT.search(line):
            stack = []
            found.append(stack)
        elif frame and stack is not None:
            stack.append((frame["function"], frame["file"], int(frame["line"])))
        elif stack and not line.lstrip().startswith("#"):
            # Stacks that follow the first one tell where memory came from.
            stack = None
    return found


def names_in(folder):
    """The files that the program's units come from, by the line markers of the kept text."""
    names = set()
    for name in os.listdir(folder):
        if name.endswith(".i") or name == "program.c":
            with open(os.path.join(folder, name), errors="replace") as text:
                names |= set(re.findall(r'^#(?:line)? \d+ "([^"<]+)"', text.read(), re.M))
    return {name for name in names if not name.startswith(("/usr/include/", "/usr/lib/"))}


def same_file(reported, own):
    reported, own = os.path.normpath(reported), os.path.normpath(own)
    return reported == own or (not own.startswith("/") and reported.endswith("/" + own.replace("../", "")))


def statement(row):
    """The first and the last line of the statement around a row's place; the line itself where there is no source."""
    lines = source_lines(row["file"])
    first = last = row["line"]
    if not 0 < first <= len(lines):
        return first, last
    while first > 1 and not re.search(r"[;{}:]\s*$|^\s*#|^\s*$|\*/\s*$", lines[first - 2].split("//")[0]):
        first -= 1
    while last < len(lines) and not re.search(r"[;{}]", lines[last - 1][row["column"] - 1 if last == row["line"] else 0:]):
        last += 1
    return first, last


def fails_inside(row, said, names):
    """Whether a report of a run has its first place of the user's own inside the statement of the row."""
    first, last = statement(row)

    def inside(place):
        return first <= place[2] <= last and same_file(place[1], row["file"])

    for stack in reports(said):
        own = [place for place in stack if any(same_file(place[1], name) for name in names)]
        if row["check"] in BY_CALL:
            while own and own[0][0] in MESSENGERS and not inside(own[0]):
                own = own[1:]
        if row["check"] == "stack-exhausted":
            if any(inside(place) for place in own):
                return True
        elif own and inside(own[0]):
            return True
    return False
