"""What the Python fuzz targets share: bytes read as choices, and the loop.

A target is a function of bytes that raises when something is wrong. ``atheris`` (PyPI) drives it,
guided by the coverage of the package; that is measured on a plain install (``pip install .``), not
on an editable one. test_fuzzing.py runs each target on a few random inputs, so that it cannot rot,
and needs no atheris.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Target = Callable[[bytes], None]


class Choices:
    """Any bytes are an input: what is missing counts as zero."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = 0

    def byte(self) -> int:
        self._next += 1
        return self._data[self._next - 1] if self._next <= len(self._data) else 0

    def below(self, bound: int) -> int:
        """From 0 to bound - 1."""
        return (self.byte() | self.byte() << 8) % bound

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def rest(self) -> bytes:
        data = self._data[self._next :]
        self._next = len(self._data)
        return data


def run_atheris(name: str) -> None:
    """Fuzz the function ``target`` of a module; the arguments are those of libFuzzer."""
    import atheris

    with atheris.instrument_imports(include=["mineodds"]):
        importlib.import_module("mineodds")
    target: Target = importlib.import_module(name).target
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
