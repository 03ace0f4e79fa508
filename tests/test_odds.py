"""`solve` and what `Odds` says: every question, every argument, every refusal.

That the numbers are right is shown elsewhere (test_agreement, test_laws, test_cases); here are the
worked examples, and the promises about types, ties, budgets, threads and values.
"""

import itertools
import json
import math
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineodds
from mineodds import Board, Odds, odds, solve
from mineodds.engine import Budget
from mineodds.inference import Inference
from mineodds.topology import Topology
from reference import Position, brute_force

CORPUS = Path(__file__).parent / "data" / "corpus"
METHODS = ("elimination", "enumeration")

WORKED = "mines: 5\n#2###\n#####\n112##\n00###\n000##"
DEEP = Fraction(11, 36)
WORKED_CHANCES = [
    [Fraction(1, 2), None, Fraction(1, 2), DEEP, DEEP],
    [Fraction(1, 6), Fraction(5, 6), Fraction(0), Fraction(7, 12), DEEP],
    [None, None, None, Fraction(7, 12), DEEP],
    [None, None, Fraction(0), Fraction(0), DEEP],
    [None, None, None, Fraction(0), DEEP],
]


def corpus(file: str, name: str = "") -> Iterator[Board]:
    """The boards of a file whose names begin so."""
    for line in (CORPUS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["name"].startswith(name):
            yield Board.parse("\n".join(record["board"]), record["mines"])


@pytest.mark.parametrize("method", METHODS)
def test_worked_example(method: str) -> None:
    answer = solve(WORKED, method=method)
    for (row, col), shown in np.ndenumerate(answer.board.cells):
        expected = WORKED_CHANCES[row][col]
        if expected is None:
            assert shown >= 0
            assert math.isnan(answer.probability[row, col])
        else:
            assert answer.fraction(row, col) == expected
            assert answer.probability[row, col] == pytest.approx(float(expected), rel=1e-12)
    assert answer.solutions == 72
    assert answer.log10_solutions == pytest.approx(math.log10(72), rel=1e-12)
    assert answer.best == ((1, 2), (3, 2), (3, 3), (4, 3))
    assert answer.best_probability == 0.0
    assert list(zip(*answer.safe.nonzero(), strict=True)) == list(answer.best)
    assert not answer.mine.any()
    assert answer.deep_probability == answer.probability[0, 3]
    assert answer.components.tolist() == [
        [0, -1, 0, -1, -1],
        [0, 0, 0, 0, -1],
        [-1, -1, -1, 0, -1],
        [-1, -1, 0, 0, -1],
        [-1, -1, -1, 0, -1],
    ]


@pytest.mark.parametrize("method", METHODS)
def test_a_one_in_the_middle(method: str) -> None:
    answer = solve([[-1, -1, -1], [-1, 1, -1], [-1, -1, -1]], 1, method=method)
    hidden = answer.board.cells == -1
    assert answer.probability[hidden].tolist() == [1 / 8] * 8
    assert len(answer.best) == 8
    assert math.isnan(answer.deep_probability)


@pytest.mark.parametrize("method", METHODS)
def test_flags_are_certain_but_not_news(method: str) -> None:
    answer = solve("F1##F", 3, method=method)
    assert answer.probability[0, [0, 4]].tolist() == [1.0, 1.0]
    assert answer.fraction(0, 0) == answer.fraction(0, 4) == 1
    assert answer.safe.tolist() == [[False, False, True, False, False]]
    assert answer.mine.tolist() == [[False, False, False, True, False]]
    assert answer.best == ((0, 2),)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["mines: 0\n...", "mines: 1\n1F1", "mines: 3\nFFF"])
def test_nothing_hidden(text: str, method: str) -> None:
    answer = solve(text, method=method)
    assert (answer.solutions, answer.log10_solutions, answer.best) == (1, 0.0, ())
    assert math.isnan(answer.best_probability)
    assert math.isnan(answer.deep_probability)


@pytest.mark.parametrize("method", METHODS)
def test_only_deep_cells(method: str) -> None:
    answer = solve(np.full((30, 40), -1), 400, method=method)
    assert answer.solutions == math.comb(1200, 400)
    assert answer.log10_solutions == pytest.approx(math.log10(math.comb(1200, 400)), rel=1e-12)
    assert answer.fraction(7, 7) == Fraction(1, 3)
    assert len(answer.best) == 1200
    assert (answer.components == -1).all()
    assert solve(np.full((3, 3), -1), 9, method=method).mine.all()
    assert solve(np.full((3, 3), -1), 0, method=method).safe.all()


