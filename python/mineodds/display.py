"""A board with its odds for the eye: plain text, or a coloured rich Text.

Array operations turn every cell into a small code (a clue, a flag, certain, or a rounded
percentage), and tables turn codes into labels and styles. Percentages are rounded so that no
uncertain cell reads 0 or 100; certain cells carry a glyph, so that colour is never the only sign.
Cells are 3 characters wide where the lines fit and 2 where they do not; boards still too wide are
cut into panels of columns that stand below each other.

Imported only when something is to be shown, and rich only when in colour.
"""

from __future__ import annotations

import itertools
import math
import shutil
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from mineodds.board import Board
from mineodds.errors import Cell
from mineodds.estimates import Estimate
from mineodds.text import FLAG, HIDDEN

if TYPE_CHECKING:
    from rich.text import Text

    from mineodds.odds import Odds

    Shown = Board | Odds | Estimate


class Look(NamedTuple):
    """How to draw: the characters of a line (None: any number), the glyphs of certain cells."""

    columns: int | None = None
    safe: str = "✓"
    mine: str = "✱"


USUAL = Look()


def look_for(stream: TextIO) -> Look:
    """The look that suits a stream: its width if it is a terminal, and its characters."""
    columns = shutil.get_terminal_size().columns if stream.isatty() else None
    try:
        (USUAL.safe + USUAL.mine).encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return Look(columns, safe="+", mine="*")
    return Look(columns)


Piece = tuple[str, str]
"""A text and its style."""

# The codes of cells: 0 to 127 are clues, then these, then percentages from 0 to 100, twice: those
# of uncertain cells, and those of uncertain cells that no hidden cell is safer than.
FLAGGED, UNKNOWN, SAFE, MINE, PERCENT = range(128, 133)
BEST = PERCENT + 101

# Clues have colours of middling lightness, which suit dark and light backgrounds.
_CLUE_STYLES = ["dim", "#3b82f6", "#16a34a", "#ef4444", "#a855f7", "#d97706", "#0d9488"]
_CLUE_STYLES += ["bold"] * (FLAGGED - len(_CLUE_STYLES))
_FLAG_STYLE, _UNKNOWN_STYLE = "bold #b91c1c on #d4d4d4", "#000000 on #d4d4d4"
_SAFE_STYLE, _MINE_STYLE = "bold #ffffff on #008000", "bold #ffffff on #b91c1c"
_BEST_STYLE = "bold #000000 on #7cc4ff"
_RULER_STYLE = "dim"
_HEAT = [(187, 235, 190), (250, 240, 160), (253, 200, 130), (250, 150, 135)]


def _heat_style(percent: int) -> str:
    """From pale green by yellow and orange to pale red."""
    step = percent / 100 * (len(_HEAT) - 1)
    below = min(int(step), len(_HEAT) - 2)
    ends = zip(_HEAT[below], _HEAT[below + 1], strict=True)
    mixed = (round(low + (step - below) * (high - low)) for low, high in ends)
    return "#000000 on #{:02x}{:02x}{:02x}".format(*mixed)


def _percent_label(percent: int, width: int) -> str:
    """In 3 characters (" 7%", "<1%", ">99") or in 2 ("07", "<1", "99")."""
    if width == 2:
        return "<1" if percent < 1 else f"{min(percent, 99):02}"
    return "<1%" if percent < 1 else ">99" if percent > 99 else f"{percent:2}%"


def _labels(width: int, look: Look) -> list[str]:
    """The label of each code, after a blank; units stand below units."""
    glyphs = [".", *map(str, range(1, FLAGGED)), "F", "#", look.safe, look.mine]
    percents = [_percent_label(percent, width) for percent in range(101)]
    return [f" {text}" for text in [f"{glyph:>2}".ljust(width) for glyph in glyphs] + 2 * percents]


