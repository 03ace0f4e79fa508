"""The neighbour table of the rectangle against its definition, and which tables are refused."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineodds
from mineodds.topology import Rectangle, Topology, rectangle
from reference.position import eight_neighbours

sides = st.integers(1, 12)


def neighbours_of(topology: Topology, cell: int) -> list[int]:
    start, neighbour = topology.neighbours
    return neighbour[start[cell] : start[cell + 1]].tolist()


@given(sides, sides)
def test_rectangle_has_the_eight_cells_around(rows: int, cols: int) -> None:
    topology = Rectangle(rows, cols)
    for cell in range(rows * cols):
        around = eight_neighbours(rows, cols, *divmod(cell, cols))
        assert neighbours_of(topology, cell) == [row * cols + col for row, col in around]


@given(sides, sides)
def test_rectangle_is_a_valid_table(rows: int, cols: int) -> None:
    """The general class checks symmetry, order and repeats, which the rectangle does not."""
    table = Topology((rows, cols), *Rectangle(rows, cols).neighbours)
    assert table == Rectangle(rows, cols)
    assert Rectangle(rows, cols) == table
    assert hash(table) == hash(Rectangle(rows, cols))


def test_tables_are_int32_and_read_only() -> None:
    for topology in (Rectangle(3, 4), Topology((1, 2), [0, 1, 2], [1, 0])):
        for array in topology.neighbours:
            assert array.dtype == np.int32
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


def test_the_arrays_of_the_caller_stay_the_callers() -> None:
    start, cell = np.array([0, 1, 2], dtype=np.int32), np.array([1, 0], dtype=np.int32)
    topology = Topology((1, 2), start, cell)
    start[0] = cell[0] = 7
    assert neighbours_of(topology, 0) == [1]


def test_rectangles_of_a_shape_are_shared() -> None:
    assert rectangle(4, 5) is rectangle(4, 5)
    assert mineodds.Board(np.zeros((4, 5), int), 0).topology is rectangle(4, 5)


def test_topologies_differ_by_shape_and_by_table() -> None:
    pair = Topology((1, 2), [0, 1, 2], [1, 0])
    apart = Topology((1, 2), [0, 0, 0], [])
    assert pair == Rectangle(1, 2)
    assert apart != pair
    assert Rectangle(1, 2) != Rectangle(2, 1)
    assert Rectangle(1, 2) != "1x2"


@pytest.mark.parametrize("topology", [Rectangle(3, 4), Topology((1, 2), [0, 1, 2], [1, 0])])
def test_pickling(topology: Topology) -> None:
    copy = pickle.loads(pickle.dumps(topology))
    assert type(copy) is type(topology)
    assert copy == topology


def test_shape_cells_and_name() -> None:
    topology = Rectangle(3, 4)
    assert (topology.shape, topology.cells, topology.name) == ((3, 4), 12, "rectangle")
    assert repr(topology) == "<Rectangle 3x4>"
    with pytest.raises(AttributeError):
        topology.shape = (4, 3)  # type: ignore[misc]


@pytest.mark.parametrize("shape", [(True, 1), (2.5, 1), ("2", 1), (2, None)])
def test_sizes_that_are_no_integers(shape: Any) -> None:
    with pytest.raises(mineodds.BoardFormatError, match="a size must be an integer, not"):
        Rectangle(*shape)
    with pytest.raises(mineodds.BoardFormatError, match="must be"):
        Topology(shape, [0, 0, 0], [])
    for shapeless in (None, 3, "12"):
        with pytest.raises(mineodds.BoardFormatError, match="a shape must be a tuple"):
            Topology(shapeless, [0, 0], [])  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(0, 1), (1, 0), (-1, 5), (2**20, 2**20)])
def test_shapes_that_no_board_has(shape: tuple[int, int]) -> None:
    with pytest.raises(mineodds.BoardFormatError, match=f"{shape[0]}x{shape[1]}"):
        Rectangle(*shape)


@pytest.mark.parametrize(
    ("start", "cell", "message"),
    [
        ([0, 1], [1, 0], "start needs 4 offsets"),
        ([0, 1, 2, 3], [1, 0], "start must rise from 0 to 2"),
        ([1, 1, 2, 2], [1, 0], "start must rise"),
        ([0, 2, 1, 2], [1, 0], "start must rise"),
        ([0, 1, 2, 2], [1, 3], "cell 1: its neighbour 3 is not one of the 3 cells"),
        ([0, 1, 2, 3], [1, 0, 2], "cell 2: its neighbour 2 is itself"),
        ([0, 2, 3, 3], [1, 1, 0], "cell 0: its neighbour 1 is repeated"),
        ([0, 2, 3, 4], [2, 1, 0, 0], "cell 0: its neighbour 1 is repeated or out of rising order"),
        ([0, 1, 1, 1], [1], "cell 0: its neighbour 1 does not name it back"),
        ([0, 1, 2, 3], [1, 2, 0], "cell 0: its neighbour 1 does not name it back"),
        ([0.0, 1.0, 2.0, 2.0], [1, 0], "start must be a one-dimensional array of integers"),
        ([0, 1, 2, 2], [[1], [0]], "cell must be a one-dimensional array of integers"),
        ([0, 1, 2, 2], [1, -1], "cell must hold integers from 0"),
        ([0, 1, 2, 2**40], [1, 0], "start must hold integers from 0"),
        ([0, [1]], [1, 0], "start must be a one-dimensional array of integers"),
        (None, [1, 0], "start must be a one-dimensional array of integers"),
    ],
)
def test_tables_that_are_refused(start: object, cell: object, message: str) -> None:
    with pytest.raises(mineodds.BoardFormatError, match=message):
        Topology((1, 3), start, cell)  # type: ignore[arg-type]
