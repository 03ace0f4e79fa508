"""The compiled core of mineodds; use the package mineodds instead."""

from typing import Any, Never, type_check_only

from numpy import bool_, float64, int8, int32, int64, uint8, uint64
from numpy.typing import NDArray

__version__: str

class CostExceeded(RuntimeError): ...
class DeadlinePassed(TimeoutError): ...

# The metaclass of every compiled class.
@type_check_only
class pybind11_type(type): ...

class Evaluation(metaclass=pybind11_type):
    # Made by the engines only.
    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def total(self) -> float: ...
    @property
    def total_exponent(self) -> int: ...
    @property
    def probability(self) -> NDArray[float64]: ...
    @property
    def deep_probability(self) -> float: ...

class Elimination(metaclass=pybind11_type):
    def __init__(
        self,
        cell_count: int,
        clue_start: NDArray[int32],
        clue_cell: NDArray[int32],
        clue_need: NDArray[int32],
        *,
        max_work: float,
        max_memory: float,
        free_cells: NDArray[int32] = ...,
        cell_class: NDArray[int32] = ...,
        class_start: NDArray[int32] = ...,
        class_weight: NDArray[float64] = ...,
        class_exponent: NDArray[int64] = ...,
        deadline: float = ...,
        plan: str = ...,
        mask_words: int = ...,
        semi_joins: bool = ...,
    ) -> None: ...
    @property
    def consistent(self) -> bool: ...
    @property
    def least_mines(self) -> int: ...
    @property
    def most_mines(self) -> int: ...
    @property
    def possible(self) -> NDArray[bool_]: ...
    @property
    def settled(self) -> NDArray[int8]: ...
    @property
    def variable(self) -> NDArray[int32]: ...
    @property
    def variable_size(self) -> NDArray[int32]: ...
    @property
    def order(self) -> NDArray[int32]: ...
    @property
    def width(self) -> int: ...
    @property
    def work(self) -> float: ...
    @property
    def products(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def describe(self) -> str: ...
    def count_table(self, deadline: float = ...) -> tuple[NDArray[float64], NDArray[int64]]: ...
    def count_table_modular(self, prime: int, deadline: float = ...) -> NDArray[uint64]: ...
    def evaluate(
        self,
        weight: NDArray[float64],
        weight_exponent: NDArray[int64],
        deep_share: NDArray[float64],
        tilt: int = 0,
        deadline: float = ...,
    ) -> Evaluation: ...
    def evaluate_modular(
        self,
        prime: int,
        weight: NDArray[uint64],
        class_residue: NDArray[uint64] = ...,
        deadline: float = ...,
    ) -> tuple[NDArray[uint64], int, NDArray[uint64]]: ...

class Enumeration(metaclass=pybind11_type):
    def __init__(
        self,
        cell_count: int,
        clue_start: NDArray[int32],
        clue_cell: NDArray[int32],
        clue_need: NDArray[int32],
        *,
        max_work: float,
        deadline: float = ...,
    ) -> None: ...
    @property
    def consistent(self) -> bool: ...
    @property
    def least_mines(self) -> int: ...
    @property
    def most_mines(self) -> int: ...
    @property
    def possible(self) -> NDArray[bool_]: ...
    @property
    def work(self) -> float: ...
    def evaluate(
        self,
        weight: NDArray[float64],
        weight_exponent: NDArray[int64],
        deep_share: NDArray[float64],
        deadline: float = ...,
    ) -> Evaluation: ...
    def evaluate_modular(
        self, prime: int, weight: NDArray[uint64], deadline: float = ...
    ) -> tuple[NDArray[uint64], int, NDArray[uint64]]: ...

class Neighbours(metaclass=pybind11_type):
    def __init__(self, start: NDArray[int32], cell: NDArray[int32]) -> None: ...
    @property
    def largest_degree(self) -> int: ...

def odds(
    cells: NDArray[int8],
    mines: int,
    neighbours: Neighbours,
    *,
    max_work: float,
    max_memory: float,
    largest_clue: int = 8,
    deadline: float = ...,
) -> tuple[NDArray[float64], int]: ...
def odds_batch(
    cells: NDArray[int8],
    mines: NDArray[int64],
    neighbours: Neighbours,
    *,
    max_work: float,
    max_memory: float,
    workers: int = 1,
    largest_clue: int = 8,
    deadline: float = ...,
) -> tuple[NDArray[float64], NDArray[uint8]]: ...

class Game(metaclass=pybind11_type):
    def __init__(
        self, neighbours: Neighbours, mines: int, first_click: int, seed: int, index: int
    ) -> None: ...
    def open(self, cell: int) -> bool: ...
    def flag(self, cell: int) -> bool: ...
    def chord(self, cell: int) -> bool: ...
    def undo(self) -> bool: ...
    @property
    def state(self) -> int: ...
    @property
    def exploded(self) -> int: ...
    @property
    def laid(self) -> bool: ...
    @property
    def cells(self) -> NDArray[int8]: ...
    @property
    def opened(self) -> NDArray[int32]: ...
    @property
    def layout(self) -> NDArray[bool_]: ...

class PolicyOptions(metaclass=pybind11_type):
    def __init__(
        self,
        kind: int,
        ties: int = 5,
        tolerance: float = 0.0,
        safety: float = 0.5,
        depth: int = 2,
    ) -> None: ...

def choose(
    cells: NDArray[int8],
    mines: int,
    neighbours: Neighbours,
    options: PolicyOptions,
    *,
    seed: int = 0,
    max_work: float,
    max_memory: float,
    deadline: float = ...,
) -> tuple[int, float, bool, float, NDArray[int32], NDArray[float64], NDArray[float64]] | None: ...
def play_games(
    neighbours: Neighbours,
    mines: int,
    first_click: int,
    start: int,
    seed: int,
    options: PolicyOptions,
    *,
    first: int,
    games: int,
    workers: int = 1,
    max_work: float,
    max_memory: float,
    deadline: float = ...,
) -> tuple[dict[str, Any], NDArray[uint8]]: ...
def primes(n: int) -> list[int]: ...
def count_tables(
    cell_count: int,
    clue_start: NDArray[int32],
    clue_cell: NDArray[int32],
    clue_need: NDArray[int32],
    *,
    part_of_cell: NDArray[int32],
    part_start: NDArray[int32],
    part: NDArray[int32],
    safe_start: NDArray[int32],
    safe: NDArray[int32],
    mine_start: NDArray[int32],
    mine: NDArray[int32],
    asked_start: NDArray[int32],
    asked: NDArray[int32],
    prime: int = 0,
    max_work: float,
    max_memory: float,
    cell_class: NDArray[int32] = ...,
    class_start: NDArray[int32] = ...,
    class_weight: NDArray[float64] = ...,
    class_exponent: NDArray[int64] = ...,
    class_residue: NDArray[uint64] = ...,
    deadline: float = ...,
) -> tuple[NDArray[int64], NDArray[int32], NDArray[Any], NDArray[int64], int]: ...
def outside_weights(
    factor_start: NDArray[int32],
    factor: NDArray[float64],
    factor_exponent: NDArray[int64],
    *,
    total: NDArray[float64],
    total_exponent: NDArray[int64],
    choice_start: NDArray[int32],
    choice: NDArray[int32],
    max_work: float,
    deadline: float = ...,
) -> tuple[NDArray[int64], NDArray[float64], NDArray[int64]]: ...
def sample_layouts(
    engine: Elimination,
    weight: NDArray[float64],
    weight_exponent: NDArray[int64],
    deep_start: NDArray[int32],
    deep_mines: NDArray[int32],
    deep_chance: NDArray[float64],
    frontier: NDArray[int32],
    deep: NDArray[int32],
    cells: int,
    layouts: int,
    seed: int,
    greatest: bool = ...,
    deadline: float = ...,
) -> NDArray[uint8]: ...
def reduced(
    cell_count: int,
    clue_start: NDArray[int32],
    clue_cell: NDArray[int32],
    clue_need: NDArray[int32],
    cell_class: NDArray[int32] = ...,
) -> (
    tuple[
        NDArray[int8],
        NDArray[int32],
        NDArray[int32],
        NDArray[int32],
        NDArray[int32],
        NDArray[int32],
    ]
    | None
): ...
def gibbs(
    cell_count: int,
    clue_start: NDArray[int32],
    clue_cell: NDArray[int32],
    clue_need: NDArray[int32],
    *,
    cell_class: NDArray[int32],
    log_value: NDArray[float64],
    value_share: NDArray[float64],
    log_weight: NDArray[float64],
    density: float,
    seed: int,
    chain: int,
    tries: int,
    warm_up: int,
    batches: int,
    batch: int,
    deadline: float = ...,
) -> tuple[NDArray[float64], NDArray[float64], NDArray[int64]] | None: ...
def allowed(
    cell_count: int,
    clue_start: NDArray[int32],
    clue_cell: NDArray[int32],
    clue_need: NDArray[int32],
    *,
    set_start: NDArray[int32],
    set_clue: NDArray[int32],
    cell: int,
    mine: bool,
    totals: NDArray[int32],
    max_work: float,
    max_memory: float,
) -> NDArray[bool_]: ...
def settle(
    cell_count: int,
    clue_start: NDArray[int32],
    clue_cell: NDArray[int32],
    clue_need: NDArray[int32],
) -> NDArray[int8] | None: ...

class Configurations(metaclass=pybind11_type):
    def __init__(
        self,
        cell_count: int,
        clue_start: NDArray[int32],
        clue_cell: NDArray[int32],
        clue_need: NDArray[int32],
    ) -> None: ...
    def next(self) -> NDArray[bool_] | None: ...
