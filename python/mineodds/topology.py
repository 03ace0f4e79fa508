"""Which cells are neighbours: a shape and a table, and nothing else knows the geometry.

A topology holds its neighbour table in compressed rows (CSR): the neighbours of cell ``i`` (cells
are numbered row by row) are ``cell[start[i]:start[i + 1]]``, in rising order. Board, frontier and
core work on the table alone, so a torus, a hexagonal board or any other graph (Golan, Minesweeper
on graphs, 2011) is only another table.

Cells are named by the indices of an array of the shape: (row, col) on the plane, (layer, row, col)
in space, (index,) in a graph. The ready-made topologies are in `topologies`.
"""

import math
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import _core
from mineodds.contracts import read_only, whole_number
from mineodds.errors import BoardFormatError, Cell, shown

Table = tuple[NDArray[np.int32], NDArray[np.int32]]

MOST_NEIGHBOURS = 127  # a number is an int8
LEAST_LARGEST_NUMBER = 8  # every board takes the numbers 0 to 8, as the usual one does

_AXES = ("layer", "row", "col")


class Topology:
    """A neighbour table over a board of a shape. Immutable.

    ``start`` (as many offsets as cells, and one) and ``cell`` are the compressed rows. Every cell's
    neighbours must rise without repeats, no cell may be its own neighbour, and if ``a`` is a
    neighbour of ``b`` then ``b`` is one of ``a``; BoardFormatError says which cell breaks this.
    """

    name = "graph"  # what the header of a board's text calls it

    _shape: tuple[int, ...]
    _neighbours: Table

    def __init__(self, shape: Iterable[int], start: ArrayLike, cell: ArrayLike) -> None:
        sizes = checked_shape(shape)
        self._hold(sizes, _checked_table(math.prod(sizes), start, cell))

    def _hold(self, shape: tuple[int, ...], neighbours: Table | None = None) -> None:
        """Set what a topology is made of, once; what follows from it is worked out when asked."""
        object.__setattr__(self, "_shape", shape)
        if neighbours is not None:
            object.__setattr__(self, "_neighbours", neighbours)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"topologies are immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"topologies are immutable: {name!r} cannot be deleted")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the cells' array: (rows, cols) on the plane."""
        return self._shape

    @cached_property
    def cells(self) -> int:
        """The number of cells."""
        return math.prod(self._shape)

    @property
    def rows(self) -> int:
        """The number of rows (of a layer), 1 for a graph."""
        return self._shape[-2] if len(self._shape) > 1 else 1

    @property
    def cols(self) -> int:
        """The number of columns, all cells of a graph."""
        return self._shape[-1]

    @property
    def neighbours(self) -> Table:
        """(start, cell), both int32 and read-only."""
        return self._neighbours

    @cached_property
    def largest_number(self) -> int:
        """The largest number that a board may show: the most neighbours, but at least 8."""
        most = int(np.diff(self.neighbours[0]).max(initial=0))
        return max(most, LEAST_LARGEST_NUMBER)

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """Whose neighbour each entry of the table is, int32."""
        start, _ = self.neighbours
        owner = np.repeat(np.arange(self.cells, dtype=np.int32), np.diff(start))
        return read_only(owner)

    @cached_property
    def prepared(self) -> _core.Neighbours:
        """The table as the core's kernel takes it, checked and made once."""
        return _core.Neighbours(*self.neighbours)

    def number(self, place: Iterable[SupportsIndex]) -> int:
        """The number of the cell at a place; IndexError outside the board."""
        if not isinstance(place, Iterable):
            pairs = "pairs" if len(self._shape) == 2 else "tuples"
            axes = f"({', '.join(self._axes)}{',' * (len(self._shape) == 1)})"
            raise TypeError(f"expected cells as {axes} {pairs}, not {shown(place)}")
        indices = tuple(whole_number("an index", index) for index in place)
        if len(indices) != len(self._shape):
            raise IndexError(
                f"a cell of this board has {len(self._shape)} indices, not {len(indices)}"
            )
        number = 0
        for axis, (index, size) in enumerate(zip(indices, self._shape, strict=True)):
            if not 0 <= index < size:
                name = self._axes[axis]
                raise IndexError(f"{name} {shown(index)} is outside 0 to {size - 1}")
            number = number * size + index
        return number

    def place(self, number: int) -> Cell:
        """The indices of a cell, such as (row, col)."""
        if len(self._shape) == 2:
            return divmod(number, self._shape[1])
        indices = []
        for size in reversed(self._shape):
            number, index = divmod(number, size)
            indices.append(index)
        return tuple(reversed(indices))

    @property
    def _axes(self) -> tuple[str, ...]:
        """What the indices are called."""
        dimensions = len(self._shape)
        if dimensions == 1 or dimensions > len(_AXES):
            return ("index",) * dimensions
        return _AXES[-dimensions:]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        return self is other or (
            self.shape == other.shape
            and all(map(np.array_equal, self.neighbours, other.neighbours))
        )

    def __hash__(self) -> int:
        return hash(self.shape)

    def __reduce__(self) -> tuple[object, ...]:
        return Topology, (self.shape, *self.neighbours)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {in_words(self.shape)}>"


