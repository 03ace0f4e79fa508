"""Estimates by belief propagation: messages between clues and groups of cells until they settle.

The sum-product algorithm (Kschischang, Frey & Loeliger, Factor graphs and the sum-product
algorithm, 2001), exact on trees and an approximation with loops. The number of mines enters as the
odds of a mine that make the expected number right.
"""

import math

import numpy as np

from mineodds import _core
from mineodds.board import Board
from mineodds.engine import Budget
from mineodds.estimates import Estimate, Floats, Reduced, by_cell, reduced
from mineodds.frontier import Problem

ROUNDS = 1000  # of messages
SETTLED = 1e-6  # the largest change of a message in the last round
DAMPING = 0.5  # how much of the old message is kept


def belief_propagation(board: Board, problem: Problem, budget: Budget) -> Estimate:
    """Estimated odds, without standard errors. Raises DeadlineExceeded."""
    left = reduced(problem)
    assert left is not None
    graph = _Graph(left)
    deep = problem.deep.size
    settled_mines = int((left.settled == 1).sum())
    wanted = None if board.mines is None else board.mines - problem.flags - settled_mines
    odds = 0.25
    if wanted is None:
        density = float(board.density)  # type: ignore[arg-type]
        odds = density / (1.0 - density)
    change, rounds = math.inf, 0
    while change > SETTLED and rounds < ROUNDS:
        if budget.seconds_left <= 0.0:
            raise budget.refusal(_core.DeadlinePassed())
        change, rounds = graph.pass_messages(odds), rounds + 1
        if wanted is not None:
            fitting = _fitting_odds(graph, deep, wanted)
            change = max(change, abs(math.log(fitting / odds)))
            odds *= (fitting / odds) ** DAMPING
    mean = np.append(graph.shares(odds), odds / (1.0 + odds))
    return Estimate(
        board,
        "belief-propagation",
        by_cell(board, problem, left, mean, 1e-12),
        np.full(board.cells.shape, np.nan),
        converged=bool(change <= SETTLED),
        samples=rounds,
        change=change,
    )


def _fitting_odds(graph: "_Graph", deep: int, wanted: int) -> float:
    """The odds of a mine with which the expected number of mines is ``wanted``, messages as is."""
    low, high = -60.0, 60.0
    for _ in range(60):
        middle = (low + high) / 2
        odds = math.exp(middle)
        expected = float((graph.shares(odds) * graph.size).sum()) + deep * odds / (1 + odds)
        low, high = (middle, high) if expected < wanted else (low, middle)
    return math.exp((low + high) / 2)


class _Graph:
    """Variables, counters, and the messages between them, in arrays.

    Message (counter, slot) is about the variable in that place of the counter: weights of its
    values 0 ... largest size, those it cannot have being 0.
    """

    def __init__(self, left: Reduced) -> None:
        self.size = left.size
        counters, variables = left.need.size, left.size.size
        values = int(left.size.max(initial=0)) + 1
        owner = np.repeat(np.arange(variables), np.diff(left.counter_start))
        order = np.argsort(left.counter, kind="stable")
        counter, variable = left.counter[order], owner[order]
        start = np.searchsorted(counter, np.arange(counters + 1))
        slot = np.arange(counter.size) - start[counter]
        slots = int(slot.max(initial=-1)) + 1
        self._variable = np.full((counters, slots), variables)  # one more stands for an empty slot
        self._variable[counter, slot] = variable
        self._need = left.need
        self._rows = values
        count = np.zeros((variables + 1, values))
        for size in np.unique(left.size).tolist():
            row = [math.comb(size, m) for m in range(size + 1)]
            count[:-1][left.size == size, : size + 1] = row
        count[-1, 0] = 1.0
        self._ways = count
        self._message = np.zeros((counters, slots, values))
        self._message[:] = (count[self._variable] > 0) / values
        self._power = np.arange(values)

    def _belief(self, odds: float) -> Floats:
        """By variable (and one more): weights of its values, all messages multiplied in."""
        with np.errstate(divide="ignore"):
            logs = np.log(self._message)
            total = np.log(self._ways) + self._power * math.log(odds)
        np.add.at(total, self._variable, logs)
        self._logs: Floats = logs
        belief: Floats = total
        return belief

    def pass_messages(self, odds: float) -> float:
        """One round; the largest change of a message."""
        belief = self._belief(odds)[self._variable]
        with np.errstate(invalid="ignore"):
            incoming = np.where(np.isfinite(self._logs), belief - self._logs, -np.inf)
        incoming -= incoming.max(axis=2, keepdims=True, initial=-1e300)
        incoming = np.exp(incoming)
        incoming /= incoming.sum(axis=2, keepdims=True)
        most = int(self._need.max(initial=0)) + 1
        slots = incoming.shape[1]
        ahead = self._partial_sums(incoming, range(slots), most)
        behind = self._partial_sums(incoming, range(slots - 1, -1, -1), most)[::-1]
        change = 0.0
        row = np.arange(len(self._need))
        for slot in range(slots):
            before, after = ahead[slot], behind[slot + 1]
            # What the others must hold, less what those before this slot do, those behind it do.
            rest = self._need[:, None] - np.arange(most)
            behind_rest = np.where(rest >= 0, after[row[:, None], np.maximum(rest, 0)], 0.0)
            fresh = np.zeros((len(self._need), self._rows))
            for value in range(min(self._rows, most)):
                fresh[:, value] = (before[:, : most - value] * behind_rest[:, value:]).sum(axis=1)
            fresh *= self._ways[self._variable[:, slot]] > 0
            fresh /= np.maximum(fresh.sum(axis=1, keepdims=True), 1e-300)
            old = self._message[:, slot]
            fresh = DAMPING * old + (1 - DAMPING) * fresh
            change = max(change, float(np.abs(fresh - old).max(initial=0.0)))
            self._message[:, slot] = fresh
        return change

    def _partial_sums(self, incoming: Floats, slots: range, most: int) -> list[Floats]:
        """The distributions of the mines in none, the first, the first two ... of the slots."""
        sums = [np.zeros((len(incoming), most))]
        sums[0][:, 0] = 1.0
        for slot in slots:
            wider = np.zeros_like(sums[0])
            for value in range(min(self._rows, most)):
                wider[:, value:] += sums[-1][:, : most - value] * incoming[:, slot, value][:, None]
            sums.append(wider)
        return sums

    def shares(self, odds: float) -> Floats:
        """By variable: the expected share of mines in its cells."""
        belief = self._belief(odds)[:-1]
        weight = np.exp(belief - belief.max(axis=1, keepdims=True, initial=-1e300))
        mean: Floats = (weight * self._power).sum(axis=1) / weight.sum(axis=1)
        return mean / self.size
