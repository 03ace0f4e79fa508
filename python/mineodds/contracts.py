"""What callers hand in is checked, and what they are handed stays as it is.

Wrong types are a TypeError, wrong values a ValueError, and both name the argument, what was given
and what would be right. True and False are no numbers here: where one is given for a row or a
number of mines, something else was meant.
"""

import contextlib
import dataclasses
import math
import numbers
import operator
from collections.abc import Iterable
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from mineodds.errors import shown

Scalar = TypeVar("Scalar", bound=np.generic)


def whole_number(name: str, value: object) -> int:
    """An argument as an int. Raises TypeError if it is no integer (True and False are none)."""
    if type(value) is int:
        return value
    if not isinstance(value, bool | np.bool_):
        with contextlib.suppress(TypeError):
            return operator.index(value)  # type: ignore[arg-type]
    raise TypeError(f"{name} must be an integer, not {shown(value)}")


def checked_word(name: str, value: SupportsIndex) -> int:
    """A number of 64 bits, such as a seed. Raises TypeError and ValueError."""
    word = whole_number(name, value)
    if not 0 <= word < 2**64:
        raise ValueError(f"{name} must be from 0 to 2**64 - 1, not {shown(word)}")
    return word


def generator_state(seed: SupportsIndex | None) -> int:
    """The 64 bits that a generator starts from: those of the seed, or fresh ones for None."""
    word = None if seed is None else checked_word("seed", seed)
    return int(np.random.SeedSequence(word).generate_state(1, np.uint64)[0])


def limit(name: str, value: Any) -> float:
    """A limit as a float from 0 to inf. Raises TypeError and ValueError."""
    if type(value) is float and value >= 0.0:
        return value  # the short way
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real:
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:  # an integer beyond all doubles
        number = math.inf if value > 0 else -math.inf
    if not number >= 0.0:
        raise ValueError(f"{name} must be a number from 0 on, not {shown(value)}")
    return number


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """An argument that is one of some words. Raises ValueError."""
    for choice in choices:
        if isinstance(value, str) and value == choice:
            return choice
    raise ValueError(f"{name} must be one of {', '.join(choices)}, not {shown(value)}")


class Value:
    """The base of frozen dataclasses that hold arrays: values, compared by what they hold.

    Arrays become read-only for good, in tuples too, and stay so in copies and after pickling.
    """

    def __post_init__(self) -> None:
        for name, value in self._fields().items():
            object.__setattr__(self, name, _frozen(value))

    def _fields(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(self._fields().values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        equal: bool = _contents(self._fields()) == _contents(other._fields())
        return equal

    def __hash__(self) -> int:
        return hash(_contents(self._fields()))


def _frozen(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_frozen, value))
    return read_only(value) if isinstance(value, np.ndarray) else value


def _contents(value: Any) -> Any:
    """A value that can be compared and hashed; nan is equal to itself."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, dict):
        return tuple((name, _contents(part)) for name, part in value.items())
    if isinstance(value, tuple):
        return tuple(map(_contents, value))
    return repr(value) if isinstance(value, float) else value


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The same values in the same memory, for good: ``setflags(write=True)`` is refused.

    NumPy lets an array that owns its memory be made writable again; one that looks at its memory
    through a read-only buffer it does not.
    """
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]
