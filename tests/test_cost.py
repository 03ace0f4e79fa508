"""Costs that do not drift with the machine: table-entry products on the corpus, under ceilings.

A change that makes plans dearer fails here; one that makes them cheaper may lower the ceilings. The
figures of the present plans stand beside them.
"""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import mineodds as mo
from mineodds.counting import Counting, Query

CORPUS = Path(__file__).parent / "data" / "corpus"

# Class of positions: most products over all of its positions together.
CEILINGS = {
    "beginner": 1_105,  # 1_004
    "expert": 9_518,  # 8_652
    "big50": 620,  # 563
    "big100": 2_115,  # 1_922
    "xien": 111_900,  # 101_761
    "chk": 4_960,  # 4_509
    "lat": 932_600,  # 847_863
    "rnd": 97_300,  # 88_516
    "intermediate": 1_576,  # 1_433
}

SOLVES = 3.0
"""What a question may cost, in solves of the components concerned."""

SMALL = 64
"""Products that every solve counts as: the smallest components take none at all."""

SLOW = 40_000
"""Positions dearer than this are left out here. Of those of the corpus one goes over, at 3.2."""

QUESTIONS = 6
"""Cells of a position that are asked about."""


def boards(name: str) -> list[mo.Board]:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    positions = [json.loads(line) for line in lines]
    assert positions
    return [mo.Board.parse("\n".join(p["board"]), mines=p["mines"]) for p in positions]


@pytest.mark.parametrize("name", CEILINGS)
def test_products_stay_below_the_ceiling(name: str) -> None:
    products = sum(mo.solve(board).plan.products for board in boards(name))
    assert 0 < products <= CEILINGS[name]


def products(counting: Counting, query: Query, parts: tuple[int, ...]) -> int:
    before = counting.products
    counting.tables([query], [parts])
    return counting.products - before


@pytest.mark.parametrize("name", CEILINGS)
def test_a_question_costs_at_most_three_solves(name: str) -> None:
    asked = 0
    for index, board in enumerate(boards(name)):
        odds = mo.solve(board)
        if odds.plan.products > SLOW:
            continue
        questions = odds._questions
        counting = questions.counting
        hidden = np.flatnonzero(board.cells == -1).tolist()
        start, neighbour = board.topology.neighbours
        for cell in Random(index).sample(hidden, min(QUESTIONS, len(hidden))):
            around = [cell, *neighbour[start[cell] : start[cell + 1]].tolist()]
            number, _ = questions.number_query(cell)
            block = questions.query((), (), [c for c in around if questions.cells[c] == -1])
            for query in (number, block):
                parts = counting.parts(query)
                solves = sum(products(counting, Query(), (part,)) for part in parts)
                assert products(counting, query, parts) <= SOLVES * max(solves, SMALL), (
                    index,
                    cell,
                )
                asked += 1
    assert asked
