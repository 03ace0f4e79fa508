"""Own answers, timed: the kernel, ``solve``, ``solve_many``, exact fractions.

Every answer that is timed is checked. Exact fractions come from the inspectable path (Python, exact
integers modulo primes), float64 odds from the fused kernel: two routes that share the elimination
engine only. Where the pure-Python references finish, table.py checks against those too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

import mineodds as mo
from corpus import Position
from measure import cpu_seconds, in_turn
from mineodds import _core
from mineodds.odds import MAX_MEMORY, MAX_WORK

RELATIVE_ERROR = 1e-12
"""Largest relative error of a float64 probability."""


@dataclass(frozen=True)
class Own:
    """Answers and CPU seconds for the positions of one class, in their order."""

    probability: list[NDArray[np.float64]]
    kernel: list[float]
    solve: list[float]
    exact: list[float]
    rate: float
    """Positions per second of ``solve_many`` on one thread, all boards of the class in one call."""


def solve(position: Position) -> NDArray[np.float64]:
    return mo.solve(position.cells, mines=position.mines).probability


def fractions(position: Position) -> list[Fraction]:
    """The exact chance of every hidden cell, row by row."""
    chances: list[Fraction] = (
        mo.solve(position.cells, mines=position.mines).fractions()[position.cells == -1].tolist()
    )
    return chances


def check(position: Position, probability: NDArray[np.float64], exact: list[Fraction]) -> None:
    """Fail unless the odds are the exact ones: certain where certain, else within 1e-12."""
    hidden = position.cells == -1
    assert np.isnan(probability[~hidden]).all(), position.name
    for found, fraction in zip(probability[hidden].tolist(), exact, strict=True):
        assert (found == 0.0) == (fraction == 0), position.name
        assert (found == 1.0) == (fraction == 1), position.name
        assert abs(Fraction(found) - fraction) <= RELATIVE_ERROR * fraction, position.name


def kernel(position: Position) -> Callable[[], object]:
    """The core's call for one board: bindings and output array in it, Python left out."""
    table = mo.Rectangle(*position.cells.shape).prepared
    budget = {"max_work": MAX_WORK, "max_memory": MAX_MEMORY}
    return partial(_core.odds, position.cells, position.mines, table, **budget)


def measure(positions: list[Position]) -> Own:
    """Time and check everything on the positions of one class."""
    answers = [solve(position) for position in positions]
    for position, answer in zip(positions, answers, strict=True):
        check(position, answer, fractions(position))
    boards = np.stack([position.cells for position in positions])
    mines = np.array([position.mines for position in positions])
    batch, seconds = cpu_seconds(lambda: mo.solve_many(boards, mines, workers=1))
    assert np.array_equal(batch.probability, np.stack(answers), equal_nan=True)
    return Own(
        probability=answers,
        kernel=in_turn([kernel(position) for position in positions]),
        solve=in_turn([partial(solve, position) for position in positions]),
        exact=in_turn([partial(fractions, position) for position in positions], passes=3),
        rate=len(positions) / seconds,
    )
