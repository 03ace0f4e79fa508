"""Estimates of the odds, for boards that exact elimination refuses; asked for by name only.

"gibbs" draws configurations in the core (gibbs.hpp): several chains from first configurations of
their own, means over them, standard errors from the spread of long batches, and the split R-hat of
Gelman et al. (Bayesian Data Analysis, 3rd ed., 11.4), which is near 1 when the chains agree.

"belief-propagation" passes messages between clues and groups of cells until they settle (the
sum-product algorithm; Kschischang, Frey & Loeliger, 2001), exact on trees and an approximation with
loops. The number of mines enters as the odds of a mine that make the expected number right.

Neither ever calls a cell certain.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.contracts import checked_word, generator_state
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import BudgetExceeded, NoLayoutFound
from mineodds.frontier import Problem, split
from mineodds.refusals import clash, wrong_number
from mineodds.text import FLAG, HIDDEN

R_HAT = 1.05  # chains that agree stay below
CHAINS, SWEEPS = 4, 4000
BATCHES = 20  # of each chain
TRIES = 50  # to find a first configuration
ROUNDS = 1000  # of messages
SETTLED = 1e-6  # the largest change of a message in the last round
DAMPING = 0.5  # how much of the old message is kept

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


class _Weights(NamedTuple):
    """By mines on the frontier: the weight of all else, and the share of mines in deep cells."""

    log: Floats
    deep_share: Floats


def estimate(
    board: Board, method: str, budget: Budget, seed: int | None, chains: int, sweeps: int
) -> Estimate:
    """What `solve` answers with ``approximate=method``."""
    if seed is not None:
        seed = checked_word("seed", seed)
    if isinstance(board.density, np.ndarray) or board.max_per_cell > 1:
        raise ValueError("approximations are for cells that are alike and hold one mine at most")
    if method == "belief-propagation" and board.totals is not None:
        raise ValueError("belief propagation takes mines or a density, no distribution of totals")
    cells = board.cells.ravel()
    frontier = split(cells[None], board.topology)
    problem = frontier.problem(0)
    if problem.wrong.size:
        raise wrong_number(cells, board.topology, problem)
    if reduced(problem) is None:
        raise clash(board.topology, frontier, problem, lambda part: reduced(part) is not None)
    return METHODS[method](board, problem, budget, seed, chains, sweeps)


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


def _gibbs(
    board: Board, problem: Problem, budget: Budget, seed: int | None, chains: int, sweeps: int
) -> Estimate:
    work = float(chains) * float(sweeps) * max(problem.cell.size, 1)
    if work > budget.max_work:
        raise BudgetExceeded(
            f"{chains} chains of {sweeps} sweeps over {problem.cell.size} cells are {work:.3g} "
            f"draws (max_work is {budget.max_work:.3g}); ask for fewer, or raise max_work",
            work=work,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
        )
    weights = _weights(board, problem)
    batch = max(sweeps // BATCHES, 1)
    state = generator_state(seed)
    runs = []
    for chain in range(chains):
        try:
            run = _core.gibbs(
                problem.cell.size,
                problem.clue_start,
                problem.clue_cell,
                problem.clue_need,
                log_weight=weights.log,
                density=_share_of_mines(board, problem),
                deep_share=weights.deep_share,
                seed=state,
                chain=chain,
                tries=TRIES,
                warm_up=max(sweeps // 5, 1),
                batches=BATCHES,
                batch=batch,
                deadline=budget.seconds_left,
            )
        except REFUSALS as error:
            raise budget.refusal(error) from None
        if run is None:
            raise NoLayoutFound(
                f"no layout was found in {TRIES} tries: the board may have none, or few; another "
                "seed may find one"
            )
        runs.append(run)
    sums = np.array([run[0] for run in runs])  # (chains, batches, variables and deep)
    squares = np.array([run[1] for run in runs])
    draws = chains * BATCHES * batch
    mean = (sums.sum(axis=(0, 1)) + 0.5) / (draws + 1)
    spread = _standard_error(sums / batch, draws)
    r_hat = _r_hat(sums, squares, batch)
    left = reduced(problem)
    assert left is not None
    return Estimate(
        board,
        "gibbs",
        _by_cell(board, problem, left, mean, 0.5 / (draws + 1)),
        _by_cell(board, problem, left, spread, None, _least_error(draws)),
        converged=bool(r_hat < R_HAT),
        samples=draws,
        r_hat=r_hat,
    )


def _standard_error(batch_mean: Floats, draws: int) -> Floats:
    """Of the means over all batches (chains, batches, n).

    From the spread of the batches, which holds the correlation within a batch, or that of the
    chains where it is larger; never less than that of as many independent draws of something that
    has been seen half a time more.
    """
    chains, batches, _ = batch_mean.shape
    flat = batch_mean.reshape(chains * batches, -1)
    by_batch = flat.std(axis=0, ddof=1) / math.sqrt(len(flat))
    by_chain = np.zeros_like(by_batch)
    if chains > 1:
        by_chain = batch_mean.mean(axis=1).std(axis=0, ddof=1) / math.sqrt(chains)
    floor = _least_error(draws)
    largest: Floats = np.maximum(np.maximum(by_batch, by_chain), floor)
    return largest


def _least_error(draws: int) -> float:
    """Of the chance of something not seen in as many independent draws."""
    return math.sqrt(0.5 * (draws + 0.5) / draws) / (draws + 1)


def _r_hat(sums: Floats, squares: Floats, batch: int) -> float:
    """The largest split R-hat; 1 for what never moved."""
    chains, batches, n = sums.shape
    half = batches // 2
    length = half * batch
    halves = sums.reshape(chains * 2, half, n).sum(axis=1) / length
    second = squares.reshape(chains * 2, half, n).sum(axis=1) / length
    within = np.maximum(second - halves**2, 0.0).mean(axis=0) * length / max(length - 1, 1)
    between = halves.var(axis=0, ddof=1)
    moved = within > 1e-12
    if (between[~moved] > 1e-12).any():
        return math.inf  # every chain stands still, and not at the same place
    ratio = (length - 1) / length + between[moved] / within[moved]
    return float(np.sqrt(ratio.max(initial=1.0)))


def _weights(board: Board, problem: Problem) -> _Weights:
    deep, size = problem.deep.size, problem.cell.size
    prior = board.prior.on(problem.flags, size + deep)
    log = np.array([_log(weight) for weight in prior.free_weights(deep, size)])
    share = np.zeros(size + 1)
    for k in np.flatnonzero(np.isfinite(log)).tolist():
        choices = prior.free_choices(deep, k)
        if deep and choices:
            mines = sum(j * weight for j, weight in choices.items())
            share[k] = mines / (deep * sum(choices.values()))
    return _Weights(log, share)


def _log(weight: int) -> float:
    """The natural logarithm of an integer of any size."""
    if weight == 0:
        return -math.inf
    excess = max(weight.bit_length() - 64, 0)
    return math.log(weight >> excess) + excess * math.log(2.0)


def _share_of_mines(board: Board, problem: Problem) -> float:
    """Of the hidden cells, about; where a search for a first layout begins."""
    hidden = problem.cell.size + problem.deep.size
    if board.mines is not None:
        return min(max((board.mines - problem.flags) / max(hidden, 1), 0.0), 1.0)
    if isinstance(board.density, float):
        return board.density
    return 0.2


def _belief_propagation(
    board: Board, problem: Problem, budget: Budget, _seed: int | None, _chains: int, _sweeps: int
) -> Estimate:
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
        _by_cell(board, problem, left, mean, 1e-12),
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


def _by_cell(
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


Method = Callable[[Board, Problem, Budget, int | None, int, int], Estimate]

METHODS: dict[str, Method] = {"gibbs": _gibbs, "belief-propagation": _belief_propagation}
