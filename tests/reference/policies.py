"""The policies as they are defined, with exact fractions: every cell, every answer, no shortcut.

``figures(position, policy)`` gives the candidates and their figures in the policy's order, larger
being better; ``choose`` applies the rule of ties to them: figures within 1e-9 (relative) of the
best are equal, then the next figure decides, at last row-major order. Certain safe cells come
first. Positions hold no flags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from math import log2

from reference import enumeration
from reference.answer import Answer, InconsistentPosition
from reference.position import Cell, Component, Position
from reference.totals import Counts, join

TIE = 1e-9


@lru_cache(maxsize=50_000)
def solve(position: Position) -> Answer | None:
    """The exact answer; None when no layout fits."""
    try:
        return join(position, [count(component) for component in position.components])
    except InconsistentPosition:
        return None


@lru_cache(maxsize=50_000)
def count(component: Component) -> Counts:
    """Opening a cell changes few components: the others are counted once."""
    return enumeration.count(component)


def risk(answer: Answer, cell: Cell) -> Fraction:
    chance = answer.fraction[cell[0]][cell[1]]
    assert chance is not None
    return chance


def opened(position: Position, cell: Cell, number: int) -> Position:
    """The position after the cell turned out safe and shows the number."""
    lines = [list(line) for line in position.cells]
    lines[cell[0]][cell[1]] = number
    return Position(tuple(map(tuple, lines)), position.mines, position.neighbours)


@lru_cache(maxsize=10_000)
def answers(position: Position, cell: Cell) -> list[tuple[Fraction, Position, Answer]]:
    """Every number that the cell can show: its chance (with being safe), and what follows."""
    now = solve(position)
    assert now is not None
    found = []
    for number in range(len(position.around(cell)) + 1):
        after = opened(position, cell, number)
        then = solve(after)
        if then is not None:
            found.append((Fraction(then.solutions, now.solutions), after, then))
    return found


def entropy(chances: Sequence[Fraction]) -> float:
    return -sum(float(p) * log2(p) for p in chances if p)


@lru_cache(maxsize=10_000)
def figures_of(position: Position, cell: Cell) -> dict[str, float]:
    """All figures of one opening that look one click ahead."""
    now = solve(position)
    assert now is not None
    found = answers(position, cell)
    chances = [p for p, _, _ in found]
    safe = sum(chances)
    certain = [len((then.safe | then.mine) - now.safe - now.mine - {cell}) for _, _, then in found]
    return {
        "progress": float(sum(p for p, _, then in found if then.safe)),
        "expected_safe": float(sum(p * len(then.safe) for p, _, then in found)),
        "number_entropy": entropy([p / safe for p in chances]),
        "information": entropy([*chances, risk(now, cell)]),
        "fewest_certain": float(min(certain)),
        "expected_certain": float(sum(p * n for (p, _, _), n in zip(found, certain, strict=True))),
    }


def local_progress(position: Position, cell: Cell) -> Fraction:
    """Chance of a number from which complete and full clues find a safe cell.

    The cell is taken to be safe, and the mines around it to be independent.
    """
    now = solve(position)
    assert now is not None
    around = [other for other in position.around(cell) if other in position.hidden]
    undecided = [other for other in around if other not in now.mine]
    total = Fraction(0)
    for number in range(len(undecided) + 1):
        after = opened(position, cell, len(around) - len(undecided) + number)
        if finds_safe_cell(after, now.mine):
            total += independent(number, [risk(now, other) for other in undecided])
    return total


def independent(number: int, chances: Sequence[Fraction]) -> Fraction:
    """The chance that so many of independent events happen."""
    if not chances:
        return Fraction(number == 0)
    first, *rest = chances
    missed = (1 - first) * independent(number, rest)
    return missed if number == 0 else missed + first * independent(number - 1, rest)


def finds_safe_cell(position: Position, mines: Set[Cell]) -> bool:
    """Whether complete and full clues, with these mines known, find a safe cell and no clash."""
    safe: set[Cell] = set()
    mines = set(mines)
    while True:
        before = len(safe) + len(mines)
        for clue in position.clues:
            open_cells = set(clue.hidden) - safe - mines
            need = clue.need - len(mines & set(clue.hidden))
            if not 0 <= need <= len(open_cells):
                return False
            if need == 0:
                safe |= open_cells
            elif need == len(open_cells):
                mines |= open_cells
        if len(safe) + len(mines) == before:
            return bool(safe)


def won(position: Position) -> bool:
    return len(position.hidden) == position.mines


@lru_cache(maxsize=200_000)
def survival(position: Position, depth: int) -> Fraction:
    """V_depth: the greatest chance to survive so many clicks."""
    if depth == 0 or won(position):
        return Fraction(1)
    return max(survival_of(position, cell, depth) for cell in position.hidden)


def survival_of(position: Position, cell: Cell, depth: int) -> Fraction:
    """The chance to survive so many clicks, the first of them on this cell."""
    if depth == 1:
        now = solve(position)
        assert now is not None
        return 1 - risk(now, cell)  # whatever it shows
    return sum(
        (p * survival(after, depth - 1) for p, after, _ in answers(position, cell)), Fraction(0)
    )


def candidates(
    position: Position, policy: str, options: Mapping[str, object]
) -> list[tuple[Cell, tuple[float, ...]]]:
    """The cells that a policy considers when none is certain, with its figures."""
    now = solve(position)
    assert now is not None
    chance = {cell: float(risk(now, cell)) for cell in position.hidden}
    tolerance = float(options.get("tolerance", 0.0))  # type: ignore[arg-type]
    limit = min(chance.values()) + tolerance
    near = [cell for cell, p in chance.items() if p <= limit or equal(p, limit)]
    if policy == "survival":
        depth = int(options.get("depth", 2))  # type: ignore[call-overload]
        return [
            (cell, (float(survival_of(position, cell, depth)),))
            for cell in position.hidden
            if chance[cell] < 1.0
        ]
    if policy == "balanced":
        safety = float(options.get("safety", 0.5))  # type: ignore[arg-type]
        return [
            (
                cell,
                (
                    safety * (1.0 - p)
                    + (1.0 - safety) * figures_of(position, cell)["information"] / log2(10),
                ),
            )
            for cell, p in chance.items()
            if p < 1.0
        ]
    if policy == "safest":
        ties = options.get("ties", "local")
        if ties == "corner":
            return [(cell, (-float(len(position.around(cell))),)) for cell in near]
        if ties == "local":
            return [(cell, (float(local_progress(position, cell)),)) for cell in near]
        if ties in ("first", "random"):
            return [(cell, ()) for cell in near]
        return [(cell, (figures_of(position, cell)[str(ties)],)) for cell in near]
    names = {
        "minimax": ("fewest_certain", "expected_certain"),
        "information": ("information",),
        "progress": ("progress",),
        "pseq": ("progress", "expected_safe", "number_entropy"),
    }[policy]
    found = [(cell, figures_of(position, cell)) for cell in near]
    return [(cell, tuple(figures[name] for name in names)) for cell, figures in found]


def equal(a: float, b: float) -> bool:
    return abs(a - b) <= TIE * max(abs(a), abs(b))


def choose(position: Position, policy: str, **options: object) -> tuple[list[Cell], bool]:
    """The cells that the policy's figures leave, in row-major order, and whether they are certain.

    The policy's move is the first of them (any of them for ``ties="random"``).
    """
    now = solve(position)
    assert now is not None
    assert not position.flags
    if now.safe:
        return sorted(now.safe), True
    alive = candidates(position, policy, options)
    for which in range(len(alive[0][1])):
        best = max(figures[which] for _, figures in alive)
        alive = [
            (cell, figures)
            for cell, figures in alive
            if figures[which] >= best or equal(figures[which], best)
        ]
    return sorted(cell for cell, _ in alive), False
