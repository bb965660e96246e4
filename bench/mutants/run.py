#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Applies each unsoundness mutant to a copy of the tree and counts those that the tests catch.

A mutant is a file NN-name.mutant: one line that says what is wrong, the file it changes, and the text before and
after. The text before must occur once; blanks and line ends do not matter, so that formatting breaks no mutant.

A mutant is caught if `cargo xtask soundness` finds an exception with it, or, failing that, if the laws of the domains
(the unit tests of the crate) fail. A mutant that only makes them hang is not counted. The unchanged tree must pass both.

    bench/mutants/run.py [--seeds 1..=150] [--runs 10] [--only NAME] [--least 18]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Mutant:
    def __init__(self, path):
        self.name = path.stem
        head, rest = path.read_text().split("\n--- before\n")
        self.what, file = head.split("\nfile: ")
        self.file = file.strip()
        self.before, self.after = rest.split("\n+++ after\n")

    def apply(self, tree):
        target = tree / self.file
        pattern = r"\s+".join(re.escape(word) for word in self.before.split())
        text = target.read_text()
        if len(re.findall(pattern, text)) != 1:
            sys.exit(f"{self.name}: the text before does not occur once in {self.file}")
        target.write_text(re.sub(pattern, lambda _: self.after.strip(), text))

    def undo(self, tree):
        shutil.copy(ROOT / self.file, tree / self.file)
        # A copy keeps no time of its own: cargo must see that the file changed back.
        os.utime(tree / self.file)


def run(command, tree, seconds):
    """The exit status (None: out of time) and the output."""
    try:
        done = subprocess.run(
            command, cwd=tree, timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        out = late.stdout or b""
        return None, out.decode(errors="replace") if isinstance(out, bytes) else out


def judge(tree, options):
    """Who catches the tree as it is: `running`, `laws`, or nobody; and the first words of the proof."""
    status, text = run(["cargo", "build", "--quiet", "--package", "xtask"], tree, 3600)
    if status != 0:
        sys.exit(f"the tree does not build:\n{text}")
    binary = options.build / "debug/xtask"
    status, text = run(
        [binary, "soundness", "--seeds", options.seeds, "--runs", str(options.runs)], tree, options.seconds
    )
    found = [line for line in text.splitlines() if "EXCEPTION" in line]
    if found:
        return "running", re.sub(r"\S*/", "", found[0])[:110]
    if status == 2 or "panicked" in text:
        return "running", text.strip().splitlines()[-1][:110]
    status, text = run(
        ["cargo", "test", "--quiet", "--package", "clew-absint", "--lib"], tree, options.seconds + 600
    )
    if status not in (0, None):
        failed = [line for line in text.splitlines() if "FAILED" in line or "panicked" in line]
        return "laws", (failed or [""])[0][:110]
    return None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1..=150")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", help="mutants whose name contains this")
    parser.add_argument("--least", type=int, default=18, help="how many of twenty must be caught")
    parser.add_argument("--seconds", type=int, default=240, help="time for the runs of one mutant")
    options = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    options.build = target / "mutants-build"
    os.environ["CARGO_TARGET_DIR"] = str(options.build)
    tree = target / "mutants-tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    catcher, proof = judge(tree, options)
    if catcher:
        sys.exit(f"the unchanged tree does not pass: {catcher}: {proof}")
    mutants = [Mutant(path) for path in sorted(HERE.glob("*.mutant"))]
    mutants = [mutant for mutant in mutants if not options.only or options.only in mutant.name]
    caught = 0
    print("| mutant | what is wrong | caught by | first proof | seconds |\n|---|---|---|---|---|", flush=True)
    for mutant in mutants:
        start = time.time()
        mutant.apply(tree)
        catcher, proof = judge(tree, options)
        mutant.undo(tree)
        caught += catcher is not None
        seconds = time.time() - start
        proof = proof.replace("|", "\\|")
        print(f"| {mutant.name} | {mutant.what} | {catcher or '**nobody**'} | {proof} | {seconds:.0f} |", flush=True)
    print(f"\n{caught} of {len(mutants)} caught")
    sys.exit(0 if caught * 20 >= options.least * len(mutants) else 1)


if __name__ == "__main__":
    main()
