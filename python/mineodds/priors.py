"""What is known about the number of mines before the numbers are looked at.

A prior weighs layouts by how many mines they have: `FixedTotal` allows one number, `Density` makes
every cell a mine independently, `TotalDistribution` gives each total its chance, all layouts of one
total being equally likely. Weights are integers, exact, in proportion to the layout's chance.

The counting needs one thing of a prior: with y mines on some hidden cells and the others free to be
anything, the weight of all the ways to fill the others.
"""

import contextlib
import math
import operator
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Protocol, SupportsIndex

import numpy as np

from mineodds.errors import BoardFormatError, shown, written


class Prior(Protocol):
    """Weights of layouts by their number of mines."""

    def on(self, flags: int, hidden: int, /) -> "Prior":
        """The same on a board with so many known mines and so many hidden cells."""

    def weight(self, mines: int) -> int:
        """Of one layout with this many mines on the hidden cells."""

    @property
    def independent(self) -> tuple[int, int] | None:
        """The weights of a safe cell and of a mine, if every cell is one independently."""

    def range(self) -> tuple[int, int]:
        """The least and the most mines on the hidden cells that have a weight."""

    def free_weights(self, free: int, most: int) -> list[int]:
        """Entry y: sum over j of C(free, j) * weight(y + j), for y = 0 ... most.

        ``free`` hidden cells can be anything.
        """

    def free_choices(self, free: int, fixed: int, /) -> dict[int, int]:
        """The terms of that sum for y = ``fixed``, by j, in proportion."""


class FixedTotal:
    """So many mines are on the board, ``flags`` of them known: every layout is equally likely."""

    independent = None

    def __init__(self, total: int, flags: int = 0) -> None:
        self._total = total
        self.mines = total - flags

    def on(self, flags: int, _hidden: int, /) -> "FixedTotal":
        """The same total."""
        return FixedTotal(self._total, flags)

    def weight(self, mines: int) -> int:
        """1 for the total, else 0."""
        return int(mines == self.mines)

    def range(self) -> tuple[int, int]:
        """The total twice."""
        return self.mines, self.mines

    def free_weights(self, free: int, most: int) -> list[int]:
        """C(free, mines - y)."""
        return binomials(free, self.mines, most)

    def free_choices(self, free: int, fixed: int) -> dict[int, int]:
        """What is left; nothing if that does not fit."""
        left = self.mines - fixed
        return {left: math.comb(free, left)} if 0 <= left <= free else {}


class Density:
    """Every hidden cell is a mine with the same chance, independently of all others.

    The chance is taken as the exact value of the float that is given. ``hidden`` counts the hidden
    cells.
    """

    def __init__(self, density: float | Fraction, hidden: int = 0) -> None:
        self.density = exact_number("density", density)
        if not 0 < self.density < 1:
            raise BoardFormatError(
                f"density must be more than 0 and less than 1, not {written(density)}"
            )
        self._mine = self.density.numerator
        self._safe = self.density.denominator - self._mine
        self._hidden = hidden

    def on(self, _flags: int, hidden: int, /) -> "Density":
        """The same density; what is known already weighs the same in every layout."""
        return Density(self.density, hidden)

    def weight(self, mines: int) -> int:
        """Of each layout: a mine's weight for every mine, a safe cell's for the others."""
        weight: int = self._mine**mines * self._safe ** (self._hidden - mines)
        return weight

    @property
    def independent(self) -> tuple[int, int]:
        """In proportion to the chances."""
        return self._safe, self._mine

    def range(self) -> tuple[int, int]:
        """Anything is possible."""
        return 0, self._hidden

    def free_weights(self, free: int, most: int) -> list[int]:
        """The free cells' weights sum up to a power of the denominator."""
        rest = self._hidden - free
        whole: int = self.density.denominator**free
        return [
            self._mine**y * self._safe ** (rest - y) * whole if y <= rest else 0
            for y in range(most + 1)
        ]

    def free_choices(self, free: int, _fixed: int, /) -> dict[int, int]:
        """The binomial distribution, whatever is fixed (which is left out of the weights)."""
        return {
            j: math.comb(free, j) * self._mine**j * self._safe ** (free - j)
            for j in range(free + 1)
        }


