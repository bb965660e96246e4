#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks the witnesses of clew by the word of the compiler alone, on the lists of corpora.py.

    bench/witnesses.py --lists kratkiewicz juliet --list-dir DIR --corpora DIR --clew PATH [--sample N]

Every test that clew keeps of a violation is looked at; with `--kept`, those of a run of corpora.py. Its generated part must compile without warnings. If the
violation is marked `native`, the test's own script builds and runs it again, without clew, and it must fail inside
the statement of the obligation. What only the interpreter confirms is counted by check and by reason. The status is 1
if a test does not fail again, warns or is missing, or if the interpreter stands alone for 10 % of a list or more.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from importlib import util

from corpora import kept, process, table
from corpora.witnesses import fails_inside, names_in

# No sanitizer of gcc sees these; they are counted apart.
ASIDE = "uninitialised-read"
ALLOWED = 10.0
# A test stops by itself after this many seconds of the processor when clew runs it.
RUN_SECONDS = 90
NOT_BY_DEFAULT = {"unsigned-wrap", "lossy-conversion", "float-underflow"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", nargs="+", required=True, metavar="LIST")
    parser.add_argument("--list-dir", default=".")
    parser.add_argument("--corpora", default="bench/work/corpora")
    parser.add_argument("--clew", default="clew")
    parser.add_argument("--tool-args", nargs="*", default=[], metavar="ARG")
    parser.add_argument("--check", default="all", help="what clew is asked for (default: all)")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--only", metavar="TEXT")
    parser.add_argument("--kept", metavar="DIR", help="look at what corpora.py --keep DIR kept; clew is not run again")
    parser.add_argument("--out", help="write one row a violation as JSON lines")
    return parser.parse_args()


def collect(options):
    spec = util.spec_from_file_location("lists", os.path.join(os.path.dirname(__file__), "corpora.py"))
    lists = util.module_from_spec(spec)
    spec.loader.exec_module(lists)
    options.fetch = options.malloc_may_fail = False
    return lists.collect(options)


def violations(options, run, keep):
    """The violated rows of a run, whose tests are kept under `keep`."""
    command = [options.clew, "check", "--format", "json", "--check", options.check, "--keep", keep, *options.tool_args]
    if run.entry:
        command += ["--entry", run.entry]
    if run.malloc_succeeds:
        command += ["--assume", "malloc-succeeds"]
    ended = process.run([*command, *run.files, "--", *run.flags], options.timeout, options.memory)
    return kept.violated(ended.out), ended.err


def folder_of(row, keep):
    return os.path.join(keep, re.sub(r"[^0-9A-Za-z-]", "_", row["id"]))


def is_written(row, keep):
    """Whether the test is of the program with the condition of the obligation written into it."""
    return os.path.exists(os.path.join(folder_of(row, keep), "program.c"))


def examined(row, keep):
    """What the kept test of a row shows: ok, or what is wrong with it."""
    folder = folder_of(row, keep)
    if not os.path.isfile(os.path.join(folder, "run.sh")):
        return "no test is kept"
    ours = subprocess.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-fno-builtin", "-fsyntax-only", "test.c"],
                          cwd=folder, capture_output=True, text=True)
    if ours.returncode or ours.stderr:
        return "the generated part: " + ours.stderr.strip().split("\n")[0]
    if row["confirmed"] != "native":
        return "ok"
    ended = process.run(["sh", "run.sh"], RUN_SECONDS, 0, cwd=folder)
    if "warning:" in ended.err:
        return "the build warns"
    if fails_inside(row, ended.err, names_in(folder)):
        return "ok"
    told = [line for line in ended.err.split("\n") if "rror" in line or line.startswith("clew: trap")]
    return f"does not fail at {row['file']}:{row['line']}: exit {ended.code}, {told[0] if told else 'no report'}"


def measure(options):
    results, faults = [], []
    for kind, run in collect(options):
        with tempfile.TemporaryDirectory(prefix="witnesses-") as scratch:
            keep = kept.folder(options.kept or scratch, run)
            rows, said = kept.read(keep) if options.kept else violations(options, run, keep)
            faults += [(kind, run.questions[0].name, line) for line in said.split("\n") if "fault of clew" in line]
            for row in rows:
                results.append({"list": kind, "program": run.questions[0].name, "check": row["check"],
                                "place": f"{row['file']}:{row['line']}:{row['column']}", "id": row["id"],
                                "confirmed": row["confirmed"], "written": is_written(row, keep), "why": row.get("not_native") or "",
                                "test": examined(row, keep)})
    return results, faults


def by_list(results):
    rows = []
    for name in dict.fromkeys(r["list"] for r in results):
        of = [r for r in results if r["list"] == name]
        counted = [r for r in of if r["check"] != ASIDE]
        usual = [r for r in counted if r["check"] not in NOT_BY_DEFAULT]
        native = [r for r in of if r["confirmed"] == "native"]
        rows.append([name, len(of), len(native), sum(r["written"] for r in native), sum(r["test"] == "ok" for r in native), alone(counted), share(counted),
                     share(usual), len(of) - len(counted), sum(r["test"] != "ok" for r in of)])
    head = ["list", "violations", "native", "of those written out", "fail again", "interpreter", "%", "% of default checks", "uninitialised",
            "faulty tests"]
    return table.markdown(head, rows)


def alone(rows):
    return sum(r["confirmed"] != "native" for r in rows)


def share(rows):
    return f"{100 * alone(rows) / len(rows):.1f}" if rows else "-"


def by_check(results):
    lists = list(dict.fromkeys(r["list"] for r in results))
    rows = []
    for check in sorted({r["check"] for r in results}):
        cells = []
        for name in lists:
            of = [r for r in results if r["check"] == check and r["list"] == name]
            cells.append(f"{alone(of)}/{len(of)}" if of else "")
        rows.append([check, *cells])
    return table.markdown(["interpreter alone / all", *lists], rows)


def by_reason(results):
    reasons = Counter((r["check"], r["why"]) for r in results if r["confirmed"] != "native")
    return "\n".join(f"- {count} {check}: {why}" for (check, why), count in reasons.most_common())


def main():
    options = arguments()
    results, faults = measure(options)
    if options.out:
        with open(options.out, "w") as out:
            out.writelines(json.dumps(r) + "\n" for r in results)
    print(by_list(results), by_check(results), by_reason(results), sep="\n\n")
    wrong = [r for r in results if r["test"] != "ok"]
    print("\n" + "\n".join(f"- {r['program']} {r['check']} {r['place']}: {r['test']}" for r in wrong))
    print("\n".join(f"- {kind}: {name}: {line}" for kind, name, line in faults))
    lists = {r["list"] for r in results}
    counted = {name: [r for r in results if r["list"] == name and r["check"] != ASIDE] for name in lists}
    too_many = [name for name, of in counted.items() if of and 100 * alone(of) / len(of) >= ALLOWED]
    sys.exit(1 if wrong or too_many else 0)


if __name__ == "__main__":
    main()
