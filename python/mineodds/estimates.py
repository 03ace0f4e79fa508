"""What every way to estimate odds has in common: its result, and what is left to estimate.

An `Estimate` never calls a cell certain. Complete and full clues are carried out first, by the
core; what they settle, every method knows. Cells with the same clues and weights are one variable,
as for exact odds; cells that no clue says anything about are groups of the same weights.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.cell_weights import Polynomial, alike_weights, known_cells, weights_of
from mineodds.contracts import Value
from mineodds.engine import Budget
from mineodds.frontier import Problem
from mineodds.polynomials import multiply, power
from mineodds.refusals import clash, wrong_number
from mineodds.text import FLAG, HIDDEN
from mineodds.weighted_counting import WeightedCounting

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate(Value):
    """Estimated odds. Not exact, and no cell is certain; see `solve` for what is.

    ``probability``: float64 of the board's shape, nan at revealed cells, 1.0 at flags and strictly
    between 0 and 1 elsewhere. ``standard_error``: of the probability by cell, nan for belief
    propagation, which has none. ``samples`` in all chains, or rounds of messages.

    ``converged`` says nothing about accuracy. For Gibbs: the chains agree (``r_hat`` below 1.05),
    which they also do when all of them miss the same part of the layouts. For belief propagation:
    the messages settled (``change``, of the last round, below 1e-6); where they settle can be far
    from the truth, on boards with loops by more than a half.

    ``clue_error``: the most by which the estimated mines around a number differ from what it says,
    nan without clues. Exact odds have 0: an error of e around n hidden cells proves that one of
    them is off by at least e / n. A small one proves nothing.
    """

    board: Board
    method: str
    probability: Floats
    standard_error: Floats
    converged: bool
    samples: int
    r_hat: float = math.nan
    change: float = math.nan
    clue_error: float = math.nan

    def __repr__(self) -> str:
        state = "converged" if self.converged else "NOT converged"
        if self.method == "gibbs":
            largest = float(np.nanmax(self.standard_error, initial=0.0))
            about = f"{state}, standard errors up to {largest:.2g}"
        else:
            about = f"{state}, of unknown accuracy"
        return f"<Estimate (not exact) of {self.board!r} by {self.method}, {about}>"


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


class Values(NamedTuple):
    """Of a variable, by its mines: their weight, and P(a mine in one of its cells)."""

    log_weight: Floats
    share: Floats


class Task:
    """A board to estimate: a problem of cells in clues, and deep cells in groups that are alike.

    Raises InconsistentBoardError where single clues show that nothing fits.
    """

    def __init__(self, board: Board, budget: Budget) -> None:
        self.board = board
        self.cells = known_cells(board, board.cells).ravel()
        weights = weights_of(board, board.cells) or alike_weights(board)
        self.counting = WeightedCounting(self.cells, board.topology, weights, budget)
        self.problem: Problem = self.counting.frontier
        if self.problem.wrong.size:
            raise wrong_number(self.cells, board.topology, self.problem)
        self.cell_class = self.counting.frontier_class
        self.groups = list(self.counting.alike.items())
        left = _reduced(self.problem, self.cell_class)
        if left is None:
            raise clash(board.topology, self.problem, lambda part: _reduced(part) is not None)
        self.left: Reduced = left

    @cached_property
    def values(self) -> list[Values]:
        """By variable."""
        known: dict[tuple[Polynomial, int], Values] = {}
        size = self.left.size
        class_of = np.zeros(size.size, dtype=np.int32)
        is_open = self.left.settled < 0
        class_of[self.left.variable[is_open]] = self.cell_class[is_open]
        result = []
        for of_class, places in zip(class_of.tolist(), size.tolist(), strict=True):
            own = self.counting.polynomials[of_class]
            key = own, places // (len(own) - 1)
            if key not in known:
                known[key] = values_of(*key)
            result.append(known[key])
        return result

    def by_cell(self, variables: Floats, groups: Sequence[float], settled: Floats) -> Floats:
        """Of the board's shape; ``settled`` are the values of cells known to be safe, and mines."""
        result = np.full(self.cells.size, np.nan)
        hidden = self.board.cells.ravel() == HIDDEN
        result[hidden] = settled[(self.cells[hidden] == FLAG).astype(np.intp)]
        frontier = settled[np.maximum(self.left.settled, 0)]
        is_open = self.left.settled < 0
        frontier[is_open] = variables[self.left.variable[is_open]]
        result[self.problem.cell] = frontier
        for value, (_, cells) in zip(groups, self.groups, strict=True):
            result[cells] = value
        return result.reshape(self.board.cells.shape)

    def probability(self, variables: Floats, groups: Sequence[float], margin: float) -> Floats:
        """`by_cell` of chances, kept ``margin`` away from 0 and 1; 1 at flags."""
        chance = self.by_cell(variables, groups, np.array([0.0, 1.0]))
        hidden = self.board.cells == HIDDEN
        chance[hidden] = np.clip(chance[hidden], margin, 1.0 - margin)
        chance[self.board.cells == FLAG] = 1.0
        return chance

    def clue_error(self, mean_mines: Floats) -> float:
        """See `Estimate`; from the mean mines by variable."""
        if not self.problem.clue.size:
            return math.nan
        left = self.left
        owner = np.repeat(np.arange(left.size.size), np.diff(left.counter_start))
        around = np.bincount(left.counter, mean_mines[owner], minlength=left.need.size)
        return float(np.abs(around - left.need).max(initial=0.0))


def _reduced(problem: Problem, cell_class: NDArray[np.int32] | None = None) -> Reduced | None:
    """None where the clues are seen to contradict each other; all cells alike without classes."""
    found = _core.reduced(
        *problem.arrays,
        np.empty(0, dtype=np.int32) if cell_class is None else cell_class,
    )
    return None if found is None else Reduced(*found)


def values_of(polynomial: Polynomial, cells: int) -> Values:
    """Of so many cells with these weights."""
    others = power(polynomial, cells - 1, (cells - 1) * (len(polynomial) - 1))
    whole = multiply(others, polynomial)
    without = [polynomial[0] * ways for ways in others] + [0] * (len(polynomial) - 1)
    share = [(every - none) / every for every, none in zip(whole, without, strict=True)]
    weights = np.array(list(map(natural_log, whole)))
    return Values(weights, np.array(share))


def natural_log(weight: int) -> float:
    """The natural logarithm of an integer of any size."""
    if weight == 0:
        return -math.inf
    excess = max(weight.bit_length() - 64, 0)
    return math.log(weight >> excess) + excess * math.log(2.0)


def joined(parts: Sequence[Floats]) -> Floats:
    """Arrays one after the other; an empty one for none."""
    return np.concatenate(list(itertools.chain([np.empty(0)], parts)))
