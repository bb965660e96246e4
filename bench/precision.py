#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bounds of FPBench's programs side by side: clew, Gappa, and the best that was published.

    bench/precision.py --bounds error-bounds.csv --list fpbench.dev.csv --fpbench FPBench [--clew PATH]

Every listed program whose features C has is bounded one at a time (inputs are reals, rounded once; absolute errors). Gappa gets the
same expression without hints. The best published bound is the least `sound-upper` of the same format in the CSV file. What a
program misses is printed at the end. Bounds that agree to six digits count as equal: clew rounds its sums upwards. The exit status is 1 if a bound is more than 1.1 times the best published one.
"""
import argparse, csv, json, re, resource, statistics, subprocess, sys, time
from pathlib import Path

# FPBench leaves these inputs open; the published bounds are for the ranges of Daisy's `testcases/fpbench`.
RANGES = {
    "NMSE example 3.1": ["x=0.001..10"], "NMSE example 3.4": ["x=0.1..3"], "NMSE example 3.6": ["x=0.001..10"],
    "NMSE problem 3.3.1": ["x=0.001..1.5"], "NMSE problem 3.3.3": ["x=0.0001..0.9999"], "NMSE problem 3.3.6": ["N=0.0001..10"],
    "NMSE problem 3.2.1, positive": ["a=0.001..10", "b2=20..30", "c=-10..10"],
    "NMSE problem 3.2.1, negative": ["a=0.001..10", "b2=20..30", "c=-10..10"],
    "NMSE example 3.8": ["N=0.0001..10"], "NMSE example 3.9": ["x=0.001..1.5"], "NMSE example 3.10": ["x=0.001..0.9999"],
    "NMSE section 3.11": ["x=0.1..10"],
}
# Daisy's program of that name is one turn of the loop, FPBench's are ten.
OTHER_PROGRAMS = {"sinenewton"}
EQUAL = 1.000001
FORMATS = {"binary64": "ieee_64", "binary32": "ieee_32"}


def tokens(text):
    text = re.sub(r";[^\n]*", "", text)
    return re.findall(r'"[^"]*"|[()\[\]]|[^\s()\[\]]+', text)


def read(items):
    """One S-expression of a list of tokens in reverse order."""
    item = items.pop()
    if item in "([":
        out = []
        while items[-1] not in ")]":
            out.append(read(items))
        items.pop()
        return out
    return item


def cores(path):
    items = tokens(path.read_text())[::-1]
    out = []
    while items:
        core = read(items)
        rest = core[2:] if isinstance(core[1], list) else core[3:]
        inputs = core[1] if isinstance(core[1], list) else core[2]
        properties = {}
        while len(rest) > 1 and isinstance(rest[0], str) and rest[0].startswith(":"):
            properties[rest[0]] = rest[1]
            rest = rest[2:]
        out.append({"inputs": inputs, "properties": properties, "body": rest[-1]})
    return out


class NotForGappa(Exception):
    pass


def gappa_text(core):
    """The core as a question to Gappa, without hints."""
    form = FORMATS.get(core["properties"].get(":precision", "binary64"))
    if form is None:
        raise NotForGappa("format")
    lines = [f"@rnd = float<{form}, ne>;"]
    lines += [f"f_{name(x)} = rnd(r_{name(x)});" for x in core["inputs"] if isinstance(x, str)]
    count = [0]

    def define(prefix, text):
        count[0] += 1
        variable = f"{prefix}{count[0]}"
        lines.append(f"{variable} = {text};")
        return variable

    def number(text):
        if re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", text, re.I):
            return text
        if re.fullmatch(r"[+-]?\d+/\d+", text):
            return "(" + text + ")"
        raise NotForGappa(text)

    def walk(e, scope):
        """The float and the real version of an expression."""
        if isinstance(e, str):
            if e in scope:
                return scope[e]
            text = number(e)
            return f"rnd({text})", text
        if e[0] in ("let", "let*"):
            inner = dict(scope)
            for variable, value in e[1]:
                inner[variable] = walk(value, inner if e[0] == "let*" else scope)
            return walk(e[2], inner)
        if e[0] == "-" and len(e) == 2:
            f, r = walk(e[1], scope)
            return f"-({f})", f"-({r})"
        if e[0] in "+-*/" and len(e) == 3:
            (f, r), (g, s) = walk(e[1], scope), walk(e[2], scope)
            return define("f", f"rnd({f} {e[0]} {g})"), define("r", f"({r} {e[0]} {s})")
        if e[0] in ("sqrt", "fabs"):
            f, r = walk(e[1], scope)
            if e[0] == "fabs":
                return define("f", f"|{f}|"), define("r", f"|{r}|")
            return define("f", f"rnd(sqrt({f}))"), define("r", f"sqrt({r})")
        raise NotForGappa(e[0])

    scope = {x: (f"f_{name(x)}", f"r_{name(x)}") for x in core["inputs"] if isinstance(x, str)}
    f, r = walk(core["body"], scope)
    ranges = {}

    def collect(e):
        if e[0] == "and":
            [collect(part) for part in e[1:]]
        elif e[0] in ("<=", "<") and all(isinstance(x, str) for x in e[1:]):
            for low, high in zip(e[1:], e[2:]):
                if low in scope:
                    ranges.setdefault(low, [None, None])[1] = number(high)
                elif high in scope:
                    ranges.setdefault(high, [None, None])[0] = number(low)
        elif e[0] in (">=", ">") and all(isinstance(x, str) for x in e[1:]):
            collect(["<="] + e[:0:-1])

    collect(core["properties"].get(":pre", ["and"]))
    if any(x not in ranges or None in ranges[x] for x in scope):
        raise NotForGappa("no range")
    given = " /\\ ".join(f"r_{name(x)} in [{lo}, {hi}]" for x, (lo, hi) in ranges.items())
    lines.append(f"{{ {given} -> {f} - {r} in ? }}")
    return "\n".join(lines) + "\n"


def name(text):
    return re.sub(r"\W", "_", text)


def gappa(core):
    try:
        question = gappa_text(core)
    except NotForGappa as why:
        return f"- ({why})", None
    started = time.time()
    try:
        answer = subprocess.run(["gappa"], input=question, text=True, capture_output=True, timeout=60)
    except FileNotFoundError:
        return "- (no gappa)", None
    except subprocess.TimeoutExpired:
        return "time-out", None
    found = re.search(r" in \[[^\]]*\]", answer.stderr + answer.stdout)
    if not found:
        return "none", None
    text = found.group(0)
    # Each end is `-123b-45 {-1.2e-13, -2^(-42)}`.
    ends = [abs(float(x)) for x in re.findall(r"\{([^,}]*),", text)]
    return f"{max(ends, default=0.0):.3e}", time.time() - started


def clew(program, file, function, ranges):
    command = [program, "precision", "--inputs", "rounded", "--absolute-only", "--no-search", "--format", "json", "--function", function, file]
    for given in ranges:
        command += ["--range", given]
    used = lambda: resource.getrusage(resource.RUSAGE_CHILDREN)
    before = used().ru_utime + used().ru_stime
    answer = subprocess.run([str(x) for x in command], capture_output=True, text=True, timeout=120)
    seconds = used().ru_utime + used().ru_stime - before
    if not answer.stdout:
        return None, answer.stderr.strip(), seconds
    found = json.loads(answer.stdout)["functions"][0]
    if found.get("refused"):
        return None, found["refused"], seconds
    bounds = [output["absolute"].get("bound") for output in found["outputs"]]
    why = next((output.get("obstacle") for output in found["outputs"] if output.get("obstacle")), "")
    return (None if None in bounds or not bounds else max(bounds)), why, seconds


def plain(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bounds", required=True)
    parser.add_argument("--list", required=True)
    parser.add_argument("--fpbench", required=True)
    parser.add_argument("--clew", default="target/release/clew")
    parser.add_argument("--also", default="", help="names of further programs, separated by commas")
    options = parser.parse_args()
    best = {}
    for row in csv.DictReader(open(options.bounds)):
        if row["kind"].startswith("sound-upper") and row["abs_error"]:
            key = plain(row["benchmark"]), row["precision"]
            value = float(row["abs_error"])
            if key not in best or value < best[key][0]:
                best[key] = value, row["tool"]
    wanted = []
    for row in csv.DictReader(open(options.list)):
        file, function = row["path"].split("/")[-1].split("#")
        wanted.append((file.replace(".c", ".fpcore"), int(function[2:])))
    folder = Path(options.fpbench) / "benchmarks"
    parsed = {path.name: cores(path) for path in sorted(folder.glob("*.fpcore"))}
    also = {plain(text) for text in options.also.split(",") if text}
    for file, all_cores in parsed.items():
        for index, core in enumerate(all_cores):
            if plain(core["properties"].get(":name", "")) in also and (file, index) not in wanted:
                wanted.append((file, index))
    times, ratios, misses = [], [], []
    print("| program | clew | processor ms | best published | ratio | Gappa |\n|---|---|---|---|---|---|")
    for file, index in wanted:
        core = parsed[file][index]
        title = core["properties"].get(":name", f'"{file}#{index}"').strip('"')
        bound, why, seconds = clew(options.clew, folder / file, f"ex{index}", RANGES.get(title, []))
        form = core["properties"].get(":precision", "binary64")
        published = best.get((plain(title), form)) if plain(title) not in OTHER_PROGRAMS else None
        theirs, _ = gappa(core)
        times.append(seconds)
        shown = f"{bound:.3e}" if bound is not None else "-"
        ratio = ""
        if published:
            value = bound / published[0] if bound is not None else float("inf")
            ratios.append(value)
            ratio = f"{value:.3f}"
            if value > EQUAL:
                misses.append(f"{title}: {shown} against {published[0]:.3e} ({published[1]}) {why}")
        elif bound is None:
            misses.append(f"{title}: no bound: {why}")
        says = f"{published[0]:.3e} {published[1]}" if published else ""
        print(f"| {title} | {shown} | {1000 * seconds:.0f} | {says} | {ratio} | {theirs} |", flush=True)
    good = sum(ratio <= EQUAL for ratio in ratios)
    print(f"\n{good} of {len(ratios)} at most the best published; greatest ratio {max(ratios, default=0):.3f}; "
          f"median {1000 * statistics.median(times):.0f} ms, longest {max(times):.2f} s")
    for miss in misses:
        print("-", miss)
    return 1 if any(ratio > 1.1 for ratio in ratios) else 0


if __name__ == "__main__":
    sys.exit(main())
