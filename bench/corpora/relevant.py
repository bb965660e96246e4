# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which obligations decide a listed property.

A suite says what is wrong in its own words (a property, a CWE number, a file name). Here each of them becomes a
`Selection`: the checks that stand for it, and where they count. A selection that is too wide hides wrong proofs
(any open obligation will do), one that is too narrow reports faults that are none, so each is as narrow as the
suite's own definition.
"""

import re
from dataclasses import dataclass
from typing import Callable, Optional

BUFFER = {"out-of-bounds", "string-not-terminated", "invalid-deref", "bad-argument"}
DEREF = {"null-deref", "invalid-deref", "out-of-bounds", "use-after-free", "string-not-terminated", "bad-argument",
         "null-call"}
FREE = {"invalid-free", "double-free"}
LEAK = {"memory-leak"}
MEMSAFETY = DEREF | FREE | LEAK
ERROR = {"error-call"}
# SV-COMP: a result of a signed operation that its type cannot represent, which takes in lost bits of `<<`.
OVERFLOW = {"signed-overflow", "shift-out-of-range"}
# What cbmc checks without flags since its version 6.
CBMC = {"assertion", "error-call", "null-deref", "invalid-deref", "out-of-bounds", "use-after-free", "invalid-free",
        "double-free", "signed-overflow", "division-by-zero", "shift-out-of-range", "string-not-terminated",
        "bad-argument", "null-call", "bad-call", "overlap"}
ESBMC = CBMC - {"signed-overflow", "shift-out-of-range"}


@dataclass
class Selection:
    """The obligations that count: those of `checks` for which `where(obligation, line of source)` holds."""

    checks: set
    where: Optional[Callable] = None

    def takes(self, obligation, source):
        if obligation["check"] not in self.checks:
            return False
        return self.where is None or self.where(obligation, source)


ERROR_FUNCTIONS = ("__VERIFIER_error", "reach_error")


def not_abort(obligation, source):
    """`abort` is an error-call to clew, but to SV-COMP only the error functions count.

    What cannot be read off the source counts, so that a doubt never makes a proof.
    """
    if obligation["function"] in ERROR_FUNCTIONS:
        return True
    return not re.match(r"abort\s*\(", source[obligation["column"] - 1:])


SVCOMP_PARTS = {"valid-deref": DEREF, "valid-free": FREE, "valid-memtrack": LEAK}


def svcomp(prop, part):
    """The selection of an SV-COMP property; `part` is the violated part of valid-memsafety, if one is known."""
    if prop == "unreach-call":
        return Selection(ERROR, not_abort)
    if prop == "no-overflow":
        return Selection(OVERFLOW)
    if prop == "valid-memsafety":
        return Selection(SVCOMP_PARTS.get(part, MEMSAFETY))
    return None


def in_testcase(obligation, source):
    """Arithmetic counts in the test case itself, but not in Juliet's macros for random numbers, which wrap."""
    return "testcasesupport" not in obligation["file"] and not re.search(r"\bU?RAND(31|32|63|64)\s*\(", source)


# Juliet: (CWE, pattern of the flaw's name) -> selection; the first that fits. `None` is a flaw that no check of
# clew stands for.
LOSSY = Selection({"lossy-conversion"}, in_testcase)
JULIET = [
    ("CWE12[1-7]", ".*", Selection(BUFFER)),
    # Arithmetic in char and short is done in int; the flaw is the conversion back.
    ("CWE19[01]", "(char|short)_", LOSSY),
    ("CWE19[01]", "unsigned_int_", Selection({"unsigned-wrap"}, in_testcase)),
    ("CWE19[01]", ".*", Selection({"signed-overflow"})),
    ("CWE19[45]", ".*_malloc", LOSSY),
    ("CWE19[45]", ".*", Selection(BUFFER)),
    # The truncation is written as a cast.
    ("CWE197", ".*", None),
    ("CWE369", "float_", Selection({"float-division-by-zero"})),
    ("CWE369", ".*", Selection({"division-by-zero"})),
    ("CWE401", ".*", Selection(LEAK)),
    ("CWE415", ".*", Selection({"double-free"})),
    ("CWE416", ".*", Selection({"use-after-free"})),
    ("CWE457", ".*", Selection({"uninitialised-read"})),
    ("CWE476", ".*", Selection({"null-deref"})),
    ("CWE590", ".*", Selection({"invalid-free"})),
    ("CWE680", ".*", Selection({"unsigned-wrap", "out-of-bounds"},
                               lambda o, s: o["check"] != "unsigned-wrap" or in_testcase(o, s))),
    ("CWE681", "double2float", Selection({"float-overflow"})),
    ("CWE681", ".*", Selection({"float-to-int"})),
]


def juliet(cwe, flaw):
    for number, pattern, selection in JULIET:
        if re.fullmatch(number, cwe) and re.match(pattern, flaw):
            return selection
    return None


# The Toyota ITC suite: one defect a file.
ITC = {
    "buffer_overrun_dynamic": BUFFER,
    "data_lost": {"lossy-conversion"},
    "double_free": FREE | {"use-after-free"},
    # Freeing a null pointer is allowed in C.
    "free_null_pointer": None,
    "invalid_memory_access": DEREF | {"uninitialised-read"},
    "littlemem_st": BUFFER,
    "memory_leak": LEAK,
    "null_pointer": {"null-deref"},
    "overrun_st": BUFFER,
    "ptr_subtraction": {"pointer-compare"},
    "return_local": {"use-after-free", "invalid-deref"},
    "st_overflow": {"stack-exhausted"},
    "st_underrun": BUFFER,
    "underrun_st": BUFFER,
    "uninit_memory_access": {"uninitialised-read"},
}


def itc(stem):
    checks = ITC.get(stem)
    return Selection(checks) if checks else None
