"""A game of Minesweeper as a slow, obvious model: sets of cells, and whole states to undo to.

The generator is the documented one (cpp/play/random.hpp): xoshiro256** (Blackman & Vigna 2021)
filled by SplitMix64 (Steele, Lea & Flood 2014), bounded by Lemire's method (2019), in Python's
integers. A game's mines are the first M cells of its permutation outside the first-click zone.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference.position import FLAG, HIDDEN, Cell, Neighbours, eight_neighbours

WORD = 2**64

ANY, SAFE, OPENING = "any", "safe", "opening"


def split_mix_64(state: int) -> Iterator[int]:
    """The outputs of SplitMix64 started at a state."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        x = state
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
        yield x ^ (x >> 31)


def rotate(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) % WORD


def random_words(seed: int, index: int, stream: int) -> Iterator[int]:
    """The stream of a game: 0 for its layout, 1 for random ties."""
    words = split_mix_64(seed)
    word = [next(words) for _ in range(stream + 1)][-1]
    fill = split_mix_64(word ^ index)
    s = [next(fill) for _ in range(4)]
    while True:
        yield rotate(s[1] * 5 % WORD, 7) * 9 % WORD
        shifted = s[1] << 17 & (WORD - 1)
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)


def below(words: Iterator[int], bound: int) -> int:
    """Uniform over 0 .. bound - 1: the high word of a product, unfair low words thrown away."""
    while True:
        product = next(words) * bound
        if product % WORD >= WORD % bound:
            return product // WORD


def permutation(seed: int, index: int, size: int) -> Iterator[int]:
    """The permutation of a game, element by element (Fisher-Yates)."""
    words = random_words(seed, index, 0)
    cells = list(range(size))
    for i in range(size):
        j = i + below(words, size - i)
        cells[i], cells[j] = cells[j], cells[i]
        yield cells[i]


class GameModel:
    """The rules, with nothing clever: a state is copied before each action that may change it."""

    def __init__(
        self,
        rows: int,
        cols: int,
        mines: int,
        first_click: str,
        seed: int,
        index: int = 0,
        neighbours: Neighbours = eight_neighbours,
    ) -> None:
        self.rows, self.cols, self.mines, self.first_click = rows, cols, mines, first_click
        self.seed, self.index, self.neighbours = seed, index, neighbours
        self.layout: frozenset[Cell] | None = None
        self.opened: frozenset[Cell] = frozenset()
        self.flags: frozenset[Cell] = frozenset()
        self.exploded: Cell | None = None
        self.past: list[tuple[object, ...]] = []

    def around(self, cell: Cell) -> list[Cell]:
        return sorted(self.neighbours(self.rows, self.cols, *cell))

    def zone(self, first: Cell) -> set[Cell]:
        if self.first_click == ANY:
            return set()
        return {first} if self.first_click == SAFE else {first, *self.around(first)}

    def lay(self, first: Cell) -> frozenset[Cell]:
        zone = self.zone(first)
        if self.rows * self.cols - len(zone) < self.mines:
            raise ValueError("no room for the mines")
        order = permutation(self.seed, self.index, self.rows * self.cols)
        mines: list[Cell] = []
        while len(mines) < self.mines:
            cell = divmod(next(order), self.cols)
            if cell not in zone:
                mines.append(cell)
        return frozenset(mines)

    def number(self, cell: Cell) -> int:
        assert self.layout is not None
        return sum(other in self.layout for other in self.around(cell))

    @property
    def state(self) -> str:
        if self.exploded is not None:
            return "lost"
        return "won" if len(self.opened) + self.mines == self.rows * self.cols else "playing"

    @property
    def cells(self) -> list[list[int]]:
        def value(cell: Cell) -> int:
            if cell in self.opened:
                return self.number(cell)
            return FLAG if cell in self.flags else HIDDEN

        return [[value((row, col)) for col in range(self.cols)] for row in range(self.rows)]

    def remember(self) -> None:
        self.past.append((self.layout, self.opened, self.flags, self.exploded))

    def undo(self) -> bool:
        if not self.past:
            return False
        self.layout, self.opened, self.flags, self.exploded = self.past.pop()  # type: ignore[assignment]
        return True

    def reveal(self, cell: Cell) -> None:
        """Open a cell and what follows; once something exploded, nothing more."""
        if self.exploded is not None or cell in self.opened or cell in self.flags:
            return
        assert self.layout is not None
        if cell in self.layout:
            self.exploded = cell
            return
        self.opened |= {cell}
        if self.number(cell) == 0:
            for other in self.around(cell):
                self.reveal(other)

    def open(self, cell: Cell) -> bool:
        if self.state != "playing" or cell in self.opened or cell in self.flags:
            return False
        layout = self.layout if self.layout is not None else self.lay(cell)
        self.remember()
        self.layout = layout
        self.reveal(cell)
        return True

    def flag(self, cell: Cell) -> bool:
        if self.state != "playing" or cell in self.opened:
            return False
        self.remember()
        self.flags ^= {cell}
        return True

    def chord(self, cell: Cell) -> bool:
        if self.state != "playing" or cell not in self.opened:
            return False
        around = self.around(cell)
        closed = [other for other in around if other not in self.opened | self.flags]
        if not closed or sum(other in self.flags for other in around) != self.number(cell):
            return False
        self.remember()
        for other in closed:
            self.reveal(other)
        return True
