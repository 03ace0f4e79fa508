"""Estimates by Gibbs sampling: configurations drawn in the core (gibbs.hpp).

Several chains from first configurations of their own, means over them, standard errors from the
spread of long batches, and the split R-hat of Gelman et al. (Bayesian Data Analysis, 3rd ed.,
11.4), which is near 1 when the chains agree. Only cells in clues are drawn. What is outside of them
is known by their number of mines: its weight, and the chance of a mine in each deep cell, of which
the means are taken.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mineodds import _core
from mineodds.contracts import generator_state
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import NoLayoutFound
from mineodds.estimates import Estimate, Floats, Task, joined
from mineodds.outside import Outside
from mineodds.polynomials import wide_arrays
from mineodds.text import FLAG

R_HAT = 1.05  # chains that agree stay below
BATCHES = 20  # of each chain
TRIES = 50  # to find a first configuration


class _Rest(NamedTuple):
    """By mines on the frontier: the weight of all else, and P(a mine in a deep cell) by group."""

    log_weight: Floats
    share: Floats


def gibbs(task: Task, budget: Budget, seed: int | None, chains: int, sweeps: int) -> Estimate:
    """Estimated odds, from ``chains`` chains of ``sweeps`` draws of every cell.

    Raises BudgetExceeded for more draws than max_work, NoLayoutFound, DeadlineExceeded.
    """
    problem = task.problem
    work = float(chains) * float(sweeps) * max(problem.cell.size, 1)
    if work > budget.max_work:
        raise budget.exceeded(
            f"{chains} chains of {sweeps} sweeps over {problem.cell.size} cells are {work:.3g} "
            f"draws (max_work is {budget.max_work:.3g}); ask for fewer, or raise max_work",
            work=work,
        )
    rest = _rest(task, budget)
    batch = max(sweeps // BATCHES, 1)
    state = generator_state(seed)
    runs = []
    for chain in range(chains):
        try:
            run = _core.gibbs(
                *problem.arrays,
                cell_class=task.cell_class,
                log_value=joined([values.log_weight for values in task.values]),
                value_share=joined([values.share for values in task.values]),
                log_weight=rest.log_weight,
                density=_share_of_mines(task),
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
    seen = np.array([run[2] for run in runs], dtype=np.float64)  # (chains, batches, mines)
    sums = np.concatenate([np.array([run[0] for run in runs]), seen @ rest.share.T], axis=2)
    squares = np.concatenate([np.array([run[1] for run in runs]), seen @ rest.share.T**2], axis=2)
    draws = chains * BATCHES * batch
    mean = (sums.sum(axis=(0, 1)) + 0.5) / (draws + 1)
    spread = _standard_error(sums / batch, draws)
    r_hat = _r_hat(sums, squares, batch)
    variables = task.left.size.size
    least = np.full(2, _least_error(draws))
    errors = task.by_cell(spread[:variables], spread[variables:].tolist(), least)
    errors[task.board.cells == FLAG] = 0.0
    return Estimate(
        task.board,
        "gibbs",
        task.probability(mean[:variables], mean[variables:].tolist(), 0.5 / (draws + 1)),
        errors,
        converged=bool(r_hat < R_HAT),
        samples=draws,
        r_hat=r_hat,
        # Every draw agrees with every clue.
        clue_error=0.0 if problem.clue.size else math.nan,
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


def _rest(task: Task, budget: Budget) -> _Rest:
    counting, size = task.counting, task.problem.cell.size
    if counting.weights.totals is None:
        # Deep cells are independent of everything.
        chance = [1.0 - own[0] / sum(own) for own, _ in task.groups]
        share = np.repeat(np.array(chance).reshape(-1, 1), size + 1, axis=1)
        return _Rest(np.zeros(size + 1), share)
    frontier = np.full(size + 1, 0.5), np.ones(size + 1, dtype=np.int64)  # all of them 1
    deep = [wide for own, cells in task.groups for wide in [wide_arrays(own)] * len(cells)]
    outside = Outside([frontier, *deep], counting.total_weights())
    first = np.cumsum([1, *(len(cells) for _, cells in task.groups)])[:-1].tolist()
    start, mantissa, exponent = outside.without([(0,), *((0, at) for at in first)], budget)
    with np.errstate(divide="ignore"):
        log = np.log(mantissa) + exponent * math.log(2.0)
    by_choice = np.split(log, start[1:-1])
    share = np.zeros((len(first), size + 1))
    for row, ((own, _), weight) in enumerate(zip(task.groups, by_choice[1:], strict=True)):
        terms = np.array([math.log(w) + weight[j : j + size + 1] for j, w in enumerate(own)])
        largest = terms.max(axis=0)
        terms = np.exp(terms - np.where(np.isfinite(largest), largest, 0.0))
        share[row] = terms[1:].sum(axis=0) / np.maximum(terms.sum(axis=0), 1e-300)
    return _Rest(by_choice[0], share)


def _share_of_mines(task: Task) -> float:
    """Of the open cells, about; where a search for a first layout begins."""
    board, flags = task.board, task.counting.flags
    open_cells = max(task.counting.problem.cell.size, 1)
    if board.mines is not None:
        mines = float(board.mines)
    elif board.totals is not None:
        weights = {total: Fraction(weight) for total, weight in board.totals.items()}
        whole = sum(weights.values())
        mines = float(sum(total * weight for total, weight in weights.items()) / whole)
    else:
        own = [task.counting.weights.polynomial[cell] for cell in task.problem.cell.tolist()]
        mines = flags + sum(p[1] / (p[0] + p[1]) for p in own)
        open_cells = max(len(own), 1)
    return min(max((mines - flags) / open_cells, 0.0), 1.0)
