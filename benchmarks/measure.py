"""CPU time of a call: medians, on a clock that a busy machine does not disturb.

CPU seconds of this process, not wall time: other work on the machine then only costs cache. Reading
that clock is a system call of about half a microsecond, so short calls are timed in loops.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypeVar

Result = TypeVar("Result")

LOOP_SECONDS = 0.002
"""A loop of calls lasts at least this long; 4,000 times the cost of reading the clock."""

REPEATS = 5
"""Loops, of which the median counts."""

LONG_SECONDS = 0.1
"""A call that lasts longer is not repeated."""


def cpu_seconds(call: Callable[[], Result], repeats: int = REPEATS) -> tuple[Result, float]:
    """The call's result and its CPU seconds, the median of several loops of calls.

    The first call counts only when it is long: it may fill caches.
    """
    start = process_time()
    result = call()
    first = process_time() - start
    if first > LONG_SECONDS:
        return result, first
    loops = max(1, round(LOOP_SECONDS / max(first, 1e-7)))
    times = []
    for _ in range(repeats):
        start = process_time()
        for _ in range(loops):
            call()
        times.append((process_time() - start) / loops)
    return result, median(times)


def in_turn(calls: Sequence[Callable[[], object]], passes: int = 9) -> list[float]:
    """CPU seconds of each call, median over passes that make all calls one after another.

    Never the same call twice in a row, if there are several: a processor learns the branches of a
    repeated small board by heart, and then shows two thirds of what a new board costs. Long calls
    are made in one pass only. The cost of reading the clock is taken off.
    """
    reading = median(_clock_readings())
    times: list[list[float]] = [[] for _ in calls]
    for number in range(passes):
        for call, mine in zip(calls, times, strict=True):
            if number == 0 or mine[0] < LONG_SECONDS:
                start = process_time()
                call()
                mine.append(process_time() - start - reading)
    return [max(median(mine), 0.0) for mine in times]


def _clock_readings() -> list[float]:
    readings = []
    for _ in range(1000):
        start = process_time()
        readings.append(process_time() - start)
    return readings


def package_version(name: str) -> str:
    """A package's installed version, or 'not installed'."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def machine() -> str:
    """One line about the machine: processor, cores, system, Python."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        model = [line for line in information.read_text().splitlines() if "model name" in line]
        if model:
            processor = model[0].partition(":")[2].strip()
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, numpy {package_version('numpy')}"
    )
