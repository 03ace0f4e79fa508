"""A position as a player sees it: the cells, the number of mines, the neighbourhood.

A board is a value: immutable, hashable, picklable, equal to another with the same contents. The
cells live in one bytes object. That makes construction cheap (one copy, and one pass that finds
foreign values by deleting the known ones), and bytes can neither change nor be made writable.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, SupportsIndex, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import text
from mineodds.cell_arrays import INT8, as_array, as_int8, refuse_unknown_values
from mineodds.contracts import whole_number
from mineodds.declared import declared
from mineodds.errors import BoardFormatError, counted, shown, written
from mineodds.knowledge import (
    Chance,
    Known,
    checked_capacity,
    checked_densities,
    checked_mines,
    refuse_two_of,
)
from mineodds.priors import (
    Density,
    FixedTotal,
    Prior,
    TotalDistribution,
    is_number,
    kept_number,
)
from mineodds.text import FLAG
from mineodds.topologies import topology_of
from mineodds.topology import Rectangle, Topology, in_words, rectangle


@lru_cache(maxsize=16)
def _known_values(largest: int) -> bytes:
    return bytes(value & 0xFF for value in range(FLAG, largest + 1))


class Board:
    """A position: int8 cells, -1 hidden, -2 flag (trusted to be a mine), 0 to 8 the number shown.

    ``cells`` is an array or nested sequence of integers, (rows, cols), or of the topology's shape,
    with numbers up to the most neighbours that a cell of it has; ``mines`` is the number of
    mines on the whole board, flags included. Where that is not known, one of two says what is:
    ``density``, the chance (0 < density < 1) that a hidden cell is a mine, independently of all
    others; or ``totals``, a mapping from each possible number of mines to its weight.

    ``density`` can be an array of the cells' shape with a chance for every cell not revealed (0 and
    1 are certain; a flag's counts where flags are not trusted), alone or beside ``mines``. With
    ``max_per_cell`` above 1 a cell can hold that many mines, a number counts mines, and a flag
    stands for at least one; ``equally_likely`` says what is: "arrangements" (how many mines each
    cell holds) or "placements" (of numbered mines).

    ``topology``
    is the 8-neighbour rectangle unless given, as a Topology or by name ("torus"). Raises
    BoardFormatError if they are malformed. A board that is well formed but that no layout fits is a
    board: it is `solve` that refuses it.
    """

    __slots__ = (
        "_cells",
        "_data",
        "_density",
        "_equally_likely",
        "_hash",
        "_max_per_cell",
        "_mines",
        "_topology",
        "_totals",
    )

    def __init__(
        self,
        cells: ArrayLike,
        mines: SupportsIndex | None = None,
        *,
        density: Chance | NDArray[Any] | None = None,
        totals: Mapping[int, Chance] | None = None,
        max_per_cell: SupportsIndex = 1,
        equally_likely: str | None = None,
        topology: Topology | str | None = None,
    ) -> None:
        array = (
            cells
            if type(cells) is np.ndarray
            else as_array(cells, topology is None and max_per_cell == 1)
        )
        if topology is None and array.ndim == 2:
            topology = rectangle(*array.shape)  # the short way
        else:
            topology = topology_of(topology, array.shape)
        largest = topology.largest_number
        if max_per_cell != 1 or equally_likely is not None:
            max_per_cell = checked_capacity(max_per_cell, equally_likely, density, largest)
            largest *= max_per_cell
        if array.dtype is not INT8:
            array = as_int8(array, largest)
        data = array.tobytes()
        if data.translate(None, _known_values(largest)):
            refuse_unknown_values(array, largest)
        self._data = data
        self._cells: NDArray[np.int8] = np.frombuffer(data, INT8).reshape(array.shape)
        self._max_per_cell = whole_number("max_per_cell", max_per_cell)
        self._equally_likely = equally_likely
        self._density: Chance | tuple[Chance, ...] | None = None
        self._totals: dict[int, Chance] | None = None
        self._mines: int | None = None
        if isinstance(density, np.ndarray) and density.ndim == 0:
            density = density[()]
        by_cell = density is not None and not (is_number(density) or isinstance(density, str))
        if density is None and totals is None:
            self._mines = checked_mines(mines, len(data) * self._max_per_cell)
        else:
            refuse_two_of(None if by_cell else mines, density, totals)
        if totals is not None:
            distribution = TotalDistribution(totals, len(data) * self._max_per_cell)
            self._totals = dict(sorted(distribution.chance.items()))
        if by_cell:
            self._density = checked_densities(density, self._cells)
            if mines is not None:
                self._mines = checked_mines(mines, len(data))
        elif density is not None:
            self._density = kept_number("density", density)
            Density(self._density)
        self._topology = topology
        self._hash: int | None = None

    @staticmethod
    def parse(
        source: str,
        mines: SupportsIndex | None = None,
        **known: Unpack[Known],
    ) -> "Board":
        """Read a board's text: header lines like ``mines: 99``, then rows of glyphs.

        ``#`` hidden, ``F`` flag, ``.`` or ``0`` zero, ``1`` to ``8``. The number of mines (or
        ``density: 0.2``, or ``totals: 8=1/4 9=3/4``) is in the header or given; if both, they must
        be equal. So must be all else that `Board` takes. Raises BoardFormatError.
        """
        cells, mines, known = declared(source, mines, known)
        return Board(cells, mines, **known)

    @property
    def cells(self) -> NDArray[np.int8]:
        """The cells, int8 (rows, cols), read-only: -1 hidden, -2 flag, 0 to 8 the number shown."""
        return self._cells

    @property
    def mines(self) -> int | None:
        """The number of mines on the whole board, flags included; None if it is not known."""
        return self._mines

    @property
    def density(self) -> Chance | NDArray[Any] | None:
        """The chance of a mine in each hidden cell, or an array of them; else None."""
        if isinstance(self._density, tuple):
            is_exact = any(isinstance(chance, Fraction) for chance in self._density)
            array = np.array(self._density, dtype=object if is_exact else np.float64)
            array = array.reshape(self._cells.shape)
            array.flags.writeable = False
            return array
        return self._density

    @property
    def max_per_cell(self) -> int:
        """The most mines that a cell can hold."""
        return self._max_per_cell

    @property
    def equally_likely(self) -> str | None:
        """With several mines in a cell: "arrangements" or "placements"."""
        return self._equally_likely

    @property
    def is_plain(self) -> bool:
        """Whether the number of mines is known, and all cells are alike and hold one at most."""
        return self._mines is not None and self._density is None and self._max_per_cell == 1

    @property
    def totals(self) -> dict[int, Chance] | None:
        """The weight of each possible number of mines, if that is all that is known, else None."""
        return None if self._totals is None else dict(self._totals)

    @property
    def prior(self) -> Prior:
        """What is known about the number of mines beforehand; cells that are alike share it."""
        if self._density is not None and not isinstance(self._density, tuple):
            return Density(self._density)
        if self._totals is not None:
            return TotalDistribution(self._totals, len(self._data))
        assert self._mines is not None
        return FixedTotal(self._mines)

    def with_cells(self, cells: ArrayLike) -> "Board":
        """A board with other cells of the same shape, and everything else as it is."""
        return Board(cells, self._mines, **self._arguments())

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
        return _restore, (self._data, self._mines, self._arguments())

    def _known(self) -> tuple[Any, ...]:
        several = self._max_per_cell, self._equally_likely
        return (self._mines, self._density, self._totals, *several)

    def _arguments(self) -> Known:
        return Known(
            density=self.density,
            totals=self._totals,
            max_per_cell=self._max_per_cell,
            equally_likely=self._equally_likely,
            topology=self._topology,
        )

    def __str__(self) -> str:
        """The text that `parse` reads; a board of a graph needs its topology as an argument."""
        header = text.header_of(self._mines, self._density, self._totals)
        if self._max_per_cell > 1:
            header["max_per_cell"] = self._max_per_cell
            header["equally_likely"] = self._equally_likely
        if not isinstance(self._topology, Rectangle):
            header["topology"] = self._topology.name
        return text.write(self._cells, header)

    def __repr__(self) -> str:
        return f"<Board {in_words(self._topology.shape)}, {self.mines_in_words}>"

    @property
    def mines_in_words(self) -> str:
        """What is known about the number of mines, like "99 mines"."""
        if isinstance(self._density, tuple):
            count = "" if self._mines is None else f"{self._mines} mines and "
            return f"{count}densities by cell"
        if self._density is not None:
            return f"density {written(self._density)}"
        if self._totals is not None:
            return f"totals {', '.join(map(str, self._totals))}"
        return counted(self.mines or 0, "mine")


def _restore(data: bytes, mines: int | None, known: Known) -> Board:
    topology = known["topology"]
    assert isinstance(topology, Topology)
    return Board(np.frombuffer(data, INT8).reshape(topology.shape), mines, **known)


def as_board(
    board: Board | str | ArrayLike, mines: SupportsIndex | None = None, **known: Unpack[Known]
) -> Board:
    """A board as it is, or that of a text or array; what is given twice must be equal."""
    if isinstance(board, str):
        return Board.parse(board, mines, **known)
    if not isinstance(board, Board):
        return Board(board, mines, **known)
    if (
        mines is not None
        and checked_mines(mines, board.cells.size * board.max_per_cell) != board.mines
    ):
        raise BoardFormatError(
            f"the board has {board.mines_in_words}, but mines={shown(mines)} was given"
        )
    for name, given in known.items():
        own = getattr(board, name)
        if name == "topology" and isinstance(given, str):
            own = board.topology.name
        is_given = given is not None and not (name == "max_per_cell" and given == 1)
        if is_given and not np.array_equal(given, own):  # type: ignore[arg-type]
            raise BoardFormatError(f"the board has another {name} than {name}={written(given)}")
    return board
