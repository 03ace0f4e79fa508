"""Estimates against exact odds, within what they say of themselves."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import mineodds as mo
import weighted_positions
from positions import seeds
from weighted_positions import KINDS

CORPUS = Path(__file__).parent / "data" / "corpus"


def boards_of(name: str, count: int) -> list[mo.Board]:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    cases = [json.loads(line) for line in lines]
    return [mo.Board.parse("\n".join(case["board"]), case["mines"]) for case in cases]


@pytest.mark.parametrize("name", ["beginner", "expert", "lat", "xien"])
def test_gibbs_is_within_its_errors(name: str) -> None:
    scores = []
    for board in boards_of(name, 4):
        exact = mo.solve(board)
        found = mo.solve(board, approximate="gibbs", seed=7, sweeps=2000)
        assert found.converged
        assert found.r_hat < 1.05
        hidden = board.cells == -1
        error = np.abs(found.probability - exact.probability)[hidden]
        assert (error <= 6 * found.standard_error[hidden]).all()
        scores.append(float(np.square(error / found.standard_error[hidden]).mean()))
        assert np.isnan(found.probability[board.cells >= 0]).all()
    assert np.mean(scores) < 2.5  # about 1 if the errors are right


@pytest.mark.parametrize("known", [{"density": 0.2}, {"totals": {3: 1, 4: 2, 6: Fraction(1, 2)}}])
def test_gibbs_takes_any_prior_of_the_total(known: dict[str, object]) -> None:
    cells = mo.Board.parse("#2###\n#####\n112##\n00###\n000##", 5).cells
    exact = mo.solve(cells, **known)
    found = mo.solve(cells, **known, approximate="gibbs", seed=3)
    hidden = cells == -1
    error = np.abs(found.probability - exact.probability)[hidden]
    assert (error <= 6 * found.standard_error[hidden]).all()


def test_nothing_is_certain() -> None:
    board = mo.Board.parse("#2###\n#####\n112##\n00###\n000##", 5)
    exact = mo.solve(board)
    assert exact.safe.any()
    for method in ("gibbs", "belief-propagation"):
        found = mo.solve(board, approximate=method, seed=1)
        chance = found.probability[board.cells == -1]
        assert ((chance > 0) & (chance < 1)).all()
        assert not hasattr(found, "safe")
        assert "Estimate" in repr(found)
        with pytest.raises(ValueError, match="read-only"):
            found.probability[0, 0] = 0


def test_the_seed_names_the_chains() -> None:
    board = boards_of("expert", 1)[0]
    one, same, other = (
        mo.solve(board, approximate="gibbs", seed=seed, sweeps=100) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.probability, same.probability)
    assert not np.array_equal(one.probability, other.probability, equal_nan=True)
    assert one.samples == 400


def test_belief_propagation_is_exact_without_loops() -> None:
    """One clue, or clues in a row that share one group of cells each: a tree."""
    for text in ("#1#\n###", "##2####\n#######", "#1#1#\n#####"):
        exact = mo.solve(text, density=0.3)
        found = mo.solve(text, density=0.3, approximate="belief-propagation")
        assert found.converged
        np.testing.assert_allclose(found.probability, exact.probability, atol=1e-5)
        assert np.isnan(found.standard_error).all()


def test_belief_propagation_is_near_on_real_boards() -> None:
    errors = []
    for board in boards_of("expert", 5):
        found = mo.solve(board, approximate="belief-propagation")
        hidden = board.cells == -1
        errors += np.abs(found.probability - mo.solve(board).probability)[hidden].tolist()
        if found.converged:
            assert np.nansum(found.probability) == pytest.approx(board.mines, abs=0.05)
    assert np.mean(errors) < 0.02


def test_a_board_over_the_budget() -> None:
    board = boards_of("rnd", 1)[0]
    with pytest.raises(mo.BudgetExceeded):
        mo.solve(board, max_work=10)
    found = mo.solve(board, approximate="gibbs", seed=2, sweeps=400)
    assert np.nansum(found.probability) == pytest.approx(board.mines, abs=0.5)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="approximate must be one of gibbs, belief-propagation"):
        mo.solve("#1#", 1, approximate="magic")
    with pytest.raises(ValueError, match="at least 1"):
        mo.solve("#1#", 1, approximate="gibbs", chains=0)
    for count in ({"chains": 10**400}, {"sweeps": 10**5000}, {"sweeps": 2**63}):
        for method in ("gibbs", "belief-propagation"):
            with pytest.raises(ValueError, match=r"both less than 2\*\*63, not .*,"):
                mo.solve("#1#", 1, approximate=method, max_work=math.inf, **count)
    with pytest.raises(mo.BoardFormatError, match="no distribution of totals"):
        mo.solve("#1#", totals={1: 1}, approximate="belief-propagation")
    with pytest.raises(mo.InconsistentBoardError, match="cannot hold"):
        mo.solve("#3#", 3, approximate="gibbs")
    with pytest.raises(mo.InconsistentBoardError, match="cannot hold together"):
        mo.solve("#1#\n#3#\n111", 3, approximate="gibbs")
    # Consistent as far as single clues tell, but no layout has that many mines.
    with pytest.raises(mo.NoLayoutFound, match="no layout was found"):
        mo.solve("#1#\n###", 2, approximate="gibbs")
    with pytest.raises(mo.DeadlineExceeded):
        mo.solve(boards_of("rnd", 1)[0], approximate="gibbs", sweeps=10**6, deadline=0.2)


def test_weights_of_totals_beyond_doubles() -> None:
    text, huge = "#1#\n###", 10**400
    known = mo.solve(text, totals={1: 1, 2: 2}, approximate="gibbs", seed=3, sweeps=200)
    found = mo.solve(text, totals={1: huge, 2: 2 * huge}, approximate="gibbs", seed=3, sweeps=200)
    np.testing.assert_allclose(found.probability, known.probability, rtol=1e-12)


def test_a_board_without_clues_and_one_without_hidden_cells() -> None:
    found = mo.solve("###\n###", 2, approximate="gibbs", sweeps=100)
    assert found.probability[0, 0] == pytest.approx(1 / 3, abs=1e-2)
    found = mo.solve("###\n###", 2, approximate="belief-propagation")
    assert found.probability[0, 0] == pytest.approx(1 / 3, abs=1e-5)
    assert math.isnan(mo.solve("0", 0, approximate="gibbs").probability[0, 0])


@pytest.mark.parametrize("asked", [{"chains": 10**9}, {"sweeps": 10**9}, {"chains": 2**62}])
def test_draws_beyond_the_budget_are_refused(asked: dict[str, int]) -> None:
    with pytest.raises(mo.BudgetExceeded, match="chains of"):
        mo.solve("#2#\n###", 2, approximate="gibbs", **asked)


@pytest.mark.parametrize("kind", KINDS)
def test_gibbs_is_within_its_errors_where_cells_are_not_alike(kind: str) -> None:
    scores = []
    for seed in seeds(40):
        _, (position, known, layouts) = KINDS[kind](seed)
        board = weighted_positions.solve(position, known).board
        found = mo.solve(board, approximate="gibbs", seed=seed, sweeps=1000)
        for cell in position.hidden:
            chance = float(layouts.chance(lambda held, at=cell: held[at] > 0))
            error = abs(found.probability[cell] - chance)
            assert error <= 6 * found.standard_error[cell]
            scores.append((error / found.standard_error[cell]) ** 2)
    assert np.mean(scores) < 2.5


@pytest.mark.parametrize("kind", KINDS)
def test_belief_propagation_where_cells_are_not_alike(kind: str) -> None:
    """Near as a rule; what converged agrees with the clues, and with the number of mines."""
    errors = []
    for seed in range(60):
        _, (position, known, layouts) = KINDS[kind](seed)
        if "totals" in known:
            continue
        exact = weighted_positions.solve(position, known)
        found = mo.solve(exact.board, approximate="belief-propagation")
        hidden = exact.board.cells == -1
        errors += np.abs(found.probability - exact.probability)[hidden].tolist()
        if found.converged and layouts.weight_of:
            assert not found.clue_error > 1e-4
    assert np.median(errors) < 1e-5
    assert np.mean(errors) < 0.03


def test_belief_propagation_is_exact_on_trees_of_unlike_cells() -> None:
    chance = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 1e-9]])
    for known in (
        {"density": chance},
        {"density": np.array([[Fraction(1, 3), 0, 1], [0.5, 0.25, 0.125]])},
    ):
        exact = mo.solve("#2#\n###", **known)
        found = mo.solve("#2#\n###", **known, approximate="belief-propagation")
        assert found.converged
        np.testing.assert_allclose(found.probability, exact.probability, atol=1e-5)


def test_an_error_of_the_clues_proves_an_error_of_a_cell() -> None:
    """The chances around a number add up to what it says: whoever is off by e is off somewhere."""
    for board in boards_of("rnd", 1) + boards_of("expert", 3):
        found = mo.solve(board, approximate="belief-propagation")
        assert found.clue_error >= 0.0
        assert "unknown accuracy" in repr(found)
    assert mo.solve(board, approximate="gibbs", sweeps=100, seed=1).clue_error == 0.0
    assert math.isnan(mo.solve("##", 1, approximate="belief-propagation").clue_error)
