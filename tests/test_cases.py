"""Every stored case gets its exact answer or its error, from Python and through the command line.

The cases are the files of data/cases, one for each kind of fault that Minesweeper programs have
shown; data/README.md says what the fields mean. ``expect_if_flags_are_ignored`` is the answer when
no flag is trusted. A case of kind ``generate`` is left out here: it asks a board generator how many
boards it can choose from.
"""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
import sysconfig
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineodds
import mineodds.cli
from command_line import strict_json

FILES = sorted((Path(__file__).parent / "data" / "cases").glob("*.json"))
ERRORS = {
    "bad_input": mineodds.BoardFormatError,
    "inconsistent": mineodds.InconsistentBoardError,
}
EXIT_CODES = {"inconsistent": 1, "bad_input": 2}

Case = dict[str, Any]


def load(path: Path) -> Case:
    return json.loads(path.read_text(encoding="utf-8"))


CASES = [(path.stem, load(path)) for path in FILES]
SOLVABLE = [(name, case) for name, case in CASES if case["kind"] != "generate"]
every_case = pytest.mark.parametrize(
    "case", [pytest.param(case, id=name) for name, case in SOLVABLE]
)


def text_of(case: Case) -> str:
    """The board as text with everything in its header; raw where the case is about raw text."""
    if "text" in case:
        return case["text"]
    header = [f"{key}: {case[key]}" for key in ("rows", "cols", "mines")]
    return "\n".join([*header, *case["board"], ""])


def mines_of(case: Case) -> int | None:
    """The number of mines to give beside the text, if the text has none."""
    return case["mines"] if "text" in case else None


def certain_or_close(chance: float, exact: float | Fraction) -> bool:
    """Within 1e-12, relative; 0.0 and 1.0 only where the case gives the number 0 or 1 exactly.

    An exact 0 or 1 is a Fraction or an int; a float 1.0 in a case is only the nearest double.
    """
    if exact in (0, 1) and not isinstance(exact, float):
        return chance == exact
    return 0.0 < chance < 1.0 and math.isclose(chance, exact, rel_tol=1e-12, abs_tol=0.0)


def expected_chances(case: Case) -> dict[tuple[int, int], float | Fraction]:
    """The chance that the case gives for each cell that is hidden or a flag."""
    expect = case["expect"]
    cells = [
        ((row, col), glyph)
        for row, line in enumerate(case["board"])
        for col, glyph in enumerate(line)
        if glyph in "#F"
    ]
    if "p" in expect:
        return {(row, col): Fraction(expect["p"][row][col]) for (row, col), _ in cells}
    listed = {f"{row},{col}": (row, col) for (row, col), _ in cells}
    chances = {listed[key]: number for key, number in expect["p_cells"].items()}
    for cell, glyph in cells:
        if glyph == "F":
            chances[cell] = 1
    deep = [cell for cell, _ in cells if cell not in chances]
    assert len(deep) == expect.get("outside_cells", 0)
    return chances | dict.fromkeys(deep, expect.get("p_outside"))


def assert_chances(case: Case, probability: np.ndarray) -> None:
    """All chances of an answer, nan at revealed cells."""
    expected = expected_chances(case)
    assert probability.shape == (case["rows"], case["cols"])
    assert probability.dtype == np.float64
    for cell in np.ndindex(probability.shape):
        chance = float(probability[cell])
        if cell in expected:
            assert certain_or_close(chance, expected[cell]), (cell, chance, expected[cell])
        else:
            assert math.isnan(chance), (cell, chance)
    for row, col in case["expect"].get("not_certain_though_double_says_so", []):
        assert 0.0 < probability[row, col] < 1.0


def assert_best(case: Case, best: list[tuple[int, int]], best_probability: float | None) -> None:
    expect = case["expect"]
    assert len(best) == expect.get("best_count", 0)
    if "best" in expect:
        assert best == [tuple(cell) for cell in expect["best"]]
    if "best_p" in expect:
        assert certain_or_close(best_probability, Fraction(expect["best_p"]))


