# SPDX-License-Identifier: MIT OR Apache-2.0
"""From a list to the runs to make and the questions to answer from each.

A `Run` is one call of the tool. A `Question` is one line of the result: a program and a property with the verdict
that the suite expects. Most runs answer one question; a file of the ITC suite answers one for each marked line.
"""

import csv
import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Optional

from corpora import relevant


@dataclass
class Question:
    name: str
    prop: str
    expected: bool
    selection: Optional[relevant.Selection]  # None: no check stands for it
    line: Optional[int] = None  # only the obligations of this line, or of the function around it
    function: Optional[str] = None


@dataclass
class Run:
    files: list
    flags: list = field(default_factory=list)
    entry: Optional[str] = None
    malloc_succeeds: bool = False
    values_stay: bool = False  # an uninitialised variable is an input
    questions: list = field(default_factory=list)


def read_list(path):
    with open(path, newline="") as lines:
        return list(csv.DictReader(lines))


def kind_of(path):
    return os.path.basename(path).split(".")[0]


def runs(list_path, corpora, every=1):
    """The runs of a list (of every Nth row), or None for a list without verdicts of its own."""
    kind = kind_of(list_path)
    make = {"juliet": juliet, "kratkiewicz": kratkiewicz, "verisec": verisec, "itc": itc, "cbmc": cbmc,
            "esbmc-floats": esbmc}.get(kind, svcomp if kind.startswith("svcomp") else None)
    if make is None:
        return None
    made = []
    for row in read_list(list_path)[::every]:
        made.extend(make(row, corpora))
    return made


def one(row, run, selection, prop=None):
    run.questions.append(Question(row["path"], prop or row["property"], row["expected"] == "true", selection))
    return [run]


def svcomp(row, corpora):
    path = row["path"]
    expected = row["expected"] == "true"
    part = "" if expected else row["extra"]
    run = Run([os.path.join(corpora, path)], [svcomp_model(corpora, path, row["property"])])
    # The rules that these verdicts were given under: malloc never returns a null pointer, whatever the property
    # (sv-benchmarks, issue 199, says so of the rules of 2017). `--malloc-may-fail` measures without.
    run.malloc_succeeds = True
    return one(row, run, relevant.svcomp(row["property"], part))


SVCOMP_CATEGORIES = {"unreach-call": "ReachSafety", "valid-memsafety": "MemSafety", "no-overflow": "NoOverflows"}


def svcomp_model(corpora, path, prop):
    """-m32 or -m64, as the suite says for the category, of this property, that the task's folder belongs to."""
    root, folder = path.split("/")[:2], path.split("/")[2]
    models = svcomp_models(os.path.join(corpora, *root))
    return models.get((SVCOMP_CATEGORIES.get(prop), folder)) or models.get((None, folder), "-m32")


@lru_cache(maxsize=None)
def svcomp_models(root):
    models = {}
    for name in sorted(os.listdir(root)):
        if not name.endswith(".cfg") or not os.path.exists(os.path.join(root, name[:-4] + ".set")):
            continue
        with open(os.path.join(root, name)) as config:
            flag = "-m64" if re.search(r"Architecture:\s*64", config.read()) else "-m32"
        with open(os.path.join(root, name[:-4] + ".set")) as members:
            folders = re.findall(r"^([\w.-]+)/", members.read(), re.M)
        for folder in folders:
            models.setdefault((name.split("-")[0], folder), flag)
            models.setdefault((None, folder), flag)
    return models


def juliet(row, corpora):
    """Two runs: main calls only bad() with OMITGOOD, only good() with OMITBAD."""
    path = os.path.join(corpora, row["path"])
    support = os.path.join(corpora, "juliet", "testcasesupport")
    stem = os.path.basename(path)[:-2]
    flaw = stem.split("__", 1)[1]
    selection = relevant.juliet(row["property"], flaw)
    files = juliet_files(path) + [os.path.join(support, "io.c")]
    made = []
    for half, omit, expected in (("bad", "-DOMITGOOD", False), ("good", "-DOMITBAD", True)):
        run = Run(files, ["-DINCLUDEMAIN", omit, "-I", support])
        # These ones dereference what malloc gave in good() too; the flaw is the test that comes too late.
        run.malloc_succeeds = flaw.startswith("null_check_after_deref")
        run.questions.append(Question(f"{row['path']}#{half}", row["property"], expected, selection))
        made.append(run)
    return made


