#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two runs of corpora.py side by side, by list: what each solved, and how long it took.

    bench/corpora.py --lists ... --out clew.csv
    bench/corpora.py --lists ... --tool cbmc --out cbmc.csv
    bench/sides.py clew=clew.csv cbmc=cbmc.csv

A question is solved if a program that is right is proved, or one that is wrong found to be so. Only questions that both
files have, and that both tools have a check for, count. Means are geometric, of at least a hundredth of a second each.
"""

import csv
import math
import sys

LEAST = 0.01


def read(path):
    with open(path, newline="") as lines:
        return {(r["list"], r["program"], r["property"], r["expected"]): r for r in csv.DictReader(lines)}


def is_solved(row):
    return row["verdict"] == ("proved" if row["really"] == "true" else "violated")


def is_wrong(row):
    return row["verdict"] == ("violated" if row["really"] == "true" else "proved")


def mean(rows):
    return math.exp(sum(math.log(max(LEAST, float(r["seconds"]))) for r in rows) / len(rows))


def main():
    if len(sys.argv) < 3 or not all("=" in word for word in sys.argv[1:]):
        sys.exit(__doc__)
    names, paths = zip(*(word.split("=", 1) for word in sys.argv[1:]))
    runs = [read(path) for path in paths]
    shared = [key for key in runs[0]
              if all(key in run and run[key]["verdict"] != "no-check" for run in runs)]
    head = ["list", "questions"]
    for name in names:
        head += [f"{name} solved", "wrong", "s", "mean s"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for kind in dict.fromkeys(key[0] for key in shared):
        keys = [key for key in shared if key[0] == kind]
        cells = [kind, len(keys)]
        for run in runs:
            rows = [run[key] for key in keys]
            total = sum(float(r["seconds"]) for r in rows)
            cells += [sum(map(is_solved, rows)), sum(map(is_wrong, rows)), f"{total:.1f}", f"{mean(rows):.2f}"]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


if __name__ == "__main__":
    main()