class Rectangle(Topology):
    """The usual board: rows x cols cells, each with the up to eight cells around it."""

    name = "rectangle"
    largest_number = LEAST_LARGEST_NUMBER

    def __init__(self, rows: int, cols: int) -> None:
        self._hold(checked_shape((rows, cols)))

    @property
    def neighbours(self) -> Table:
        """(start, cell), both int32 and read-only; built at first use."""
        return self._table

    @cached_property
    def _table(self) -> Table:
        rows, cols = self.shape
        framed = np.full((rows + 2, cols + 2), -1, dtype=np.int32)
        framed[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
        steps = [(down, right) for down in range(3) for right in range(3)]
        steps.remove((1, 1))
        around = np.empty((rows, cols, len(steps)), dtype=np.int32)
        for step, (down, right) in enumerate(steps):
            around[:, :, step] = framed[down : down + rows, right : right + cols]
        inside = around >= 0
        start = np.zeros(rows * cols + 1, dtype=np.int32)
        np.cumsum(np.bitwise_count(np.packbits(inside)), out=start[1:])  # eight steps: a byte each
        return read_only(start), read_only(around[inside])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rectangle):
            return self.shape == other.shape
        return super().__eq__(other)

    __hash__ = Topology.__hash__

    def __reduce__(self) -> tuple[object, ...]:
        return rectangle, self.shape


# A few shapes are in use at a time; the table of a board of 1000 x 1000 takes 36 MB.
@lru_cache(maxsize=8)
def rectangle(rows: int, cols: int) -> Rectangle:
    """The rectangle of a shape, shared by all who ask while it is in use."""
    return Rectangle(rows, cols)


def in_words(shape: Iterable[int]) -> str:
    """A shape like "16x30"."""
    return "x".join(map(shown, shape))


def checked_shape(shape: object, degree: int = LEAST_LARGEST_NUMBER) -> tuple[int, ...]:
    """A shape as a tuple, refused when empty or too large for up to ``degree`` neighbours."""
    if not isinstance(shape, tuple | list):
        raise BoardFormatError(f"a shape must be a tuple like (rows, cols), not {shown(shape)}")
    try:
        sizes = tuple(whole_number("a size", size) for size in shape)
    except TypeError as error:
        raise BoardFormatError(str(error)) from None
    if not sizes or min(sizes) < 1:
        raise BoardFormatError(
            f"a board needs at least one row and one column, not {in_words(sizes) or 'no shape'}"
        )
    # Entries of the table are counted in 32 bits.
    if math.prod(sizes) > (2**31 - 1) // degree:
        raise BoardFormatError(
            f"a board may have up to {(2**31 - 1) // degree} cells, not {in_words(sizes)}"
        )
    return sizes


def _checked_table(cells: int, start: ArrayLike, cell: ArrayLike) -> Table:
    offsets = _as_int32("start", start)
    targets = _as_int32("cell", cell)
    if offsets.size != cells + 1:
        raise BoardFormatError(
            f"start needs {cells + 1} offsets, one more than cells, not {offsets.size}"
        )
    counts = np.diff(offsets)
    if offsets[0] != 0 or offsets[-1] != targets.size or (counts < 0).any():
        raise BoardFormatError(f"start must rise from 0 to {targets.size}, the size of cell")
    owner = np.repeat(np.arange(cells, dtype=np.int32), counts)

    def refuse(wrong: NDArray[np.bool_], what: str) -> None:
        if wrong.any():
            entry = int(wrong.argmax())
            raise BoardFormatError(f"cell {owner[entry]}: its neighbour {targets[entry]} {what}")

    refuse((targets < 0) | (targets >= cells), f"is not one of the {cells} cells")
    refuse(targets == owner, "is itself")
    same_owner = owner[1:] == owner[:-1]
    out_of_order = np.zeros(targets.size, dtype=np.bool_)
    out_of_order[1:] = same_owner & (targets[1:] <= targets[:-1])
    refuse(out_of_order, "is repeated or out of rising order")
    # Sorted by target, a symmetric table lists every owner in the place of a target.
    back = np.lexsort((owner, targets))
    if not (np.array_equal(targets[back], owner) and np.array_equal(owner[back], targets)):
        forward = owner.astype(np.int64) * cells + targets
        refuse(~np.isin(forward, targets.astype(np.int64) * cells + owner), "does not name it back")
    crowded = counts > MOST_NEIGHBOURS
    if crowded.any():
        worst = int(crowded.argmax())
        raise BoardFormatError(
            f"cell {worst} has {counts[worst]} neighbours: more than {MOST_NEIGHBOURS} do not fit "
            "into the 8 bits of a number"
        )
    return read_only(offsets), read_only(targets)


def _as_int32(name: str, values: ArrayLike) -> NDArray[np.int32]:
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):  # ragged, or too large for any dtype
        raise BoardFormatError(f"{name} must be a one-dimensional array of integers") from None
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise BoardFormatError(f"{name} must be a one-dimensional array of integers")
    if array.size and (array.min() < 0 or array.max() > 2**31 - 1):
        raise BoardFormatError(f"{name} must hold integers from 0 to {2**31 - 1}")
    return np.array(array, dtype=np.int32)
