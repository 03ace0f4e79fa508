"""Which numbers are chances and weights, how long they may be, and what a text keeps of them."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mineodds as mo


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"density": Fraction(10**9000)}, "less than 1, not a fraction of about 9,001 digits"),
        ({"density": 10**9000}, "less than 1, not an integer of about 9,001 digits"),
        ({"density": [[10**9000]]}, "from 0 to 1, not an integer of about 9,001 digits"),
        ({"totals": {10**9000: 1}}, "cells, not an integer of about 9,001 digits"),
        ({"totals": {1: -Fraction(10**9000)}}, "must not be negative"),
        ({"mines": 1, "max_per_cell": 10**9000}, "equally_likely must be"),
        (
            {"mines": 1, "max_per_cell": 10**9000, "equally_likely": "placements"},
            "with an integer of about 9,001 digits mines in a cell",
        ),
        ({"mines": 1, "max_per_cell": -(10**9000)}, "1 on, not an integer of about 9,001 digits"),
        ({"density": 0.3, "max_per_cell": 2}, "density and max_per_cell exclude each other"),
    ],
)
def test_numbers_beyond_all_boards(known: dict[str, Any], message: str) -> None:
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.solve([[-1]], **known)


def test_long_numbers_are_not_echoed() -> None:
    with pytest.raises(mo.BoardFormatError, match="density must be like") as refused:
        mo.Board.parse(f"density: {'9' * 5000}\n#")
    assert len(str(refused.value)) < 150
    tiny = mo.Board([[-1]], density=Fraction(1, 10**9000))
    assert repr(tiny) == "<Board 1x1, density a fraction of about 9,001 digits>"
    many = mo.Board([[-1]], totals={0: 1, 1: 10**9000})
    for board in (tiny, many, mo.Board([[-1]], density=Fraction(1, 10**401))):
        with pytest.raises(mo.BoardFormatError, match="chances of up to 400 characters, not a"):
            str(board)
    for count in ("chains", "sweeps"):
        with pytest.raises(ValueError, match=r"not .*an integer of about 9,001 digits"):
            mo.solve("#1#", 1, approximate="gibbs", **{count: -(10**9000)})
        with pytest.raises(TypeError, match=f"{count} must be an integer, not True"):
            mo.solve("#1#", 1, approximate="gibbs", **{count: True})
    assert mo.solve([[-1]], totals={0: 1, 1: 10**9000}).fraction(0, 0) == Fraction(
        10**9000, 10**9000 + 1
    )


@pytest.mark.parametrize(
    ("numbers", "digits"),
    [
        ([Decimal("1e-999999999")], "Decimal"),
        ([Decimal("1e999999999")], "Decimal"),
        ([Decimal("0e-999999999")], "Decimal"),
        ([Decimal(f"0.{'3' * 10_001}")], "Decimal"),
        ([Fraction(1, 10**10_001)], "a fraction of about 10,002 digits"),
        ([10**10_001], "an integer of about 10,002 digits"),
    ],
)
def test_numbers_too_long_to_calculate_with(numbers: list[Any], digits: str) -> None:
    """They are refused before they are written out, which would take hours."""
    [number] = numbers
    message = f"must be a number of up to 10,000 digits, not .*{digits}"
    given: list[dict[str, Any]] = [
        {"density": number},
        {"density": [[number, 0.5]]},
        {"totals": {0: 1, 1: number}},
    ]
    for known in given:
        with pytest.raises(mo.BoardFormatError, match=message):
            mo.solve([[-1, -1]], **known)
    for header in ("density: 0.5", "totals: 0=1 1=1", "densities: 0.5 0.5"):
        known = given[2] if "totals" in header else given["densities" in header]
        with pytest.raises(mo.BoardFormatError, match=message):
            mo.Board.parse(f"{header}\n##", **known)
    with pytest.raises(mo.BoardFormatError):
        mo.solve(mo.Board([[-1, -1]], density=0.5), density=number)
    with pytest.raises(mo.BoardFormatError, match=message):
        mo.solve_many(np.full((1, 2, 2), -1, dtype=np.int8), density=number)


@pytest.mark.parametrize(
    "chance",
    [
        "1e-400",
        "123e-400",
        "1.5E-399",
        f"0.{'3' * 398}",
        f"0.{'0' * 397}1",
        f"1/1{'0' * 397}",
        f"{'1' * 199}/{'7' * 200}",
    ],
)
def test_what_is_read_can_be_written(chance: str) -> None:
    for header in (f"density: {chance}", f"totals: 0=1 1={chance}", f"densities: 0.5 {chance}"):
        board = mo.Board.parse(f"{header}\n##")
        assert mo.Board.parse(str(board)) == board
    assert mo.Board.parse(str(mo.Board.parse("totals: 0=1 1=1e400\n##"))).totals == {
        0: 1,
        1: 10**400,
    }


@pytest.mark.parametrize("chance", ["0.1e-400", "1e-401", f".{'3' * 399}", f"0.{'0' * 90}1e-330"])
def test_what_could_not_be_written_is_not_read(chance: str) -> None:
    with pytest.raises(mo.BoardFormatError, match="density must be like"):
        mo.Board.parse(f"density: {chance}\n##")


@pytest.mark.parametrize(
    ("density", "exact"),
    [
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.float16(0.25), Fraction(1, 4)),
        (np.longdouble("0.5"), Fraction(1, 2)),
        (np.array(0.5), Fraction(1, 2)),
        (Decimal("0.1"), Fraction(1, 10)),
        (0.1, Fraction(0.1)),
        (Fraction(1, 10), Fraction(1, 10)),
        ([[np.float32(0.5), Decimal("0.1"), Fraction(1, 3)]], Fraction(1, 10)),
    ],
)
def test_a_density_is_any_real_number(density: Any, exact: Fraction) -> None:
    board = mo.Board([[-1, -1, -1]], density=density)
    assert mo.solve(board).fraction(0, 1) == exact
    if np.ndim(density) == 0:
        assert mo.Board.parse(str(board)) == board


@pytest.mark.parametrize("density", [1j, object(), True, math.inf, Decimal("NaN"), {}, b"0.5"])
def test_what_is_no_number_is_no_density(density: Any) -> None:
    with pytest.raises(mo.BoardFormatError, match=r"density must be a (finite )?number"):
        mo.Board([[-1]], density=density)
    with pytest.raises(mo.BoardFormatError, match="the weight of 1 mines must be a finite number"):
        mo.Board([[-1]], totals={1: density})


def test_decimals_in_a_text_are_exact() -> None:
    board = mo.Board.parse("density: 0.1\n#1##")
    assert board.density == Fraction(1, 10)
    assert mo.solve(board).fraction(0, 3) == Fraction(1, 10)
    assert mo.solve("density: 1e-3\n#1##").fraction(0, 3) == Fraction(1, 1000)
    assert mo.Board.parse("totals: 1=0.1 2=.9\n###").totals == {
        1: Fraction(1, 10),
        2: Fraction(9, 10),
    }
    # The float nearest to what the text says is no contradiction, and the text is what counts.
    assert mo.Board.parse("density: 0.1\n#1##", density=0.1) == board
    assert mo.Board.parse("totals: 1=0.1\n##", totals={1: 0.1}).totals == {1: Fraction(1, 10)}
    for wrong in (Fraction(0.1), 0.1 + 1e-16, "0.1"):
        with pytest.raises(mo.BoardFormatError, match="the header says density 1/10"):
            mo.Board.parse("density: 0.1\n#1##", density=wrong)
    for huge in ("1e999999999", "1e-999999999", "1e", "e5"):
        with pytest.raises(mo.BoardFormatError, match="density must be like"):
            mo.Board.parse(f"density: {huge}\n#1##")


@pytest.mark.parametrize("density", [0.1, 0.5, 5e-324, 2.0**-1022, 1 - 2**-53, 1e-300])
def test_every_float_survives_its_text(density: float) -> None:
    board = mo.Board([[-1, 1]], density=density)
    assert mo.Board.parse(str(board)) == board
