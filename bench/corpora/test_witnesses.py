# SPDX-License-Identifier: MIT OR Apache-2.0
"""`python3 -m unittest discover -s bench/corpora -t bench -p 'test_*.py'`: a test that fails elsewhere has not failed."""

import unittest

from corpora.witnesses import fails_inside

STACK = """==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x1
    #0 0x1 in __interceptor_strcpy ../asan.cpp:4
    #1 0x2  (/lib/libc.so.6+0x1)
    #2 0x3 in copy {file}:{line}
    #3 0x4 in main p.c:20
"""


def row(check="out-of-bounds", line=12):
    return {"check": check, "file": "p.c", "line": line, "column": 1}


class Failing(unittest.TestCase):
    def test_the_first_own_place_counts(self):
        said = STACK.format(file="p.c", line=12)
        self.assertTrue(fails_inside(row(), said, {"p.c"}))
        self.assertFalse(fails_inside(row(line=20), said, {"p.c"}))
        self.assertFalse(fails_inside(row(line=4), said, {"p.c"}))

    def test_silence_is_no_failure(self):
        self.assertFalse(fails_inside(row(), "", {"p.c"}))

    def test_one_line_reports(self):
        said = "/home/x/p.c:12:3: runtime error: index 4 out of bounds\n"
        self.assertTrue(fails_inside(row(), said, {"p.c"}))
        self.assertFalse(fails_inside(row(line=13), said, {"p.c"}))

    def test_an_error_function_speaks_for_its_call(self):
        said = "==7==ERROR: AddressSanitizer: ABRT\n    #0 0x1 in reach_error p.c:3\n    #1 0x2 in main p.c:12\n"
        self.assertTrue(fails_inside(row("error-call"), said, {"p.c"}))
        self.assertFalse(fails_inside(row(), said, {"p.c"}))


if __name__ == "__main__":
    unittest.main()
