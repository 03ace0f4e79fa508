"""Estimates of the odds, for boards that exact elimination refuses; asked for by name only.

"gibbs" (gibbs.py) has standard errors and a figure of convergence, "belief-propagation"
(belief_propagation.py) is faster and has neither. Here is what is checked before either starts.
"""

from mineodds.belief_propagation import belief_propagation
from mineodds.board import Board
from mineodds.contracts import checked_word, one_of, whole_number
from mineodds.engine import Budget
from mineodds.errors import BoardFormatError, shown
from mineodds.estimates import Estimate, Task
from mineodds.gibbs import BATCHES, gibbs

METHODS = ("gibbs", "belief-propagation")
CHAINS, SWEEPS = 4, 4000


def estimate(
    board: Board, method: str, budget: Budget, seed: int | None, chains: int, sweeps: int
) -> Estimate:
    """What `solve` answers with ``approximate=method``. Raises what `solve` raises."""
    one_of("approximate", method, METHODS)
    chains, sweeps = whole_number("chains", chains), whole_number("sweeps", sweeps)
    if not (1 <= chains < 2**63 and BATCHES <= sweeps < 2**63):
        raise ValueError(
            f"chains must be at least 1, sweeps {BATCHES} and both less than 2**63, not "
            f"{shown(chains)}, {shown(sweeps)}"
        )
    if seed is not None:
        seed = checked_word("seed", seed)
    if method == "belief-propagation" and board.totals is not None:
        raise BoardFormatError(
            "belief propagation takes mines or chances, no distribution of totals, which ties all "
            "cells together; approximate='gibbs' takes it"
        )
    task = Task(board, budget)
    if method == "gibbs":
        return gibbs(task, budget, seed, chains, sweeps)
    return belief_propagation(task, budget)
