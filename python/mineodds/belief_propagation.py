"""Estimates by belief propagation: messages between clues and groups of cells until they settle.

The sum-product algorithm (Kschischang, Frey & Loeliger, Factor graphs and the sum-product
algorithm, 2001), exact on trees and an approximation with loops, which can be far off: where the
messages settle is a stationary point of the Bethe free energy, nothing more (Yedidia, Freeman &
Weiss, Constructing free-energy approximations, 2005). The cells' own weights enter as priors, the
number of mines as one factor for every mine that makes the expected number right.
"""

import math

import numpy as np

from mineodds import _core
from mineodds.cell_weights import Polynomial
from mineodds.engine import Budget
from mineodds.estimates import Estimate, Floats, Task

ROUNDS = 1000  # of messages
SETTLED = 1e-6  # the largest change of a message in the last round
AGREED = 1e-4  # the largest error of a clue: chances near 0 settle later than messages seem to
DAMPING = 0.5  # how much of the old message is kept


def belief_propagation(task: Task, budget: Budget) -> Estimate:
    """Estimated odds, without standard errors. Raises DeadlineExceeded."""
    graph = _Graph(task)
    board = task.board
    wanted = None
    if board.mines is not None:
        wanted = board.mines - task.counting.flags - int((task.left.settled == 1).sum())
    tilt = 0.0  # the logarithm of what every mine weighs besides
    change, rounds = math.inf, 0
    error = math.nan
    while (change > SETTLED or error > AGREED) and rounds < ROUNDS:
        if budget.seconds_left <= 0.0:
            raise budget.refusal(_core.DeadlinePassed())
        change, rounds = graph.pass_messages(tilt), rounds + 1
        if wanted is not None:
            fitting = _fitting_tilt(graph, task, wanted)
            change = max(change, abs(fitting - tilt))
            tilt += (fitting - tilt) * DAMPING
        error = task.clue_error(graph.mines(tilt))
    groups = [_deep(own, tilt)[0] for own, _ in task.groups]
    return Estimate(
        board,
        "belief-propagation",
        task.probability(graph.chances(tilt), groups, 1e-12),
        np.full(board.cells.shape, np.nan),
        converged=bool(change <= SETTLED and not error > AGREED),
        samples=rounds,
        change=change,
        clue_error=error,
    )


def _fitting_tilt(graph: "_Graph", task: Task, wanted: int) -> float:
    """The tilt with which the expected number of mines is ``wanted``, messages as they are."""
    low, high = -120.0, 120.0
    for _ in range(60):
        middle = (low + high) / 2
        expected = float(graph.mines(middle).sum())
        expected += sum(len(cells) * _deep(own, middle)[1] for own, cells in task.groups)
        low, high = (middle, high) if expected < wanted else (low, middle)
    return (low + high) / 2


def _deep(own: Polynomial, tilt: float) -> tuple[float, float]:
    """P(a mine) in a cell with these weights that no clue says anything about, and mean mines."""
    log = [math.log(weight) + j * tilt for j, weight in enumerate(own)]
    largest = max(log)
    weight = [math.exp(value - largest) for value in log]
    whole = sum(weight)
    return 1.0 - weight[0] / whole, sum(j * w for j, w in enumerate(weight)) / whole


class _Graph:
    """Variables, counters, and the messages between them, in arrays.

    Message (counter, slot) is about the variable in that place of the counter: weights of its
    values 0 ... largest size, those it cannot have being 0.
    """

    def __init__(self, task: Task) -> None:
        left = task.left
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
        self._own = np.full((variables + 1, values), -np.inf)
        self._share = np.zeros((variables, values))
        for v, of in enumerate(task.values):
            self._own[v, : of.share.size] = of.log_weight - of.log_weight.max()
            self._share[v, : of.share.size] = of.share
        self._own[-1, 0] = 0.0
        self._can = np.isfinite(self._own)
        self._message = np.zeros((counters, slots, values))
        self._message[:] = self._can[self._variable] / values
        self._power = np.arange(values, dtype=np.float64)

    def _belief(self, tilt: float) -> Floats:
        """By variable (and one more): log weights of its values, all messages multiplied in."""
        with np.errstate(divide="ignore"):
            logs = np.log(self._message)
        total = self._own + self._power * tilt
        np.add.at(total, self._variable, logs)
        self._logs: Floats = logs
        belief: Floats = total
        return belief

    def pass_messages(self, tilt: float) -> float:
        """One round; the largest change of a message."""
        belief = self._belief(tilt)[self._variable]
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
            fresh *= self._can[self._variable[:, slot]]
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

    def _weights(self, tilt: float) -> Floats:
        """By variable: the chances of its values."""
        belief = self._belief(tilt)[:-1]
        weight = np.exp(belief - belief.max(axis=1, keepdims=True, initial=-1e300))
        chances: Floats = weight / weight.sum(axis=1, keepdims=True)
        return chances

    def mines(self, tilt: float) -> Floats:
        """By variable: the mean of its mines."""
        return self._weights(tilt) @ self._power

    def chances(self, tilt: float) -> Floats:
        """By variable: P(a mine) in one of its cells."""
        chances: Floats = (self._weights(tilt) * self._share).sum(axis=1)
        return chances
