"""The result that every reference gives: exact chances, the number of layouts, what is certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from reference.position import FLAG, HIDDEN, Cell, Position


class InconsistentPosition(ValueError):
    """No layout agrees with every clue, every flag and the number of mines."""


@dataclass(frozen=True)
class Answer:
    """What a position says. Two answers are equal only if every fraction in them is.

    ``fraction`` holds the chance of a mine in each cell: None at revealed cells, 1 at flags.
    ``safe`` and ``mine`` are the certain hidden cells; ``best`` are the hidden cells with the least
    chance, row by row (none if nothing is hidden).
    """

    solutions: int
    fraction: tuple[tuple[Fraction | None, ...], ...]
    safe: frozenset[Cell]
    mine: frozenset[Cell]
    best: tuple[Cell, ...]


def answer_from_layouts(
    position: Position, solutions: int, with_mine: Mapping[Cell, int]
) -> Answer:
    """The answer, given how many layouts there are and how many have a mine in each hidden cell."""
    if solutions == 0:
        raise InconsistentPosition(f"no layout fits\n{position}")
    chance = {cell: Fraction(with_mine[cell], solutions) for cell in position.hidden}

    def entry(row: int, col: int) -> Fraction | None:
        value = position.cells[row][col]
        if value == HIDDEN:
            return chance[row, col]
        return Fraction(1) if value == FLAG else None

    least = min(chance.values(), default=None)
    return Answer(
        solutions=solutions,
        fraction=tuple(
            tuple(entry(row, col) for col in range(position.cols)) for row in range(position.rows)
        ),
        safe=frozenset(cell for cell, p in chance.items() if p == 0),
        mine=frozenset(cell for cell, p in chance.items() if p == 1),
        best=tuple(cell for cell, p in chance.items() if p == least),
    )
