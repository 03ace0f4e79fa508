"""Exact mine probabilities of Minesweeper positions."""

from mineodds._core import __version__

__all__ = ["__version__"]
