# SPDX-License-Identifier: MIT OR Apache-2.0
"""CBMC as a tool of the comparison: loops unwound further and further, until it has an answer or no time is left.

A bound proves nothing by itself: a program is proved when every assertion that a loop ends within the bound holds,
too. The solver is CaDiCaL: the one this CBMC was built with, else the one on PATH; without either, CBMC's own.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time

from corpora import process
from corpora.tool import Report, source_text

# Checks of clew -> the flag that makes CBMC look at the same.
FLAGS = {
    "null-deref": "--pointer-check", "invalid-deref": "--pointer-check", "use-after-free": "--pointer-check",
    "invalid-free": "--pointer-check", "double-free": "--pointer-check", "out-of-bounds": "--bounds-check",
    "memory-leak": "--memory-leak-check", "signed-overflow": "--signed-overflow-check",
    "shift-out-of-range": "--undefined-shift-check", "division-by-zero": "--div-by-zero-check",
    "float-overflow": "--float-overflow-check", "float-invalid": "--nan-check",
}
ASSERTIONS = {"assertion", "error-call"}

# What programs call and CBMC does not know; given only if the program does not define it.
STUBS = {
    "__VERIFIER_error": 'void __VERIFIER_error(void) { __CPROVER_assert(0, "error"); __CPROVER_assume(0); }',
    "reach_error": 'void reach_error(void) { __CPROVER_assert(0, "error"); __CPROVER_assume(0); }',
    "__VERIFIER_assume": "void __VERIFIER_assume(int c) { __CPROVER_assume(c); }",
}
RESULT = re.compile(r"^\[(?P<name>\S+)\] .*: (?P<verdict>SUCCESS|FAILURE|UNKNOWN|ERROR)$", re.M)
# Not the program's properties: whether the bound sufficed, and functions without a body, which may return anything.
OF_BOUND = re.compile(r"\.(unwind|recursion)(\.|$)")
ASIDE = re.compile(r"\.no-body\.")
FIRST_BOUND, LAST_BOUND = 1, 1 << 20


class Cbmc:
    def __init__(self, options):
        self.timeout = options.timeout
        self.by_processor = options.processor_time
        self.memory = options.memory
        self.more = options.tool_args
        self.solver = solver()

    def report(self, run):
        start = time.monotonic()
        seconds, bound = 0.0, FIRST_BOUND
        with tempfile.TemporaryDirectory() as folder:
            command = ["cbmc", "--no-standard-checks", *checks(run), *machine(run), *self.solver, *self.more,
                       "--unwinding-assertions", *run.files, *stubs(run, folder)]
            while bound <= LAST_BOUND:
                left = self.timeout - (seconds if self.by_processor else time.monotonic() - start)
                ended = process.run([*command, "--unwind", str(bound)], max(left, 0.01), self.memory,
                                    by_processor=self.by_processor)
                seconds += ended.seconds
                if ended.timed_out:
                    return Report("timeout", seconds=seconds)
                verdict = judged(ended)
                if verdict == "error":
                    lines = (ended.err or ended.out).strip().splitlines()
                    return Report("error", f"exit {ended.code}: {lines[-1] if lines else ''}", seconds=seconds)
                if verdict != "bound":
                    return answer(run, verdict, seconds)
                bound *= 2
        return Report("timeout", seconds=seconds)

    @staticmethod
    def knows(selection):
        return bool(selection.checks & (set(FLAGS) | ASSERTIONS))


def solver():
    if has_cadical():
        return ["--sat-solver", "cadical"]
    return ["--external-sat-solver", "cadical"] if shutil.which("cadical") else []


def has_cadical():
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write("int main(void) { return 0; }\n")
        file.flush()
        ended = subprocess.run(["cbmc", "--sat-solver", "cadical", file.name], capture_output=True, text=True)
    return ended.returncode == 0 and "not available" not in ended.stdout + ended.stderr


def checks(run):
    asked = set().union(*(question.selection.checks for question in run.questions if question.selection))
    flags = sorted({FLAGS[check] for check in asked if check in FLAGS})
    return flags if asked & ASSERTIONS else [*flags, "--no-assertions"]


def machine(run):
    """The target, folders and macros; what lists add for compilers that are no model checkers is left out."""
    flags = ["--32" if "-m32" in run.flags else "--64"]
    flags += ["--no-malloc-may-fail"] if run.malloc_succeeds else ["--malloc-may-fail", "--malloc-fail-null"]
    if run.entry:
        flags += ["--function", run.entry]
    given = iter(run.flags)
    for flag in given:
        if flag == "-I":
            flags += ["-I", next(given)]
        elif flag.startswith("-D") and "__CPROVER" not in flag:
            flags.append(flag)
    return flags


def stubs(run, folder):
    text = "".join(source_text(path) for path in run.files)
    wanted = [stub for name, stub in STUBS.items()
              if re.search(rf"\b{name}\b", text) and not re.search(rf"\b{name}\s*\([^;{{}}]*\)\s*{{", text)]
    if not wanted:
        return []
    path = os.path.join(folder, "stubs.c")
    with open(path, "w") as out:
        out.write("\n".join(wanted) + "\n")
    return [path]


def judged(ended):
    """violated, proved, bound (it was too small) or error."""
    results = [(m["name"], m["verdict"]) for m in RESULT.finditer(ended.out) if not ASIDE.search(m["name"])]
    failed = {name for name, verdict in results if verdict == "FAILURE"}
    if any(not OF_BOUND.search(name) for name in failed):
        return "violated"
    # Not answered: its solver ended early.
    if any(verdict not in ("SUCCESS", "FAILURE") for _, verdict in results):
        return "error"
    if failed:
        return "bound"
    return "proved" if ended.code in (0, 10) and "VERIFICATION" in ended.out else "error"


def answer(run, verdict, seconds):
    """One row that every question of the run takes."""
    rows = [{"id": str(number), "check": sorted(question.selection.checks)[0], "function": "reach_error",
             "verdict": verdict, "given": [], "file": run.files[0], "line": question.line or 0, "column": 1,
             "reason": ""}
            for number, question in enumerate(run.questions) if question.selection]
    return Report("ok", obligations=rows, everything=rows, seconds=seconds)
