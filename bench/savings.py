#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures what the solver saves by what the proofs tell it, each part switched off alone.

    bench/savings.py --lists svcomp-loops --list-dir DIR --corpora DIR --clew PATH [--sample N]
    bench/savings.py --clew PATH --files a.c b.c

Terms, variables and clauses are the same on every machine; seconds are of the processor, of solving alone. With less to
go by the engine may give up at another depth, so sizes are compared over the programs that it walks as often; slices are
walks of their own, so theirs are compared over all. What is open or proved given others is counted over all.
"""

import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from corpora import process, tasks

PARTS = ["proved", "given", "invariants", "slices", "narrowing", "pointers"]
# Parts that are walks.
WALKS = ["slices"]
COSTS = re.compile(r"solving took (\d+) walks, (\d+) steps, (\d+) terms, (\d+) questions, (\d+) variables, "
                   r"(\d+) clauses, (\d+) ms")
NAMES = ["walks", "steps", "terms", "questions", "variables", "clauses", "ms"]
DECIDED = re.compile(r"obligations: (.*?)(?:;|$)", re.M)
UNSETTLED = re.compile(r"(\d+) (?:open|proved given others)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", nargs="*", default=[], metavar="LIST")
    parser.add_argument("--files", nargs="*", default=[], metavar="FILE", help="programs of one file each")
    parser.add_argument("--list-dir", default=".")
    parser.add_argument("--corpora", default="bench/work/corpora")
    parser.add_argument("--clew", default="clew")
    parser.add_argument("--parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--against", metavar="PATH", help="also compare with another build of clew")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of the processor for one program")
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def collect(options):
    """(list, run) of each program."""
    pairs = [("files", tasks.Run([os.path.abspath(path)])) for path in options.files]
    for name in options.lists:
        path = os.path.join(options.list_dir, f"{name}.dev.csv")
        pairs += [(name, run) for run in tasks.runs(path, options.corpora, options.sample)]
    return pairs


def measure(options, run, part, clew=None):
    """What solving took without a part, and what was decided; none if nothing was left to solve, or no end came."""
    command = [os.path.abspath(clew or options.clew), "check", "--no-replay", f"--costs-without={part}"]
    if run.malloc_succeeds:
        command += ["--assume", "malloc-succeeds"]
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.abspath(path) for path in run.files]
        ended = process.run([*command, *files, "--", *run.flags], options.timeout, options.memory, cwd=folder,
                            by_processor=True)
    found = COSTS.search(ended.err + ended.out)
    decided = DECIDED.search(ended.out)
    if ended.timed_out or not found or not decided:
        return None
    return dict(zip(NAMES, map(int, found.groups()))), decided.group(1)


def unsettled(decided):
    return sum(map(int, UNSETTLED.findall(decided)))


def row(name, part, with_all, without):
    pairs = [(a, b) for a, b in zip(with_all, without) if a and b]
    same = [(a[0], b[0]) for a, b in pairs if part in WALKS or a[0]["walks"] == b[0]["walks"]]
    cells = [str(len(same))]
    for what in ("terms", "variables", "clauses", "ms"):
        ours, theirs = (sum(pair[side][what] for pair in same) for side in (0, 1))
        saved = 100 * (theirs - ours) / theirs if theirs else 0
        cells.append(f"{theirs / 1000:.1f} -> {ours / 1000:.1f} ({-saved:+.0f} %)")
    seconds = [sum(pair[side][0]["ms"] for pair in pairs) / 1000 for side in (1, 0)]
    cells.append(f"{seconds[0]:.1f} -> {seconds[1]:.1f}")
    cells.append(str(sum(a[1] != b[1] for a, b in pairs)))
    cells.append(" -> ".join(str(sum(unsettled(pair[side][1]) for pair in pairs)) for side in (1, 0)))
    print(f"| {name}, {part} | {' | '.join(cells)} |")


def main():
    options = arguments()
    lists = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        pairs = collect(options)
        solved = [(pair, costs) for pair, costs in
                  zip(pairs, pool.map(lambda pair: measure(options, pair[1], "none"), pairs)) if costs]
        for (name, run), costs in solved:
            lists.setdefault(name, []).append((run, costs))
        print(f"{len(pairs)} programs, {len(solved)} with something left to solve and an end in {options.timeout} s")
        print("| list, without | programs | thousand terms | thousand variables | thousand clauses | s |"
              " s of all | decided otherwise | unsettled |\n|---|---|---|---|---|---|---|---|---|")
        for part in options.parts:
            for name, runs in lists.items():
                without = list(pool.map(lambda pair: measure(options, pair[0], part), runs))
                row(name, part, [costs for _, costs in runs], without)
                sys.stdout.flush()
        for name, runs in lists.items() if options.against else ():
            other = list(pool.map(lambda pair: measure(options, pair[0], "none", options.against), runs))
            row(name, "the other build", [costs for _, costs in runs], other)


if __name__ == "__main__":
    main()
