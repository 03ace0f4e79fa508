"""What people see: each cell once, in line, readable without colour, no more certain than true."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineodds
from mineodds import display
from mineodds.display import Look

SMALL = "mines: 5\n#2###\n#####\n112##\n00###\n000##"
PICTURE = """\
   0   1   2   3   4
0 50%  2  50% 31% 31%
1 17% 83%  ✓  58% 31%
2  1   1   2  58% 31%
3  .   .   ✓   ✓  31%
4  .   .   .   ✓  31%"""


def small_odds() -> mineodds.Odds:
    return mineodds.solve(mineodds.Board.parse(SMALL))


def odds_of(probability: Any, **more: Any) -> Any:
    """What the display reads of Odds, all cells hidden; with any numbers, however unlikely."""
    probability = np.atleast_2d(probability)
    cells = np.full(probability.shape, -1, dtype=np.int8)
    return SimpleNamespace(
        board=mineodds.Board(cells, mines=0),
        probability=probability,
        safe=probability == 0.0,
        mine=probability == 1.0,
        best=[tuple(cell) for cell in np.argwhere(probability == probability.min()).tolist()],
        **more,
    )


def test_small_board() -> None:
    assert display.format_board(small_odds()) == PICTURE


def test_glyphs_can_be_replaced() -> None:
    ascii_only = PICTURE.replace("✓", "+").replace("✱", "*")
    assert display.format_board(small_odds(), Look(safe="+", mine="*")) == ascii_only


def test_board_without_odds_and_with_flags() -> None:
    board = mineodds.Board([[-1, 1, -2], [0, 8, -1]], mines=2)
    assert display.format_board(board) == "   0   1   2\n0  #   1   F\n1  .   8   #"


def test_a_flag_keeps_its_glyph_beside_odds() -> None:
    odds = mineodds.solve([[-2, 1, -1, -1]], mines=2)
    assert display.format_board(odds).splitlines()[1] == "0  F   1   ✓   ✱"


@given(st.floats(0.0, 1.0), st.sampled_from([None, 1]))
def test_only_certain_cells_read_0_or_100(chance: float, columns: int | None) -> None:
    label = display.format_board(odds_of([chance]), Look(columns)).split()[-1]
    if chance in (0.0, 1.0):
        assert label in "✓✱"
    else:
        assert re.fullmatch(r"<1%?|>99|[1-9]%|[0-9][0-9]%?", label)
        assert label not in ("0%", "00", "00%")


@pytest.mark.parametrize(
    ("chance", "wide", "narrow"),
    [
        (1e-300, "<1%", "<1"),
        (0.0049, "<1%", "<1"),
        (0.0051, "1%", "01"),
        (0.07, "7%", "07"),
        (0.5, "50%", "50"),
        (0.994, "99%", "99"),
        (0.996, ">99", "99"),
        (math.nextafter(1.0, 0.0), ">99", "99"),
    ],
)
def test_percentages(chance: float, wide: str, narrow: str) -> None:
    odds = odds_of([chance] * 4)
    assert display.format_board(odds).splitlines()[1].split()[1:] == [wide] * 4
    assert display.format_board(odds, Look(15)).splitlines()[1].split()[1:] == [narrow] * 4


def test_narrow_labels_differ_from_clues_without_colour() -> None:
    """Clues are single digits; percentages never are."""
    odds = odds_of(np.linspace(0.001, 0.999, 40))
    for columns in (None, 125):
        labels = display.format_board(odds, Look(columns)).splitlines()[1].split()[1:]
        assert not [label for label in labels if re.fullmatch("[0-9.F#]", label)]


def panels_of(picture: str) -> list[list[str]]:
    return [panel.splitlines() for panel in picture.split("\n\n")]


@pytest.mark.parametrize("columns", [None, 160, 124, 120, 100, 80, 40, 10, 1])
@pytest.mark.parametrize("shape", [(16, 30), (1, 1), (1, 250), (120, 9), (12, 12)])
def test_every_cell_stands_once_and_in_line(shape: tuple[int, int], columns: int | None) -> None:
    """Each label lies under its column's number, and no line is too long (a cell needs 7)."""
    rows, cols = shape
    generator = np.random.default_rng(1)
    cells = generator.integers(-2, 9, shape).astype(np.int8)
    seen = []
    for number, *lines in panels_of(
        display.format_board(mineodds.Board(cells, mines=rows * cols), Look(columns))
    ):
        assert len(lines) == rows
        assert columns is None or max(map(len, [number, *lines])) <= max(columns, 7)
        numbers = {found.end(): int(found[0]) for found in re.finditer(r"\d+", number)}
        glyphs = [{found.end(): found[0] for found in re.finditer(r"\S+", line)} for line in lines]
        ruler = len(str(rows - 1))
        ends = sorted(end for end in glyphs[0] if end > ruler)
        assert [int(line[:ruler]) for line in lines] == list(range(rows))
        for line in glyphs:
            assert sorted(end for end in line if end > ruler) == ends
        for end, col in numbers.items():
            # A column's number ends where the units of its cells stand, or one later.
            place = next(place for place in (end, end - 1) if place in ends)
            assert {row: line[place] for row, line in enumerate(glyphs)} == {
                row: {-1: "#", -2: "F", 0: "."}.get(value, str(value))
                for row, value in enumerate(cells[:, col].tolist())
            }
        seen.append(len(ends))
    assert sum(seen) == cols
    assert max(seen) - min(seen) <= len(seen)


