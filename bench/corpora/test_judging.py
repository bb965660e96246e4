# SPDX-License-Identifier: MIT OR Apache-2.0
"""`python3 -m unittest discover -s bench/corpora -t bench -p 'test_*.py'`: what must not count as a proof does not."""

import unittest

from corpora import framac, relevant
from corpora.tasks import Question
from corpora.tool import Report, answer


def row(name, check="error-call", verdict="proved", given=(), line=1):
    return {"id": name, "check": check, "function": "main", "file": "none.c", "line": line, "column": 1,
            "verdict": verdict, "given": list(given)}


def judged(rows, selection=relevant.Selection(relevant.ERROR), line=None, **more):
    question = Question("none.c", "p", False, selection, line, "main")
    return answer(question, Report("ok", obligations=rows, everything=rows, **more)).verdict


class Judging(unittest.TestCase):
    def test_one_open_obligation_is_no_proof(self):
        self.assertEqual(judged([row("a"), row("b", verdict="open")]), "open")
        self.assertEqual(judged([row("a", verdict="violated"), row("b", verdict="open")]), "violated")

    def test_other_checks_do_not_count(self):
        self.assertEqual(judged([row("a"), row("b", "signed-overflow", "open")]), "proved")

    def test_a_proof_is_conditional_while_what_it_rests_on_is(self):
        over = row("o", "signed-overflow", "open")
        self.assertEqual(judged([row("a", given=["o"]), over]), "given")
        self.assertEqual(judged([row("a", given=["absent"])]), "given")
        self.assertEqual(judged([row("a", given=["b"]), row("b", "signed-overflow", given=["o"]), over]), "given")
        self.assertEqual(judged([row("a", given=["b"]), row("b", "signed-overflow")]), "proved")

    def test_a_circle_of_proofs_settles_nothing(self):
        self.assertEqual(judged([row("a", given=["b"]), row("b", "signed-overflow", given=["a"])]), "given")

    def test_a_mark_without_obligations_is_not_proved(self):
        self.assertEqual(judged([], line=3), "no-check")

    def test_failures_and_missing_checks(self):
        question = Question("none.c", "p", True, relevant.Selection(relevant.ERROR))
        self.assertEqual(answer(question, Report("timeout")).verdict, "timeout")
        question.selection = None
        self.assertEqual(answer(question, Report("ok")).verdict, "no-check")

    def test_alarms_of_eva(self):
        self.assertEqual(framac.checks_of("user assertion", "\\false", "reach_error"), ["error-call"])
        self.assertEqual(judged([row("a", verdict="open")], alarms_only=True), "open")
        self.assertEqual(judged([row("a", "signed-overflow", "open")], alarms_only=True), "given")
        self.assertEqual(judged([], alarms_only=True), "proved")

    def test_abort_is_not_the_error_function(self):
        call = row("a", verdict="open")
        self.assertFalse(relevant.not_abort(call, "abort();"))
        self.assertTrue(relevant.not_abort(call, "__VERIFIER_error();"))
        self.assertTrue(relevant.not_abort(call, ""))


if __name__ == "__main__":
    unittest.main()
