# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs a tool with limits and says how it ended, with the processor time as the kernel counts it."""

import math
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Ended:
    out: str
    err: str
    code: int
    seconds: float  # processor time, children that were waited for included
    wall: float
    timed_out: bool


# How much longer than its processor time a run may take by the clock.
PATIENCE = 20


def run(command, timeout, memory_mb, cwd=None, by_processor=False):
    """Runs a command; `by_processor` makes the limit one of processor time, which a busy machine does not change."""
    def limit():
        if by_processor:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(timeout), math.ceil(timeout) + 1))
        if memory_mb:
            # Only the soft limit: the sanitizers in the tests that clew runs reserve terabytes, which they never use.
            resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def kill():
        fired.append(True)
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    fired = []
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd,
                                 start_new_session=True, preexec_fn=limit)
        timer = threading.Timer(timeout * (PATIENCE if by_processor else 1), kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    used_up = by_processor and child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return Ended(*texts, child.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - start,
                 bool(fired) or used_up)
