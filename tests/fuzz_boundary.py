"""Fuzz target: the Python boundary, with arguments that mean nothing.

    python tests/fuzz_boundary.py -max_total_time=1800

Arrays of any type, shape, stride and byte order, numbers of any size, cells outside of the board,
in any order of calls. Every call answers, or raises an error of this package, TypeError, ValueError
or IndexError; nothing else, and the process lives.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from fuzzing import Choices, run_atheris

TYPES = (
    "i1", "i1", "i1", "i1", "i2", "i4", "i8", "u1", "u8", ">i4", ">i8", "f4", "f8", "c16", "?", "O",
    "S1", "U1", "m8[s]",
)  # fmt: skip
VALUES = (-1, -1, -1, -1, -2, 0, 0, 1, 1, 1, 2, 2, 3, 4, 8, 9, -3, 127, -128, 10**20, -(10**20))
NUMBERS: tuple[Any, ...] = (
    0, 1, 2, 3, 4, 5, 8, 12, -1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63), 10**30,
    None, 1.5, 2.0, float("nan"), float("inf"), True, "3", np.int8(3), np.uint64(2**63),
    np.float64(2), np.array(3), np.array([3]), [], b"3",
)  # fmt: skip
SIDES = (0, 1, 1, 2, 3, 3, 4, 5, 7)
LIMITS: tuple[Any, ...] = (1e5, 1e6, 0, -1, float("nan"), None, "many", 10**400, 1e9)
PRIORS: tuple[dict[str, Any], ...] = (
    {"density": 0.2}, {"density": Fraction(1, 3)}, {"density": 1e-300}, {"density": 1.5},
    {"density": np.full((2, 2), 0.25)}, {"density": "half"}, {"totals": {1: 0.5, 2: 0.5}},
    {"totals": {0: 1}}, {"totals": {10**30: 1.0, 2: 1e-300}}, {"totals": {}}, {"totals": 3},
    {"max_per_cell": 2, "equally_likely": "arrangements"}, {"max_per_cell": 10**20},
    {"max_per_cell": 3, "equally_likely": "placements"}, {"max_per_cell": 2},
    {"topology": "torus"}, {"topology": "hexagonal"}, {"topology": "knight"}, {"topology": 3},
    {"approximate": "gibbs", "sweeps": 3, "chains": 2}, {"approximate": "belief-propagation"},
)  # fmt: skip
MOST_LAYOUTS = 20


def array_of(choices: Choices, dimensions: int) -> Any:
    """An array or nested list that a caller could hand over, rightly or wrongly."""
    if choices.below(16) == 0:
        dimensions = choices.below(5)
    shape = tuple(choices.one_of(SIDES) for _ in range(dimensions))
    size = int(np.prod(shape, dtype=np.int64))
    values = [VALUES[choices.byte() % len(VALUES)] for _ in range(size)]
    kind = choices.one_of(TYPES)
    if kind != "O":
        values = [value if abs(value) < 200 else 0 for value in values]
    array = np.array(values, dtype=object).reshape(shape)
    if kind in ("u1", "u8"):
        array = np.asarray(np.abs(array))
    array = array.astype(kind) if kind != "m8[s]" else array.astype("i8").astype(kind)
    match choices.below(10):
        case 0:
            return array.tolist()
        case 1:
            return array.T
        case 2:
            return array[..., ::-1]
        case 3:
            return np.asfortranarray(array)
        case 4:
            return array[::2]
        case 5:
            array.flags.writeable = False
            return array
        case 6:
            return tuple(array.tolist()) + ((choices.one_of(NUMBERS),) if choices.byte() else ())
    return array


def number(choices: Choices) -> Any:
    return choices.one_of(NUMBERS)


def mostly_small(choices: Choices) -> Any:
    return choices.below(4) if choices.byte() < 200 else number(choices)


def few_or_impossible(choices: Choices) -> Any:
    """A number of things to make: whoever asks for a billion gets them, or a MemoryError."""
    count = mostly_small(choices)
    return 3 if isinstance(count, int | np.integer) and 1000 < count < 2**63 else count


def cells_of(choices: Choices) -> Any:
    return [(mostly_small(choices), mostly_small(choices)) for _ in range(choices.below(4))]


def use_board(choices: Choices) -> None:
    import mineodds

    board = mineodds.Board(array_of(choices, 2), mostly_small(choices))
    assert pickle.loads(pickle.dumps(board)) == board
    assert mineodds.Board.parse(str(board)) == board


def ask(choices: Choices) -> None:
    """A board, and several questions to it."""
    import mineodds

    options: dict[str, Any] = {"max_work": 1e6, "max_memory": 1e8}
    if choices.byte() < 64:
        options = {
            "method": choices.one_of(("elimination", "enumeration", "guess")),
            "flags": choices.one_of(("trust", "ignore", None)),
            "max_work": choices.one_of(LIMITS),
            "max_memory": choices.one_of(LIMITS),
            "deadline": choices.one_of((None, 0, 1e-9, 10, -1, float("nan"), "soon")),
        }
    mines = mostly_small(choices)
    if choices.byte() < 64:
        options |= choices.one_of(PRIORS)
        mines = choices.one_of((mines, None, None))
    odds: Any = mineodds.solve(array_of(choices, 2), mines, **options)
    if not isinstance(odds, mineodds.Odds):
        return
    questions: tuple[Callable[[], object], ...] = (
        lambda: odds.probability.sum(),
        lambda: odds.solutions,
        lambda: odds.fraction(mostly_small(choices), mostly_small(choices)),
        lambda: odds.fractions(),
        lambda: odds.distribution(cells_of(choices), cells_of(choices), cells_of(choices)),
        lambda: odds.number(mostly_small(choices), mostly_small(choices)),
        lambda: odds.numbers(),
        lambda: odds.entropy(),
        lambda: odds.information(mostly_small(choices), mostly_small(choices)),
        lambda: odds.sample(few_or_impossible(choices), seed=number(choices)),
        lambda: odds.most_likely(),
        lambda: sum(1 for _ in odds.layouts(MOST_LAYOUTS)),
        lambda: next(odds.layouts(number(choices)), None),
        lambda: odds.given(cells_of(choices), cells_of(choices)).solutions,
        lambda: (
            odds.after(
                mostly_small(choices), mostly_small(choices), mostly_small(choices)
            ).solutions
        ),
        lambda: odds.explain(mostly_small(choices), mostly_small(choices)),
        lambda: odds.wrong_flags(),
        lambda: str(odds.plan),
        lambda: odds.components.max(),
    )
    for _ in range(1 + choices.below(4)):
        question = choices.one_of(questions)
        survive(question)


def ask_many(choices: Choices) -> None:
    import mineodds

    boards = array_of(choices, 3)
    mines = array_of(choices, 1) if choices.byte() < 64 else mostly_small(choices)
    workers = choices.one_of((None, 1, 1, 2, 3, 0, -1, 1.5))
    batch = mineodds.solve_many(boards, mines, workers=workers, max_work=1e6, max_memory=1e8)
    assert batch.probability.shape == np.shape(boards)
    assert batch.status.shape == np.shape(boards)[:1]
    for answer, status in zip(batch.probability, batch.status, strict=True):
        assert status == 0 or np.isnan(answer).all()


def play(choices: Choices) -> None:
    import mineodds

    sides = (*SIDES, -1, 2**31, 2**63, 1.5, "3", None)
    rows: Any = choices.one_of(sides)
    cols: Any = choices.one_of(sides)
    rule: Any = choices.one_of(("any", "safe", "opening", "never", None))
    game = mineodds.Game(rows, cols, mostly_small(choices), rule, seed=mostly_small(choices))
    for _ in range(choices.below(12)):
        action = choices.one_of((game.open, game.open, game.open, game.flag, game.chord))
        survive(lambda action=action: action(mostly_small(choices), mostly_small(choices)))
        if choices.byte() < 40:
            game.undo()
    again = pickle.loads(pickle.dumps(game))
    assert again.board == game.board
    assert again.state == game.state
    survive(lambda: game.layout)
    policy = choices.one_of(("safest", "pseq", "progress", "minimax", "survival", "none"))
    survive(lambda: mineodds.best_move(game.board, policy=policy, max_work=1e5, max_memory=1e8))


def use_core(choices: Choices) -> None:
    """The compiled module itself, with arrays of the right types and any content."""
    from mineodds import _core

    def integers(count: int) -> Any:
        return np.array([VALUES[choices.byte() % 19] for _ in range(count)], dtype=np.int32)

    def starts(count: int) -> Any:
        steps = np.array([choices.below(4) for _ in range(count)])
        return np.concatenate([[choices.below(20) // 19], np.cumsum(steps)]).astype(np.int32)

    clues = choices.below(5)
    start = starts(clues) if choices.byte() < 240 else integers(clues)
    cells = integers(int(start[-1]) if start.size and choices.byte() < 240 else 3)
    need = integers(clues)
    limits = {"max_work": 1e5, "max_memory": 1e8}
    engines = [
        lambda: _core.Elimination(9, start, cells, need, **limits),
        lambda: _core.Enumeration(9, start, cells, need, max_work=1e5),
    ]
    engine: Any = choices.one_of(engines)()
    size = engine.most_mines - engine.least_mines + 1 if choices.byte() < 200 else choices.below(5)
    weight = np.array([choices.one_of((0.0, 1.0, 0.5, 1e300)) for _ in range(size)])
    exponent = np.array([choices.one_of((0, 1, -5000, 2**40)) for _ in range(size)], dtype=np.int64)
    survive(lambda: engine.evaluate(weight, exponent, np.full(size, 0.5)))
    prime = choices.one_of((_core.primes(1)[0], 7, 2, 0, 2**61, 2**64 - 1))
    survive(lambda: engine.evaluate_modular(prime, np.ones(size, dtype=np.uint64)))
    survive(lambda: _core.Neighbours(start, cells))
    factors = starts(choices.below(6))
    length = max(int(factors[-1]), 0)
    some = weight[np.arange(length) % size] if size else np.ones(length)
    powers = exponent[np.arange(length) % size] if size else np.zeros(length, dtype=np.int64)
    total = np.ones(choices.one_of((length - factors.size + 2, 0, 3)) if length else 1)
    choice_start = starts(choices.below(4))
    choice = integers(max(int(choice_start[-1]), 0))
    survive(
        lambda: _core.outside_weights(
            factors, some, powers, total=total, total_exponent=np.zeros(total.size, dtype=np.int64),
            choice_start=choice_start, choice=choice, max_work=1e5,
        )
    )  # fmt: skip
    classes = integers(choices.one_of((0, 9)))
    values = np.zeros(choices.below(30))
    survive(lambda: _core.reduced(9, start, cells, need, classes))
    survive(
        lambda: _core.gibbs(
            9, start, cells, need, cell_class=classes, log_value=values, value_share=values,
            log_weight=np.zeros(choices.one_of((10, 3))), density=0.3, seed=1, chain=0, tries=1,
            warm_up=1, batches=choices.below(3), batch=1,
        )
    )  # fmt: skip


def survive(call: Callable[[], object]) -> None:
    """Errors that say what is wrong are right."""
    import mineodds
    from mineodds import _core

    refusals = (
        mineodds.MineoddsError, _core.CostExceeded, _core.DeadlinePassed,
        TypeError, ValueError, IndexError,
    )  # fmt: skip
    try:
        call()
    except refusals as error:
        if not str(error):
            raise AssertionError("an error without words") from error


TARGETS = (use_board, ask, ask, ask_many, play, use_core)


def target(data: bytes) -> None:
    choices = Choices(data)
    use = choices.one_of(TARGETS)
    survive(lambda: use(choices))


if __name__ == "__main__":
    run_atheris("fuzz_boundary")
