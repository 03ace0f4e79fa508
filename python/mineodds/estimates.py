"""What every way to estimate odds has in common: its result, and the problem that is left to it.

An `Estimate` never calls a cell certain. Complete and full clues are carried out first, by the
core; what they settle, every method knows.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.frontier import Problem
from mineodds.text import FLAG, HIDDEN

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated odds. Not exact, and no cell is certain; see `solve` for what is.

    ``probability``: float64 of the board's shape, nan at revealed cells, 1.0 at flags and strictly
    between 0 and 1 elsewhere. ``standard_error``: of the probability by cell, nan for belief
    propagation, which has none. ``converged``: whether the chains agree (``r_hat`` below 1.05), or
    the messages settled (``change``, of the last round, below 1e-6). ``samples`` in all chains, or
    rounds of messages.
    """

    board: Board
    method: str
    probability: Floats
    standard_error: Floats
    converged: bool
    samples: int
    r_hat: float = math.nan
    change: float = math.nan

    def __post_init__(self) -> None:
        self.probability.flags.writeable = False
        self.standard_error.flags.writeable = False

    def __repr__(self) -> str:
        state = "converged" if self.converged else "NOT converged"
        return f"<Estimate of {self.board!r} by {self.method}, {state}>"


class Reduced(NamedTuple):
    """What is left once complete and full clues are carried out, and cells with equal clues joined.

    ``settled`` and ``variable`` by frontier cell (-1: open; -1: settled); ``counter`` by variable.
    """

    settled: NDArray[np.int8]
    variable: NDArray[np.int32]
    size: NDArray[np.int32]
    counter_start: NDArray[np.int32]
    counter: NDArray[np.int32]
    need: NDArray[np.int32]


def reduced(problem: Problem) -> Reduced | None:
    """The problem reduced; None when its clues are seen to contradict each other."""
    found = _core.reduced(
        problem.cell.size, problem.clue_start, problem.clue_cell, problem.clue_need
    )
    return None if found is None else Reduced(*found)


def by_cell(
    board: Board,
    problem: Problem,
    left: Reduced,
    value: Floats,
    margin: float | None,
    error: float = 0.0,
) -> Floats:
    """By cell, from values by variable and, last, of the deep cells.

    ``margin`` keeps probabilities away from 0 and 1. None is for errors: ``error`` at cells that
    clues settle at once.
    """
    result = np.full(board.cells.size, np.nan)
    settled = np.full(left.settled.size, error)
    if margin is not None:
        settled = left.settled.astype(np.float64)
    frontier = np.where(left.settled < 0, value[left.variable], settled)
    hidden = board.cells.ravel() == HIDDEN
    result[problem.cell] = frontier
    result[problem.deep] = value[-1]
    if margin is not None:
        result[hidden] = np.clip(result[hidden], margin, 1.0 - margin)
    result[board.cells.ravel() == FLAG] = 1.0 if margin is not None else 0.0
    return result.reshape(board.cells.shape)
