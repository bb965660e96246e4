#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Which tool reports the fault in each program of tests/c/checks: gcc's sanitizers, valgrind, clew.
# The programs are ours, one for each check, so this compares what the tools look for, not how well.
# usage: bench/compare.sh [path of clew]
set -u
clew=$(realpath "${1:-target/release/clew}")
cd "$(dirname "$0")/../tests/c/checks" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=0 sanitizers=0 valgrinds=0 clews=0

sanitized() {
    gcc -w -g -O0 -fsanitize=address,undefined,float-divide-by-zero,float-cast-overflow "$1" -o "$work/a" -lm || return 1
    (ASAN_OPTIONS=detect_stack_use_after_return=1 timeout 20 "$work/a" < /dev/null > /dev/null 2> "$work/err") 2> /dev/null
    grep -q 'runtime error\|AddressSanitizer\|LeakSanitizer' "$work/err"
}

valgrinded() {
    command -v valgrind > /dev/null && gcc -w -g -O0 "$1" -o "$work/v" -lm || return 1
    (timeout 60 valgrind -q --leak-check=full --error-exitcode=77 "$work/v" < /dev/null > /dev/null 2>&1) 2> /dev/null
    [ $? = 77 ]
}

found_by_clew() {
    local stop
    stop=$(sed -n 's/^\/\/ stop-on: *//p' "$1" | head -n 1)
    timeout 20 "$clew" run ${stop:+--stop-on "$stop"} "$1" < /dev/null > /dev/null 2>&1
    [ $? = 99 ]
}

for file in *.c; do
    case $file in *_ok.c) continue ;; esac
    programs=$((programs + 1))
    line=${file%.c}
    if sanitized "$file"; then sanitizers=$((sanitizers + 1)); line="$line sanitizers"; fi
    if valgrinded "$file"; then valgrinds=$((valgrinds + 1)); line="$line valgrind"; fi
    if found_by_clew "$file"; then clews=$((clews + 1)); line="$line clew"; fi
    echo "$line"
done
echo "of $programs: sanitizers $sanitizers, valgrind $valgrinds, clew $clews"
