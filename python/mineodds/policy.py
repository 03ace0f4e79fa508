"""Choosing a move: policies by name, and any function of the odds.

Certain safe cells come first, whatever the policy. When there are none, a policy is asked. The
named ones run in the core (cpp/play/policy.hpp defines their figures); a Python callable gets the
`Odds` of the board and returns ``(row, col)``. A player's flags are opinions: policies read them
as hidden cells.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import _core
from mineodds.board import Board
from mineodds.contracts import checked_word, one_of, whole_number
from mineodds.engine import REFUSALS, Budget
from mineodds.errors import BoardFormatError, Cell, shown, written
from mineodds.odds import MAX_MEMORY, MAX_WORK, Odds, solve
from mineodds.text import FLAG, HIDDEN

PolicyFunction = Callable[[Odds], Cell]

TIES = ("corner", "information", "progress", "first", "random", "local")

# The options of each policy, and the names of its figures in order.
POLICIES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "safest": (("ties",), ("tie",)),
        "minimax": (("tolerance",), ("fewest_certain", "expected_certain")),
        "information": (("tolerance",), ("information",)),
        "balanced": (("safety",), ("balance",)),
        "progress": (("tolerance",), ("progress",)),
        "pseq": ((), ("progress", "expected_safe", "number_entropy")),
        "survival": (("depth",), ("survival",)),
    }
)
NamedFigures = tuple[tuple[str, float], ...]

_TIE_FIGURES = {
    "corner": "neighbours",
    "information": "information",
    "progress": "progress",
    "local": "local_progress",
}
_DEFAULTS: Mapping[str, object] = {"ties": "local", "tolerance": 0.0, "safety": 0.5, "depth": 2}


@dataclass(frozen=True, init=False)
class Policy:
    """A named policy with its options: ``Policy("survival", depth=3)``.

    ``ties`` (safest): "local" (the chance, with the mines around the cell taken as independent,
    that it shows a number from which complete and full clues alone find a safe cell), "corner"
    (fewest neighbours), "information", "progress", "first" or "random". ``tolerance`` (minimax,
    information, progress): how far above the least risk a cell may lie, absolute. ``safety``
    (balanced): lambda in lambda * (1 - p) + (1 - lambda) * information / log2(10), both terms
    from 0 to 1. ``depth`` (survival): clicks to look ahead; every further one costs about twenty
    times more.
    """

    name: str
    options: tuple[tuple[str, object], ...]

    def __init__(self, name: str, **options: object) -> None:
        if not isinstance(name, str) or name not in POLICIES:
            raise ValueError(f"policy must be one of {', '.join(POLICIES)}, not {shown(name)}")
        allowed, _ = POLICIES[name]
        for option in options:
            if option not in allowed:
                known = ", ".join(allowed) or "none"
                raise TypeError(f"policy {name!r} has no option {option!r}; it has: {known}")
        values = {option: options.get(option, _DEFAULTS[option]) for option in allowed}
        checked = tuple((option, _checked(option, value)) for option, value in values.items())
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", checked)

    @staticmethod
    def parse(source: str) -> "Policy":
        """Read ``name`` or ``name:option=value,option=value``, as on the command line."""
        name, _, rest = source.partition(":")
        options: dict[str, object] = {}
        for part in filter(None, rest.split(",")):
            option, equals, value = part.partition("=")
            if not equals:
                raise ValueError(f"expected option=value, not {part!r}")
            options[option.strip()] = _read(option.strip(), value.strip())
        return Policy(name.strip(), **options)

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures of its candidates, in the order in which they decide."""
        if self.name == "safest":
            ties = str(dict(self.options)["ties"])
            return (_TIE_FIGURES[ties],) if ties in _TIE_FIGURES else ()
        return POLICIES[self.name][1]

    def __str__(self) -> str:
        given = ",".join(f"{option}={value}" for option, value in self.options)
        return f"{self.name}:{given}" if given else self.name

    def _compiled(self) -> _core.PolicyOptions:
        values: dict[str, Any] = dict(self.options)
        if "ties" in values:
            values["ties"] = TIES.index(values["ties"])
        return _core.PolicyOptions(list(POLICIES).index(self.name), **values)