def test_expert_boards_stand_whole_on_usual_terminals() -> None:
    cells = np.full((16, 30), -1, dtype=np.int8)
    board = mineodds.Board(cells, mines=99)
    for columns, parts, width in ((160, 1, 122), (122, 1, 122), (100, 1, 92), (80, 2, 62)):
        picture = display.format_board(board, Look(columns))
        assert len(panels_of(picture)) == parts
        assert max(map(len, picture.splitlines())) == width - (width > 92 or parts > 1)


def test_rich_board_is_the_plain_one_in_colour() -> None:
    odds = small_odds()
    for look in (display.USUAL, Look(80), Look(12, "+", "*")):
        coloured = display.rich_board(odds, look)
        plain = "\n".join(line.rstrip() for line in coloured.plain.splitlines())
        assert plain == display.format_board(odds, look)
        styles = {str(span.style) for span in coloured.spans}
        assert any("on" in style for style in styles)


def test_certain_best_and_uncertain_cells_differ_in_colour() -> None:
    coloured = display.rich_board(odds_of([0.0, 1.0, 0.2, 0.9]))
    assert len({str(span.style) for span in coloured.spans[2:]}) == 4
    uncertain = display.rich_board(odds_of([0.2, 0.2, 0.201]))
    assert len({str(span.style) for span in uncertain.spans[2:]}) == 2


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.25, "25 %"),
        (1 / 3, "33.33 %"),
        (0.99989, "99.99 %"),
        (math.nextafter(1.0, 0.0), "> 99.99 %"),
        (1e-6, "0.0001 %"),
        (1e-40, "1.000e-38 %"),
        (5e-324, "4.941e-322 %"),
    ],
)
def test_percentage(chance: float, text: str) -> None:
    assert display.percentage(chance) == text


def test_integers_of_any_length() -> None:
    assert display.integer(0) == "0"
    assert display.integer(10**5000 + 7) == "1" + "0" * 4999 + "7"
    ratio = Fraction(10**5000 + 1, 10**6000)
    assert display.ratio(ratio) == "1" + "0" * 4999 + "1/1" + "0" * 6000


def test_number_of_layouts() -> None:
    for solutions, short in (
        (1, "1"),
        (1234567, "1,234,567"),
        (123456789 * 10**30, "1.234568e+38"),
        (10**30 - 1, "1.000000e+30"),
        (10**9000, "1.000000e+9000"),
    ):
        digits = display.integer(solutions)
        logarithm = math.log10(int(digits[:15])) + len(digits[15:])
        odds: Any = SimpleNamespace(solutions=solutions, log10_solutions=logarithm)
        assert display.layouts(odds) == short
        assert display.layouts(odds, exact=True).replace(",", "") == digits


def test_long_counts_are_not_counted_without_need() -> None:
    odds: Any = SimpleNamespace(log10_solutions=100.0)
    assert display.layouts(odds) == "1.000000e+100"


def test_summary_says_what_is_known() -> None:
    assert display.summary(small_odds()) == [
        ("✓ safe", "4 cells for certain"),
        ("best", "0 % at (row 1, column 2) (3, 2) (3, 3) (4, 3)"),
        ("deep", "30.56 % in each cell that touches no number"),
        ("layouts", "72"),
    ]


def test_summary_with_fractions() -> None:
    assert display.summary(small_odds(), exact=True)[4:] == [
        ("16.67 %", "1/6 at (row 1, column 0)"),
        ("30.56 %", "11/36 at (row 0, column 3) (0, 4) (1, 4) (2, 4) (3, 4) (4, 4)"),
        ("50 %", "1/2 at (row 0, column 0) (0, 2)"),
        ("58.33 %", "7/12 at (row 1, column 3) (2, 3)"),
        ("83.33 %", "5/6 at (row 1, column 1)"),
    ]


def test_summary_of_a_finished_board() -> None:
    assert display.summary(mineodds.solve([[0, 0]], mines=0)) == [
        ("best", "no hidden cell is left"),
        ("layouts", "1"),
    ]


def test_summary_of_a_single_mine() -> None:
    assert display.summary(mineodds.solve([[1, -1]], mines=1)) == [
        ("✱ mine", "1 cell for certain"),
        ("best", "100 % at (row 0, column 1)"),
        ("layouts", "1"),
    ]


def test_long_lists_are_cut() -> None:
    (_, best), *_ = display.summary(mineodds.solve(np.full((9, 9), -1), mines=10))
    assert best.endswith("(0, 7) and 73 more")
    assert len(list(itertools.islice(re.finditer(r"\(", best), 20))) == 8


def test_looks_suit_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "77")
    for encoding, glyphs in (("utf-8", ("✓", "✱")), ("cp1252", ("+", "*")), ("ascii", ("+", "*"))):
        stream: Any = SimpleNamespace(encoding=encoding, isatty=lambda: True)
        assert display.look_for(stream) == (77, *glyphs)
        stream.isatty = lambda: False
        assert display.look_for(stream) == (None, *glyphs)
