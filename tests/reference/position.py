"""The question: a position, and how it falls apart into clues, groups, components and deep cells.

A position is a grid of cells (hidden, flag or number) together with the number of mines on the
whole board, flags included. What "next to" means is a plain function, so that a torus, a hexagonal
board or any other graph is only another function.

Words, as everywhere in this project: a *frontier* cell is a hidden cell that touches a clue, a
*deep* cell is one that touches none. A *group* is a set of frontier cells with exactly the same
clues: no clue can tell them apart, so only the number of mines among them matters. A *component*
is a set of clues and cells with no clue in common with the rest; components meet again only in the
total number of mines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]
Neighbours = Callable[[int, int, int, int], Iterable[Cell]]

HIDDEN = -1
FLAG = -2

GLYPH_OF = {HIDDEN: "#", FLAG: "F", 0: "."} | {number: str(number) for number in range(1, 9)}
VALUE_OF = {glyph: value for value, glyph in GLYPH_OF.items()} | {"0": 0}


def eight_neighbours(rows: int, cols: int, row: int, col: int) -> list[Cell]:
    """The cells around (row, col) on a plain rectangle: up to eight of them."""
    return [
        (r, c)
        for r in range(max(row - 1, 0), min(row + 2, rows))
        for c in range(max(col - 1, 0), min(col + 2, cols))
        if (r, c) != (row, col)
    ]


@dataclass(frozen=True)
class Clue:
    """A revealed number: exactly ``need`` of its hidden neighbours are mines.

    ``need`` is the number shown less the flags around it. It can be negative, or more than there
    are hidden neighbours: then the position is inconsistent, and every reference finds out by
    itself.
    """

    cell: Cell
    hidden: tuple[Cell, ...]
    need: int


@dataclass(frozen=True)
class Component:
    """Clues and the frontier cells they share, independent of all others but for the total."""

    clues: tuple[Clue, ...]
    cells: tuple[Cell, ...]

    @cached_property
    def groups(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells, those with the same clues together."""
        by_clues: dict[tuple[int, ...], list[Cell]] = {}
        for cell in self.cells:
            touching = tuple(i for i, clue in enumerate(self.clues) if cell in clue.hidden)
            by_clues.setdefault(touching, []).append(cell)
        return tuple(tuple(group) for group in by_clues.values())


@dataclass(frozen=True, repr=False)
class Position:
    """A grid of cells (-1 hidden, -2 flag, otherwise the number shown) and the number of mines."""

    cells: tuple[tuple[int, ...], ...]
    mines: int
    neighbours: Neighbours = eight_neighbours

    @staticmethod
    def parse(text: str, mines: int, neighbours: Neighbours = eight_neighbours) -> Position:
        """Read rows of ``#`` hidden, ``F`` flag, ``.`` or ``0``, digits; rows end at blanks."""
        cells = tuple(tuple(VALUE_OF[glyph] for glyph in line) for line in text.split())
        return Position(cells, mines, neighbours)

    def __str__(self) -> str:
        lines = ["".join(GLYPH_OF[value] for value in line) for line in self.cells]
        return "\n".join([f"mines: {self.mines}", *lines])

    def __repr__(self) -> str:
        """What to paste into a test to have the position again."""
        lines = " ".join("".join(GLYPH_OF[value] for value in line) for line in self.cells)
        return f'Position.parse("{lines}", mines={self.mines})'

    @property
    def rows(self) -> int:
        return len(self.cells)

    @property
    def cols(self) -> int:
        return len(self.cells[0])

    def around(self, cell: Cell) -> list[Cell]:
        """The neighbours of a cell."""
        return list(self.neighbours(self.rows, self.cols, *cell))

    def where(self, value: int) -> list[Cell]:
        """The cells that hold this value, row by row."""
        return [
            (row, col)
            for row, line in enumerate(self.cells)
            for col, found in enumerate(line)
            if found == value
        ]

    @cached_property
    def hidden(self) -> list[Cell]:
        return self.where(HIDDEN)

    @cached_property
    def flags(self) -> list[Cell]:
        return self.where(FLAG)

    @property
    def mines_left(self) -> int:
        """How many of the hidden cells are mines. Negative when there are too many flags."""
        return self.mines - len(self.flags)

    @cached_property
    def clues(self) -> list[Clue]:
        clues = []
        for row, line in enumerate(self.cells):
            for col, value in enumerate(line):
                if value < 0:
                    continue
                around = self.around((row, col))
                hidden = tuple(c for c in around if self.cells[c[0]][c[1]] == HIDDEN)
                flags = sum(1 for c in around if self.cells[c[0]][c[1]] == FLAG)
                clues.append(Clue((row, col), hidden, value - flags))
        return clues

    @cached_property
    def deep(self) -> list[Cell]:
        frontier = {cell for clue in self.clues for cell in clue.hidden}
        return [cell for cell in self.hidden if cell not in frontier]

    @cached_property
    def components(self) -> list[Component]:
        """The clues, those that share hidden cells (directly or over others) together.

        A clue without hidden neighbours is a component without cells: it still has to hold.
        """
        clues_of: dict[Cell, list[int]] = {}
        for index, clue in enumerate(self.clues):
            for cell in clue.hidden:
                clues_of.setdefault(cell, []).append(index)
        components = []
        seen: set[int] = set()
        for start in range(len(self.clues)):
            if start in seen:
                continue
            seen.add(start)
            reached = [start]
            for index in reached:  # grows while it is walked
                for cell in self.clues[index].hidden:
                    for other in clues_of[cell]:
                        if other not in seen:
                            seen.add(other)
                            reached.append(other)
            clues = tuple(self.clues[index] for index in sorted(reached))
            cells = sorted({cell for clue in clues for cell in clue.hidden})
            components.append(Component(clues, tuple(cells)))
        return components