def _read(option: str, value: str) -> object:
    if option == "ties":
        return value
    try:
        return int(value) if option == "depth" else float(value)
    except ValueError:
        raise ValueError(f"{option} must be a number, not {shown(value)}") from None


def _checked(option: str, value: Any) -> object:
    if option == "ties":
        return one_of("ties", value, TIES)
    if option == "depth":
        depth = whole_number("depth", value)
        if not 1 <= depth <= 16:
            raise ValueError(f"depth must be from 1 to 16, not {shown(depth)}")
        return depth
    if isinstance(value, str | bool):
        raise TypeError(f"{option} must be a number from 0 to 1, not {shown(value)}")
    try:
        number = float(value)
    except TypeError:
        raise TypeError(f"{option} must be a number from 0 to 1, not {shown(value)}") from None
    except OverflowError:  # beyond all doubles
        number = math.inf
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{option} must be from 0 to 1, not {written(value)}")
    return number


def as_policy(
    policy: "str | Policy | PolicyFunction", **options: object
) -> Policy | PolicyFunction:
    """A policy from its name (options after a colon or as keywords), itself, or a callable."""
    if isinstance(policy, str):
        if options:
            return Policy(policy, **options)
        return Policy.parse(policy)
    if not isinstance(policy, Policy) and not callable(policy):
        raise TypeError(f"policy must be a name, a Policy or a function, not {shown(policy)}")
    if options:
        raise TypeError(f"options go with a policy's name; given were {', '.join(options)}")
    return policy


@dataclass(frozen=True)
class Candidate:
    """A cell that was considered: its chance of a mine and the policy's figures.

    The names are those of `Policy.figures`; larger is better (neighbours: smaller).
    """

    row: int
    col: int
    probability: float
    named_figures: NamedFigures = ()
    cell: Cell = ()

    @property
    def figures(self) -> dict[str, float]:
        """The figures by name."""
        return dict(self.named_figures)


@dataclass(frozen=True)
class Move:
    """What to open. ``certain``: it is safe, and ``candidates`` are all certain safe cells.

    ``score`` is the chance to be safe for "safest", "pseq" and functions, otherwise the policy's
    first figure; 1.0 when certain. ``cell`` is the place in the board's cells: (row, col) on the
    plane.
    """

    row: int
    col: int
    probability: float
    certain: bool
    score: float
    candidates: tuple[Candidate, ...]
    cell: Cell = ()


