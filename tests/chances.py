"""How close to a reference the chances of a cell must be: fractions equal, doubles within 1e-12."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import mineodds as mo
from reference.position import Cell

CLOSE = {"rtol": 1e-12, "atol": 0.0}


def assert_chance(odds: mo.Odds, cell: Cell, chance: Fraction) -> None:
    """A hidden cell's chance of a mine; safe or a mine is what that says, and nothing else."""
    assert odds.fraction(*cell) == chance
    np.testing.assert_allclose(odds.probability[cell], float(chance), **CLOSE)
    assert odds.safe[cell] == (chance == 0)
    assert odds.mine[cell] == (chance == 1)
