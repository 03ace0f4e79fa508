"""Boards from arrays, lists and text: what they hold, that they keep it, and what is refused."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mineodds
from mineodds import Board, BoardFormatError
from mineodds.topology import Rectangle, Topology

shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=8)
cell_arrays = hnp.arrays(np.int8, shapes, elements=st.integers(-2, 8))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    cells = draw(cell_arrays)
    return Board(cells, draw(st.integers(0, cells.size)))


@given(boards())
def test_text_round_trip(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(boards())
def test_pickle_round_trip(board: Board) -> None:
    copy = pickle.loads(pickle.dumps(board))
    assert copy == board
    assert hash(copy) == hash(board)
    assert copy.topology is board.topology


@given(boards(), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", " ", "\t"]))
def test_text_may_be_spaced(board: Board, line_end: str, blank: str) -> None:
    header, *rows = str(board).split("\n")
    lines = ["", f"  {header}\t", "", *(f" {blank.join(row)}  " for row in rows), " ", ""]
    assert Board.parse("\ufeff" + line_end.join(lines)) == board


@given(st.text(alphabet="#F.0189 \t\r\n:minesrowcl-\ufeff２²⚑é\x0b\u2028", max_size=60))
def test_no_text_raises_anything_but_format_errors(text: str) -> None:
    try:
        board = Board.parse(text, 1)
    except BoardFormatError:
        return
    assert Board.parse(str(board)) == board


@given(hnp.arrays(hnp.scalar_dtypes(), hnp.array_shapes(min_dims=0, max_dims=3, max_side=4)))
def test_no_array_raises_anything_but_format_errors(array: np.ndarray) -> None:
    try:
        board = Board(array, 0)
    except BoardFormatError:
        return
    assert np.array_equal(board.cells, array)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, ">i4", np.intp])
def test_every_integer_dtype(dtype: object) -> None:
    cells = np.array([[-1, -2], [0, 8]], dtype=dtype)
    board = Board(cells, 3)
    assert board.cells.dtype == np.int8
    assert board.cells.tolist() == cells.tolist()
    assert (board.rows, board.cols, board.mines) == (2, 2, 3)


def test_unsigned_arrays_lists_and_rows_of_arrays() -> None:
    board = Board([[1, 2], [3, 4]], 0)
    assert Board(np.array([[1, 2], [3, 4]], dtype=np.uint64), 0) == board
    assert Board(((1, 2), [np.int16(3), np.uint8(4)]), 0) == board
    assert Board([np.array([1, 2]), range(3, 5)], 0) == board
    assert Board(np.asfortranarray([[1, 2], [3, 4]]), 0) == board
    assert Board(np.arange(1, 5, dtype=np.int8)[::-1].reshape(2, 2)[::-1, ::-1], 0) == board


def test_cells_are_a_copy_that_cannot_be_written() -> None:
    cells = np.full((2, 3), -1, dtype=np.int8)
    board = Board(cells, 1)
    cells[0, 0] = 5
    assert board.cells[0, 0] == -1
    with pytest.raises(ValueError, match="read-only"):
        board.cells[0, 0] = 5
    with pytest.raises(ValueError, match="WRITEABLE"):
        board.cells.flags.writeable = True
    for name in ("cells", "mines", "topology", "rows", "cols"):
        with pytest.raises(AttributeError):
            setattr(board, name, 1)
    with pytest.raises(AttributeError):
        board.anything = 1  # type: ignore[attr-defined]


def test_equality_and_hash() -> None:
    board = Board([[-1, -1, 1]], 1)
    assert board == Board([[-1, -1, 1]], np.int64(1))
    assert len({board, Board([[-1, -1, 1]], 1)}) == 1
    assert board != Board([[-1, -1, 1]], 2)
    assert board != Board([[-1], [-1], [1]], 1)
    assert board != Board([[-1, -1, 2]], 1)
    assert board != Board([[-1, -1, 1]], 1, topology=Topology((1, 3), [0, 0, 0, 0], []))
    assert board != "##1"


def test_str_and_repr() -> None:
    board = Board([[-1, -2, 0], [8, 1, 2]], 3)
    assert str(board) == "mines: 3\n#F.\n812"
    assert repr(board) == "<Board 2x3, 3 mines>"


def test_text_of_another_topology_needs_it_to_be_read() -> None:
    topology = Topology((1, 3), [0, 1, 2, 2], [1, 0])
    board = Board([[-1, 1, 0]], 1, topology=topology)
    assert str(board) == "mines: 1\ntopology: graph\n#1."
    assert Board.parse(str(board), topology=topology) == board
    with pytest.raises(BoardFormatError, match="must be given as topology=") as caught:
        Board.parse(str(board))
    assert (caught.value.line, caught.value.column) == (2, 11)
    with pytest.raises(BoardFormatError, match="the cells are 1x2, but the topology is 1x3"):
        Board([[1, 2]], 0, topology=topology)


@pytest.mark.parametrize("shape", [(1, 1), (1, 1000), (1000, 1), (300, 700), (1000, 1000)])
def test_sizes(shape: tuple[int, int]) -> None:
    cells = np.resize(np.arange(-2, 9), shape)
    board = Board(cells, cells.size)
    assert np.array_equal(Board.parse(str(board)).cells, cells)


TEXTS_REFUSED = [
    ("", "no rows", 1, 1),
    (" \n\t\n", "no rows", 3, 1),
    ("mines: 1\n", "no rows", 2, 1),
    ("#1#\n#1", "2 cells, but the first has 3", 2, 3),
    ("#1#\n#1##", "4 cells, but the first has 3", 2, 4),
    ("# 1 #\n# 1 # #", "4 cells, but the first has 3", 2, 7),
    ("#1#\n\n#1#", "no cells, but the first has 3", 2, 1),
    ("#X#\n#1#", r"bad character 'X' \(U\+0058\); expected '#'", 1, 2),
    ("###\n#9#", "bad character '9'", 2, 2),
    ("##\N{SUPERSCRIPT TWO}", "bad character '\N{SUPERSCRIPT TWO}'", 1, 3),
    ("#\N{FULLWIDTH DIGIT NINE}", r"U\+FF19", 1, 2),
    ("#\N{ARABIC-INDIC DIGIT ONE}", r"U\+0661", 1, 2),
    ("#\N{WHITE FLAG}\N{VARIATION SELECTOR-15}#\n#1##", r"U\+2690", 1, 2),
    ("?1##", r"bad character '\?'", 1, 1),
    ("#1f", "bad character 'f'", 1, 3),
    ("-1 1", "bad character '-'", 1, 1),
    ("#\N{NO-BREAK SPACE}#", r"U\+00A0", 1, 2),
    ("#\x0b#", r"U\+000B", 1, 2),
    ("#\u2028#", r"U\+2028", 1, 2),
    ("##\n\ufeff##", r"U\+FEFF", 2, 1),
    ("##\nmines: 1", r"bad character 'm'", 2, 1),
    ("##\n  : 1", "header lines stand before the first row", 2, 3),
    ("rows: 5\ncols: 2\n#1#2#\n#####", "rows is declared as 5, but the board has 2 rows", 1, 7),
    ("cols: 2\n#1#2#", "cols is declared as 2, but the board has 5 cols", 1, 7),
    ("  mine: 3\n##", "unknown key 'mine'; known are rows, cols, mines", 1, 3),
    ("mines: 1\nrows: 1\nmines: 1\n##", "'mines' was given in line 1 already", 3, 1),
    ("mines:   x\n##", "mines must be a whole number of up to 18 digits, not 'x'", 1, 10),
    ("mines: -1\n##", "not '-1'", 1, 8),
    ("mines: 1.0\n##", r"not '1\.0'", 1, 8),
    ("mines:\n##", "not ''", 1, 7),
    (f"mines: {'9' * 5000}\n##", "up to 18 digits", 1, 8),
    ("mines: \N{FULLWIDTH DIGIT ONE}\n##", "whole number", 1, 8),
    ("mines: 3\n##", "mines is 3, but the board has 2 cells", 1, 8),
    ("topology: klein\nmines: 1\n##", "topology must be one of rectangle, torus, hexagonal", 1, 11),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), TEXTS_REFUSED)
def test_malformed_text(text: str, message: str, line: int, column: int) -> None:
    mines = None if "mines:" in text else 0
    with pytest.raises(BoardFormatError, match=message) as caught:
        Board.parse(text, mines)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert (caught.value.row, caught.value.col) == (None, None)


def test_the_header_and_the_argument_for_mines() -> None:
    assert Board.parse("mines: 1\n##", 1).mines == 1
    assert Board.parse("rows: 1\ncols: 2\ntopology: rectangle\n##", mines=2).mines == 2
    with pytest.raises(BoardFormatError, match="the header says 1 mine, but mines=2") as caught:
        Board.parse("mines: 1\n##", 2)
    assert (caught.value.line, caught.value.column) == (1, 8)
    with pytest.raises(BoardFormatError, match="the number of mines is missing"):
        Board.parse("##")
    with pytest.raises(BoardFormatError, match="must be a str, not b'##' of type bytes"):
        Board.parse(b"##", 1)  # type: ignore[arg-type]


MINES_REFUSED = [
    (None, "the number of mines is missing"),
    (True, "mines must be an integer, not True of type bool"),
    (np.True_, "must be an integer"),
    (1.0, r"mines must be an integer, not 1\.0 of type float"),
    ("1", "must be an integer"),
    (-1, "mines must be from 0 to 4, the number of cells, not -1"),
    (5, "not 5"),
    (2**70, "not 1180591620717411303424"),
    (10**4000, "not an integer of about 4,001 digits"),
    (np.array([1]), "must be an integer"),
    (np.uint64(2**63), "from 0 to 4"),
]


@pytest.mark.parametrize(("mines", "message"), MINES_REFUSED)
def test_malformed_mines(mines: object, message: str) -> None:
    with pytest.raises(BoardFormatError, match=message):
        Board([[-1, -1], [-1, -1]], mines)  # type: ignore[arg-type]


ARRAYS_REFUSED = [
    ([], "at least one row and one column, not 0x0", None, None),
    ([[]], "not 1x0", None, None),
    (np.zeros((0, 3), int), "not 0x3", None, None),
    ([[1, 2], [3]], "this row has 1 cell, but the first has 2", 1, 1),
    ([[1], [2, 3]], "this row has 2 cells, but the first has 1", 1, 1),
    ([[1, 9]], "unknown value 9; expected -1 hidden, -2 flag, 0 to 8", 0, 1),
    (np.array([[1, 1], [-3, 1]]), "unknown value -3", 1, 0),
    (np.array([[1, 127]], np.int8), "unknown value 127", 0, 1),
    (np.array([[1, -128]], np.int8), "unknown value -128", 0, 1),
    (np.array([[256]]), "unknown value 256", 0, 0),
    (np.array([[2**64 - 1]], np.uint64), "unknown value 18446744073709551615", 0, 0),
    ([[0, 2**70]], "unknown value 1180591620717411303424", 0, 1),
    ([[0, 1.0]], "a cell must be an integer, not float", 0, 1),
    ([[0], [True]], "a cell must be an integer, not bool", 1, 0),
    ([[0, np.True_]], "a cell must be an integer, not bool", 0, 1),
    ([[0, None]], "not NoneType", 0, 1),
    ([[0, "#"]], "not str", 0, 1),
    ([[[1]]], "a cell must be an integer, not list", 0, 0),
    ([1, 2], "a row must be a sequence of integers, not int", 0, None),
    (["#1"], "the rows are text: use Board.parse", 0, None),
    ("#1", "the cells are text: use Board.parse", None, None),
    (np.zeros((1, 2)), "integers, not of the dtype float64", None, None),
    (np.array([[np.nan]]), "float64", None, None),
    (np.zeros((1, 2), bool), "dtype bool", None, None),
    (np.array([[None]]), "dtype object", None, None),
    (np.array([["#"]]), "dtype <U1", None, None),
    (np.zeros((1, 2), complex), "complex128", None, None),
    (np.zeros((1, 2), "timedelta64[s]"), "timedelta64", None, None),
    (np.zeros(3, int), r"two dimensions \(rows, cols\), not the shape \(3,\)", None, None),
    (np.zeros((1, 2, 3), np.int8), r"not the shape \(1, 2, 3\)", None, None),
    (np.int8(3), r"not the shape \(\)", None, None),
    (None, "must be an array or nested sequence of integers, not None", None, None),
    (object(), "not <object .* of type object", None, None),
    (Path("board.txt"), "the cells are a path: read the file", None, None),
    ([np.int8(1)], "a row must be a sequence of integers, not int8", 0, None),
    ([np.array(1)], "a row must be a sequence of integers, not ndarray", 0, None),
    ([[10**4000]], "unknown value an integer of about 4,001 digits", 0, 0),
    (np.ma.masked_array([[1]], mask=[[True]]), "masked", None, None),
]


@pytest.mark.parametrize(("cells", "message", "row", "col"), ARRAYS_REFUSED)
def test_malformed_arrays(cells: object, message: str, row: int | None, col: int | None) -> None:
    with pytest.raises(BoardFormatError, match=message) as caught:
        Board(cells, 0)  # type: ignore[arg-type]
    assert (caught.value.row, caught.value.col) == (row, col)
    assert (caught.value.line, caught.value.column) == (None, None)


@pytest.mark.parametrize("topology", ["klein", Rectangle, 3, (2, 2)])
def test_what_is_no_topology(topology: Any) -> None:
    for call in (
        lambda: Board([[-1, -1]], 0, topology=topology),
        lambda: Board.parse("##", 0, topology=topology),
        lambda: mineodds.solve_many(np.zeros((1, 1, 2), int), 0, topology=topology),
        lambda: mineodds.Game(1, 2, 0, topology=topology),
    ):
        with pytest.raises(
            BoardFormatError, match=r"topology must be one of rectangle, .*, or a Topology, not"
        ):
            call()


def test_messages_fit_a_line() -> None:
    """However long what was given is."""
    for text in ("mines: " + "9" * 10_000 + "\n#", "x" * 10_000 + ": 1\n#"):
        with pytest.raises(BoardFormatError) as caught:
            Board.parse(text)
        assert len(str(caught.value)) < 200


def test_what_no_layout_fits_is_still_a_board() -> None:
    """Too many flags, or a number above what is around it: for solve to refuse, not for Board."""
    for text in ("mines: 0\nFF", "mines: 1\n8#"):
        with pytest.raises(mineodds.InconsistentBoardError):
            mineodds.solve(Board.parse(text))
