"""What is known of a board's mines besides its cells, and whether it is well formed."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, SupportsIndex, TypedDict

import numpy as np
from numpy.typing import NDArray

from mineodds.contracts import whole_number
from mineodds.errors import BoardFormatError, shown, written
from mineodds.priors import kept_number
from mineodds.topology import MOST_NEIGHBOURS, Topology, in_words

MINES_MISSING = (
    "the number of mines is missing: give mines= (or density=), or a header line like 'mines: 10'"
)

Chance = float | Fraction

ARRANGEMENTS, PLACEMENTS = "arrangements", "placements"


class Known(TypedDict, total=False):
    """What `Board` takes besides cells and mines, under the same names."""

    density: Chance | NDArray[Any] | None
    totals: Mapping[int, Chance] | None
    max_per_cell: SupportsIndex
    equally_likely: str | None
    topology: Topology | str | None


def checked_mines(mines: SupportsIndex | None, cells: int) -> int:
    """The number of mines as an int, refused unless it is one that fits on so many cells."""
    if type(mines) is not int:
        if mines is None:
            raise BoardFormatError(MINES_MISSING)
        try:
            mines = whole_number("mines", mines)
        except TypeError as error:
            raise BoardFormatError(str(error)) from None
    if mines < 0 or mines > cells:
        raise BoardFormatError(
            f"mines must be from 0 to {cells}, the number of cells, not {shown(mines)}"
        )
    return mines


def checked_capacity(
    max_per_cell: SupportsIndex, equally_likely: str | None, density: object, largest: int
) -> int:
    """The most mines in a cell, refused unless it goes with the rest."""
    if not isinstance(max_per_cell, int | np.integer) or max_per_cell < 1:
        raise BoardFormatError(
            f"max_per_cell must be an integer from 1 on, not {shown(max_per_cell)}"
        )
    if max_per_cell == 1:
        raise BoardFormatError("equally_likely needs several mines in a cell: give max_per_cell=")
    if density is not None:
        raise BoardFormatError(
            "density and max_per_cell exclude each other: a density is about cells with one mine "
            "at most"
        )
    if equally_likely not in (ARRANGEMENTS, PLACEMENTS):
        raise BoardFormatError(
            f"with several mines in a cell, equally_likely must be {ARRANGEMENTS!r} or "
            f"{PLACEMENTS!r}, not {shown(equally_likely)}"
        )
    if max_per_cell * largest > MOST_NEIGHBOURS:
        raise BoardFormatError(
            f"with {shown(int(max_per_cell))} mines in a cell numbers would go up to "
            f"{shown(int(max_per_cell) * largest)}: more than {MOST_NEIGHBOURS} do not fit"
        )
    return int(max_per_cell)


def checked_densities(density: object, cells: NDArray[np.int8]) -> tuple[Chance, ...]:
    """The chances by cell; revealed cells need none. A flag's is what it has if not trusted."""
    array = np.asarray(density)
    if array.ndim == 0:
        raise BoardFormatError(
            "density must be a number more than 0 and less than 1, or an array of "
            f"{in_words(cells.shape)} of them, not {shown(density)}"
        )
    if array.shape != cells.shape or array.dtype.kind not in "iufO":
        raise BoardFormatError(
            f"density must be a chance, or an array of {in_words(cells.shape)} chances, not "
            f"{array.dtype} of shape {array.shape}"
        )
    chances: list[Chance] = []
    for place, chance in np.ndenumerate(array):
        if cells[place] < 0:
            kept = kept_number(f"the density of cell {place}", chance)
            if not 0 <= kept <= 1:
                raise BoardFormatError(
                    f"the density of cell {place} must be from 0 to 1, not {written(chance)}"
                )
            chances.append(kept)
        else:
            chances.append(0.0)
    return tuple(chances)


def refuse_two_of(
    mines: SupportsIndex | None, density: object, totals: Mapping[int, Chance] | None
) -> None:
    """Raise BoardFormatError when more than one of them is given."""
    given = [
        name
        for name, value in (("mines", mines), ("density", density), ("totals", totals))
        if value is not None
    ]
    if len(given) > 1:
        raise BoardFormatError(f"one of {' and '.join(given)} is enough")
