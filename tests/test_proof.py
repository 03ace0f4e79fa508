"""Explanations prove what they say, nothing can be left out, and small ones are smallest."""

from random import Random

import numpy as np
import pytest

import mineodds as mo
from positions import random_position, seeds
from reference.questions import proves, smallest_proof


@pytest.mark.parametrize("seed", seeds(120))
def test_explanations_prove_and_are_smallest(seed: int) -> None:
    position = random_position(Random(seed), 10, max_side=5, spoil=0.0)
    if len(position.clues) > 11:
        return
    odds = mo.solve(np.array(position.cells, dtype=np.int8), position.mines)
    for cell in position.hidden:
        explanation = odds.explain(*cell)
        if 0.0 < odds.probability[cell] < 1.0:
            assert explanation.layouts is not None
            with_mine, without = explanation.layouts
            assert with_mine[cell]
            assert not without[cell]
            assert explanation.clues == ()
            assert "not certain" in explanation.rule
            continue
        assert proves(position, explanation.clues, explanation.total, cell)
        for left_out in explanation.clues:
            rest = set(explanation.clues) - {left_out}
            assert not proves(position, rest, explanation.total, cell)
        without_total = smallest_proof(position, cell, total=False)
        assert explanation.total == (without_total is None)
        assert explanation.minimum
        size = without_total if without_total is not None else smallest_proof(position, cell, True)
        assert len(explanation.clues) == size


def test_rules_have_names() -> None:
    complete = mo.solve("1#\nF#", 1).explain(0, 1)
    assert complete.clues == ((0, 0),)
    assert "complete" in complete.rule
    assert not complete.total
    full = mo.solve("1#", 1).explain(0, 1)
    assert full.clues == ((0, 0),)
    assert "full" in full.rule
    pair = mo.solve("###\n121\n...", 2).explain(0, 0)
    assert len(pair.clues) == 2
    assert "two clues" in pair.rule
    total = mo.solve("##\n##", 4).explain(0, 0)
    assert total.clues == ()
    assert total.total
    assert "total" in str(total)
    assert "(0, 0)" in str(full)


def test_nothing_to_explain() -> None:
    odds = mo.solve("1F#", 2)
    for cell in ((0, 0), (0, 1)):
        with pytest.raises(ValueError, match="not hidden"):
            odds.explain(*cell)


def test_an_explanation_under_a_condition_trusts_the_condition() -> None:
    odds = mo.solve("###\n#1#\n###", 1).given(mine=[(0, 0)])
    explanation = odds.explain(2, 2)
    assert explanation.clues == ((1, 1),)
    assert not explanation.total
