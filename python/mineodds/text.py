"""The text of a board: header lines ``key: value``, then one line of glyphs a row.

``#`` hidden, ``F`` flag, ``.`` or ``0`` zero, ``1`` to ``8``. Blanks around and between cells,
blank lines around the rows, any line ends (LF, CRLF, CR) and a byte-order mark are accepted; any
other character is an error, whatever it looks like. Characters are translated all at once by a
table of 256 entries, so a board of a million cells reads in some ten milliseconds.
"""

import decimal
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from mineodds.errors import BoardFormatError, counted, shown

HIDDEN = -1
FLAG = -2

HEADER_KEYS = (
    "rows",
    "cols",
    "mines",
    "density",
    "densities",
    "totals",
    "max_per_cell",
    "equally_likely",
    "topology",
    "layers",
)

LARGEST_NUMBER_OF = {"box": 26}  # by the name of a topology; else 8

NUMBERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_VALUE_OF_GLYPH = {"#": HIDDEN, "F": FLAG, ".": 0} | {
    glyph: number for number, glyph in enumerate(NUMBERS)
}
_GLYPH_OF_VALUE = {value: glyph for glyph, value in _VALUE_OF_GLYPH.items()} | {0: "."}

# The same as tables for bytes.translate; a byte is an int8 cell.
_UNKNOWN = 127


@lru_cache(maxsize=16)
def _cell_of_byte(largest: int) -> bytes:
    """With numbers up to the largest."""
    value = {glyph: value for glyph, value in _VALUE_OF_GLYPH.items() if value <= largest}
    return bytes(value.get(chr(byte), _UNKNOWN) & 0xFF for byte in range(256))


_BYTE_OF_CELL = "".join(
    _GLYPH_OF_VALUE.get(byte - 256 if byte > 127 else byte, "?") for byte in range(256)
).encode()


class Entry(NamedTuple):
    """The value of a header line, and where it stands (counted from 1)."""

    value: Any
    line: int
    column: int


class Text(NamedTuple):
    """What a text says: int8 cells (rows, cols) or (layers, rows, cols), and its header."""

    cells: NDArray[np.int8]
    header: dict[str, Entry]


def read(text: str, largest: int | None = None) -> Text:
    """Read a board's text; BoardFormatError says where it is malformed.

    ``largest`` is the largest number, that of the header's topology unless given. Numbers from 10
    on are the letters from "a". With ``layers: n`` in the header, layers follow each other.
    """
    if not isinstance(text, str):
        raise BoardFormatError(f"a board's text must be a str, not {shown(text)}")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    blank = [not line.strip(" \t") for line in lines]
    header: dict[str, Entry] = {}
    first = 0
    while first < len(lines) and (blank[first] or ":" in lines[first]):
        if not blank[first]:
            key, entry = _header_line(lines[first], first + 1)
            if key in header:
                raise BoardFormatError(
                    f"{key!r} was given in line {header[key].line} already",
                    line=entry.line,
                    column=1,
                )
            header[key] = entry
        first += 1
    last = len(lines)
    while last > first and blank[last - 1]:
        last -= 1
    if first == last:
        raise BoardFormatError("the text holds no rows", line=last, column=1)
    if largest is None:
        name = header["topology"].value if "topology" in header else "rectangle"
        largest = LARGEST_NUMBER_OF.get(name, 8)
    if "max_per_cell" in header:
        largest *= header["max_per_cell"].value
    largest = min(largest, len(NUMBERS) - 1)
    cells = _rows(lines[first:last], first + 1, largest)
    if "layers" in header:
        layers, line, column = header["layers"]
        if not layers or len(cells) % layers:
            raise BoardFormatError(
                f"{len(cells)} rows are not {layers} layers of as many rows",
                line=line,
                column=column,
            )
        cells = cells.reshape(layers, -1, cells.shape[1])
    for axis, key in ((-2, "rows"), (-1, "cols")):
        if key in header and header[key].value != cells.shape[axis]:
            declared, line, column = header[key]
            raise BoardFormatError(
                f"{key} is declared as {declared}, but the board has {cells.shape[axis]} {key}",
                line=line,
                column=column,
            )
    return Text(cells, header)


def write(cells: NDArray[np.int8], header: Mapping[str, object]) -> str:
    """The text of int8 cells (..., cols), without a line end after the last row."""
    if (largest := int(cells.max(initial=0))) >= len(NUMBERS):
        raise BoardFormatError(f"the number {largest} has no glyph: a text has 0 to 9 and a to z")
    glyphs = cells.tobytes().translate(_BYTE_OF_CELL).decode("ascii")
    rows, cols = cells.size // cells.shape[-1], cells.shape[-1]
    lines = [f"{key}: {value}" for key, value in header.items()]
    if cells.ndim == 3:
        lines.append(f"layers: {len(cells)}")
    lines += [glyphs[row * cols : (row + 1) * cols] for row in range(rows)]
    return "\n".join(lines)


def _header_line(text: str, line: int) -> tuple[str, Entry]:
    before, _, after = text.partition(":")
    key = before.strip(" \t")
    value = after.strip(" \t")
    if key not in HEADER_KEYS:
        raise BoardFormatError(
            f"unknown key {shown(key)}; known are {', '.join(HEADER_KEYS)}",
            line=line,
            column=len(before) - len(before.lstrip(" \t")) + 1,
        )
    column = len(before) + 2 + len(after) - len(after.lstrip(" \t"))
    if key in ("topology", "equally_likely"):
        return key, Entry(value, line, column)
    if key in _READERS:
        try:
            return key, Entry(_READERS[key](value), line, column)
        except (ValueError, ZeroDivisionError):
            raise BoardFormatError(
                f"{key} must be like {_EXAMPLES[key]}, not {shown(value)}",
                line=line,
                column=column,
            ) from None
    # Longer numbers fit no board, and int() has limits of its own.
    if not re.fullmatch("[0-9]{1,18}", value):
        raise BoardFormatError(
            f"{key} must be a whole number of up to 18 digits, not {shown(value)}",
            line=line,
            column=column,
        )
    return key, Entry(int(value), line, column)


