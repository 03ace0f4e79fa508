"""Estimates of the odds, for boards that exact elimination refuses; asked for by name only.

"gibbs" (gibbs.py) has standard errors and a figure of convergence, "belief-propagation"
(belief_propagation.py) is faster and has neither. Here is what is checked before either starts.
"""

import numpy as np

from mineodds.belief_propagation import belief_propagation
from mineodds.board import Board
from mineodds.contracts import checked_word, one_of, whole_number
from mineodds.engine import Budget
from mineodds.errors import shown
from mineodds.estimates import Estimate, reduced
from mineodds.frontier import split
from mineodds.gibbs import BATCHES, gibbs
from mineodds.refusals import clash, wrong_number

METHODS = ("gibbs", "belief-propagation")
CHAINS, SWEEPS = 4, 4000


def estimate(
    board: Board, method: str, budget: Budget, seed: int | None, chains: int, sweeps: int
) -> Estimate:
    """What `solve` answers with ``approximate=method``. Raises what `solve` raises."""
    one_of("approximate", method, METHODS)
    chains, sweeps = whole_number("chains", chains), whole_number("sweeps", sweeps)
    if chains < 1 or sweeps < BATCHES:
        raise ValueError(
            f"chains must be at least 1 and sweeps {BATCHES}, not {shown(chains)}, {shown(sweeps)}"
        )
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
    if method == "gibbs":
        return gibbs(board, problem, budget, seed, chains, sweeps)
    return belief_propagation(board, problem, budget)