def test_no_case_is_lost() -> None:
    kinds = [case["kind"] for _, case in CASES]
    assert len(kinds) >= 95
    assert len(SOLVABLE) == len(kinds) - kinds.count("generate")


@every_case
def test_from_python(case: Case) -> None:
    expect = case["expect"]
    if "error" in expect:
        with pytest.raises(ERRORS[expect["error"]]):
            mineodds.solve(text_of(case), mines=mines_of(case))
        return
    try:
        board = mineodds.Board.parse(text_of(case), mines=mines_of(case))
    except mineodds.BoardFormatError:
        assert case.get("or_error") == "bad_input"
        return
    assert_from_python(case, mineodds.solve(board))


@pytest.mark.parametrize(
    "case", [case for _, case in CASES if "expect_if_flags_are_ignored" in case]
)
def test_flags_ignored(case: Case) -> None:
    expect = case["expect_if_flags_are_ignored"]
    if "error" in expect:
        with pytest.raises(ERRORS[expect["error"]]):
            mineodds.solve(text_of(case), mines=mines_of(case), flags="ignore")
        return
    odds = mineodds.solve(text_of(case), mines=mines_of(case), flags="ignore")
    for place, chance in np.ndenumerate(np.array(expect["p"], dtype=object)):
        if chance is None:
            assert math.isnan(odds.probability[place])
        else:
            assert odds.fraction(*place) == Fraction(chance)
            assert certain_or_close(float(odds.probability[place]), Fraction(chance))
    assert odds.solutions == int(expect["solutions"])
    assert int(odds.safe.sum()) == expect["certain_safe"]
    assert int(odds.mine.sum()) == expect["certain_mine"]
    assert_best({**case, "expect": expect}, list(odds.best), odds.best_probability)


def assert_from_python(case: Case, odds: mineodds.Odds) -> None:
    expect = case["expect"]
    assert_chances(case, odds.probability)
    assert int(odds.safe.sum()) == expect["certain_safe"]
    assert int(odds.mine.sum()) == expect["certain_mine"]
    assert_best(case, list(odds.best), odds.best_probability)

    if "solutions" in expect:
        assert odds.solutions == int(expect["solutions"])
    assert odds.log10_solutions == pytest.approx(math.log10(odds.solutions), rel=1e-12, abs=1e-12)
    assert odds.log10_solutions == pytest.approx(expect["log10_solutions"], rel=1e-12, abs=1e-9)

    for (row, col), exact in exact_sample(case):
        fraction = odds.fraction(row, col)
        assert certain_or_close(float(odds.probability[row, col]), fraction)
        assert fraction == exact if isinstance(exact, Fraction) else closest(fraction, exact)
    if "best_p" in expect:
        assert odds.fraction(*odds.best[0]) == Fraction(expect["best_p"])


def exact_sample(case: Case) -> list[tuple[tuple[int, int], float | Fraction]]:
    """Hidden cells to ask for exact fractions: all of a small board, some of a large one."""
    hidden = [
        ((row, col), chance)
        for (row, col), chance in expected_chances(case).items()
        if case["board"][row][col] == "#"
    ]
    return hidden[:: max(len(hidden) // 200, 1)]


def closest(fraction: Fraction, number: float) -> bool:
    """The number of the case is the fraction, or the nearest double of it (an ulp allowed)."""
    if isinstance(number, int):
        return fraction == number
    return 0 < fraction < 1 and math.isclose(float(fraction), number, rel_tol=3e-16, abs_tol=0.0)


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=name) for name, c in SOLVABLE if "error" in c["expect"]]
)
def test_errors_of_arrays(case: Case) -> None:
    """The same errors for boards that come as arrays, where the fault can be put into one."""
    value_of = {"#": -1, "F": -2, ".": 0} | {str(number): number for number in range(10)}
    faulty_text = any(glyph not in value_of for line in case["board"] for glyph in line)
    if faulty_text or case["why"].startswith("declared"):
        assert case["expect"]["error"] == "bad_input"  # only a text can be wrong in this way
        return
    cells = [[value_of[glyph] for glyph in line] for line in case["board"]]
    with pytest.raises(ERRORS[case["expect"]["error"]]):
        mineodds.solve(cells, mines=case["mines"])


