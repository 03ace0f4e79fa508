"""The figures to reach, in one place: medians of CPU time on one core of a usual machine.

Tests do not assert these; benchmarks/README.md shows them beside what was measured.
"""

from __future__ import annotations

from fnmatch import fnmatch

KERNEL_SECONDS = {"expert": 8e-6}
"""Cells in, float64 odds out, inside the core."""

SOLVE_SECONDS = {
    "expert": 25e-6,
    "big50": 0.15e-3,
    "big100": 0.6e-3,
    "lat2x11": 0.2e-3,
    "lat2x15": 2e-3,
    "lat2x19": 10e-3,
    "lat2x23": 25e-3,
    "lat2x31": 100e-3,
    "chkpx23": 0.5e-3,
    "xien33": 1e-3,
    "xienmt26": 0.5e-3,
    "xien44": 5e-3,
    "xien55": 10e-3,
    "rnd50*": 3e-3,
    "rnd100*": 20e-3,
}
"""``mineodds.solve(array, mines).probability`` from Python."""

EXACT_SECONDS = {"expert": 1e-3}
"""``solve`` and then the exact fraction of every hidden cell."""

COUNT_SECONDS = {"100x100*": 0.3, "200x200*": 5.0}
"""``odds.solutions`` of a large board."""

BATCH_RATE = {"expert": 100_000.0}
"""Positions per second of ``solve_many`` on one thread."""

QUESTION_SECONDS: dict[str, dict[str, float]] = {
    "`numbers()`": {"expert": 15e-3},
    "`numbers()`, a chance by cell": {"expert": 45e-3},
    "`numbers()`, two mines in a cell": {"expert": 45e-3},
    "`fractions()`": {"expert": 1e-3},
    "`fractions()`, a chance by cell": {},
    "10,000 samples": {"expert": 0.2},
    "`explain`, every certain cell": {"expert": 0.2},
    "`number` and `after`": {},
}
"""Answers about a whole board that is solved (benchmarks/questions.py)."""


def goal(goals: dict[str, float], class_name: str) -> float | None:
    """The goal for a class, or None if it has none; names may be patterns."""
    return next((value for name, value in goals.items() if fnmatch(class_name, name)), None)
