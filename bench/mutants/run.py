#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts the unsoundness mutants of the abstract interpreter that the tests catch.

A mutant is a file NN-name.mutant: one line that says what is wrong, the file it changes, perhaps the programs that
judge it (`programs: filters`), the text before with the
expression that changes in [[double brackets]], and the expression after. The text must occur once; blanks and line
ends do not matter, so that formatting breaks no mutant. All mutants are put into one copy of the tree, each behind a
switch that an environment variable sets, so that the copy is built once.

A mutant is caught if `cargo xtask soundness` finds an exception with it, or, failing that, if the laws of the domains
(the unit tests of the crate) fail. A mutant that only makes them hang is not counted: an analysis with a broken join
may never end, so each is given up after a few seconds. With no mutant both must pass.

    bench/mutants/run.py [--seeds 1..=150] [--runs 10] [--only NAME] [--first 20] [--least 18]
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
SWITCH = "CLEW_MUTANT"
CRATE = "crates/absint/src/lib.rs"
# What the crate asks at each place.
ASK = f"""
pub(crate) fn is_mutant(number: u32) -> bool {{
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let read = || std::env::var("{SWITCH}").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    *CHOSEN.get_or_init(read) == number
}}
"""


class Mutant:
    def __init__(self, number, path):
        self.number, self.name = number, path.stem
        head, rest = path.read_text().split("\n--- before\n")
        self.what, rest_of_head = head.split("\nfile: ")
        self.file, *more = rest_of_head.strip().splitlines()
        self.programs = more[0].removeprefix("programs: ") if more else "generated"
        before, self.after = rest.split("\n+++ after\n")
        left, rest = before.split("[[", 1)
        middle, right = rest.rsplit("]]", 1)
        self.parts = [left, middle, right]

    def find(self, text):
        """Where in the text the expression stands."""
        words = [r"\s+".join(re.escape(word) for word in part.split()) for part in self.parts]
        left, middle, right = words
        found = list(re.finditer(rf"{left}\s*({middle})\s*{right}", text))
        if len(found) != 1:
            sys.exit(f"{self.name}: the text before occurs {len(found)} times in {self.file}")
        return found[0].span(1)

    def switched(self, before):
        return f"(if crate::is_mutant({self.number}) {{ {self.after.strip()} }} else {{ {before} }})"


def plant(tree, mutants):
    """Puts all mutants into the tree."""
    files = {}
    for mutant in mutants:
        files.setdefault(mutant.file, []).append(mutant)
    for file, there in files.items():
        text = (tree / file).read_text()
        places = sorted(((mutant.find(text), mutant) for mutant in there), key=lambda place: -place[0][0])
        for (start, end), mutant in places:
            text = text[:start] + mutant.switched(text[start:end]) + text[end:]
        (tree / file).write_text(text)
    with (tree / CRATE).open("a") as crate:
        crate.write(ASK)


def copy_changed(tree):
    """The tree as git knows it; files that are as they were keep their time, so that little is built again."""
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split():
        source, target = ROOT / name, tree / name
        if source.exists() and not (target.exists() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def run(command, tree, seconds, mutant=0):
    """The exit status (None: out of time) and the output."""
    environment = dict(os.environ, **{SWITCH: str(mutant)})
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, timeout=seconds, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        out = late.stdout or b""
        return None, out.decode(errors="replace") if isinstance(out, bytes) else out


def build(tree):
    for command in (["build", "--package", "xtask"], ["test", "--no-run", "--package", "clew-absint", "--lib"]):
        status, text = run(["cargo", *command, "--quiet"], tree, 7200)
        if status != 0:
            sys.exit(f"the mutants do not build:\n{text}")


def judge(tree, options, mutant, programs):
    """Who catches a mutant: `running`, `laws`, or nobody; and the first words of the proof."""
    command = [options.build / "debug/xtask", "soundness", "--first", "--seeds", options.seeds, "--runs", str(options.runs)]
    command += ["--programs", programs, "--limit", "6"]
    status, text = run(command, tree, options.seconds, mutant)
    found = [line for line in text.splitlines() if "EXCEPTION" in line]
    if found:
        return "running", re.sub(r"\S*/", "", found[0])[:130]
    if "panicked" in text:
        return "running", [line for line in text.splitlines() if "panicked" in line][0][:130]
    # An analysis that was given up for its time is no exception: nothing is counted for it.
    command = ["cargo", "test", "--quiet", "--package", "clew-absint", "--lib"]
    status, text = run(command, tree, options.seconds, mutant)
    if status not in (0, None):
        failed = [line.strip() for line in text.splitlines() if line.startswith("    domain") or "panicked" in line]
        return "laws", (failed or [""])[0][:130]
    return None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1..=150")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", help="mutants whose name contains this")
    parser.add_argument("--first", type=int, help="only so many, from the first")
    parser.add_argument("--least", type=int, default=18, help="how many of twenty must be caught")
    parser.add_argument("--seconds", type=int, default=240, help="time for the runs of one mutant, and for the laws")
    options = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    options.build = target / "mutants-build"
    os.environ["CARGO_TARGET_DIR"] = str(options.build)
    tree = target / "mutants-tree"
    copy_changed(tree)
    mutants = [Mutant(number, path) for number, path in enumerate(sorted(HERE.glob("*.mutant")), 1)]
    plant(tree, mutants)
    build(tree)
    chosen = [mutant for mutant in mutants if not options.only or options.only in mutant.name][: options.first]
    for programs in sorted({mutant.programs for mutant in chosen}):
        catcher, proof = judge(tree, options, 0, programs)
        if catcher:
            sys.exit(f"without a mutant the tests do not pass: {catcher}: {proof}")
    caught = 0
    print("| mutant | what is wrong | caught by | first proof | seconds |\n|---|---|---|---|---|", flush=True)
    for mutant in chosen:
        start = time.time()
        catcher, proof = judge(tree, options, mutant.number, mutant.programs)
        caught += catcher is not None
        proof = proof.replace("|", "\\|")
        row = [mutant.name, mutant.what, catcher or "**nobody**", proof, f"{time.time() - start:.0f}"]
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"\n{caught} of {len(chosen)} caught")
    sys.exit(0 if caught * 20 >= options.least * len(chosen) else 1)


if __name__ == "__main__":
    main()
