"""The answer: `solve` a board, and ask the `Odds` it gives.

`solve` takes the short way, from cells to probabilities in one call of the core's fused kernel.
Everything else, above all what is exact, is worked out by `inference` when it is asked for, and
remembered. The two ways agree; when the short one finds no answer, the other says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, SupportsIndex, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineodds import _core
from mineodds.approximate import CHAINS, SWEEPS, estimate
from mineodds.asking import METHOD, Asking
from mineodds.board import Board, as_board
from mineodds.cell_weights import known_cells, weights_of
from mineodds.conditions import ConditionedInference
from mineodds.contracts import Value, one_of, read_only
from mineodds.engine import METHODS, REFUSALS, Budget
from mineodds.errors import BoardFormatError, Cell, InconsistentBoardError
from mineodds.estimates import Estimate
from mineodds.frontier import split
from mineodds.inference import Inference
from mineodds.knowledge import Chance, Known
from mineodds.refusals import refusal
from mineodds.text import FLAG, HIDDEN
from mineodds.topology import Topology, in_words
from mineodds.weighted_counting import WeightedCounting
from mineodds.weighted_odds import WeightedInference

MAX_WORK = 1e10  # table-entry products: about a minute
MAX_MEMORY = 2.0**31  # bytes

# Chances this close (relative) are compared exactly if that costs no more than EXACT_TIE_WORK
# table-entry products, and count as equal otherwise.
TIE = 1e-11
EXACT_TIE_WORK = 5e6  # about a second

FLAGS = ("trust", "ignore")

_OK = 0  # status of the kernel


@dataclass(frozen=True, eq=False)
class Plan(Value):
    """How the board is solved: an elimination order and what it costs.

    ``order`` lists the clues, numbered as the problem lists them, as they are eliminated; ``width``
    is the induced width, ``work`` the predicted table-entry products and ``products`` those that
    were found, ``memory`` in bytes. ``str(plan)`` is the whole join tree.
    """

    order: NDArray[np.int32]
    width: int
    work: float
    products: int
    memory: int
    text: str

    def __str__(self) -> str:
        return self.text


class Odds(Asking):
    """What a board says; made by `solve`. Immutable, and so are the arrays it hands out."""

    def __init__(
        self,
        board: Board,
        probability: NDArray[np.float64],
        method: str,
        budget: Budget,
    ) -> None:
        self.__dict__.update(
            board=board, probability=read_only(probability), _method=method, _budget=budget
        )

    board: Board
    """The board that was solved."""
    probability: NDArray[np.float64]
    """P(mine), float64 (rows, cols); nan at revealed cells, 1.0 at trusted flags.

    Relative error below 1e-12; 0.0 and 1.0 only where certain.
    """
    _method: str
    _budget: Budget

    def __reduce__(self) -> tuple[object, ...]:
        of = self.board, self.probability, self._method, self._budget
        return Odds, of, {"_known": self._known}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds):
            return NotImplemented
        return self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def _contents(self) -> tuple[object, ...]:
        """What makes two odds the same: the board, what is known besides, and what came out."""
        known = None if self._known is None else self._known[0].tobytes()
        return self.board, self._method, known, self.probability.tobytes()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"odds are immutable: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"odds are immutable: {name!r} cannot be deleted")

    def __repr__(self) -> str:
        board = self.board
        return f"<Odds of a {in_words(board.cells.shape)} board, {board.mines_in_words}>"

    @cached_property
    def _inference(self) -> Inference | ConditionedInference | WeightedInference:
        if self._known is not None:
            return self._whole.inference
        return Inference(self.board, self._method, self._budget)

    @cached_property
    def _hidden(self) -> NDArray[np.bool_]:
        """The hidden cells; a flag that is not trusted is one of them."""
        cells = self.board.cells
        hidden: NDArray[np.bool_] = cells == HIDDEN
        if self._known is not None:
            hidden |= (cells == FLAG) & (self._known[0].reshape(cells.shape) != FLAG)
        return hidden

    @cached_property
    def safe(self) -> NDArray[np.bool_]:
        """The hidden cells that are certainly safe, bool (rows, cols); the total is used."""
        return read_only((self.probability == 0.0) & self._hidden)

    @cached_property
    def mine(self) -> NDArray[np.bool_]:
        """The hidden cells that are certainly mines, bool (rows, cols); no trusted flags."""
        return read_only((self.probability == 1.0) & self._hidden)

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The hidden cells with the least chance of a mine, (row, col) in row-major order.

        Chances within 1e-11 (relative) of the least are compared exactly, unless that costs more
        than about a second; then all of them count as equal. Empty when nothing is hidden.
        """
        hidden = np.flatnonzero(self._hidden)
        if hidden.size == 0:
            return ()
        chance = self.probability.ravel()[hidden]
        least = chance.min()
        near = hidden[chance <= least * (1.0 + TIE)]
        if least > 0.0 and near.size > 1 and self._inference.exact_work <= EXACT_TIE_WORK:
            near = self._inference.least(near)
        return tuple(self.board.topology.place(cell) for cell in near.tolist())

    @cached_property
    def best_probability(self) -> float:
        """The chance of a mine in the `best` cells; nan when nothing is hidden."""
        return float(self.probability[self.best[0]]) if self.best else float("nan")

    @cached_property
    def solutions(self) -> int:
        """The exact number of layouts, an int that can have thousands of digits.

        Cost: an evaluation for every 60 bits (18 digits). Raises BudgetExceeded where the integers
        would not fit into max_memory.
        """
        return self._inference.solutions

    @cached_property
    def log10_solutions(self) -> float:
        """The decimal logarithm of the number of layouts, to about 1e-12 of the number.

        Cost: one evaluation, no exact count.
        """
        return self._inference.log10_solutions

    @cached_property
    def deep_probability(self) -> float:
        """P(mine) of a hidden cell that touches no number; nan if there is none."""
        deep = self._inference.problem.deep
        return float(self.probability.ravel()[deep[0]]) if deep.size else float("nan")

    @cached_property
    def components(self) -> NDArray[np.int32]:
        """The independent parts of the frontier: int32 (rows, cols), labels from 0, -1 elsewhere.

        Cells are in one part if a chain of numbers joins them; parts meet through the total only.
        """
        labels = self._inference.frontier.components[0].reshape(self.board.cells.shape)
        return read_only(labels.astype(np.int32))

    @cached_property
    def plan(self) -> Plan:
        """The elimination order, its width and its cost; printable. Costs one plan."""
        engine = self._inference.elimination
        return Plan(
            engine.order,
            engine.width,
            engine.work,
            engine.products,
            engine.memory,
            engine.describe(),
        )

    def fraction(self, *cell: SupportsIndex) -> Fraction:
        """The exact chance of a mine; 1 at a flag.

        Raises ValueError at a revealed cell, IndexError outside the board, TypeError for indices
        that are no integers. The first one costs as much as `solutions` (residues modulo primes,
        joined by the Chinese remainder theorem), others hardly anything.
        """
        number = self._cell(cell)
        value = self.board.cells.flat[number]
        if value >= 0:
            place = self.board.topology.place(number)
            raise ValueError(f"cell {place} is revealed: it shows {value}")
        if value == FLAG and self._known is None:
            return Fraction(1)
        [fraction] = self._inference.fractions(np.array([number]))
        return fraction

    def fractions(self) -> NDArray[np.object_]:
        """The exact chance of a mine in every cell, object (rows, cols); None at revealed cells.

        Costs hardly more than one `fraction`.
        """
        value = self.board.cells.ravel()
        result = np.full(value.size, Fraction(1), dtype=object)  # what is not hidden is a flag
        result[value >= 0] = None
        hidden = np.flatnonzero(self._hidden)
        result[hidden] = self._inference.fractions(hidden)
        return read_only(result.reshape(self.board.cells.shape))


