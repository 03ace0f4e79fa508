"""Answers as values that JSON can hold, for programs in any language.

The schema has a version in its name: keys are added to it, never renamed or given another meaning.
JSON has no NaN: what does not apply is null. Counts and fractions are decimal strings, because they
have more digits than other languages' numbers hold.
"""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineodds.board import Board
from mineodds.display import integer, ratio
from mineodds.estimates import Estimate
from mineodds.knowledge import Chance
from mineodds.odds import Odds
from mineodds.text import chance_text
from mineodds.topology import Rectangle

SOLVE = "mineodds.solve/1"
ESTIMATE = "mineodds.estimate/1"

# The attributes of errors that go into their document.
_DETAILS = ("line", "column", "clues", "totals", "work", "memory", "max_work", "max_memory")


def answer(odds: Odds, *, exact: bool = False) -> dict[str, Any]:
    """What `solve` found out; `exact` adds every cell's fraction."""
    document = {
        "schema": SOLVE,
        **_board(odds.board),
        "solutions": integer(odds.solutions),
        "log10_solutions": odds.log10_solutions,
        "probability": _nested(odds.probability.tolist(), _or_null),
    }
    if exact:
        document["fraction"] = _nested(odds.fractions().tolist(), _ratio_or_null)
    return document | {
        "safe": _cells(odds.safe),
        "mine": _cells(odds.mine),
        "best": [list(cell) for cell in odds.best],
        "best_probability": _or_null(odds.best_probability),
        "deep_probability": _or_null(odds.deep_probability),
    }


def estimate(found: Estimate) -> dict[str, Any]:
    """What an estimate says; no key of an exact answer that could be taken for one."""
    about = {"schema": ESTIMATE, "estimate": True, "method": found.method, **_board(found.board)}
    return about | {
        "probability": _nested(found.probability.tolist(), _or_null),
        "standard_error": _nested(found.standard_error.tolist(), _or_null),
        "converged": found.converged,
        "samples": found.samples,
        "r_hat": _or_null(found.r_hat),
        "change": _or_null(found.change),
        "clue_error": _or_null(found.clue_error),
    }


def _board(board: Board) -> dict[str, Any]:
    size = {"rows": board.rows, "cols": board.cols, "mines": board.mines}
    return size | _prior(board) | _geometry(board)


def _prior(board: Board) -> dict[str, Any]:
    """What stands beside a number of mines that is null."""
    prior: dict[str, Any] = {}
    if board.density is not None:
        prior["density"] = _nested(np.asarray(board.density, dtype=object).tolist(), _chance)
    if board.totals is not None:
        prior["totals"] = {str(total): _chance(weight) for total, weight in board.totals.items()}
    if board.max_per_cell > 1:
        prior |= {"max_per_cell": board.max_per_cell, "equally_likely": board.equally_likely}
    return prior


def _chance(value: Chance) -> float | str:
    """The nearest double, but the text of a board's header where that is 0, 1 or infinite.

    0 and 1 are certain, and so another chance than one that is near.
    """
    try:
        number = float(value)
    except OverflowError:
        return chance_text(value)
    return number if number == value or number not in (0.0, 1.0) else chance_text(value)


def _geometry(board: Board) -> dict[str, Any]:
    """What else there is to say of a board that is no rectangle; its lists have that shape."""
    topology = board.topology
    if isinstance(topology, Rectangle):
        return {}
    return {"topology": topology.name, "shape": list(topology.shape)}


def failure(
    error: Exception,
    message: str,
    schema: str = SOLVE,
    *,
    file: str | None = None,
    first: int | None = None,
) -> dict[str, Any]:
    """Why there is no answer; what is unknown or without limit is left out.

    ``file`` is the name of the board's file, ``first`` the number of the board's first line in it.
    """
    details: dict[str, Any] = {"file": file, "board_line": first}
    details |= {name: getattr(error, name, None) for name in _DETAILS}
    known = {name: value for name, value in details.items() if value not in (None, math.inf)}
    kind = {"type": type(error).__name__, "message": message}
    return {"schema": schema, "error": kind | known}


def line(document: dict[str, Any]) -> str:
    """The document in one line of ASCII."""
    return json.dumps(document, allow_nan=False)


def _nested(values: Any, convert: Callable[[Any], object]) -> Any:
    """Lists in lists, every value converted."""
    if isinstance(values, list):
        return [_nested(value, convert) for value in values]
    return convert(values)


def _ratio_or_null(chance: Fraction | None) -> str | None:
    return None if chance is None else ratio(chance)


def _cells(mask: NDArray[np.bool_]) -> list[list[int]]:
    cells: list[list[int]] = np.argwhere(mask).tolist()
    return cells


def _or_null(number: float) -> float | None:
    return number if math.isfinite(number) else None
