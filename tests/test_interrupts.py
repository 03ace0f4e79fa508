"""Long calls stop at Ctrl-C and at their deadline. How soon is benchmarks/interrupts.py's business.

Each call is made in a process of its own; a time limit far beyond any machine's only keeps a call
that never stops from holding up the tests.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import interrupts

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "interrupts.py"
FAR_AWAY = 300.0


def run(kind: str, name: str, seconds: float) -> None:
    """The script prints how long the exception took, and ends with code 0."""
    found = subprocess.run(
        [sys.executable, "-W", "error", SCRIPT, kind, name, str(seconds)],
        capture_output=True,
        text=True,
        timeout=FAR_AWAY,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert float(found.stdout) >= 0.0


@pytest.mark.parametrize("name", interrupts.CALLS)
def test_ctrl_c(name: str) -> None:
    run("interrupt", name, 0.1)


@pytest.mark.parametrize("name", interrupts.WITH_DEADLINE)
def test_deadline(name: str) -> None:
    run("deadline", name, 0.02)