class _Options(Known, total=False):
    """The keywords of `solve` that both kinds of answers have."""

    method: str
    flags: str
    max_work: float
    max_memory: float
    deadline: float | None


@overload
def solve(
    board: Board | str | ArrayLike,
    mines: SupportsIndex | None = None,
    *,
    approximate: None = None,
    **options: Unpack[_Options],
) -> Odds: ...
@overload
def solve(
    board: Board | str | ArrayLike,
    mines: SupportsIndex | None = None,
    *,
    approximate: str,
    seed: int | None = None,
    chains: int = CHAINS,
    sweeps: int = SWEEPS,
    **options: Unpack[_Options],
) -> Estimate: ...
def solve(
    board: Board | str | ArrayLike,
    mines: SupportsIndex | None = None,
    *,
    density: Chance | NDArray[Any] | None = None,
    totals: Mapping[int, Chance] | None = None,
    max_per_cell: SupportsIndex = 1,
    equally_likely: str | None = None,
    topology: Topology | str | None = None,
    method: str = "elimination",
    flags: str = "trust",
    max_work: float = MAX_WORK,
    max_memory: float = MAX_MEMORY,
    deadline: float | None = None,
    approximate: str | None = None,
    seed: int | None = None,
    chains: int = CHAINS,
    sweeps: int = SWEEPS,
) -> Odds | Estimate:
    """The exact odds of a board.

    ``board`` is a Board, or the text or array of one, with ``mines`` in all, or a ``density`` or
    ``totals`` (see `Board`). ``method`` is "elimination" or, for small boards with a number of
    mines, "enumeration". The budget: ``max_work`` in table-entry products (for enumeration, values
    tried; for Gibbs, cells drawn), ``max_memory`` in bytes (enumeration and Gibbs take little and
    are not held to it), ``deadline`` in seconds from now; what the odds are asked afterwards has no
    deadline.

    ``approximate``: "gibbs" or "belief-propagation" gives an `Estimate` instead, for boards that
    are over the budget. Gibbs draws ``sweeps`` configurations in each of ``chains`` chains, the
    same ones for the same ``seed``, and raises NoLayoutFound when it finds none to begin with.

    ``flags="ignore"`` reads every flag as hidden (`Odds.wrong_flags` tells which cannot be right).

    Raises BoardFormatError for what is no board, InconsistentBoardError (with what clashes) when
    no layout fits, BudgetExceeded before memory is taken, DeadlineExceeded; TypeError and
    ValueError for other arguments that make no sense. Ctrl-C is noticed within a tenth of a second,
    and other threads run meanwhile. Cost: about 10 microseconds for an expert position; exponential
    only in the induced width of the clue graph (Dechter, Bucket elimination, 1999; Zhang & Poole,
    Exploiting causal independence in Bayesian network inference, 1996).
    """
    board = as_board(
        board,
        mines,
        density=density,
        totals=totals,
        max_per_cell=max_per_cell,
        equally_likely=equally_likely,
        topology=topology,
    )
    method, flags = one_of("method", method, METHODS), one_of("flags", flags, FLAGS)
    budget = Budget.from_now(max_work, max_memory, deadline)
    cells = board.cells
    if flags == "ignore" and (cells == FLAG).any():
        cells = np.where(cells == FLAG, HIDDEN, cells).astype(np.int8)
    if approximate is not None:
        if cells is not board.cells:
            board = board.with_cells(cells)
        return estimate(board, approximate, budget, seed, chains, sweeps)
    if cells is not board.cells:
        return _weighed(board, cells, budget, budget.without_deadline())
    if method == METHOD and board.is_plain and board.mines is not None:
        try:
            probability, status = _core.odds(
                board.cells,
                board.mines,
                board.topology.prepared,
                max_work=budget.max_work,
                max_memory=budget.max_memory,
                largest_clue=board.topology.largest_number,
                deadline=budget.deadline,
            )
        except REFUSALS as error:
            raise budget.refusal(error) from None
        if status == _OK:
            return Odds(board, probability, method, budget.without_deadline())
    return inspected(board, method, budget, budget.without_deadline())


def inspected(board: Board, method: str, budget: Budget, later: Budget) -> Odds:
    """The odds of a board by the inspectable way at once, for callers who will ask for more.

    ``later`` is the budget of what will be asked. Raises what `solve` raises.
    """
    if not board.is_plain:
        if method != METHOD:
            raise BoardFormatError(
                f"the method {method!r} needs the number of mines, and nothing else"
            )
        return _weighed(board, board.cells, budget, later)
    inference = Inference(board, method, budget)
    odds = Odds(board, inference.probability, method, later)
    inference.budget = later
    odds.__dict__["_inference"] = inference
    return odds


def _weighed(board: Board, cells: NDArray[np.int8], budget: Budget, later: Budget) -> Odds:
    weights = weights_of(board, cells)
    try:
        return Odds.weighed(board, known_cells(board, cells), weights or board.prior, budget, later)
    except InconsistentBoardError:
        known = known_cells(board, cells).ravel()
        if weights is None:
            problem = split(known[None], board.topology).problem(0)
        else:
            problem = WeightedCounting(known, board.topology, weights, budget).frontier
        raise refusal(known, board.topology, problem, board.mines_in_words, budget) from None
