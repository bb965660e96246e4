#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Floating-point exceptions of GSL's special functions, found by `clew exceptions`.

    bench/gsl_exceptions.py [--clew PATH] [--effort N,...] [--gsl FOLDER] [--tables FILE]

GSL 2.7.1 comes as a Debian source package (as for gsl_precision.py). All functions with scalar inputs, public and static, are called. The table counts
confirmed sites (line, column, kind) by kind and by how a user meets them, and lists the public functions that return success with NaN or infinity.
Several efforts make a curve. With --gsl another version is looked at; with --tables, a CSV of rows `function,file,line,exception`, it is said which of
those lines are found. The exit status is 1 if one is missing.
"""
import argparse, csv, json, re, subprocess, sys, time
from pathlib import Path

import gsl_precision

ROOT = Path(__file__).resolve().parent.parent
KINDS = ["divide-by-zero", "overflow", "invalid", "underflow", "tiny"]


def census(clew, gsl, effort):
    files = gsl_precision.sources(gsl)
    command = [clew, "exceptions", "--told-by", "gsl_error", "--told-by", "gsl_stream_printf", "--effort", str(effort), "--format", "json",
               *files, "--", "-DHAVE_CONFIG_H", "-I."]
    start = time.time()
    run = subprocess.run(command, cwd=gsl, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr or f"clew ended with status {run.returncode}")
    return json.loads(run.stdout), time.time() - start


def is_comparison(site):
    return site["operation"] == "comparison"


def table(report, seconds, effort):
    called = report["functions"]
    sites = [site for site in report["sites"] if not is_comparison(site)]
    places = {(s["file"], s["line"], s["column"], "underflow" if s["kind"] == "tiny" else s["kind"]) for s in sites}
    public = {(s["file"], s["line"], s["column"], "underflow" if s["kind"] == "tiny" else s["kind"]) for s in sites if s["via"] != "direct"}
    runs = sum(f["runs"] for f in called)
    print(f"effort {effort}: {len(called)} functions called, {sum(f['public'] for f in called)} of them public; {runs} runs in {seconds:.0f} s of wall clock")
    print(f"{'kind':16}{'silent':>8}{'public':>8}{'direct':>8}{'all':>8}")
    for kind in KINDS:
        mine = [s for s in sites if s["kind"] == kind]
        ways = [sum(s["via"] == way for s in mine) for way in ("silent", "public", "direct")]
        print(f"{kind:16}" + "".join(f"{n:>8}" for n in ways) + f"{len(mine):>8}")
    print(f"(line, column, kind), tiny and underflow as one: {len(places)}, through a public function {len(public)}; not confirmed and not told: {report['unconfirmed']}")
    print(f"comparisons with NaN, not counted: {len(report['sites']) - len(sites)}")
    silent = [f for f in called if f["public"] and f["silent"] is not None]
    print(f"public functions that return success with NaN or infinity: {len(silent)}")
    return silent


def check_tables(report, path):
    missing = 0
    kinds = {"Divide-by-Zero": "divide-by-zero", "Invalid": "invalid"}
    for row in csv.DictReader(open(path)):
        kind = kinds.get(row["exception"], row["exception"].lower())
        found = [s for s in report["sites"] if s["file"].endswith(row["file"]) and s["line"] == int(row["line"]) and s["kind"] == kind]
        missing += not found
        where = f"{row['function']} {row['file']}:{row['line']} {row['exception']}"
        if found:
            inputs = ", ".join(f"{n['name']} = {n['value']}" for n in found[0]["inputs"])
            print(f"found    {where}: {found[0]['entry']}({inputs})")
        else:
            print(f"missing  {where}")
    return missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clew", default=ROOT / "target/release/clew")
    parser.add_argument("--effort", default="20")
    parser.add_argument("--gsl", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--json", type=Path)
    flags = parser.parse_args()
    gsl = flags.gsl or gsl_precision.fetch()
    for effort in flags.effort.split(","):
        report, seconds = census(flags.clew, gsl, effort)
        silent = table(report, seconds, effort)
    for function in silent:
        print(f"  {function['name']}(" + ", ".join(f"{n['name']} = {n['exact']}" for n in function["silent"]) + ")")
    if flags.json:
        flags.json.write_text(json.dumps(report))
    sys.exit(1 if flags.tables and check_tables(report, flags.tables) else 0)


if __name__ == "__main__":
    main()
