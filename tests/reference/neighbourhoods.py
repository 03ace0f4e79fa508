"""Who is next to whom on every kind of board, cell by cell and straight from the definition.

Each function takes the shape and one cell and looks at every other cell: is it next to this one?
Positions of the references are grids; `flat` reads a board of any shape as a grid of one row.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from reference.position import Neighbours

Place = tuple[int, ...]
Next = Callable[[tuple[int, ...], Place, Place], bool]


def rectangle(_shape: tuple[int, ...], a: Place, b: Place) -> bool:
    """No index differs by more than one."""
    return all(abs(i - j) <= 1 for i, j in zip(a, b, strict=True))


box = rectangle  # in three dimensions


def torus(shape: tuple[int, ...], a: Place, b: Place) -> bool:
    """The same, around the edges."""
    return all(
        min(abs(i - j), size - abs(i - j)) <= 1 for i, j, size in zip(a, b, shape, strict=True)
    )


def four_neighbours(_shape: tuple[int, ...], a: Place, b: Place) -> bool:
    """One step along a row or a column."""
    return sum(abs(i - j) for i, j in zip(a, b, strict=True)) == 1


def knight(_shape: tuple[int, ...], a: Place, b: Place) -> bool:
    """Two steps in one direction and one in the other."""
    return sorted(abs(i - j) for i, j in zip(a, b, strict=True)) == [1, 2]


def hexagonal(_shape: tuple[int, ...], a: Place, b: Place) -> bool:
    """Centres of hexagons at most one width apart; odd rows lie half a width to the right.

    In halves of a width across and rows of 3/4 of a height down, neighbours are 2 apart in a row,
    or 1 apart in rows that follow each other.
    """
    across = abs((2 * a[1] + a[0] % 2) - (2 * b[1] + b[0] % 2))
    return (abs(a[0] - b[0]), across) in ((0, 2), (1, 1))


NEXT: dict[str, Next] = {
    "rectangle": rectangle,
    "torus": torus,
    "hexagonal": hexagonal,
    "four-neighbours": four_neighbours,
    "knight": knight,
    "box": box,
}


def flat(shape: tuple[int, ...], is_next: Next) -> Neighbours:
    """The neighbours in a grid of one row that holds all cells of the shape, row by row."""
    places = list(itertools.product(*map(range, shape)))
    near = [
        [(0, j) for j, b in enumerate(places) if a != b and is_next(shape, a, b)] for a in places
    ]
    return lambda _rows, _cols, _row, col: near[col]


def grid(is_next: Next) -> Neighbours:
    """The neighbours in a grid of rows and columns."""

    def around(rows: int, cols: int, row: int, col: int) -> list[tuple[int, int]]:
        places = itertools.product(range(rows), range(cols))
        own = row, col
        return [place for place in places if place != own and is_next((rows, cols), own, place)]

    return around


def graph(adjacency: list[list[int]]) -> Neighbours:
    """Of any graph, cells in a row."""
    return lambda _rows, _cols, _row, col: [(0, other) for other in adjacency[col]]
