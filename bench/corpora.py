#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a verifier on public suites with known verdicts: see corpora.md."""

import argparse
import os
import shutil
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from corpora import contributions, fetch, table, tasks
from corpora.cbmc import Cbmc
from corpora.clew import Clew
from corpora.framac import FramaC
from corpora.tool import answer

TOOLS = {"cbmc": Cbmc, "clew": Clew, "frama-c": FramaC}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", nargs="+", required=True, metavar="LIST",
                        help="lists as paths, or as names (svcomp-loops) of files in --list-dir")
    parser.add_argument("--list-dir", default=".", help="where NAME.dev.csv is looked for")
    parser.add_argument("--corpora", default=os.path.join(os.path.dirname(__file__), "work", "corpora"),
                        help="where the suites are laid out (default: bench/work/corpora)")
    parser.add_argument("--fetch", action="store_true", help="fetch from GitHub the suites that are not there")
    parser.add_argument("--tool", choices=sorted(TOOLS), default="clew")
    parser.add_argument("--clew", default="clew", help="the clew to measure (default: the one on PATH)")
    parser.add_argument("--tool-args", nargs="*", default=[], metavar="ARG", help="more arguments for the tool")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for one program")
    parser.add_argument("--processor-time", action="store_true", help="let --timeout count processor time")
    parser.add_argument("--memory", type=int, default=4096, help="MB for one program, 0 for no limit")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--malloc-may-fail", action="store_true",
                        help="allocation may fail in every run, also where the suite says that it never does")
    parser.add_argument("--only", metavar="TEXT", help="only programs with this in their name")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every Nth program of a list")
    parser.add_argument("--out", help="write one row a question as CSV")
    parser.add_argument("--keep", metavar="DIR", help="keep clew's tests and what they are of, for witnesses.py --kept")
    parser.add_argument("--listed", action="store_true",
                        help="ask clew only for the checks of the listed property, as CBMC is asked (default: all)")
    parser.add_argument("--contributions", nargs="*", metavar="DOMAIN",
                        help="say what is no longer proved without each domain of clew (default: all)")
    parser.add_argument("--causes", action="store_true", help="count what stays open by check")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser.parse_args()


def list_path(name, folder):
    if os.path.exists(name):
        return name
    path = os.path.join(folder, f"{name}.dev.csv")
    if not os.path.exists(path):
        sys.exit(f"corpora.py: no list {name}, nor {path}")
    return path


def collect(options):
    """(list, run) pairs of all lists, with the questions that --only leaves."""
    pairs = []
    for name in options.lists:
        path = list_path(name, options.list_dir)
        if options.fetch:
            for suite in {row["path"].split("/")[0] for row in tasks.read_list(path)}:
                if suite in fetch.REPOSITORIES:
                    fetch.fetch(suite, options.corpora)
        made = tasks.runs(path, os.path.abspath(options.corpora), options.sample)
        if made is None:
            print(f"{tasks.kind_of(path)}: no verdicts in this list, left out", file=sys.stderr)
            continue
        for run in made:
            run.malloc_succeeds = run.malloc_succeeds and not options.malloc_may_fail
            if options.only:
                run.questions = [q for q in run.questions if options.only in q.name]
            if run.questions:
                pairs.append((tasks.kind_of(path), run))
    return pairs


def result(kind, question, report, share, known):
    got = answer(question, report)
    bad = [row for row in got.relevant if row["verdict"] in ("open", "violated")]
    shown = (bad or got.below)[:1]
    first = "".join(f"{row['check']} {row['function']}:{row['line']} {row.get('reason') or ''}" for row in shown).strip()
    error = table.known_error(question.name, known)
    expected = "true" if question.expected else "false"
    return {"list": kind, "program": question.name, "property": question.prop, "expected": expected,
            "really": error["really"] if error else expected, "verdict": got.verdict, "seconds": share,
            "relevant": len(got.relevant), "not_proved": len(bad), "first": first, "said": got.said,
            "known": error["reason"] if error else "", "open_by_check": Counter(row["check"] for row in bad),
            "given_by_check": Counter(row["check"] for row in got.below)}


def measure(options, wanted=lambda kind, question: True):
    tool = TOOLS[options.tool](options)
    known = table.known_errors()
    pairs = collect(options)
    for kind, run in pairs:
        run.questions = [question for question in run.questions if wanted(kind, question)]
    pairs = [(kind, run) for kind, run in pairs if run.questions]

    def work(pair):
        kind, run = pair
        for question in run.questions:
            if question.selection and not tool.knows(question.selection):
                question.selection = None
        asked = any(question.selection for question in run.questions)
        report = tool.report(run) if asked else None
        share = report.seconds / len(run.questions) if report else 0.0
        return [result(kind, question, report, share, known) for question in run.questions]

    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for done, some in enumerate(pool.map(work, pairs), 1):
            results.extend(some)
            if not options.quiet and sys.stderr.isatty():
                print(f"\r{done}/{len(pairs)}", end="", file=sys.stderr, flush=True)
    if not options.quiet and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return results


def contributed(options, results):
    """The table of what each domain contributes."""
    asked = contributions.worth_asking(results)
    more = options.tool_args
    by_domain = []

    def wanted(kind, question):
        return (kind, question.name, question.prop, "true" if question.expected else "false") in asked

    for domain in options.contributions or contributions.DOMAINS:
        options.tool_args = [*more, f"--without={domain}"]
        without = measure(options, wanted)
        if all(row["verdict"] == "error" for row in without):
            sys.exit(f"corpora.py: without {domain}: {without[0]['said'] if without else 'nothing to ask'}")
        by_domain.append((domain, without))
    return contributions.table(results, by_domain)


def main():
    options = arguments()
    program = options.clew if options.tool == "clew" else options.tool
    if not shutil.which(program):
        sys.exit(f"corpora.py: {program} is not there")
    results = measure(options)
    if options.out:
        table.write_csv(options.out, results)
    print(table.summary(results))
    said = table.disagreements(results)
    if said:
        print("\n" + said)
    if options.contributions is not None:
        print("\n" + contributed(options, results))
    if options.causes:
        print("\n" + table.causes(results))
    sys.exit(1 if any(table.wrongly_proved(r) for r in results) else 0)


if __name__ == "__main__":
    main()
