"""Ready-made topologies beside the rectangle, and any graph.

Each is given by its steps: the neighbours of a cell are the cells at fixed distances from it, in a
hexagonal board by the parity of its row. The table is built from the pairs, with repeats and the
cell itself left out: a torus of one or two columns comes back to cells it has been to.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from mineodds.contracts import read_only, whole_number
from mineodds.errors import BoardFormatError, shown
from mineodds.topology import (
    Rectangle,
    Table,
    Topology,
    checked_shape,
    in_words,
    rectangle,
)

Step = tuple[int, ...]

_ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))


def _around(dimensions: int) -> tuple[Step, ...]:
    """The steps to all cells of a cube of side 3, but not to its middle."""
    return tuple(step for step in itertools.product((-1, 0, 1), repeat=dimensions) if any(step))


class Grid(Topology):
    """A shape whose cells have neighbours at fixed distances; the base of those below."""

    steps: tuple[Step, ...] = ()
    wraps = False  # leaving the board on one side comes back on the other

    def __init__(self, *shape: int) -> None:
        self._hold(checked_shape(shape, max(len(self.steps), 1)))
        self._hold(self.shape, _table(self.cells, self._pairs()))

    def _pairs(self) -> Iterable[NDArray[np.int64]]:
        """For every step, an array (2, n): cells, and where the step leads from them."""
        for step in self.steps:
            yield self._moved(np.indices(self.shape).reshape(len(self.shape), -1), step)

    def _moved(self, place: NDArray[np.int64], step: Step) -> NDArray[np.int64]:
        """Those cells of ``place`` (dimensions, n) from which the step stays on the board."""
        size = np.array(self.shape)[:, None]
        target = place + np.array(step)[:, None]
        if self.wraps:
            target %= size
        inside = ((target >= 0) & (target < size)).all(axis=0)
        numbers = [
            np.ravel_multi_index(tuple(where[:, inside]), self.shape) for where in (place, target)
        ]
        return np.array(numbers)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self.shape


class Torus(Grid):
    """rows x cols cells; the top joins the bottom, the left joins the right."""

    name = "torus"
    steps = _around(2)
    wraps = True

    def __init__(self, rows: int, cols: int) -> None:
        super().__init__(rows, cols)


class FourNeighbours(Grid):
    """rows x cols cells, each with the up to four that share a side with it."""

    name = "four-neighbours"
    steps = _ORTHOGONAL

    def __init__(self, rows: int, cols: int) -> None:
        super().__init__(rows, cols)


class Knight(Grid):
    """rows x cols cells, each with the up to eight that are a knight's move away."""

    name = "knight"
    steps = tuple(
        step for step in itertools.product((-2, -1, 1, 2), repeat=2) if sum(map(abs, step)) == 3
    )

    def __init__(self, rows: int, cols: int) -> None:
        super().__init__(rows, cols)


class Hexagonal(Grid):
    """rows x cols hexagons, each with up to six neighbours; odd rows lie half a cell to the right.

    The layout "odd-r" of Amit Patel's Hexagonal grids.
    """

    name = "hexagonal"
    steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))  # from odd rows

    def __init__(self, rows: int, cols: int) -> None:
        super().__init__(rows, cols)

    def _pairs(self) -> Iterable[NDArray[np.int64]]:
        place = np.indices(self.shape).reshape(2, -1)
        for odd in (0, 1):
            row = place[:, place[0] % 2 == odd]
            for down, right in self.steps:
                yield self._moved(row, (down, right - (1 - odd) * (down != 0)))


class Box(Grid):
    """layers x rows x cols cells in space, each with the up to 26 around it."""

    name = "box"
    steps = _around(3)

    def __init__(self, layers: int, rows: int, cols: int) -> None:
        super().__init__(layers, rows, cols)


class Graph(Topology):
    """Any graph: ``adjacency[i]`` are the neighbours of cell ``i``, in any order.

    A sequence, or a mapping from the cells 0 to n - 1. Every edge must be named at both ends.
    """

    def __init__(
        self,
        adjacency: Sequence[Iterable[SupportsIndex]] | Mapping[int, Iterable[SupportsIndex]],
    ) -> None:
        if not isinstance(adjacency, Sequence | Mapping | np.ndarray):
            raise TypeError(
                "adjacency must be a sequence or mapping of the neighbours of each cell, not "
                f"{shown(adjacency)}"
            )
        cells = len(adjacency)
        if isinstance(adjacency, Mapping) and set(adjacency) != set(range(cells)):
            raise BoardFormatError(
                f"the cells of a graph must be 0 to {cells - 1}, as there are {cells}"
            )
        lists = [_neighbours_of(cell, adjacency[cell], cells) for cell in range(cells)]
        start = np.zeros(cells + 1, dtype=np.int64)
        np.cumsum([len(others) for others in lists], out=start[1:])
        flat = np.array([other for others in lists for other in others], dtype=np.int64)
        super().__init__((cells,), start, flat)


def _neighbours_of(cell: int, others: object, cells: int) -> list[int]:
    """The neighbours of a cell in rising order."""
    if not isinstance(others, Iterable):
        raise TypeError(f"the neighbours of cell {cell} must be a sequence, not {shown(others)}")
    numbers = sorted(whole_number(f"a neighbour of cell {cell}", other) for other in others)
    for number in numbers:
        if not 0 <= number < cells:
            raise BoardFormatError(
                f"cell {cell}: its neighbour {shown(number)} is not one of the {cells} cells"
            )
    return numbers


def _table(cells: int, pairs: Iterable[NDArray[np.int64]]) -> Table:
    """The compressed rows of pairs of cells."""
    source, target = np.concatenate([np.empty((2, 0), dtype=np.int64), *pairs], axis=1)
    pair = np.unique((source * cells + target)[source != target])
    start = np.zeros(cells + 1, dtype=np.int32)
    np.cumsum(np.bincount(pair // cells, minlength=cells), out=start[1:])
    return read_only(start), read_only((pair % cells).astype(np.int32))


GRIDS: dict[str, type[Grid]] = {
    kind.name: kind for kind in (Torus, Hexagonal, FourNeighbours, Knight, Box)
}
NAMES = (Rectangle.name, *GRIDS)


def topology_of(topology: Topology | str | None, shape: tuple[int, ...]) -> Topology:
    """The topology of a board of this shape, by its name (the rectangle when None) or checked."""
    if topology is None or topology == Rectangle.name:
        if len(shape) != 2:
            raise BoardFormatError(
                f"the cells must have two dimensions (rows, cols), not the shape {shape}, "
                "unless a topology is given"
            )
        return rectangle(*shape)
    if isinstance(topology, str) and topology == Graph.name:
        raise BoardFormatError("which cells of a graph are neighbours must be given as topology=")
    if isinstance(topology, str):
        if topology not in GRIDS:
            raise BoardFormatError(
                f"topology must be one of {', '.join(NAMES)}, or a Topology, not {shown(topology)}"
            )
        kind = GRIDS[topology]
        if len(shape) != len(kind.steps[0]):
            raise BoardFormatError(
                f"the topology {topology!r} has {len(kind.steps[0])} dimensions, but the cells "
                f"are {in_words(shape)}"
            )
        return kind(*shape)
    if not isinstance(topology, Topology):
        raise BoardFormatError(
            f"topology must be one of {', '.join(NAMES)}, or a Topology, not {shown(topology)}"
        )
    if topology.shape != shape:
        raise BoardFormatError(
            f"the cells are {in_words(shape)}, but the topology is {in_words(topology.shape)}"
        )
    return topology
