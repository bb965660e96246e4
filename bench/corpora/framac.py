# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frama-C's Eva as a tool of the comparison.

Eva lists alarms, not obligations: what has no alarm is proved. After an alarm it goes on without the states that the
alarm is about, so a property without alarms of its own is proved only given the other alarms, as in clew's reports.
"""

import csv
import os
import re
import shlex
import tempfile

from corpora import process, relevant
from corpora.tool import Report, source_text

POINTER = ["null-deref", "invalid-deref", "out-of-bounds", "use-after-free"]
NOT_FINITE = ["float-overflow", "float-invalid", "float-division-by-zero"]

# Kind of alarm -> the checks of clew that it may stand for.
KINDS = {
    "mem_access": POINTER,
    "index_bound": ["out-of-bounds"],
    "pointer_value": ["invalid-deref", "out-of-bounds"],
    # Eva raises it wherever the address of an object that is gone is used, in `free` too.
    "dangling_pointer": ["use-after-free", "double-free", "invalid-deref"],
    "function_pointer": ["null-call", "bad-call"],
    "initialization": ["uninitialised-read"],
    "division_by_zero": ["division-by-zero"],
    "shift": ["shift-out-of-range"],
    "signed_overflow": ["signed-overflow"],
    "unsigned_overflow": ["unsigned-wrap"],
    "signed_downcast": ["lossy-conversion"],
    "unsigned_downcast": ["lossy-conversion"],
    "float_to_int": ["float-to-int"],
    "is_nan_or_infinite": NOT_FINITE,
    "is_nan": ["float-invalid"],
    "ptr_comparison": ["pointer-compare"],
    "differing_blocks": ["pointer-compare"],
    "separation": ["unsequenced"],
    "overlap": ["overlap"],
}

# What the programs call and Eva does not know; a stub is given only if the program does not define it.
STUBS = {
    "__VERIFIER_error": "void __VERIFIER_error(void) { /*@ assert \\false; */ }",
    "reach_error": "void reach_error(void) { /*@ assert \\false; */ }",
    "__VERIFIER_assume": "void __VERIFIER_assume(int c) { while (!c) ; }",
    "__CPROVER_assume": "void __CPROVER_assume(int c) { while (!c) ; }",
    "__builtin_alloca": "/*@ assigns \\result \\from n; */ void *__builtin_alloca(__SIZE_TYPE__ n);",
    "__CPROVER_assert": "void __CPROVER_assert(int c, const char *m) { /*@ assert c != 0; */ }",
}


class FramaC:
    def __init__(self, options):
        self.timeout = options.timeout
        self.memory = options.memory
        self.more = options.tool_args

    def report(self, run):
        with tempfile.TemporaryDirectory() as folder:
            alarms = os.path.join(folder, "alarms.csv")
            command = ["frama-c", *machine(run, declarations(run, folder)), *warnings(run), *entry(run), *stubs(run, folder), *sources(run, folder),
                       "-eva", "-eva-precision", "7", *self.more, "-then", "-report-no-proven", "-report-csv", alarms]
            ended = process.run(command, self.timeout, self.memory)
            if ended.timed_out:
                return Report("timeout", seconds=ended.seconds)
            said = refusal(ended, alarms)
            if said:
                return Report("error", said, seconds=ended.seconds)
            rows = read_alarms(alarms)
        return Report("ok", obligations=rows, everything=rows, seconds=ended.seconds, alarms_only=True)

    @staticmethod
    def knows(selection):
        """Eva has no check for leaks; valid-memsafety is judged without its leaks."""
        return not selection.checks <= relevant.LEAK | {"stack-exhausted"}


def machine(run, included):
    """The target, the preprocessor's flags, and `alloca`, which Eva knows only by its own header or by this option."""
    text = "".join(source_text(path) for path in run.files)
    flags = included + [flag for flag in run.flags if flag not in ("-m32", "-m64")]
    if re.search(r"\balloca\b", text, re.I):
        flags += ["-include", "alloca.h"]
    machine_flags = ["-machdep", "gcc_x86_32" if "-m32" in run.flags else "gcc_x86_64"]
    if "__builtin_alloca" in text:
        machine_flags += ["-eva-builtin", "__builtin_alloca:Frama_C_alloca"]
    return [*machine_flags, "-cpp-extra-args=" + shlex.join(flags)]


