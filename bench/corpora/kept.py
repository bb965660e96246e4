# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tests that clew keeps of a run, one folder a run, and what it said beside them."""

import hashlib
import json
import os


def folder(root, run):
    """Where the tests of a run are kept: its files and its entry tell it from others."""
    name = " ".join([*run.files, run.entry or "", *run.flags])
    return os.path.join(os.path.abspath(root), hashlib.sha256(name.encode()).hexdigest()[:24])


def write(folder, ended):
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(folder + ".json", "w") as out:
        json.dump({"violated": violated(ended.out), "said": ended.err}, out)


def read(folder):
    """The violated rows of a run, and what clew said; nothing if it was not made."""
    try:
        with open(folder + ".json") as lines:
            told = json.load(lines)
    except FileNotFoundError:
        return [], ""
    return told["violated"], told["said"]


def violated(report):
    try:
        rows = json.loads(report)["obligations"]
    except ValueError:
        return []
    return [row for row in rows if row["verdict"] == "violated"]