class TotalDistribution:
    """Each total on the board has a chance of its own; the layouts of one total share it.

    ``chance`` maps totals (flags included) to weights, which need not sum to 1; ``cells`` counts
    all cells that could hold a mine before anything was opened, ``flags`` those flagged since.
    """

    independent = None

    def __init__(self, chance: Mapping[int, float | Fraction], cells: int, flags: int = 0) -> None:
        if not isinstance(chance, Mapping):
            raise BoardFormatError(
                f"totals must be a mapping like {{8: 0.5, 9: 0.5}}, not {shown(chance)}"
            )
        for total in chance:
            if isinstance(total, bool) or not isinstance(total, SupportsIndex):
                raise BoardFormatError(f"a total must be a whole number, not {shown(total)}")
            if not 0 <= operator.index(total) <= cells:
                raise BoardFormatError(
                    f"a total must be from 0 to {cells}, the number of cells, not {written(total)}"
                )
        self.chance = {
            operator.index(total): kept_number(f"the weight of {written(total)} mines", weight)
            for total, weight in chance.items()
        }
        self._cells = cells
        exact = {total: Fraction(weight) for total, weight in self.chance.items()}
        if any(weight < 0 for weight in exact.values()) or not any(exact.values()):
            raise BoardFormatError("the weights of totals must not be negative, nor all zero")
        share = {
            total - flags: weight / math.comb(cells, total)
            for total, weight in exact.items()
            if weight and total >= flags
        }
        scale = math.lcm(*(weight.denominator for weight in share.values()))
        self._weight = {mines: int(weight * scale) for mines, weight in share.items()}

    def on(self, flags: int, _hidden: int, /) -> "TotalDistribution":
        """The same chances of the totals."""
        return TotalDistribution(self.chance, self._cells, flags)

    def weight(self, mines: int) -> int:
        """Of each layout."""
        return self._weight.get(mines, 0)

    def range(self) -> tuple[int, int]:
        """Of the totals with a chance, gaps included; -1 and -1 if there is none."""
        return min(self._weight, default=-1), max(self._weight, default=-1)

    def free_weights(self, free: int, most: int) -> list[int]:
        """A sum over the totals."""
        result = [0] * (most + 1)
        for mines, weight in self._weight.items():
            for y, ways in enumerate(binomials(free, mines, most)):
                result[y] += weight * ways
        return result

    def free_choices(self, free: int, fixed: int) -> dict[int, int]:
        """One term a total that fits."""
        return {
            mines - fixed: weight * math.comb(free, mines - fixed)
            for mines, weight in self._weight.items()
            if 0 <= mines - fixed <= free
        }


def is_number(value: object) -> bool:
    """Whether a value is a real number of any kind, if perhaps not a finite one."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


# More than any float has, long double included; a Decimal can stand for a billion digits.
LONGEST_NUMBER = 10_000


def exact_number(name: str, value: Any) -> Fraction:
    """A real number as the Fraction that it is; BoardFormatError for anything else.

    So it is for numbers that are too long to calculate with, before they are written out.
    """
    if isinstance(value, np.integer):
        value = value.item()
    if _is_long(value):
        raise BoardFormatError(
            f"{name} must be a number of up to {LONGEST_NUMBER:,} digits, not {shown(value)}"
        )
    if is_number(value):
        with contextlib.suppress(OverflowError, ValueError):  # infinite; nan
            return Fraction(*value.as_integer_ratio())
    raise BoardFormatError(f"{name} must be a finite number, not {shown(value)}")


def _is_long(value: object) -> bool:
    """Whether a numerator or a denominator has more digits than `LONGEST_NUMBER`, or about it."""
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent  # a letter for infinities and nan
        return isinstance(exponent, int) and (
            value.adjusted() > LONGEST_NUMBER or exponent < -LONGEST_NUMBER
        )
    if isinstance(value, int | Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return bits > LONGEST_NUMBER * math.log2(10)
    return False


def kept_number(name: str, value: Any) -> float | Fraction:
    """A real number as a float or Fraction of the same value. Raises what `exact_number` does."""
    exact = exact_number(name, value)
    if isinstance(value, np.floating) and float(value) == exact:
        return float(value)
    return value if type(value) in (float, int, Fraction) else exact


def binomials(free: int, mines: int, most: int) -> list[int]:
    """C(free, mines - y) for y = 0 ... most; 0 where that is not from 0 to free."""
    result = [0] * (most + 1)
    first, last = max(mines - free, 0), min(mines, most)
    if first > last:
        return result
    ways = math.comb(free, mines - first)
    for y in range(first, last + 1):
        result[y] = ways
        ways = ways * (mines - y) // (free - mines + y + 1)
    return result
