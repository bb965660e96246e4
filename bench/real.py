#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""`clew check` on real code as a whole: time, memory, and verdicts by check.

The projects are those that `cargo xtask real-code` has fetched and built in bench/work. Each is analysed as a library:
every external function is an entry, `main` too if there is one. Prints Markdown tables.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The units of each project, by the folder they are compiled in and their file.
PROJECTS = {
    "zlib": ("zlib", lambda folder, file: not file.startswith("test/")),
    "bc": ("bc", lambda folder, file: folder in ("lib", "bc")),
    "dc": ("bc", lambda folder, file: folder in ("lib", "dc")),
    "gsl-specfunc": ("gsl", lambda folder, file: folder == "specfunc" and not file.startswith("test_")),
}

VERDICTS = ["open", "proved", "proved given others", "unreachable", "violated"]


def command(unit):
    if "arguments" in unit:
        return list(unit["arguments"])
    return unit["command"].split()


def external_functions(unit, scratch):
    """The functions that a unit defines for others, as the compiler sees them."""
    arguments = command(unit)
    if "-o" in arguments:
        at = arguments.index("-o")
        del arguments[at:at + 2]
    target = os.path.join(scratch, "unit.o")
    built = subprocess.run([*arguments, "-O0", "-w", "-o", target], cwd=unit["directory"], capture_output=True)
    if built.returncode != 0:
        sys.exit(f"{unit['file']}: {built.stderr.decode(errors='replace')[:400]}")
    names = subprocess.run(["nm", "--defined-only", target], capture_output=True, text=True, check=True).stdout
    return [line.split()[2] for line in names.splitlines() if line.split()[1] == "T"]


def measured(arguments):
    """Runs a command: its status, output, seconds, processor seconds and peak megabytes."""
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        pid = os.posix_spawnp(
            arguments[0],
            arguments,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, out.fileno(), 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
        )
        _, status, usage = os.wait4(pid, 0)
        seconds = time.monotonic() - started
        out.seek(0)
        text = out.read().decode(errors="replace")
    cpu = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), text, seconds, cpu, usage.ru_maxrss / 1024


def counts(words):
    found = {name: 0 for name in VERDICTS}
    for number, name in re.findall(r"(\d+) ([a-z ]+?)(?=,| given \d|$|\))", words):
        if name in found:
            found[name] += int(number)
    for number in re.findall(r"(\d+) proved, given \d+ others", words):
        found["proved given others"] += int(number)
        found["proved"] -= int(number)
    return found


def analyse(name, args, scratch):
    folder, wanted = PROJECTS[name]
    database = args.work / folder / "compile_commands.json"
    units = [u for u in json.loads(database.read_text()) if wanted(Path(u["directory"]).name, u["file"])]
    functions = {function for unit in units for function in external_functions(unit, scratch)}
    entries = sorted(functions - set(args.leave_out.split(",")))
    project = Path(scratch) / name
    project.mkdir()
    (project / "compile_commands.json").write_text(json.dumps(units))
    line = [str(args.clew), "check", "--no-search", "-p", str(project), "--limit", "1", "--budget", str(args.budget)]
    line += ["--threads", str(args.threads)]
    line += [part for entry in entries for part in ("--entry", entry)]
    status, text, seconds, cpu, megabytes = measured(line)
    by_check = {}
    for check, words in re.findall(r"^([a-z-]+): .*\(([^()]*)\)$", text, re.M):
        by_check[check] = counts(words)
    said = [line for line in text.splitlines() if " obligation" in line and " function" in line]
    total = counts(said[-1].split(": ", 1)[-1].split(";")[0] if said else "")
    cut = "a limit cut the work short" in text
    row = [name, len(units), len(entries), f"{seconds:.0f}", f"{cpu:.0f}", f"{megabytes:.0f}"]
    row += [sum(total.values())] + [total[v] for v in VERDICTS]
    row += ["limit" if cut else "whole" if status in (0, 1) else f"status {status}"]
    return row, by_check


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(PROJECTS))
    parser.add_argument("--clew", type=Path, default=ROOT / "target/release/clew")
    parser.add_argument("--work", type=Path, default=ROOT / "bench/work", help="where the projects are")
    parser.add_argument("--budget", type=int, default=1800, help="seconds for each project")
    parser.add_argument("--leave-out", default="", metavar="LIST", help="entries that are not analysed, by commas")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    unknown = [name for name in args.projects if name not in PROJECTS]
    if unknown:
        parser.error(f"no such project: {', '.join(unknown)}")
    rows, details = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name in args.projects or PROJECTS:
            row, by_check = analyse(name, args, scratch)
            rows.append(row)
            details += [[name, check, *(c[v] for v in VERDICTS)] for check, c in by_check.items()]
    head = ["project", "units", "entries", "s", "cpu s", "MB", "obligations", *VERDICTS, "analysed"]
    table(head, rows)
    table(["project", "check", *VERDICTS], details)


if __name__ == "__main__":
    main()
