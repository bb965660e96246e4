#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""clew and Frama-C Eva side by side on programs of TACLeBench: alarmed places, processor time, memory.

    bench/tacle.py --tacle bench/work/corpora/tacle-bench/bench [--clew target/release/clew] [--only sha] [-- --level 0]

A place is a line of C on which at least one operation is not proved: for clew `open` or `violated`, for Eva an alarm. The
pragmas with which TACLeBench bounds its loops are taken out for Eva, which does not know them. What stands behind `--` is
for clew. Programs that are not listed here are kept for an examination: nobody looks at them while clew is made better.
"""

import argparse
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {
    "app": ["powerwindow"],
    "kernel": ["sha", "ludcmp", "minver", "lms", "complex_updates", "fft", "filterbank", "iir", "quicksort", "matrix1",
               "cosf", "cubic", "recursion", "prime", "jfdctint"],
    "sequential": ["epic", "susan", "anagram", "huff_dec", "rijndael_dec", "gsm_dec", "adpcm_dec", "g723_enc",
                   "statemate"],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tacle", default=os.path.join(HERE, "work", "corpora", "tacle-bench", "bench"))
    parser.add_argument("--clew", default=os.path.join(HERE, "..", "target", "release", "clew"))
    parser.add_argument("--only", nargs="*", default=[], help="only these programs, by name")
    parser.add_argument("--seconds", type=int, default=120, help="of the processor, for each tool and program")
    parser.add_argument("--no-eva", action="store_true")
    parser.add_argument("more", nargs="*", help="more arguments for clew")
    return parser.parse_args()


def measured(command, seconds, folder):
    """Output, seconds of the processor, megabytes at most; the output is None if the limit ended it."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    with open(os.path.join(folder, "out"), "w+b") as out, open(os.path.join(folder, "err"), "w+b") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=folder, preexec_fn=limit)
        start = time.monotonic()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        out.seek(0)
        text = out.read().decode(errors="replace")
    is_cut = os.WIFSIGNALED(status)
    return (None if is_cut else text), used.ru_utime + used.ru_stime, wall, used.ru_maxrss // 1024


def by_clew(files, options, folder):
    command = [os.path.abspath(options.clew), "check", "--format", "json", *options.more, *files]
    text, seconds, wall, megabytes = measured(command, options.seconds, folder)
    try:
        report = json.loads(text) if text else None
    except json.JSONDecodeError:
        report = None
    if report is None:
        return None, None, seconds, wall, megabytes
    alarms = [row for row in report["obligations"] if row["verdict"] in ("open", "violated")]
    return len({(row["file"], row["line"]) for row in alarms}), len(alarms), seconds, wall, megabytes


def by_eva(files, options, folder):
    shutil.copytree(os.path.dirname(files[0]), folder, dirs_exist_ok=True)
    for path in glob.glob(os.path.join(folder, "**", "*.[ch]"), recursive=True):
        with open(path, errors="replace") as lines:
            text = lines.read()
        with open(path, "w") as lines:
            lines.write(re.sub(r"_Pragma\s*\(\s*\"[^\"]*\"\s*\)", "", text))
    copies = [os.path.join(folder, os.path.basename(file)) for file in files]
    command = ["frama-c", "-eva", "-eva-precision", "3", "-machdep", "gcc_x86_64", *copies]
    text, seconds, wall, megabytes = measured(command, options.seconds, folder)
    if text is None or "[eva] done for function main" not in text.replace("\n  ", " "):
        return None, seconds, megabytes
    return len(set(re.findall(r"\[eva:alarm\] ([^:\s]+:\d+):", text))), seconds, megabytes


def main():
    options = arguments()
    has_eva = not options.no_eva and shutil.which("frama-c")
    print("| program | clew places | (obligations) | s | MB |" + (" Eva places | s | MB |" if has_eva else ""))
    print("|---|---|---|---|---|" + ("---|---|---|" if has_eva else ""))
    total = [0, 0.0, 0, 0.0]
    for kind, names in PROGRAMS.items():
        for name in names:
            if options.only and name not in options.only:
                continue
            files = sorted(glob.glob(os.path.join(os.path.abspath(options.tacle), kind, name, "*.c")))
            if not files:
                sys.exit(f"{kind}/{name} is not there")
            with tempfile.TemporaryDirectory() as folder:
                places, count, seconds, wall, megabytes = by_clew(files, options, folder)
            cells = [f"{kind}/{name}", "none" if places is None else places, count, f"{seconds:.1f}", megabytes]
            total[0] += places or 0
            total[1] += seconds
            if has_eva:
                with tempfile.TemporaryDirectory() as folder:
                    places, seconds, megabytes = by_eva(files, options, folder)
                cells += ["none" if places is None else places, f"{seconds:.1f}", megabytes]
                total[2] += places or 0
                total[3] += seconds
            print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    tail = f" {total[2]} | {total[3]:.1f} | |" if has_eva else ""
    print(f"| all | {total[0]} | | {total[1]:.1f} | |" + tail)


if __name__ == "__main__":
    main()
