"""Plans of wide boards: what they predict is what they cost, and what is too dear is refused.

The corpus's wide classes are solved with whatever plan is chosen; dense lattices of 31x31 cells
are beyond the default budget and must be refused before memory is taken.
"""

import json
import resource
import sys
from pathlib import Path

import numpy as np
import pytest

import mineodds as mo

CORPUS = Path(__file__).parent / "data" / "corpus"


@pytest.mark.parametrize("name", ["lat", "chk", "xien", "rnd"])
def test_predicted_work_is_within_ten_of_the_counted(name: str) -> None:
    for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        position = json.loads(line)
        board = mo.Board.parse("\n".join(position["board"]), mines=position["mines"])
        plan = mo.solve(board).plan
        assert plan.products <= 10 * plan.work, position["name"]
        assert plan.work <= 10 * plan.products, position["name"]


def lattice(side: int, share: float, seed: int) -> mo.Board:
    """A clue on every second cell both ways, the given share of all cells mines."""
    random = np.random.default_rng([seed, side, round(100 * share)])
    clue = np.zeros((side, side), dtype=np.bool_)
    clue[1::2, 1::2] = True
    mine = np.zeros(side * side, dtype=np.int8)
    mines = round(share * side * side)
    mine[random.choice(np.flatnonzero(~clue), mines, replace=False)] = 1
    padded = np.pad(mine.reshape(side, side), 1)
    number = sum(padded[row : row + side, col : col + side] for row in range(3) for col in range(3))
    return mo.Board(np.where(clue, number, -1).astype(np.int8), mines=mines)


@pytest.mark.parametrize("share", [0.3, 0.35, 0.4])
def test_what_is_over_the_budget_is_refused_before_memory_is_taken(share: float) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(mo.BudgetExceeded) as caught:
        mo.solve(lattice(31, share, 1), max_memory=2.0**24)
    assert caught.value.memory > 2.0**24
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert taken * (1 if sys.platform == "darwin" else 1024) < 2**26


def test_a_lattice_within_the_budget_keeps_to_it() -> None:
    board = lattice(23, 0.2, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    odds = mo.solve(board, max_memory=2.0**28)
    assert np.nansum(odds.probability) == pytest.approx(board.mines, rel=1e-12)
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert taken * (1 if sys.platform == "darwin" else 1024) < 2**28