def best_move(
    board: Board | str | ArrayLike,
    mines: SupportsIndex | None = None,
    *,
    policy: str | Policy | PolicyFunction = "pseq",
    seed: int = 0,
    max_work: float = MAX_WORK,
    max_memory: float = MAX_MEMORY,
    deadline: float | None = None,
    **options: object,
) -> Move:
    """The policy's move, with every candidate it considered.

    ``board`` and ``mines`` as for `solve`; flags are read as hidden. ``options`` are those of the
    named policy (`Policy`); ``seed`` serves ``ties="random"``. On a board of which more or less is
    known than the number of mines certain cells come first as ever; then "safest" opens the cell
    with the least chance and the fewest neighbours, and other names are refused. Raises as `solve`
    does, and ValueError when no safe cell is hidden. Cost: one inference, and one for each number
    that each distinct candidate can show.
    """
    if not isinstance(board, Board):
        board = Board.parse(board, mines) if isinstance(board, str) else Board(board, mines)
    chooser = as_policy(policy, **options)
    board = without_flags(board)
    budget = Budget.from_now(max_work, max_memory, deadline)
    seed = checked_word("seed", seed)
    if not isinstance(chooser, Policy):
        odds = solve(board, max_work=max_work, max_memory=max_memory, deadline=deadline)
        return _move_of_function(chooser, odds)
    if board.mines is None or not board.is_plain:
        odds = solve(board, max_work=max_work, max_memory=max_memory, deadline=deadline)
        return _move_of_function(_least_chance(chooser), odds)
    try:
        found = _core.choose(
            board.cells,
            board.mines,
            board.topology.prepared,
            chooser._compiled(),
            seed=seed,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
            deadline=budget.seconds_left,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None
    if found is None:
        solve(board, max_work=max_work, max_memory=max_memory, deadline=deadline)  # says why
        raise AssertionError("the position has layouts, but the policy found none")
    cell, probability, certain, score, cells, probabilities, figures = found
    if cell < 0:
        raise ValueError("no safe cell is hidden: the game is won")
    names = () if certain else chooser.figures
    candidates = tuple(
        _candidate(board.topology.place(other), chance, _named(names, values))
        for other, chance, values in zip(
            cells.tolist(), probabilities.tolist(), figures.tolist(), strict=True
        )
    )
    return _move(board.topology.place(cell), probability, certain, score, candidates)


def _named(names: tuple[str, ...], values: list[float]) -> tuple[tuple[str, float], ...]:
    """A policy's figures by name; the core takes the greatest, so fewest is negative."""
    return tuple(
        (name, -value if name == "neighbours" else value)
        for name, value in zip(names, values, strict=False)
    )


def without_flags(board: Board) -> Board:
    """The board with its flags read as hidden cells."""
    if not (board.cells == FLAG).any():
        return board
    cells = np.where(board.cells == FLAG, HIDDEN, board.cells).astype(np.int8)
    return board.with_cells(cells)


def ask(function: PolicyFunction, odds: Odds) -> Cell:
    """The cell that a function chooses; ValueError unless it is hidden."""
    answer: object = function(odds)
    try:
        chosen = tuple(map(operator.index, answer))  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"the policy must return a cell (row, col), not {answer!r}") from None
    try:
        number = odds.board.topology.number(chosen)
    except IndexError:
        number = -1
    if number < 0 or odds.board.cells.flat[number] != HIDDEN:
        raise ValueError(f"the policy chose {chosen}, which is no hidden cell")
    return chosen


def _least_chance(policy: Policy) -> PolicyFunction:
    """What a named policy does on boards of any prior; all but "safest" need the number of mines.

    BoardFormatError comes when it is asked: not where cells are certain.
    """

    def choose(odds: Odds) -> Cell:
        if policy.name != "safest":
            raise BoardFormatError(
                f"the policy {policy.name!r} needs the number of mines, and nothing else: take "
                "'safest' or a function for chances, totals and several mines in a cell"
            )
        start, _ = odds.board.topology.neighbours
        around = np.diff(start)
        return min(odds.best, key=lambda cell: around[odds.board.topology.number(cell)])

    return choose


def _move_of_function(function: PolicyFunction, odds: Odds) -> Move:
    safe = odds.safe
    hidden = odds.board.cells == HIDDEN
    if hidden.sum() == odds.mine.sum():
        raise ValueError("no safe cell is hidden: the game is won")
    if safe.any():
        cells = _cells_of(safe)
        candidates = tuple(_candidate(cell, 0.0) for cell in cells)
        return _move(cells[0], 0.0, True, 1.0, candidates)
    cell = ask(function, odds)
    chance = float(odds.probability[cell])
    return _move(cell, chance, False, 1.0 - chance, (_candidate(cell, chance),))


def _candidate(cell: Cell, chance: float, figures: NamedFigures = ()) -> Candidate:
    return Candidate(*_row_and_col(cell), chance, figures, cell=cell)


def _move(
    cell: Cell, chance: float, certain: bool, score: float, candidates: tuple[Candidate, ...]
) -> Move:
    return Move(*_row_and_col(cell), chance, certain, score, candidates, cell=cell)


def _row_and_col(cell: Cell) -> tuple[int, int]:
    """The row and the column: of its layer in a box, row 0 in a graph."""
    *_, row, col = 0, *cell
    return row, col


def _cells_of(mask: NDArray[np.bool_]) -> list[Cell]:
    return [tuple(place) for place in np.argwhere(mask).tolist()]