def warnings(run):
    """The optional alarms are asked for only if they are in question: each of them cuts states away."""
    checks = set().union(*(question.selection.checks for question in run.questions if question.selection))
    flags = ["-warn-special-float", "non-finite" if checks & set(NOT_FINITE) else "none"]
    if "unsigned-wrap" in checks:
        flags.append("-warn-unsigned-overflow")
    if "lossy-conversion" in checks:
        flags += ["-warn-signed-downcast", "-warn-unsigned-downcast"]
    if run.malloc_succeeds:
        flags.append("-eva-no-alloc-returns-null")
    return flags


def entry(run):
    return ["-main", run.entry, "-lib-entry"] if run.entry else []


def stubs(run, folder):
    text = "".join(source_text(path) for path in run.files) + " ".join(run.flags)
    wanted = [stub for name, stub in STUBS.items()
              if re.search(rf"\b{name}\b", text) and not re.search(rf"\b{name}\s*\([^;{{}}]*\)\s*{{", text)]
    if not wanted:
        return []
    path = os.path.join(folder, "stubs.c")
    with open(path, "w") as out:
        # Eva's own preprocessing does not know the target's size_t.
        size = "unsigned int" if "-m32" in run.flags else "unsigned long"
        out.write("\n".join(wanted).replace("__SIZE_TYPE__", size) + "\n")
    return [path]


def declarations(run, folder):
    """Eva drops a stub that a program calls without declaring it: the program gets a declaration."""
    text = "".join(source_text(path) for path in run.files)
    names = [name for name in ("__CPROVER_assert", "__CPROVER_assume")
             if not re.search(rf"^[^=;(){{}}\n]*\b(void|int)\b[^=;(){{}}\n]*\b{name}\s*\(", text, re.M)]
    path = os.path.join(folder, "declared.h")
    with open(path, "w") as out:
        out.writelines(STUBS[name].split(" {")[0] + ";\n" for name in names)
    return ["-include", path]


def sources(run, folder):
    """The files; verisec's library as it is for tools that do not take `*p` of a `void *`, which it has a switch for."""
    return [typecast(path, folder) if path.endswith("verisec/lib/stubs.c") else path for path in run.files]


def typecast(path, folder):
    for name in os.listdir(os.path.dirname(path)):
        text = source_text(os.path.join(os.path.dirname(path), name))
        with open(os.path.join(folder, name), "w") as out:
            out.write(text.replace("#define TYPECAST_MEMCPY 0", "#define TYPECAST_MEMCPY 1"))
    return os.path.join(folder, os.path.basename(path))


def refusal(ended, alarms):
    """Why there is no result, if there is none; a recursion that Eva skips with an assumption is none either."""
    if "without a specification" in ended.out:
        return "recursive call without a specification"
    if ended.code != 0 or not os.path.exists(alarms):
        lines = [line for line in ended.out.splitlines() if "Error" in line or "error" in line]
        return f"exit {ended.code}: {lines[0] if lines else ''}"
    return ""


def read_alarms(path):
    rows = []
    with open(path, newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)):
            for check in checks_of(row["property kind"], row["property"], row["function"]):
                rows.append({"id": str(number), "check": check, "function": row["function"], "verdict": "open",
                             "given": [], "file": os.path.join(row["directory"], row["file"]), "column": 1,
                             "line": int(row["line"]), "reason": row["property kind"] + " " + row["property"]})
    return rows


def checks_of(kind, text, function):
    if kind in KINDS:
        return KINDS[kind]
    if kind == "user assertion":
        return ["error-call" if function in relevant.ERROR_FUNCTIONS else "assertion"]
    if kind == "precondition of __FC_assert":
        return ["assertion"]
    if re.fullmatch("precondition of (free|realloc)", kind):
        return ["invalid-free", "double-free"]
    if kind.startswith("precondition of "):
        if text.startswith("separation"):
            return ["overlap"]
        if "string" in text:
            return ["string-not-terminated", *POINTER]
        return ["bad-argument", *POINTER]
    return []
