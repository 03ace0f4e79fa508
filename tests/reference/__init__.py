"""Slow, obvious ways to the answer, in pure Python with exact arithmetic, kept for good.

Each module below has one function ``solve(position) -> Answer`` and takes another road to it:

=====================  ==========================================================================
brute_force            place the mines in every possible way (up to about 20 hidden cells)
enumeration            depth-first search of hypotheses over clues, with forward checking
gaussian               Gaussian elimination over the rationals, then the free variables
bucket_elimination     sum out one cell after another, once for every target
sweep                  go along the board, what the clues still need is the state
=====================  ==========================================================================

The last four work on the frontier, one independent component at a time; ``totals`` joins the
components and the deep cells through the number of mines. ``position`` and ``answer`` hold the
question and the result. Nothing here imports the package under test.
"""

from reference.answer import Answer, InconsistentPosition
from reference.position import FLAG, HIDDEN, Cell, Position, eight_neighbours

__all__ = [
    "FLAG",
    "HIDDEN",
    "Answer",
    "Cell",
    "InconsistentPosition",
    "Position",
    "eight_neighbours",
]
