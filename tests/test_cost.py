"""Costs that do not drift with the machine: table-entry products on the corpus, under ceilings.

A change that makes plans dearer fails here; one that makes them cheaper may lower the ceilings. The
figures of the present plans stand beside them.
"""

import json
from pathlib import Path

import pytest

import mineodds as mo

CORPUS = Path(__file__).parent / "data" / "corpus"

# Class of positions: most products over all of its positions together.
CEILINGS = {
    "beginner": 1_105,  # 1_004
    "expert": 9_518,  # 8_652
    "big50": 620,  # 563
    "big100": 2_115,  # 1_922
    "xien": 165_299,  # 150_271
    "chk": 4_960,  # 4_509
}


@pytest.mark.parametrize("name", CEILINGS)
def test_products_stay_below_the_ceiling(name: str) -> None:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    positions = [json.loads(line) for line in lines]
    assert positions
    products = 0
    for position in positions:
        board = mo.Board.parse("\n".join(position["board"]), mines=position["mines"])
        products += mo.solve(board).plan.products
    assert 0 < products <= CEILINGS[name]
