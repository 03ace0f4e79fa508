"""Estimates by Gibbs sampling: configurations drawn in the core (gibbs.hpp).

Several chains from first configurations of their own, means over them, standard errors from the
spread of long batches, and the split R-hat of Gelman et al. (Bayesian Data Analysis, 3rd ed.,
11.4), which is near 1 when the chains agree.
"""

import math
from typing import NamedTuple

import numpy as np

from mineodds import _core
from mineodds.board import Board
from mineodds.contracts import generator_state
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import BudgetExceeded, NoLayoutFound
from mineodds.estimates import Estimate, Floats, by_cell, reduced
from mineodds.frontier import Problem

R_HAT = 1.05  # chains that agree stay below
BATCHES = 20  # of each chain
TRIES = 50  # to find a first configuration


class _Weights(NamedTuple):
    """By mines on the frontier: the weight of all else, and the share of mines in deep cells."""

    log: Floats
    deep_share: Floats


def gibbs(
    board: Board, problem: Problem, budget: Budget, seed: int | None, chains: int, sweeps: int
) -> Estimate:
    """Estimated odds, from ``chains`` chains of ``sweeps`` draws of every cell.

    Raises BudgetExceeded for more draws than max_work, NoLayoutFound, DeadlineExceeded.
    """
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
        by_cell(board, problem, left, mean, 0.5 / (draws + 1)),
        by_cell(board, problem, left, spread, None, _least_error(draws)),
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
