"""Errors say where, derive from the built-in of the same meaning, and survive pickling."""

import pickle

import pytest

import mineodds
from mineodds import errors

EXAMPLES = [
    errors.MineoddsError("anything"),
    errors.BoardFormatError("no rows"),
    errors.BoardFormatError("bad character 'X'", line=3, column=5),
    errors.BoardFormatError("unknown value 12", row=0, col=7),
    errors.InconsistentBoardError("they clash", clues=[(0, 1), (2, 3)]),
    errors.InconsistentBoardError("no total", totals=[(3, 5), (7, 7)]),
    errors.BudgetExceeded("too much", work=1e12, memory=2.0**40, max_work=1e9, max_memory=2.0**30),
    errors.DeadlineExceeded("too late", max_work=1e9, max_memory=2.0**30),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=str)
def test_pickling_keeps_message_and_attributes(error: errors.MineoddsError) -> None:
    """As errors travel between the processes of a pool."""
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (mineodds.BoardFormatError, ValueError),
        (mineodds.InconsistentBoardError, ValueError),
        (mineodds.BudgetExceeded, RuntimeError),
        (mineodds.DeadlineExceeded, TimeoutError),
        (mineodds.DeadlineExceeded, mineodds.BudgetExceeded),
    ],
)
def test_errors_are_also_their_builtin(kind: type[Exception], builtin: type[Exception]) -> None:
    assert issubclass(kind, mineodds.MineoddsError)
    assert issubclass(kind, builtin)


def test_a_place_is_in_the_message_and_in_attributes() -> None:
    error = errors.BoardFormatError("bad character 'X'", line=3, column=5)
    assert str(error) == "line 3, column 5: bad character 'X'"
    assert (error.line, error.column, error.row, error.col) == (3, 5, None, None)
    error = errors.BoardFormatError("unknown value 12", row=0, col=7)
    assert str(error) == "row 0, col 7: unknown value 12"
    assert (error.line, error.column, error.row, error.col) == (None, None, 0, 7)


def test_what_clashes_is_a_tuple() -> None:
    error = errors.InconsistentBoardError("they clash", clues=[(0, 1)])
    assert (error.clues, error.totals) == (((0, 1),), None)
    error = errors.InconsistentBoardError("no total", totals=[(3, 5)])
    assert (error.clues, error.totals) == ((), ((3, 5),))
