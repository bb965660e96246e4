# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fetches the suites from GitHub, each at the commit that the lists were made from."""

import os
import subprocess

# First component of a listed path -> repository, commit.
REPOSITORIES = {
    "sv-benchmarks": ("yanxx297/sv-benchmarks", "fd78367e9f2ef7af07ceb77d1de5dc03ab03f43b"),
    "juliet": ("arichardson/juliet-test-suite-c", "f88433e3443648a17671398797a04ea1f8e1a274"),
    "kratkiewicz": ("bstee615/Kratkiewicz-benchmark", "9cdfc3cfa15373f982f9d38ff492a3e86c356c5f"),
    "verisec": ("tomhart-msc/verisec", "02f3a9660885181705e7550b8609534bbbaa414c"),
    "itc-benchmarks": ("regehr/itc-benchmarks", "7bfb56a941dd030e302be4cd775eddd4a4decd17"),
    "cbmc": ("diffblue/cbmc", "f2a7665e82acb791333dc731c53d4d14c3c6e3b1"),
    "esbmc": ("esbmc/esbmc", "a670194df9512960c8f39c67c6c69ad1ad08286e"),
}


def fetch(suite, corpora):
    """Lays a suite out under `corpora`, unless it is there."""
    where = os.path.join(corpora, suite)
    if os.path.isdir(where):
        return
    repository, commit = REPOSITORIES[suite]
    os.makedirs(where)
    for command in (["init", "-q"],
                    ["fetch", "-q", "--depth", "1", f"https://github.com/{repository}", commit],
                    ["checkout", "-q", "FETCH_HEAD"]):
        subprocess.run(["git", "-C", where, *command], check=True)