def test_windows_line_ends_and_byte_order_marks_are_read() -> None:
    for name, case in SOLVABLE:
        if case["kind"] == "text" and "?" not in case["text"]:
            board = mineodds.Board.parse(case["text"], mines=case["mines"])
            assert str(board).splitlines()[1:] == case["board"], name


def command_line(
    arguments: list[str],
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, str]:
    """Run the command in this process with the text as standard input: exit code and output."""
    monkeypatch.setattr(sys, "argv", ["mineodds", *arguments])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
    with pytest.raises(SystemExit) as stopped:
        mineodds.cli.main()
    return stopped.value.code or 0, capsys.readouterr().out


def arguments_of(case: Case) -> list[str]:
    mines = mines_of(case)
    exact = ["--exact"] if "p" in case["expect"] else []
    return ["solve", "-", "--json", *exact, *([] if mines is None else ["--mines", str(mines)])]


@every_case
def test_from_the_command_line(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output = command_line(arguments_of(case), text_of(case), monkeypatch, capsys)
    assert_from_the_command_line(case, code, output)


def assert_from_the_command_line(case: Case, code: int, output: str) -> None:
    answer = strict_json(output)
    assert answer["schema"] == "mineodds.solve/1"
    expect = case["expect"]
    if "error" in answer:
        error = expect.get("error") or case["or_error"]
        assert answer["error"]["type"] == ERRORS[error].__name__
        assert answer["error"]["message"]
        assert code == EXIT_CODES[error]
        return
    assert "error" not in expect
    assert code == 0

    assert [answer[key] for key in ("rows", "cols", "mines")] == [
        case[key] for key in ("rows", "cols", "mines")
    ]
    numbers = [
        [math.nan if p is None else float(p) for p in line] for line in answer["probability"]
    ]
    assert_chances(case, np.array(numbers))
    if "p" in expect:
        for line, expected in zip(answer["fraction"], expect["p"], strict=True):
            for fraction, exact in zip(line, expected, strict=True):
                assert (fraction is None) == (exact is None)
                assert fraction is None or Fraction(fraction) == Fraction(exact)
                assert fraction is None or fraction.count("/") == 1
    if "solutions" in expect:
        assert answer["solutions"] == expect["solutions"]
    assert isinstance(answer["solutions"], str)
    assert answer["log10_solutions"] == pytest.approx(expect["log10_solutions"], abs=1e-9)
    assert len(answer["safe"]) == expect["certain_safe"]
    assert len(answer["mine"]) == expect["certain_mine"]
    assert_best(case, [tuple(cell) for cell in answer["best"]], answer["best_probability"])
    if "p_outside" in expect:
        assert certain_or_close(answer["deep_probability"], expect["p_outside"])
    assert answer["seconds"] >= 0


@pytest.mark.parametrize(
    "name",
    [
        "004_one_dimensional_worked",
        "068_digit_above_reach",
        "091_emoji_flag_cell",
        "092_crlf_text",
    ],
)
def test_installed_command(name: str) -> None:
    """The command as a shell runs it: pipes, exit codes, and nothing but JSON on its output."""
    case = dict(CASES)[name]
    command = Path(sysconfig.get_path("scripts")) / "mineodds"
    done = subprocess.run(
        [command, *arguments_of(case)],
        input=text_of(case).encode(),
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )
    assert_from_the_command_line(case, done.returncode, done.stdout.decode())
    assert bool(done.stderr) == (done.returncode != 0)