def _styles() -> list[str]:
    """The style of each code."""
    hidden = [_FLAG_STYLE, _UNKNOWN_STYLE, _SAFE_STYLE, _MINE_STYLE]
    return _CLUE_STYLES + hidden + [_heat_style(n) for n in range(101)] + [_BEST_STYLE] * 101


def _codes(shown: Shown) -> NDArray[np.int16]:
    """The code of each cell."""
    cells = shown.cells if isinstance(shown, Board) else shown.board.cells
    codes = cells.astype(np.int16)
    codes[cells == FLAG] = FLAGGED
    codes[cells == HIDDEN] = UNKNOWN
    if not isinstance(shown, Board):
        hidden = cells == HIDDEN
        codes[hidden] = PERCENT + np.rint(100 * shown.probability[hidden]).astype(np.int16)
    if not isinstance(shown, Board | Estimate):  # of an estimate nothing is certain, or the best
        if shown.best:
            codes[tuple(np.transpose(shown.best))] += BEST - PERCENT
        codes[shown.safe] = SAFE
        codes[shown.mine] = MINE
    return codes


def _panels(cols: int, ruler: int, columns: int | None) -> tuple[int, list[range]]:
    """The width of a cell, and the columns of each panel; `ruler` is the width of row numbers."""
    for width in (3, 2):
        if columns is None or ruler + cols * (width + 1) <= columns:
            return width, [range(cols)]
    most = max(1, (columns or 0) - ruler) // 4 or 1
    each = math.ceil(cols / math.ceil(cols / most))
    return 3, [range(start, min(start + each, cols)) for start in range(0, cols, each)]


def _column_numbers(panel: range, width: int) -> str:
    """The numbers above the columns; only every tenth where there is no room for all."""
    step = 1 if panel[-1] < 10**width else 10
    line = ""
    for place, column in enumerate(panel, 1):
        if column % step == 0:
            number = str(column)
            end = place * (width + 1) - (width == 3 and len(number) < 3)
            line = line.ljust(end - len(number)) + number
    return line


