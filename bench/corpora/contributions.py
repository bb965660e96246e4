# SPDX-License-Identifier: MIT OR Apache-2.0
"""What each domain of clew contributes: what is no longer proved when it alone is left out (`--without`)."""

from collections import Counter

from corpora.table import markdown

DOMAINS = ["linear", "differences", "sums", "cursors", "strings", "arrays", "octagons", "filters", "progressions",
           "clock", "backward", "case-splits", "partitions", "decisions", "phases", "bits", "equalities"]

HEAD = ["without", "programs", "obligations", "s", "programs by list"]


def key(row):
    return row["list"], row["program"], row["property"], row["expected"]


def proved(row):
    """Obligations that are proved: none where the program was not analysed to its end."""
    return row["relevant"] - row["not_proved"]


def worth_asking(results):
    """The questions that can be lost: those with something proved."""
    return {key(row) for row in results if proved(row) > 0 or row["verdict"] == "proved"}


def lost(results, without):
    """Programs by list, and obligations, that are proved with everything and not without the domain."""
    left = {key(row): row for row in without}
    programs, obligations = Counter(), 0
    for row in results:
        other = left.get(key(row))
        if other is None:
            continue
        obligations += proved(row) - proved(other)
        if row["expected"] == "true" and not row["known"] and row["verdict"] == "proved" != other["verdict"]:
            programs[row["list"]] += 1
    return programs, obligations


def table(results, by_domain):
    """A row a domain; `by_domain` are its name and the results without it."""
    asked = worth_asking(results)
    whole = sum(row["seconds"] for row in results if key(row) in asked)
    rows = []
    for name, without in by_domain:
        programs, obligations = lost(results, without)
        where = ", ".join(f"{kind} {count}" for kind, count in programs.most_common())
        seconds = sum(row["seconds"] for row in without)
        rows.append([name, programs.total(), obligations, f"{seconds - whole:+.1f}", where])
    return f"{len(asked)} questions with something proved, {whole:.1f} s\n\n" + markdown(HEAD, rows)
