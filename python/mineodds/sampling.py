"""Whole layouts: drawn at random, the most likely, and all of them one after the other.

Random layouts come from the core's walk down the join tree (sampling.hpp) and are exactly as likely
as the prior says; all layouts come from the enumeration engine, as configurations under one more
clue: that all hidden cells together hold the mines that are left.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.contracts import generator_state, limit
from mineodds.engine import Budget, elimination
from mineodds.errors import shown
from mineodds.frontier import Problem
from mineodds.polynomials import wide_arrays
from mineodds.priors import FixedTotal, Prior
from mineodds.questions import Questions, impossible_condition
from mineodds.text import FLAG


def sample(
    questions: Questions, count: int, seed: int | None, budget: Budget, prior: Prior | None = None
) -> NDArray[np.bool_]:
    """``count`` independent layouts, bool (count, cells), flags included.

    The same seed gives the same layouts, and the first of them however many are drawn; None takes
    a fresh one from the system. ``prior`` replaces that of the questions.
    """
    if count < 0:
        raise ValueError(f"the number of layouts must not be negative: {shown(count)}")
    problem = questions.problem
    prior = questions.counting.prior if prior is None else prior
    engine = elimination(problem, budget)
    deep = problem.deep.size
    weights = prior.free_weights(deep, engine.most_mines)
    mantissa, exponent = wide_arrays(weights[engine.least_mines :])
    start, mines, chance = _deep_choices(prior, deep, engine.least_mines, engine.most_mines)
    counts = _core.sample_layouts(
        engine,
        mantissa,
        exponent,
        start,
        mines,
        chance,
        problem.cell,
        problem.deep,
        questions.cells.size,
        count,
        generator_state(seed),
    )
    layouts: NDArray[np.bool_] = counts.view(np.bool_)
    layouts[:, questions.cells == FLAG] = True
    return layouts


def most_likely(questions: Questions, seed: int | None, budget: Budget) -> NDArray[np.bool_]:
    """A layout of the greatest weight, bool (cells,); drawn among those if there are several."""
    prior = questions.counting.prior
    possible = [
        (prior.weight(mines), -mines)
        for mines in _totals(questions)
        if prior.weight(mines) and questions.layouts_with(mines)
    ]
    if not possible:
        raise impossible_condition()
    layout: NDArray[np.bool_] = sample(questions, 1, seed, budget, FixedTotal(-max(possible)[1]))[0]
    return layout


def refuse_too_many(count: int, cells: int, budget: Budget) -> None:
    """Raises BudgetExceeded when so many layouts take too much memory."""
    memory = limit("memory", max(count, 0) * cells)
    if memory > budget.max_memory:
        raise budget.exceeded(
            f"{_many(count)} layouts of {cells:,} cells take {memory / 2**20:,.0f} MiB "
            f"(max_memory is {budget.max_memory / 2**20:,.0f} MiB): draw fewer at a time",
            memory=memory,
        )


def _many(count: int) -> str:
    return f"{count:,}" if count < 10**40 else shown(count)


def layouts(questions: Questions) -> Iterator[NDArray[np.bool_]]:
    """All layouts, bool (cells,), the fewest mines first.

    Those with as many mines come in the order of configurations.hpp: by components, values, places.
    Nothing is held but the one at hand.
    """
    prior = questions.counting.prior
    hidden = np.concatenate([questions.problem.cell, questions.problem.deep])
    flags = questions.cells == FLAG
    for mines in _totals(questions):
        if not prior.weight(mines):
            continue
        problem = with_total(questions.problem, mines)
        iterator = _core.Configurations(
            hidden.size, problem.clue_start, problem.clue_cell, problem.clue_need
        )
        while (configuration := iterator.next()) is not None:
            layout = flags.copy()
            layout[hidden] = configuration
            yield layout


def _totals(questions: Questions) -> range:
    """The numbers of mines on the hidden cells that the prior's range and the cells allow."""
    least, most = questions.counting.prior.range()
    cells = questions.problem.cell.size + questions.problem.deep.size
    return range(max(least, 0), min(most, cells) + 1)


def with_total(problem: Problem, mines: int) -> Problem:
    """With one more clue: so many mines on all hidden cells, the deep ones numbered last."""
    hidden = problem.cell.size + problem.deep.size
    every = np.arange(hidden, dtype=np.int32)
    start = problem.clue_start
    if hidden:
        start = np.append(start, np.int32(start[-1] + hidden)).astype(np.int32)
    return replace(
        problem,
        clue_start=start,
        clue_cell=np.concatenate([problem.clue_cell, every]),
        clue_need=np.append(problem.clue_need, [mines] if hidden else []).astype(np.int32),
    )


def _deep_choices(
    prior: Prior, deep: int, least: int, most: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """The deep cells' numbers of mines and their chances, for every number on the frontier."""
    start = [0]
    mines: list[int] = []
    chance: list[float] = []
    for fixed in range(least, most + 1):
        choices = prior.free_choices(deep, fixed)
        total = sum(choices.values())
        mines += choices
        chance += [weight / total for weight in choices.values()]
        start.append(len(mines))
    return (
        np.array(start, dtype=np.int32),
        np.array(mines, dtype=np.int32),
        np.array(chance, dtype=np.float64),
    )
