"""Fixtures that several files share, and modules whose assertions say what they compared."""

import pytest

from command_line import environment, mineodds

__all__ = ["environment", "mineodds"]

pytest.register_assert_rewrite("chances")
