"""Fuzz target: the text of a board, whatever it holds.

    python tests/fuzz_text.py -max_total_time=1800

A text is a board, which reads back as itself, or a BoardFormatError that points into the text.
A board is solved, when that is cheap, and its chances keep the laws.
"""

from __future__ import annotations

import math

import numpy as np

from fuzzing import Choices, run_atheris

GLYPHS = "#####F..0123456782 \t\n\n\n\r:m９²□🚩-+_\ufeff\x00"
SNIPPETS = (
    "mines: ", "mines:3", "rows: 2", "cols: 2\n", "topology: ", "topology: rectangle\n",
    "density: 0.2\n", "mines: 1\nmines: 1\n", "##\n#1\n", "1" * 30, "\r\n", ":", "mines: -1\n",
    "mines: 99999999999999999999\n", "rows: 1000000000000\n", "###\n###\n###\n",
    "density: 1/3\n", "totals: 1=1/4 2=3/4\n", "topology: torus\n", "topology: hexagonal\n",
    "max_per_cell: 2\nequally_likely: placements\n", "equally_likely: arrangements\n",
    "densities: 0.5 1/4 0\n", "densities: ", "1e-3 ",
)  # fmt: skip
MOST_HIDDEN = 60
BUDGET = {"max_work": 1e5, "max_memory": 1e8}


def text_of(choices: Choices) -> str:
    """Bytes as they are, or pieces that look like a board."""
    kind = choices.byte()
    if kind < 64:
        return choices.rest().decode("utf-8", errors="surrogateescape")
    if kind < 80:
        return choices.rest().decode("utf-16", errors="replace")
    return "".join(
        GLYPHS[byte % len(GLYPHS)] if byte < 220 else SNIPPETS[byte % len(SNIPPETS)]
        for byte in choices.rest()
    )


def target(data: bytes) -> None:
    import mineodds

    choices = Choices(data)
    mines = (None, 0, 1, 2, 3, 5, -1, 10**30)[choices.below(8)]
    text = text_of(choices)
    try:
        board = mineodds.Board.parse(text, mines)
    except mineodds.BoardFormatError as error:
        check_place(text, error.line, error.column)
        return
    assert board == mineodds.Board.parse(str(board))
    if board.mines is not None:
        assert 0 <= board.mines <= board.cells.size * board.max_per_cell
    if np.count_nonzero(board.cells == -1) <= MOST_HIDDEN:
        check_odds(board)


def check_place(text: str, line: int | None, column: int | None) -> None:
    """An error's place lies in the text, or just behind a line of it."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if line is not None:
        assert 1 <= line <= len(lines)
        assert column is None or 1 <= column <= len(lines[line - 1]) + 1


def check_odds(board: object) -> None:
    """The laws of any answer; an inconsistent board says what clashes."""
    import mineodds

    assert isinstance(board, mineodds.Board)
    try:
        odds = mineodds.solve(board, **BUDGET)
    except mineodds.InconsistentBoardError as error:
        if board.is_plain and not error.clues and error.totals is None:
            raise
        return
    except mineodds.BudgetExceeded:
        return
    hidden = board.cells == -1
    chances = odds.probability
    assert (np.isnan(chances) == (board.cells >= 0)).all()
    assert odds.solutions >= 1
    if board.is_plain:
        assert math.isclose(float(np.nansum(chances)), board.mines, rel_tol=1e-9, abs_tol=1e-9)
    assert (odds.safe == (hidden & (chances == 0.0))).all()
    assert (odds.mine == (hidden & (chances == 1.0))).all()
    for cell in odds.best[:1]:
        assert math.isclose(odds.fraction(*cell), odds.best_probability, rel_tol=1e-12)


if __name__ == "__main__":
    run_atheris("fuzz_text")