def _lines(shown: Shown, look: Look) -> Iterator[list[Piece]]:
    """The lines of the picture, in pieces of one style."""
    board = shown if isinstance(shown, Board) else shown.board
    rows, cols = board.rows, board.cols
    layers = _codes(shown).reshape(-1, rows, cols)
    ruler = len(str(rows - 1))
    width, panels = _panels(cols, ruler, look.columns)
    labels, styles = _labels(width, look), _styles()
    # Odd rows of hexagons lie half a cell to the right.
    shift = " " * ((width + 1) // 2) if board.topology.name == "hexagonal" else ""
    for layer, panel in itertools.product(range(len(layers)), panels):
        if layer or panel.start:
            yield []
        if len(layers) > 1:
            yield [(f"layer {layer}", _RULER_STYLE)]
        yield [(" " * ruler + _column_numbers(panel, width), _RULER_STYLE)]
        for row, values in enumerate(layers[layer, :, panel.start : panel.stop].tolist()):
            runs = itertools.groupby(values, styles.__getitem__)
            pieces = [("".join([labels[code] for code in run]), style) for style, run in runs]
            yield [(f"{row:{ruler}}{shift * (row % 2)}", _RULER_STYLE), *pieces]


def format_board(shown: Shown, look: Look = USUAL) -> str:
    """The board, with its odds if it is given them, as plain text."""
    lines = ("".join(text for text, _ in line) for line in _lines(shown, look))
    return "\n".join(line.rstrip() for line in lines)


def rich_board(shown: Shown, look: Look = USUAL) -> Text:
    """The same as a rich Text, in colour."""
    from rich.text import Text

    lines = (Text.assemble(*line) for line in _lines(shown, look))
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def percentage(chance: float) -> str:
    """A chance in 4 digits, which reads 0 or 100 only when it is that."""
    if 0.0 < chance < 1e-6:
        return f"{100 * chance:.3e} %"
    return "> 99.99 %" if 0.9999 < chance < 1.0 else f"{100 * chance:.4g} %"


def integer(number: int) -> str:
    """All digits of an integer; `str` refuses those of more than 4300."""
    return format(Decimal(number), "f")


def ratio(chance: Fraction) -> str:
    """A fraction, as in "1/2"."""
    return f"{integer(chance.numerator)}/{integer(chance.denominator)}"


def layouts(odds: Odds, exact: bool = False) -> str:
    """The number of layouts: every digit if it has few or if `exact`, else a power of ten.

    The power is that of the floating-point logarithm, as long counts cost more than all the odds.
    """
    if exact or odds.log10_solutions < 24:
        return f"{odds.solutions:,}" if odds.log10_solutions < 24 else integer(odds.solutions)
    exponent = math.floor(odds.log10_solutions)
    mantissa = round(10 ** (odds.log10_solutions - exponent), 6)
    return f"{mantissa:.6f}e+{exponent}" if mantissa < 10 else f"1.000000e+{exponent + 1}"


def _positions(cells: Sequence[Cell], most: int = 8) -> str:
    """The first of these cells, and how many more there are."""
    places = [str(cell) for cell in cells[:most]]
    names = ("cell",) if len(cells[0]) == 1 else ("layer", "row", "column")[-len(cells[0]) :]
    named = [f"{name} {index}" for name, index in zip(names, cells[0], strict=True)]
    places[0] = f"({', '.join(named)})"
    shown = " ".join(places)
    return shown + (f" and {len(cells) - most:,} more" if len(cells) > most else "")


def _exact_chances(odds: Odds) -> Iterator[tuple[str, str]]:
    """The fractions of uncertain cells, the least first, with the cells that have them."""
    cells: dict[Fraction, list[Cell]] = {}
    uncertain = (odds.board.cells == HIDDEN) & ~odds.safe & ~odds.mine
    for cell in map(tuple, np.argwhere(uncertain).tolist()):
        cells.setdefault(odds.fraction(*cell), []).append(cell)
    for chance in sorted(cells):
        rounded = percentage(float(odds.probability[cells[chance][0]]))
        yield rounded, f"{ratio(chance)} at {_positions(cells[chance])}"


def summary(odds: Odds, look: Look = USUAL, exact: bool = False) -> list[tuple[str, str]]:
    """What to say below the board, as pairs of a word and a text."""
    said = []
    for word, glyph, certain in (("safe", look.safe, odds.safe), ("mine", look.mine, odds.mine)):
        number = int(np.count_nonzero(certain))
        if number:
            said.append((f"{glyph} {word}", f"{number:,} cell{'s' * (number > 1)} for certain"))
    if odds.best:
        said.append(("best", f"{percentage(odds.best_probability)} at {_positions(odds.best)}"))
    else:
        said.append(("best", "no hidden cell is left"))
    if not math.isnan(odds.deep_probability):
        said.append(
            ("deep", f"{percentage(odds.deep_probability)} in each cell that touches no number")
        )
    said.append(("layouts", layouts(odds, exact)))
    return said + (list(_exact_chances(odds)) if exact else [])


def estimate_summary(estimate: Estimate) -> list[tuple[str, str]]:
    """What to say below an estimate, as pairs of a word and a text."""
    said = [("estimate", f"by {estimate.method}: not exact, and no cell is certain")]
    if estimate.method == "gibbs":
        largest = float(np.nanmax(estimate.standard_error, initial=0.0))
        said.append(("errors", f"standard errors up to {100 * largest:.2g} %"))
        agree = "agree" if estimate.converged else "do NOT agree"
        said.append(("chains", f"{agree}, r_hat {estimate.r_hat:.4g}, {estimate.samples:,} draws"))
        return said
    state = "settled" if estimate.converged else "did NOT settle"
    said.append(("messages", f"{state} after {estimate.samples:,} rounds; errors are unknown"))
    if not math.isnan(estimate.clue_error):
        said.append(("numbers", f"missed by up to {estimate.clue_error:.2g} mines"))
    return said
