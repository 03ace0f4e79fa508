"""The compiled core of mineodds; use the package mineodds instead."""

__version__: str
