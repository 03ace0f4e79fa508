"""Own answers, timed: the kernel, ``solve``, ``solve_many``, exact fractions.

Every answer that is timed is checked. Exact fractions come from the inspectable path (Python, exact
integers modulo primes), float64 odds from the fused kernel: two routes that share the elimination
engine only. Where the pure-Python references finish, table.py checks against those too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import mineodds as mo
from corpus import Position
from measure import cpu_seconds

RELATIVE_ERROR = 1e-12
"""Largest relative error of a float64 probability."""

COPIES_SECONDS = 0.002
"""A batch of copies lasts about this long when the kernel is timed by itself."""


@dataclass(frozen=True)
class Own:
    """Answers and CPU seconds for one position."""

    probability: NDArray[np.float64]
    solve: float
    kernel: float
    exact: float


def solve(position: Position) -> NDArray[np.float64]:
    return mo.solve(position.cells, mines=position.mines).probability


def fractions(position: Position) -> list[Fraction]:
    """The exact chance of every hidden cell, row by row."""
    odds = mo.solve(position.cells, mines=position.mines)
    return [odds.fraction(int(row), int(col)) for row, col in np.argwhere(position.cells == -1)]


def check(position: Position, probability: NDArray[np.float64], exact: list[Fraction]) -> None:
    """Fail unless the odds are the exact ones: certain where certain, else within 1e-12."""
    hidden = position.cells == -1
    assert np.isnan(probability[~hidden]).all(), position.name
    for found, fraction in zip(probability[hidden].tolist(), exact, strict=True):
        assert (found == 0.0) == (fraction == 0), position.name
        assert (found == 1.0) == (fraction == 1), position.name
        assert abs(Fraction(found) - fraction) <= RELATIVE_ERROR * fraction, position.name


def measure(position: Position) -> Own:
    """Time and check everything on one position."""
    probability, solve_seconds = cpu_seconds(lambda: solve(position))
    exact, exact_seconds = cpu_seconds(lambda: fractions(position), repeats=3)
    check(position, probability, exact)
    copies = max(1, min(256, round(COPIES_SECONDS / solve_seconds)))
    boards = np.repeat(position.cells[np.newaxis], copies, axis=0)
    batch, batch_seconds = cpu_seconds(lambda: mo.solve_many(boards, position.mines, workers=1))
    assert np.array_equal(batch.probability, np.stack([probability] * copies), equal_nan=True)
    return Own(probability, solve_seconds, batch_seconds / copies, exact_seconds)


def batch_rate(positions: list[Position], answers: list[NDArray[np.float64]]) -> float:
    """Positions per second on one thread, all boards of the class in one call, again and again."""
    boards = np.stack([position.cells for position in positions])
    mines = np.array([position.mines for position in positions])
    batch, seconds = cpu_seconds(lambda: mo.solve_many(boards, mines, workers=1))
    assert np.array_equal(batch.probability, np.stack(answers), equal_nan=True)
    return len(positions) / seconds