def test_boards_arrays_and_text_are_the_same_question() -> None:
    board = Board.parse(WORKED)
    answers = [
        solve(board),
        solve(board, 5),
        solve(board.cells, 5),
        solve(board.cells.astype(int).tolist(), mines=5),
        solve(WORKED),
        solve(WORKED, mines=np.int64(5)),
    ]
    for answer in answers:
        assert answer.board == board
        assert np.array_equal(answer.probability, answers[0].probability, equal_nan=True)


@pytest.mark.parametrize("mines", [4, True, 5.0, "5"])
def test_a_board_has_its_mines_already(mines: object) -> None:
    with pytest.raises(mineodds.BoardFormatError, match="mines"):
        solve(Board.parse(WORKED), mines)  # type: ignore[arg-type]


def test_malformed_boards_are_refused() -> None:
    for board in ([[9]], "#X", [[0.5]], None, [[-1], [-1, -1]]):
        with pytest.raises(mineodds.BoardFormatError):
            solve(board, 0)  # type: ignore[arg-type]
    with pytest.raises(mineodds.BoardFormatError, match="number of mines is missing"):
        solve("##")


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(ValueError, match="one of elimination, enumeration, not 'guess'"):
        solve(WORKED, method="guess")
    for word in ([], None, 1, "x" * 10_000):
        with pytest.raises(ValueError, match="method must be one of") as caught:
            solve(WORKED, method=word)  # type: ignore[arg-type]
        assert len(str(caught.value)) < 200
    with pytest.raises(ValueError, match="flags must be one of trust, ignore, not \\[\\]"):
        solve(WORKED, flags=[])  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_inconsistent_boards_are_refused_at_once(method: str) -> None:
    with pytest.raises(mineodds.InconsistentBoardError, match="cannot hold together") as caught:
        solve("3#33##\n#####2\n3###4#", 6, method=method)
    assert len(caught.value.clues) == 5
    with pytest.raises(mineodds.InconsistentBoardError, match="no layout has 3 mines") as caught:
        solve("#1#\n###", 3, method=method)
    assert caught.value.totals == ((1, 1),)


def test_a_fraction_is_of_a_hidden_cell_or_a_flag() -> None:
    answer = solve(WORKED)
    assert answer.fraction(np.int64(0), np.int8(3)) == DEEP
    with pytest.raises(ValueError, match=r"cell \(2, 0\) is revealed: it shows 1"):
        answer.fraction(2, 0)
    for row, col, name in [(-1, 0, "row"), (5, 0, "row"), (0, -1, "col"), (0, 5, "col")]:
        with pytest.raises(IndexError, match=f"{name} .* is outside 0 to 4"):
            answer.fraction(row, col)
    for place in (0.0, True, np.True_, "0", None):
        with pytest.raises(TypeError, match="an index must be an integer, not"):
            answer.fraction(place, 0)  # type: ignore[arg-type]