def juliet_files(path):
    """The file, and its siblings if the test case is spread over several (_51a.c, _51b.c)."""
    parts = re.fullmatch(r"(.*_\d\d)[a-z]\.c", path)
    if not parts:
        return [path]
    folder, base = os.path.split(parts.group(1))
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if re.fullmatch(re.escape(base) + r"[a-z]\.c", name)]


def kratkiewicz(row, corpora):
    run = Run([os.path.join(corpora, row["path"])], malloc_succeeds=True)
    return one(row, run, relevant.Selection(relevant.BUFFER))


def verisec(row, corpora):
    path = os.path.join(corpora, row["path"])
    lib = os.path.join(corpora, "verisec", "lib")
    run = Run([path, os.path.join(lib, "stubs.c")], ["-I", os.path.dirname(path), "-I", lib], malloc_succeeds=True)
    return one(row, run, relevant.Selection(relevant.BUFFER))


MODEL_CHECKER_NAMES = ["-D__CPROVER_size_t=__SIZE_TYPE__", "-D__CPROVER_bool=_Bool",
                       "-D__ESBMC_assume=__VERIFIER_assume", "-D__ESBMC_assert=__CPROVER_assert"]


def beyond_c(path):
    """Whether a program needs built-ins of a model checker that have no meaning in C."""
    known = {"__CPROVER_assert", "__CPROVER_assume", "__CPROVER_size_t", "__CPROVER_bool", "__ESBMC_assume",
             "__ESBMC_assert"}
    with open(path, errors="replace") as source:
        return bool(set(re.findall(r"\b__(?:CPROVER|ESBMC)_\w+", source.read())) - known)


def model_checked(path):
    """For both an uninitialised variable is an input, whose value stays what it is."""
    return Run([path], ["-include", "assert.h", *MODEL_CHECKER_NAMES, "-I", os.path.dirname(path)], values_stay=True)


def cbmc(row, corpora):
    """cbmc's regression tests use `assert` undeclared and two built-ins of its own, which clew knows."""
    path = os.path.join(corpora, row["path"])
    run = model_checked(path)
    return one(row, run, None if beyond_c(path) else relevant.Selection(relevant.CBMC))


def esbmc(row, corpora):
    """The property column holds esbmc's flags."""
    path = os.path.join(corpora, row["path"])
    wanted = row["property"].split()
    run = model_checked(path)
    checks = set(relevant.ESBMC)
    if "--overflow-check" in wanted:
        checks |= relevant.OVERFLOW | {"float-overflow"}
    if "--nan-check" in wanted:
        checks.add("float-invalid")
    selection = None if beyond_c(path) or "--big-endian" in wanted else relevant.Selection(checks)
    return one(row, run, selection, "assertions " + row["property"])


ITC_MARK = re.compile(r"/\*\s*Tool should\s+(not\s+)?detect\s+this line as error", re.I)


def itc(row, corpora):
    """A file has a function *_main that calls its cases; each marked line is a question."""
    path = os.path.join(corpora, row["path"])
    with open(path, errors="replace") as source:
        lines = source.read().splitlines()
    stem = os.path.basename(path)[:-2]
    mains = [m.group(1) for m in (re.match(r"void\s+(\w+_main)\s*\(", line) for line in lines) if m]
    run = Run([path], ["-I", os.path.join(corpora, "itc-benchmarks", "include")], entry=mains[-1] if mains else None)
    selection = relevant.itc(stem)
    function = None
    for number, line in enumerate(lines, 1):
        head = re.match(r"[A-Za-z_][\w\s*]*?(\w+)\s*\([^;]*$", line)
        function = head.group(1) if head else function
        mark = ITC_MARK.search(line)
        if mark:
            run.questions.append(Question(f"{row['path']}:{number}", stem, bool(mark.group(1)), selection, number,
                                          function))
    if row["expected"].startswith("true") and not run.questions:
        run.questions.append(Question(row["path"], stem, True, selection))
    return [run]
