"""The fuzz targets for Python run, on a few random inputs and on what they once found."""

from __future__ import annotations

from random import Random

import pytest

import fuzz_boundary
import fuzz_text
from fuzzing import Target

TARGETS = [fuzz_text.target, fuzz_boundary.target]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.__module__)
@pytest.mark.parametrize("seed", range(10))
def test_random_bytes(target: Target, seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        data = rng.randbytes(rng.randrange(80))
        try:
            target(data)
        except BaseException as error:
            error.add_note(f"seed {seed}: {data!r}")
            raise
