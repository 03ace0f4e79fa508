"""A position as a player sees it: the cells, the number of mines, the neighbourhood.

A board is a value: immutable, hashable, picklable, equal to another with the same contents. The
cells live in one bytes object. That makes construction cheap (one copy, and one pass that finds
foreign values by deleting the known ones), and bytes can neither change nor be made writable.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import text
from mineodds.errors import BoardFormatError
from mineodds.priors import Density, FixedTotal, Prior, TotalDistribution
from mineodds.text import FLAG, HIDDEN
from mineodds.topologies import topology_of
from mineodds.topology import (
    LEAST_LARGEST_NUMBER,
    Rectangle,
    Topology,
    in_words,
    rectangle,
)

__all__ = ["FLAG", "HIDDEN", "LARGEST_NUMBER", "Board"]

LARGEST_NUMBER = LEAST_LARGEST_NUMBER

Chance = float | Fraction

_INT8 = np.dtype(np.int8)


@lru_cache(maxsize=16)
def _known_values(largest: int) -> bytes:
    return bytes(value & 0xFF for value in range(FLAG, largest + 1))


class Board:
    """A position: int8 cells, -1 hidden, -2 flag (trusted to be a mine), 0 to 8 the number shown.

    ``cells`` is an array or nested sequence of integers, (rows, cols), or of the topology's shape,
    with numbers up to the most neighbours that a cell of it has; ``mines`` is the number of
    mines on the whole board, flags included. Where that is not known, one of two says what is:
    ``density``, the chance (0 < density < 1) that a hidden cell is a mine, independently of all
    others; or ``totals``, a mapping from each possible number of mines to its weight. ``topology``
    is the 8-neighbour rectangle unless given, as a Topology or by name ("torus"). Raises
    BoardFormatError if they are malformed. A board that is well formed but that no layout fits is a
    board: it is `solve` that refuses it.
    """

    __slots__ = ("_cells", "_data", "_density", "_hash", "_mines", "_topology", "_totals")

    def __init__(
        self,
        cells: ArrayLike,
        mines: SupportsIndex | None = None,
        *,
        density: Chance | None = None,
        totals: Mapping[int, Chance] | None = None,
        topology: Topology | str | None = None,
    ) -> None:
        array = cells if type(cells) is np.ndarray else _as_array(cells, topology is None)
        if topology is None and array.ndim == 2:
            topology = rectangle(*array.shape)  # the short way
        else:
            topology = topology_of(topology, array.shape)
        if array.dtype is not _INT8:
            array = _as_int8(array, topology.largest_number)
        data = array.tobytes()
        if data.translate(None, _known_values(topology.largest_number)):
            _refuse_unknown_values(array, topology.largest_number)
        self._data = data
        self._cells: NDArray[np.int8] = np.frombuffer(data, _INT8).reshape(array.shape)
        self._density = self._totals = self._mines = None
        if density is None and totals is None:
            self._mines = checked_mines(mines, len(data))
        else:
            _refuse_two_of(mines, density, totals)
            if density is not None:
                Density(density)
            if totals is not None:
                totals = dict(sorted(TotalDistribution(totals, len(data)).chance.items()))
            self._density, self._totals = density, totals
        self._topology = topology
        self._hash: int | None = None

    @staticmethod
    def parse(
        source: str,
        mines: SupportsIndex | None = None,
        *,
        density: Chance | None = None,
        totals: Mapping[int, Chance] | None = None,
        topology: Topology | str | None = None,
    ) -> "Board":
        """Read a board's text: header lines like ``mines: 99``, then rows of glyphs.

        ``#`` hidden, ``F`` flag, ``.`` or ``0`` zero, ``1`` to ``8``. The number of mines (or
        ``density: 0.2``, or ``totals: 8=1/4 9=3/4``) is in the header or given; if both, they must
        be equal. Raises BoardFormatError.
        """
        largest = topology.largest_number if isinstance(topology, Topology) else None
        cells, header = text.read(source, largest)
        if "mines" in header:
            declared, line, column = header["mines"]
            if mines is not None and checked_mines(mines, cells.size) != declared:
                raise BoardFormatError(
                    f"the header says {declared} mines, but mines={mines} was given",
                    line=line,
                    column=column,
                )
            if int(declared) > cells.size:
                raise BoardFormatError(
                    f"{declared} mines do not fit on {cells.size} cells", line=line, column=column
                )
            mines = int(declared)
        if "topology" in header:
            name, line, column = header["topology"]
            expected = topology.name if isinstance(topology, Topology) else topology
            if expected is not None and name != expected:
                raise BoardFormatError(
                    f"the topology is {expected!r}, not {name!r}", line=line, column=column
                )
            try:
                topology = topology_of(topology or name, cells.shape)
            except BoardFormatError as error:
                raise BoardFormatError(str(error), line=line, column=column) from None
        if "density" in header:
            value, line, column = header["density"]
            if density is not None and Fraction(density) != Fraction(value):
                raise BoardFormatError(
                    f"the header says density {value}, but density={density} was given",
                    line=line,
                    column=column,
                )
            density = value
        if "totals" in header:
            value, line, column = header["totals"]
            if totals is not None and dict(totals) != value:
                raise BoardFormatError(
                    "the header says other totals than were given", line=line, column=column
                )
            totals = value
        return Board(cells, mines, density=density, totals=totals, topology=topology)

    @property
    def cells(self) -> NDArray[np.int8]:
        """The cells, int8 (rows, cols), read-only: -1 hidden, -2 flag, 0 to 8 the number shown."""
        return self._cells

    @property
    def mines(self) -> int | None:
        """The number of mines on the whole board, flags included; None if it is not known."""
        return self._mines

    @property
    def density(self) -> Chance | None:
        """The chance of a mine in each hidden cell if that is all that is known, else None."""
        return self._density

    @property
    def totals(self) -> dict[int, Chance] | None:
        """The weight of each possible number of mines, if that is all that is known, else None."""
        return None if self._totals is None else dict(self._totals)

    @property
    def prior(self) -> Prior:
        """What is known about the number of mines beforehand."""
        if self._density is not None:
            return Density(self._density)
        if self._totals is not None:
            return TotalDistribution(self._totals, len(self._data))
        assert self._mines is not None
        return FixedTotal(self._mines)

    def with_cells(self, cells: ArrayLike) -> "Board":
        """A board with other cells of the same shape, and everything else as it is."""
        return Board(
            cells,
            self._mines,
            density=self._density,
            totals=self._totals,
            topology=self._topology,
        )

    @property
    def topology(self) -> Topology:
        """Which cells are neighbours."""
        return self._topology

    @property
    def rows(self) -> int:
        """The number of rows (of a layer), 1 for a graph."""
        return self._topology.rows

    @property
    def cols(self) -> int:
        """The number of columns, all cells of a graph."""
        return self._topology.cols

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._data == other._data
            and self._known() == other._known()
            and self._cells.shape == other._cells.shape
            and self._topology == other._topology
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._data, self._mines, self._density, self._cells.shape))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._data, *self._known(), self._topology)

    def _known(self) -> tuple[Any, ...]:
        return self._mines, self._density, self._totals

    def __str__(self) -> str:
        """The text that `parse` reads; a board of a graph needs its topology as an argument."""
        header = text.header_of(self._mines, self._density, self._totals)
        if not isinstance(self._topology, Rectangle):
            header["topology"] = self._topology.name
        return text.write(self._cells, header)

    def __repr__(self) -> str:
        return f"<Board {in_words(self._topology.shape)}, {self.mines_in_words}>"

    @property
    def mines_in_words(self) -> str:
        """What is known about the number of mines, like "99 mines"."""
        if self._density is not None:
            return f"density {self._density}"
        if self._totals is not None:
            return f"totals {', '.join(map(str, self._totals))}"
        return f"{self._mines} mines"


def _restore(
    data: bytes,
    mines: int | None,
    density: Chance | None,
    totals: Mapping[int, Chance] | None,
    topology: Topology,
) -> Board:
    cells = np.frombuffer(data, _INT8).reshape(topology.shape)
    return Board(cells, mines, density=density, totals=totals, topology=topology)


def _refuse_two_of(
    mines: SupportsIndex | None, density: Chance | None, totals: Mapping[int, Chance] | None
) -> None:
    given = [
        f"{name}={value}"
        for name, value in (("mines", mines), ("density", density), ("totals", totals))
        if value is not None
    ]
    if len(given) > 1:
        raise BoardFormatError(f"one of mines, density and totals is enough, not {given}")


def as_board(
    board: Board | str | ArrayLike,
    mines: SupportsIndex | None = None,
    *,
    density: Chance | None = None,
    totals: Mapping[int, Chance] | None = None,
    topology: Topology | str | None = None,
) -> Board:
    """A board as it is, or that of a text or array; what is given twice must be equal."""
    if isinstance(board, str):
        return Board.parse(board, mines, density=density, totals=totals, topology=topology)
    if not isinstance(board, Board):
        return Board(board, mines, density=density, totals=totals, topology=topology)
    if mines is not None and checked_mines(mines, board.cells.size) != board.mines:
        raise BoardFormatError(f"the board has {board.mines_in_words}, but mines={mines} was given")
    for name, given, own in (
        ("density", density, board.density),
        ("totals", totals, board.totals),
        ("topology", topology, topology_name_or_table(topology, board.topology)),
    ):
        if given is not None and given != own:
            raise BoardFormatError(f"the board has another {name} than {name}={given}")
    return board


def topology_name_or_table(given: Topology | str | None, topology: Topology) -> Topology | str:
    """What to compare a given topology with."""
    return topology.name if isinstance(given, str) else topology


def checked_mines(mines: SupportsIndex | None, cells: int) -> int:
    """The number of mines as an int, refused unless it is one that fits on so many cells."""
    if type(mines) is not int:
        if mines is None:
            raise BoardFormatError(
                "the number of mines is missing: give mines= (or density=), or a header line "
                "like 'mines: 10'"
            )
        if not isinstance(mines, int | np.integer) or isinstance(mines, bool):
            raise BoardFormatError(
                f"mines must be an integer, not {mines!r} of type {type(mines).__name__}"
            )
        mines = int(mines)
    if mines < 0 or mines > cells:
        raise BoardFormatError(f"mines must be from 0 to {cells}, the number of cells, not {mines}")
    return mines


def _as_array(cells: ArrayLike, has_rows: bool) -> NDArray[Any]:
    """An array of what is no plain array; sequences of rows are checked entry by entry."""
    if isinstance(cells, str | bytes):
        raise BoardFormatError("the cells are text: use Board.parse")
    if isinstance(cells, Sequence) and has_rows:
        return _as_array_of_rows(cells)
    if isinstance(cells, np.ma.MaskedArray):
        raise BoardFormatError("the cells are a masked array: fill it first")
    try:
        return np.asarray(cells)
    except (TypeError, ValueError, OverflowError) as error:
        raise BoardFormatError(f"the cells are no array of integers: {error}") from error


def _as_array_of_rows(cells: Sequence[object]) -> NDArray[Any]:
    cols = None
    for row, entries in enumerate(cells):
        if isinstance(entries, str | bytes):
            raise BoardFormatError("the rows are text: use Board.parse", row=row)
        if not isinstance(entries, Sequence | np.ndarray):
            raise BoardFormatError(
                f"a row must be a sequence of integers, not {type(entries).__name__}", row=row
            )
        if cols is None:
            cols = len(entries)
        if len(entries) != cols:
            raise BoardFormatError(
                f"this row has {len(entries)} cells, but the first has {cols}",
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
                raise _unknown_value(value, LARGEST_NUMBER, (row, col))
    return np.array(cells, dtype=_INT8).reshape(len(cells), cols or 0)


def _as_int8(array: NDArray[Any], largest: int) -> NDArray[np.int8]:
    """An array of any integers as int8, refused where that would change a value."""
    if array.dtype.kind not in "iu":
        raise BoardFormatError(f"the cells must be integers, not of the dtype {array.dtype}")
    _refuse_unknown_values(array, largest)
    return array.astype(_INT8)


def _refuse_unknown_values(array: NDArray[Any], largest: int) -> None:
    unknown = (array < FLAG) | (array > largest)
    if unknown.any():
        place = tuple(map(int, np.unravel_index(unknown.argmax(), array.shape)))
        raise _unknown_value(array[place], largest, place)


def _unknown_value(value: object, largest: int, place: tuple[int, ...]) -> BoardFormatError:
    message = f"unknown value {value}; expected {HIDDEN} hidden, {FLAG} flag, 0 to {largest}"
    if len(place) != 2:
        return BoardFormatError(f"cell {place}: {message}")
    return BoardFormatError(message, row=place[0], col=place[1])
