"""Cells with chances of their own, or with several mines: all assignments, one by one.

A layout says how many mines each cell holds, flagged cells at least one. Its weight is the product
of its cells' weights times that of its number of mines; all in exact arithmetic.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from reference.position import Cell, Position

Layout = tuple[tuple[Cell, int], ...]  # mines by hidden or flagged cell, in row-major order
Weight = Callable[[Cell, int], Fraction]


class WeightedLayouts:
    """All layouts of a position that have a weight.

    ``capacity``: the most mines in a cell; ``weight(cell, j)``: of j mines there; ``total(m)``: of
    m mines in all.
    """

    def __init__(
        self,
        position: Position,
        capacity: int,
        weight: Weight,
        total: Callable[[int], Fraction],
    ) -> None:
        cells = sorted(position.hidden + position.flags)
        flags = set(position.flags)
        ranges = [range(1 if cell in flags else 0, capacity + 1) for cell in cells]
        numbers = [
            (value, set(position.around((row, col))))
            for row, line in enumerate(position.cells)
            for col, value in enumerate(line)
            if value >= 0
        ]
        self.weight_of: dict[Layout, Fraction] = {}
        for mines in itertools.product(*ranges):
            held = dict(zip(cells, mines, strict=True))
            if any(sum(held.get(cell, 0) for cell in around) != value for value, around in numbers):
                continue
            mass = total(sum(mines))
            for cell, j in held.items():
                mass *= weight(cell, j)
            if mass:
                self.weight_of[tuple(held.items())] = mass

    def chance(self, holds: Callable[[Mapping[Cell, int]], bool]) -> Fraction:
        """Of all layouts, by weight."""
        whole = sum(self.weight_of.values())
        return Fraction(sum(w for m, w in self.weight_of.items() if holds(dict(m))), whole)

    def given(self, safe: Collection[Cell], mine: Collection[Cell]) -> WeightedLayouts:
        """The layouts that agree."""
        result = WeightedLayouts.__new__(WeightedLayouts)
        result.weight_of = {
            layout: w
            for layout, w in self.weight_of.items()
            if not any(dict(layout)[cell] for cell in safe)
            and all(dict(layout)[cell] for cell in mine)
        }
        return result
