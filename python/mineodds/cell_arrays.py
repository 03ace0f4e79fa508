"""Cells as an int8 array: whatever is handed in as a board's cells, checked entry by entry."""

import os
from collections.abc import Sequence
from typing import Any, SupportsInt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds.errors import BoardFormatError, counted, shown
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import LEAST_LARGEST_NUMBER

LARGEST_NUMBER = LEAST_LARGEST_NUMBER

INT8 = np.dtype(np.int8)


def as_array(cells: ArrayLike, has_rows: bool) -> NDArray[Any]:
    """An array of what is no plain array; sequences of rows are checked entry by entry."""
    if isinstance(cells, str | bytes):
        raise BoardFormatError("the cells are text: use Board.parse")
    if isinstance(cells, Sequence) and has_rows:
        return _as_array_of_rows(cells)
    if isinstance(cells, np.ndarray) and isinstance(cells, np.ma.MaskedArray):
        raise BoardFormatError("the cells are a masked array: fill it first")
    if isinstance(cells, os.PathLike):
        raise BoardFormatError("the cells are a path: read the file, and use Board.parse")
    try:
        array = np.asarray(cells)
    except (TypeError, ValueError, OverflowError) as error:
        raise BoardFormatError(f"the cells are no array of integers: {error}") from error
    if array.dtype.kind == "O" and array.ndim == 0:
        raise BoardFormatError(
            f"the cells must be an array or nested sequence of integers, not {shown(cells)}"
        )
    return array


def _as_array_of_rows(cells: Sequence[object]) -> NDArray[Any]:
    cols = None
    for row, entries in enumerate(cells):
        if isinstance(entries, str | bytes):
            raise BoardFormatError("the rows are text: use Board.parse", row=row)
        if not isinstance(entries, Sequence | np.ndarray) or getattr(entries, "ndim", 1) == 0:
            raise BoardFormatError(
                f"a row must be a sequence of integers, not {type(entries).__name__}", row=row
            )
        if cols is None:
            cols = len(entries)
        if len(entries) != cols:
            raise BoardFormatError(
                f"this row has {counted(len(entries), 'cell')}, but the first has {cols}",
                row=row,
                col=min(len(entries), cols),
            )
        for kind in set(map(type, entries)):
            if not issubclass(kind, int | np.integer) or kind is bool:
                col = next(col for col, entry in enumerate(entries) if type(entry) is kind)
                raise BoardFormatError(
                    f"a cell must be an integer, not {kind.__name__}", row=row, col=col
                )
        for col, value in enumerate(entries):
            if not FLAG <= value <= LARGEST_NUMBER:
                raise unknown_value(value, LARGEST_NUMBER, (row, col))
    return np.array(cells, dtype=INT8).reshape(len(cells), cols or 0)


def as_int8(array: NDArray[Any], largest: int) -> NDArray[np.int8]:
    """An array of any integers as int8, refused where that would change a value."""
    if array.dtype.kind not in "iu":
        raise BoardFormatError(f"the cells must be integers, not of the dtype {array.dtype}")
    refuse_unknown_values(array, largest)
    return array.astype(INT8)


def checked_layout(layout: ArrayLike, shape: tuple[int, ...], capacity: int) -> NDArray[np.int64]:
    """The mines in each cell, (cells,). Raises TypeError, and ValueError for what is no layout."""
    array = np.asarray(layout)
    if array.dtype.kind not in "biu":
        raise TypeError(f"a layout holds booleans or integers, not {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"a layout of this board has the shape {shape}, not {array.shape}")
    if ((array < 0) | (array > capacity)).any():
        raise ValueError(f"a cell holds from 0 to {capacity} mines")
    return array.astype(np.int64).ravel()


def refuse_unknown_values(array: NDArray[Any], largest: int) -> None:
    """Raise BoardFormatError for the first value that is none of a cell."""
    unknown = (array < FLAG) | (array > largest)
    if unknown.any():
        place = tuple(map(int, np.unravel_index(unknown.argmax(), array.shape)))
        raise unknown_value(array[place], largest, place)


def unknown_value(value: SupportsInt, largest: int, place: tuple[int, ...]) -> BoardFormatError:
    """The error for what no cell holds."""
    expected = f"expected {HIDDEN} hidden, {FLAG} flag, 0 to {largest}"
    message = f"unknown value {shown(int(value))}; {expected}"
    if len(place) != 2:
        return BoardFormatError(f"cell {place}: {message}")
    return BoardFormatError(message, row=place[0], col=place[1])