_LONGEST_CHANCE = 400  # characters
_EXAMPLES = {
    "density": "0.2 or 1/5",
    "densities": "0.2 1/5 0, a chance for each cell, row by row",
    "totals": "8=0.25 9=3/4",
}


def chance(value: str) -> Fraction:
    """A fraction or a decimal, exactly; else ValueError or ZeroDivisionError."""
    if len(value) > _LONGEST_CHANCE or not re.fullmatch("[0-9.eE/+-]+", value):
        raise ValueError
    _, _, power = value.lower().partition("e")
    if power and abs(int(power)) > _LONGEST_CHANCE:
        raise ValueError
    number = Fraction(value)
    if "/" not in value:
        chance_text(number)  # what is read can be written
    return number


def _totals(value: str) -> dict[int, Fraction]:
    pairs = [item.partition("=") for item in value.split()]
    totals = {}
    for total, _, weight in pairs:
        if not re.fullmatch("[0-9]{1,18}", total) or int(total) in totals:
            raise ValueError
        totals[int(total)] = chance(weight)
    return totals


def _chances(value: str) -> tuple[Fraction, ...]:
    return tuple(map(chance, value.split()))


_READERS: dict[str, Callable[[str], Any]] = {
    "density": chance,
    "densities": _chances,
    "totals": _totals,
}


def header_of(
    mines: int | None,
    density: float | Fraction | tuple[float | Fraction, ...] | None,
    totals: Mapping[int, float | Fraction] | None,
) -> dict[str, object]:
    """The header lines of what is known about the number of mines. Raises BoardFormatError."""
    if isinstance(density, tuple):
        known: dict[str, object] = {} if mines is None else {"mines": mines}
        return known | {"densities": " ".join(map(chance_text, density))}
    if density is not None:
        return {"density": chance_text(density)}
    if totals is None:
        return {"mines": mines}
    return {
        "totals": " ".join(f"{total}={chance_text(weight)}" for total, weight in totals.items())
    }


def chance_text(value: float | Fraction) -> str:
    """What `chance` reads as the value: a fraction for floats that their decimals only round to.

    A decimal where that would be long: that of 1e-400.
    """
    try:
        text = str(value)
        if Fraction(text) != value:
            text = str(Fraction(value))
    except ValueError:  # Python writes integers of up to 4300 digits
        text = ""
    if not 0 < len(text) <= _LONGEST_CHANCE:
        text = _decimal(Fraction(value))
    if not text:
        raise BoardFormatError(
            f"the text of a board has chances of up to {_LONGEST_CHANCE} characters, not "
            f"{shown(value)}"
        )
    return text


_DECIMALS = decimal.Context(prec=_LONGEST_CHANCE, traps=[decimal.Inexact])


def _decimal(value: Fraction) -> str:
    """The decimal that is the value, if there is one that `chance` reads; else nothing."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits > 10 * _LONGEST_CHANCE:
        return ""
    try:
        number = _DECIMALS.divide(Decimal(value.numerator), Decimal(value.denominator))
    except decimal.Inexact:
        return ""
    text = str(_DECIMALS.normalize(number))
    fits = len(text) <= _LONGEST_CHANCE and abs(number.adjusted()) <= _LONGEST_CHANCE
    return text if fits else ""


def _rows(lines: list[str], first_line: int, largest: int) -> NDArray[np.int8]:
    """The cells of lines that hold nothing but rows; the first of them is ``first_line``."""
    compact = [line.replace(" ", "").replace("\t", "") for line in lines]
    # A character outside ASCII becomes "?", which is no glyph either.
    values = "".join(compact).encode("ascii", "replace").translate(_cell_of_byte(largest))
    if _UNKNOWN in values:
        _refuse_glyph(lines, first_line, largest)
    cols = len(compact[0])
    for row, line in enumerate(compact):
        if len(line) != cols:
            length = counted(len(line), "cell") if line else "no cells"
            raise BoardFormatError(
                f"this row has {length}, but the first has {cols}",
                line=first_line + row,
                column=_column(lines[row], min(len(line), cols)),
            )
    return np.frombuffer(values, dtype=np.int8).reshape(len(lines), cols)


def _column(line: str, cell: int) -> int:
    """Where the cell stands in the line, or would stand, counted from 1."""
    places = [place for place, glyph in enumerate(line) if glyph not in " \t"]
    return places[cell] + 1 if cell < len(places) else len(line) + 1


def _refuse_glyph(lines: list[str], first_line: int, largest: int) -> NoReturn:
    line, column, glyph = next(
        (line, column, glyph)
        for line, text in enumerate(lines, first_line)
        for column, glyph in enumerate(text, 1)
        if _VALUE_OF_GLYPH.get(glyph, _UNKNOWN) > largest and glyph not in " \t"
    )
    advice = f"expected '#' hidden, 'F' flag, '.' or '0' zero, '1' to '{NUMBERS[largest]}'"
    if glyph == ":":
        advice = "header lines stand before the first row"
    name = f"bad character {glyph!r} (U+{ord(glyph):04X})"
    raise BoardFormatError(f"{name}; {advice}", line=line, column=column)
