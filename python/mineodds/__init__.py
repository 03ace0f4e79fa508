"""Exact mine probabilities of Minesweeper positions."""

from mineodds._core import __version__
from mineodds.batch import BatchStatus, OddsBatch, solve_many
from mineodds.board import Board
from mineodds.errors import (
    BoardFormatError,
    BudgetExceeded,
    DeadlineExceeded,
    InconsistentBoardError,
    MineoddsError,
)
from mineodds.odds import Odds, Plan, solve
from mineodds.topology import Rectangle, Topology

__all__ = [
    "BatchStatus",
    "Board",
    "BoardFormatError",
    "BudgetExceeded",
    "DeadlineExceeded",
    "InconsistentBoardError",
    "MineoddsError",
    "Odds",
    "OddsBatch",
    "Plan",
    "Rectangle",
    "Topology",
    "__version__",
    "solve",
    "solve_many",
]