def test_answers_are_immutable() -> None:
    answer = solve(WORKED)
    for said in (answer, pickle.loads(pickle.dumps(answer))):
        arrays = said.probability, said.safe, said.mine, said.components, said.plan.order
        for array in (*arrays, said.numbers(), said.fractions(), said.board.cells):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)
    for name in ("probability", "best", "solutions", "anything"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(answer, name, 1)
    assert answer.solutions is answer.solutions
    assert repr(answer) == "<Odds of a 5x5 board, 5 mines>"


def test_dtypes() -> None:
    answer = solve(WORKED)
    arrays = (answer.probability, answer.safe, answer.mine, answer.components)
    assert [array.dtype for array in arrays] == [np.float64, np.bool_, np.bool_, np.int32]
    assert all(array.shape == (5, 5) for array in arrays)
    assert type(answer.solutions) is int
    assert {type(part) for cell in answer.best for part in cell} == {int}
    assert {type(answer.log10_solutions), type(answer.best_probability)} == {float}


@pytest.mark.parametrize("method", METHODS)
def test_pickling(method: str) -> None:
    answer = solve(WORKED, method=method)
    assert answer.solutions == 72
    copy = pickle.loads(pickle.dumps(answer))
    assert np.array_equal(copy.probability, answer.probability, equal_nan=True)
    assert not copy.probability.flags.writeable
    assert (copy.board, copy.solutions, copy.best) == (answer.board, 72, answer.best)


def test_the_plan() -> None:
    for method in METHODS:
        plan = solve(WORKED, method=method).plan
        assert sorted(plan.order.tolist()) == [0, 1, 2, 3]
        assert plan.width >= 1
        assert plan.work > 0
        assert plan.products > 0
        assert plan.memory > 0
        assert f"width {plan.width}" in str(plan)


@pytest.mark.parametrize("name", ["expert", "big50", "xien"])
def test_the_kernel_agrees_with_the_inspectable_way(name: str) -> None:
    for board in corpus(name):
        fused = solve(board).probability
        inspectable = Inference(board, "elimination", Budget(1e9, 2.0**30)).probability
        np.testing.assert_allclose(fused, inspectable, rtol=2e-12, atol=0)
        for certain in (0.0, 1.0):
            assert np.array_equal(fused == certain, inspectable == certain)


def ties(answer: Odds) -> tuple[tuple[int, int], ...]:
    """The best cells of the same board, found afresh."""
    return solve(answer.board).best


def test_ties_are_decided_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cells come into question; unless that is too costly."""
    answer = solve("##1##\n#####\n1#2##\n#####\n#####", 6)
    assert answer.best_probability > 0.0
    exact = {
        cell: answer.fraction(*cell) for cell in zip(*np.where(answer.board.cells < 0), strict=True)
    }
    best = tuple(cell for cell, chance in exact.items() if chance == min(exact.values()))
    assert answer.best == best
    monkeypatch.setattr(odds, "TIE", 100.0)
    assert ties(answer) == best
    monkeypatch.setattr(odds, "EXACT_TIE_WORK", 0.0)
    assert ties(answer) == tuple(exact)


def test_work_over_the_budget() -> None:
    board = next(corpus("lat", "lat2x31"))
    with pytest.raises(mineodds.BudgetExceeded, match=r"max_work is 1e\+03") as caught:
        solve(board, max_work=1e3)
    assert not isinstance(caught.value, mineodds.DeadlineExceeded)
    assert caught.value.work > caught.value.max_work == 1e3
    with pytest.raises(
        mineodds.BudgetExceeded, match=r"max_memory is 97\.7 KiB\); raise max_memory,"
    ) as caught:
        solve(board, max_memory=1e5)
    assert caught.value.memory > caught.value.max_memory == 1e5
    with pytest.raises(mineodds.BudgetExceeded, match=r"max_work is 1e\+03"):
        solve(board, max_work=1e3, method="enumeration")


@pytest.mark.parametrize("method", METHODS)
def test_deadline(method: str) -> None:
    board = next(corpus("lat", "lat2x31"))
    with pytest.raises(mineodds.DeadlineExceeded, match=r"deadline of 0\.001 seconds") as caught:
        solve(board, deadline=0.001, method=method)
    assert isinstance(caught.value, TimeoutError)
    answer = solve(WORKED, deadline=60.0, method=method)
    assert (answer.solutions, answer.plan.width) == (72, solve(WORKED).plan.width)


@pytest.mark.parametrize("limit", ["max_work", "max_memory", "deadline"])
@pytest.mark.parametrize("value", [-1, math.nan])
def test_limits_that_are_none(limit: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{limit} must be a number from 0 on"):
        solve(WORKED, **{limit: value})


def test_questions_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline is that of solve; what is asked later has its time."""
    answers = [solve(WORKED, deadline=3.0, method=method) for method in METHODS]
    now = mineodds.engine.time.monotonic()
    monkeypatch.setattr(mineodds.engine.time, "monotonic", lambda: now + 1e6)
    for answer in answers:
        assert (answer.solutions, answer.fraction(0, 3)) == (72, DEEP)
        assert "width" in str(answer.plan)


def test_exact_counts_beyond_the_memory_are_refused() -> None:
    """Before it is taken; the best cells are found without them then."""
    board = Board.parse("mines: 6\n" + "\n".join(["######", "##11##", "######"] * 4))
    answer = odds.inspected(board, "elimination", Budget(1e9, 2.0**30), Budget(1e9, 1.0))
    with pytest.raises(mineodds.BudgetExceeded, match="raise max_memory"):
        _ = answer.solutions
    assert answer.log10_solutions > 0.0
    assert answer.best


def test_several_threads_may_ask() -> None:
    board = next(corpus("xien"))
    expected = solve(board)
    cells = list(zip(*np.where(board.cells == -1), strict=True))
    fractions = [expected.fraction(*cell) for cell in cells]
    for _ in range(5):
        answer = solve(board)
        with ThreadPoolExecutor(8) as threads:
            logarithms = threads.map(lambda _, a=answer: a.log10_solutions, range(8))
            found = threads.map(lambda cell, a=answer: a.fraction(*cell), cells)
            assert list(found) == fractions
            assert set(logarithms) == {expected.log10_solutions}


def test_any_neighbour_table() -> None:
    """A torus, against brute force: nothing but the table knows the geometry."""

    def around(rows: int, cols: int, row: int, col: int) -> list[tuple[int, int]]:
        steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        steps.remove((0, 0))
        return sorted(((row + down) % rows, (col + right) % cols) for down, right in steps)

    table = [[r * 4 + c for r, c in around(4, 4, *divmod(cell, 4))] for cell in range(16)]
    start = np.cumsum([0, *map(len, table)])
    topology = Topology((4, 4), start, np.concatenate(table))
    cells = ((-1, -1, -1, -1), (-1, 2, -1, -1), (-1, -1, -1, -1), (-1, -1, -1, 3))
    expected = brute_force.solve(Position(cells, 5, around))
    for method in METHODS:
        answer = solve(Board(cells, 5, topology=topology), method=method)
        assert answer.solutions == expected.solutions
        assert answer.best == expected.best
        assert answer.fraction(0, 0) == expected.fraction[0][0]
        assert answer.probability[3, 0] == pytest.approx(float(expected.fraction[3][0]), rel=1e-12)


def test_a_board_of_a_million_cells() -> None:
    """Numbers far apart: as many components as boards have anywhere."""
    cells = np.full((1000, 1000), -1, dtype=np.int8)
    cells[5::20, 5::20] = 1
    answer = solve(cells, 200_000)
    assert answer.probability[cells == -1].sum() == pytest.approx(200_000, rel=1e-9)
    assert answer.best_probability == 1 / 8
    assert len(answer.best) == 8 * 2500
    assert answer.components.max() == 2499


@pytest.mark.parametrize("deadline", [1e9, 9.3e9, 1e10, 1e300])
def test_a_deadline_too_far_away_to_count_is_none(deadline: float) -> None:
    """It overflowed the clock's 64 bits of nanoseconds, and had passed at once."""
    assert solve("mines: 1\n#1#", deadline=deadline).solutions == 2
    boards = np.array([[[-1, 1, -1]]], dtype=np.int8)
    assert mineodds.solve_many(boards, mines=1, deadline=deadline).status.tolist() == [0]


def test_answers_are_values() -> None:
    """Equal to their copies and to the same answer of another call, by what their arrays hold."""

    def answers() -> list[Any]:
        found = solve("#2###\n#####\n112##\n00###\n000##", 5)
        certain = np.argwhere(found.safe)[0].tolist()
        uncertain = np.argwhere((found.probability > 0) & (found.probability < 1))[0].tolist()
        return [
            found,
            found.given(safe=[uncertain]),
            found.plan,
            found.explain(*certain),
            found.explain(*uncertain),
            solve(found.board, approximate="gibbs", seed=1, sweeps=100),
            solve(found.board, approximate="belief-propagation"),
            mineodds.solve_many(found.board.cells[None], 5),
        ]

    for one, other in zip(answers(), answers(), strict=True):
        copy = pickle.loads(pickle.dumps(one))
        assert one == other == copy
        assert hash(one) == hash(other) == hash(copy)
        assert one != object()
    different = answers()
    assert all(a != b for a, b in itertools.combinations(different, 2))
    layout = pickle.loads(pickle.dumps(different[4])).layouts[0]
    with pytest.raises(ValueError, match="read-only"):
        layout[0, 0] = True
