"""What an inconsistent board is said to clash in: true, without anything to spare, and smallest."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

import mineodds
from mineodds.clash import SMALL_COMPONENT, fitting_totals
from mineodds.frontier import Problem, split
from positions import position_of, random_position, wrong_number
from reference import InconsistentPosition, Position, brute_force
from reference.position import HIDDEN


def problem_of(position: Position) -> Problem:
    board = mineodds.Board(position.cells, position.mines)
    return split(board.cells[None], board.topology).problem(0)


def hold_together(problem: Problem, clues: tuple[int, ...]) -> bool:
    """Whether some placement agrees with these clues, by trying the cells one after the other."""
    needs = {clue: int(problem.clue_need[clue]) for clue in clues}
    cells = {
        clue: problem.clue_cell[problem.clue_start[clue] : problem.clue_start[clue + 1]].tolist()
        for clue in clues
    }
    order = sorted(set().union(*cells.values()))

    def place(index: int, mines: frozenset[int]) -> bool:
        for clue, need in needs.items():
            placed = sum(cell in mines for cell in cells[clue])
            open_cells = sum(cell not in order[:index] for cell in cells[clue])
            if not need - open_cells <= placed <= need:
                return False
        if index == len(order):
            return True
        return place(index + 1, mines) or place(index + 1, mines | {order[index]})

    return place(0, frozenset())


def clashing_positions(count: int) -> list[tuple[int, Position, mineodds.InconsistentBoardError]]:
    """Seeded positions whose numbers clash, two or more of them."""
    found = []
    seed = 0
    while len(found) < count:
        seed += 1
        rng = Random(seed)
        position = wrong_number(rng, random_position(rng, 25, max_side=7, spoil=0.0))
        try:
            mineodds.solve(mineodds.Board(position.cells, position.mines))
        except mineodds.InconsistentBoardError as error:
            if len(error.clues) > 1:
                found.append((seed, position, error))
    return found


def test_clues_clash_and_none_can_be_left_out() -> None:
    for seed, position, error in clashing_positions(60):
        problem = problem_of(position)
        places = [divmod(cell, position.cols) for cell in problem.clue.tolist()]
        clues = tuple(places.index(place) for place in error.clues)
        assert list(error.clues) == sorted(error.clues)
        assert error.totals is None
        assert not hold_together(problem, clues), (seed, str(position))
        for fewer in combinations(clues, len(clues) - 1):
            assert hold_together(problem, fewer), (seed, str(position))


def test_a_smallest_set_in_small_components() -> None:
    checked = 0
    for seed, position, error in clashing_positions(60):
        component = next(
            part for part in position.components if error.clues[0] in [c.cell for c in part.clues]
        )
        if len(component.clues) > SMALL_COMPONENT:
            continue
        checked += 1
        problem = problem_of(position)
        places = [divmod(cell, position.cols) for cell in problem.clue.tolist()]
        members = [places.index(clue.cell) for clue in component.clues]
        for clues in combinations(members, len(error.clues) - 1):
            assert hold_together(problem, clues), (seed, str(position))
    assert checked > 10


def test_only_all_five_numbers_clash() -> None:
    with pytest.raises(mineodds.InconsistentBoardError, match="cannot hold together") as caught:
        mineodds.solve("3#33##\n#####2\n3###4#", 6)
    assert caught.value.clues == ((0, 0), (0, 2), (0, 3), (1, 5), (2, 4))


def test_a_number_that_cannot_hold_by_itself() -> None:
    with pytest.raises(mineodds.InconsistentBoardError, match=r"4 at \(1, 1\) cannot") as caught:
        mineodds.solve("##1\n#41\n11.", 3)
    assert (caught.value.clues, caught.value.totals) == (((1, 1),), None)


def test_a_clash_in_a_large_board() -> None:
    """Three numbers of thousands, in one component, far from both ends."""
    cells = np.full((3, 3000), -1, dtype=np.int8)
    cells[1, ::2] = 2
    cells[1, 1700:1704:2] = 5, 0
    with pytest.raises(mineodds.InconsistentBoardError) as caught:
        mineodds.solve(cells, 3000)
    assert caught.value.clues == ((1, 1698), (1, 1700), (1, 1702))


def test_totals_are_those_that_fit() -> None:
    """Of random boards: every other total is refused, and the refusal names those that are not."""
    for seed in range(40):
        position = random_position(Random(seed), 12, max_side=5, spoil=0.0)
        fitting = []
        named = set()
        for mines in range(position.rows * position.cols + 1):
            try:
                brute_force.solve(Position(position.cells, mines))
                fitting.append(mines)
            except InconsistentPosition:
                with pytest.raises(mineodds.InconsistentBoardError) as caught:
                    mineodds.solve(mineodds.Board(position.cells, mines))
                assert caught.value.clues == ()
                assert caught.value.totals is not None
                named.add(caught.value.totals)
        expected = tuple(ranges(fitting))
        assert named <= {expected}, (seed, str(position))


def ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Runs of consecutive numbers as (first, last)."""
    firsts = [number for number in numbers if number - 1 not in numbers]
    lasts = [number for number in numbers if number + 1 not in numbers]
    return list(zip(firsts, lasts, strict=True))


def test_totals_can_have_gaps() -> None:
    """Where deep cells do not fill them."""
    assert fitting_totals([2, 5, 6], 1, 0) == [(3, 3), (6, 7)]
    assert fitting_totals([2, 5, 6], 0, 1) == [(2, 3), (5, 7)]
    assert fitting_totals([2, 5, 6], 0, 2) == [(2, 8)]


def test_too_many_flags_is_a_matter_of_totals() -> None:
    position = position_of(1, 4, {(0, 0), (0, 1)}, set(), {(0, 0), (0, 1)})
    assert position.cells[0][2] == HIDDEN
    with pytest.raises(mineodds.InconsistentBoardError, match="fit 2 to 4") as caught:
        mineodds.solve(mineodds.Board(position.cells, 1))
    assert caught.value.totals == ((2, 4),)
