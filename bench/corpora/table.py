# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results as Markdown tables and as a CSV file with one row a question."""

import csv
import fnmatch
import os
from collections import Counter

TRUE_HEAD = ["list", "expected true", "proved", "%", "given", "open", "violated", "error", "timeout", "no check",
             "suite", "s"]
FALSE_HEAD = ["list", "expected false", "wrongly proved", "given", "open", "found", "error", "timeout", "no check",
              "suite", "s"]


def known_errors():
    """Errors of the suites, with the verdict that is right: they are counted in a column of their own."""
    path = os.path.join(os.path.dirname(__file__), "known.csv")
    with open(path, newline="") as lines:
        return list(csv.DictReader(lines))


def known_error(name, known):
    return next((row for row in known if fnmatch.fnmatchcase(name, row["pattern"])), None)


def summary(results):
    """Both tables, a row a list; `results` are dicts as `write_csv` writes them."""
    text = []
    for expected, head, row in (("true", TRUE_HEAD, true_row), ("false", FALSE_HEAD, false_row)):
        of = [r for r in results if r["expected"] == expected]
        names = list(dict.fromkeys(r["list"] for r in of))
        rows = [row(name, [r for r in of if r["list"] == name]) for name in names]
        text.append(markdown(head, rows))
    return "\n\n".join(text)


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def counts(rows):
    return Counter("suite" if r["known"] else r["verdict"] for r in rows)


def true_row(name, rows):
    n = counts(rows)
    asked = len(rows) - n["no-check"] - n["suite"]
    share = f"{100 * n['proved'] / asked:.1f}" if asked else "-"
    return [name, len(rows), n["proved"], share, n["given"], n["open"], n["violated"], n["error"], n["timeout"],
            n["no-check"], n["suite"], seconds(rows)]


def false_row(name, rows):
    n = counts(rows)
    return [name, len(rows), n["proved"], n["given"], n["open"], n["violated"], n["error"], n["timeout"],
            n["no-check"], n["suite"], seconds(rows)]


def seconds(rows):
    return f"{sum(r['seconds'] for r in rows):.1f}"


def wrongly_proved(result):
    return result["really"] == "false" and result["verdict"] == "proved"


def disagreements(results):
    """Every disagreement by name."""
    lines = []
    for r in results:
        wrong = "wrongly proved" if wrongly_proved(r) else ""
        if r["really"] == "true" and r["verdict"] == "violated":
            wrong = "wrongly violated"
        if wrong:
            line = f"- {wrong}: {r['program']}, {r['property']}, {r['relevant']} obligations {r['first']}"
            lines.append(line.rstrip())
    return "\n".join(lines)


def causes(results):
    """What keeps expected-true programs from being proved, by check: what is open, and what proofs are given."""
    rest = [r for r in results if r["expected"] == "true" and not r["known"]]
    opens = [r["open_by_check"] for r in rest if r["verdict"] in ("open", "violated")]
    givens = [r["given_by_check"] for r in rest if r["verdict"] == "given"]
    return by_check("open", opens) + "\n\n" + by_check("given", givens)


def by_check(what, counters):
    obligations, programs, alone = Counter(), Counter(), Counter()
    for here in counters:
        obligations.update(here)
        programs.update(here.keys())
        if len(here) == 1:
            alone.update(here.keys())
    rows = [[check, n, programs[check], alone[check]] for check, n in obligations.most_common()]
    return markdown([what, "obligations", "programs", "programs with no other"], rows)


COLUMNS = ["list", "program", "property", "expected", "really", "verdict", "seconds", "relevant", "not_proved",
           "first", "said", "known"]


def write_csv(path, results):
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for r in results:
            writer.writerow({**r, "seconds": f"{r['seconds']:.3f}"})
