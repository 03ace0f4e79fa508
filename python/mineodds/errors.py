"""Every error that mineodds raises for bad input, impossible positions and spent budgets.

Each says what was wrong, where, and what would be right, in its message and again in attributes
that a program can read. Each also derives from the built-in exception of the same meaning, so
that ``except ValueError`` works for callers who do not know this module.
"""

import math
import reprlib
from collections.abc import Iterable
from fractions import Fraction

Cell = tuple[int, ...]  # (row, col) on the plane

_LONGEST = 60  # characters of a value in a message


def shown(value: object) -> str:
    """A value as messages show it: with its type if that says more, never longer than a line."""
    if isinstance(value, int | Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > 160:
            kind = "an integer" if isinstance(value, int) else "a fraction"
            return f"{kind} of about {math.ceil(bits * math.log10(2)):,} digits"
    if type(value) in (int, type(None)):
        return repr(value)
    text = repr(value[:_LONGEST]) if isinstance(value, str) else _bounded(value)
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return text if isinstance(value, str) else f"{text} of type {type(value).__name__}"


def written(number: object) -> str:
    """A number as it is written, without its type; as `shown` where that would be long."""
    try:
        text = str(number)
    except ValueError:  # Python writes integers of up to 4300 digits
        return shown(number)
    return text if len(text) <= _LONGEST and "\n" not in text else shown(number)


def _bounded(value: object) -> str:
    try:
        return reprlib.repr(value)
    except Exception:  # whatever a foreign __repr__ does, the message must come
        return "a value"


def counted(number: int, word: str) -> str:
    """A number and what it counts, as in "1 mine" and "2 mines"."""
    return f"{shown(number)} {word}{'' if number == 1 else 's'}"


class MineoddsError(Exception):
    """The base of all errors of mineodds."""


class BoardFormatError(MineoddsError, ValueError):
    """A board, or what describes one, is malformed.

    ``line`` and ``column`` (counted from 1) say where in a text, ``row`` and ``col`` (counted
    from 0) where in an array; what does not apply is None.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        row: int | None = None,
        col: int | None = None,
    ) -> None:
        places = {"line": line, "column": column, "row": row, "col": col}
        where = ", ".join(f"{name} {place}" for name, place in places.items() if place is not None)
        super().__init__(f"{where}: {message}" if where else message)
        self.line = line
        self.column = column
        self.row = row
        self.col = col


class InconsistentBoardError(MineoddsError, ValueError):
    """The board is well formed, but no layout of mines agrees with it.

    Either ``clues`` holds the (row, col) of revealed numbers that cannot hold together, none of
    which can be left out; or the numbers agree with each other but not with the total, and
    ``totals`` holds the (least, most) of every range of totals that would fit, in rising order.
    """

    def __init__(
        self,
        message: str,
        *,
        clues: Iterable[Cell] = (),
        totals: Iterable[tuple[int, int]] | None = None,
    ) -> None:
        super().__init__(message)
        self.clues: tuple[Cell, ...] = tuple(clues)
        self.totals: tuple[tuple[int, int], ...] | None = None if totals is None else tuple(totals)


class NoLayoutFound(MineoddsError, RuntimeError):
    """An approximation found no layout to begin with; there may be one all the same."""


class BudgetExceeded(MineoddsError, RuntimeError):
    """The predicted cost is over the caller's budget; raised before the memory is taken.

    ``work`` and ``max_work`` are in table-entry products (for the method "enumeration" in values
    tried), ``memory`` and ``max_memory`` in bytes. Limits that were not given are inf.
    """

    def __init__(
        self,
        message: str,
        *,
        work: float = 0.0,
        memory: float = 0.0,
        max_work: float = 0.0,
        max_memory: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.work = work
        self.memory = memory
        self.max_work = max_work
        self.max_memory = max_memory


class DeadlineExceeded(BudgetExceeded, TimeoutError):
    """The caller's deadline passed before the answer was found."""

    def __new__(cls, *args: object, **_: object) -> "DeadlineExceeded":
        """The instance has TimeoutError's layout, which only TimeoutError can make.

        RuntimeError.__new__, found first, refuses when something calls it outright, as tblib does
        in the processes of a Dask cluster.
        """
        return TimeoutError.__new__(cls, *args)
