"""Every question, answered by looking at all layouts one by one, in exact arithmetic.

A layout is the set of its mines, flags included; `weight` is what a prior gives it. Nothing here is
clever: an answer is a sum over the layouts for which something holds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection
from fractions import Fraction

from reference.position import FLAG, Cell, Clue, Position

Layout = frozenset[Cell]
Weight = Callable[[Layout], Fraction]


def equal_weight(_layout: Layout) -> Fraction:
    """Every layout is as likely as any other."""
    return Fraction(1)


class Layouts:
    """All layouts of a position that have a weight."""

    def __init__(self, position: Position, weight: Weight = equal_weight) -> None:
        self.position = position
        self.weight_of: dict[Layout, Fraction] = {}
        for layout in all_layouts(position):
            if mass := weight(layout):
                self.weight_of[layout] = mass

    def chance(self, holds: Callable[[Layout], bool]) -> Fraction:
        """Of all layouts, by weight."""
        total = sum(self.weight_of.values())
        return Fraction(sum(w for layout, w in self.weight_of.items() if holds(layout)), total)

    def given(self, safe: Collection[Cell] = (), mine: Collection[Cell] = ()) -> Layouts:
        """The layouts that agree."""
        result = Layouts.__new__(Layouts)
        result.position = self.position
        result.weight_of = {
            layout: w
            for layout, w in self.weight_of.items()
            if not layout & set(safe) and layout >= set(mine)
        }
        return result

    def distribution(self, cells: Collection[Cell]) -> list[Fraction]:
        """The chance of j mines among the cells."""
        asked = set(cells)
        return [
            self.chance(lambda layout, j=j: len(layout & asked) == j) for j in range(len(asked) + 1)
        ]

    def number(self, cell: Cell) -> list[Fraction]:
        """The chance that the cell is safe and shows k, for k = 0 ... 8."""
        around = set(self.position.around(cell))
        return [
            self.chance(lambda layout, k=k: cell not in layout and len(layout & around) == k)
            for k in range(9)
        ]

    def entropy(self) -> float:
        """In bits."""
        total = sum(self.weight_of.values())
        chances = [float(weight / total) for weight in self.weight_of.values()]
        return -math.fsum(p * math.log2(p) for p in chances)


def all_layouts(position: Position) -> list[Layout]:
    """All placements of the mines that agree with every clue, whatever their number.

    ``position.mines`` < 0 stands for an unknown total.
    """
    flags = frozenset(position.flags)
    hidden = position.hidden
    sizes = [position.mines_left] if position.mines >= 0 else range(len(hidden) + 1)
    return [
        flags | mines
        for size in sizes
        for mines in map(frozenset, itertools.combinations(hidden, size))
        if all(agrees(clue, mines) for clue in position.clues)
    ]


def agrees(clue: Clue, mines: Collection[Cell]) -> bool:
    """Whether a clue has as many mines as it needs."""
    return sum(cell in mines for cell in clue.hidden) == clue.need


def proves(position: Position, clues: Collection[Cell], total: bool, cell: Cell) -> bool:
    """Whether these clues (and the total) leave only one value for the cell.

    Only the cells of these clues and the cell itself matter; the others can take any number of
    mines from none to all.
    """
    kept = [clue for clue in position.clues if clue.cell in clues]
    cells = sorted({cell, *(other for clue in kept for other in clue.hidden)})
    others = len(position.hidden) - len(cells)
    values = set()
    for bits in itertools.product((False, True), repeat=len(cells)):
        mines = {place for place, mine in zip(cells, bits, strict=True) if mine}
        rest = position.mines_left - len(mines)
        if (not total or 0 <= rest <= others) and all(agrees(clue, mines) for clue in kept):
            values.add(cell in mines)
    return len(values) == 1


def smallest_proof(position: Position, cell: Cell, total: bool) -> int | None:
    """The size of the smallest set of clues that proves the cell, None if there is none."""
    clues = [clue.cell for clue in position.clues if clue.hidden]
    for size in range(len(clues) + 1):
        for chosen in itertools.combinations(clues, size):
            if proves(position, chosen, total, cell):
                return size
    return None


def without_flags(position: Position) -> Position:
    """The same position with every flag read as hidden."""
    cells = tuple(
        tuple(-1 if value == FLAG else value for value in line) for line in position.cells
    )
    return Position(cells, position.mines, position.neighbours)
