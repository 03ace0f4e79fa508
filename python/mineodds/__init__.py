"""Exact mine probabilities of Minesweeper positions."""

from mineodds import interrupts as interrupts  # first: Ctrl-C may come during the imports

# isort: split
from mineodds._core import __version__
from mineodds.batch import BatchStatus, OddsBatch, solve_many
from mineodds.board import Board
from mineodds.errors import (
    BoardFormatError,
    BudgetExceeded,
    DeadlineExceeded,
    InconsistentBoardError,
    MineoddsError,
    NoLayoutFound,
)
from mineodds.estimates import Estimate
from mineodds.game import Game
from mineodds.odds import Odds, Plan, solve
from mineodds.policy import Candidate, Move, Policy, best_move
from mineodds.proof import Explanation
from mineodds.results import Comparison, SimulationResult
from mineodds.simulate import compare, simulate
from mineodds.topologies import Box, FourNeighbours, Graph, Hexagonal, Knight, Torus
from mineodds.topology import Rectangle, Topology

__all__ = [
    "BatchStatus",
    "Board",
    "BoardFormatError",
    "Box",
    "BudgetExceeded",
    "Candidate",
    "Comparison",
    "DeadlineExceeded",
    "Estimate",
    "Explanation",
    "FourNeighbours",
    "Game",
    "Graph",
    "Hexagonal",
    "InconsistentBoardError",
    "Knight",
    "MineoddsError",
    "Move",
    "NoLayoutFound",
    "Odds",
    "OddsBatch",
    "Plan",
    "Policy",
    "Rectangle",
    "SimulationResult",
    "Topology",
    "Torus",
    "__version__",
    "best_move",
    "compare",
    "simulate",
    "solve",
    "solve_many",
]
