"""Fixtures that several files share."""

from command_line import environment, mineodds

__all__ = ["environment", "mineodds"]
