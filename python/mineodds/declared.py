"""What the header of a board's text declares, and what its reader was given: twice, it is the same.

Whoever reads a text may know the number of mines, the topology or anything else that a header can
say. What both say must be equal; the error points at the header's line.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from mineodds import text
from mineodds.contracts import whole_number
from mineodds.errors import BoardFormatError, counted, shown, written
from mineodds.knowledge import Chance, Known, checked_mines
from mineodds.priors import exact_number, is_number
from mineodds.text import Entry
from mineodds.topologies import topology_of
from mineodds.topology import Topology


def declared(
    source: str, mines: SupportsIndex | None, given: Known
) -> tuple[NDArray[np.int8], SupportsIndex | None, Known]:
    """The arguments of `Board` that a text stands for, with what was given. Raises its errors."""
    known = given.copy()
    topology = given.get("topology")
    largest = topology.largest_number if isinstance(topology, Topology) else None
    cells, header = text.read(source, largest)
    if isinstance(topology, Topology):
        cells = _shaped(cells, topology.shape)
    if "mines" in header:
        several = header.get("max_per_cell")
        capacity = several.value if several else given.get("max_per_cell", 1)
        mines = _mines(header["mines"], mines, cells.size, whole_number("max_per_cell", capacity))
    if "topology" in header:
        known["topology"] = _topology(header["topology"], topology, cells.shape)
    if "density" in header:
        entry, density = header["density"], given.get("density")
        if density is not None and not _is_chance(density, entry.value):
            raise _refusal(
                entry,
                f"the header says density {written(entry.value)}, "
                f"but density={written(density)} was given",
            )
        known["density"] = entry.value
    if "densities" in header:
        known["density"] = _densities(header, given.get("density"), cells)
    if "totals" in header:
        entry, totals = header["totals"], given.get("totals")
        if totals is not None and not _are_weights(totals, entry.value):
            raise _refusal(entry, "the header says other totals than were given")
        known["totals"] = entry.value
    if "max_per_cell" in header:
        entry = header["max_per_cell"]
        _same(entry, "max_per_cell", given.get("max_per_cell", 1), 1)
        known["max_per_cell"] = entry.value
    if "equally_likely" in header:
        entry = header["equally_likely"]
        _same(entry, "equally_likely", given.get("equally_likely"), None)
        known["equally_likely"] = entry.value
    return cells, mines, known


def _shaped(cells: NDArray[np.int8], shape: tuple[int, ...]) -> NDArray[np.int8]:
    """The cells of a text in the shape of a topology that is not two-dimensional.

    A text has lines of as many cells as the last axis is long: one line for a graph. Others stay as
    they are, for `topology_of` to refuse.
    """
    lines = cells.reshape(-1, cells.shape[-1])
    is_text_of_it = len(shape) != 2 and lines.shape == (math.prod(shape[:-1]), shape[-1])
    return cells.reshape(shape) if is_text_of_it and cells.ndim == 2 else cells


def _mines(entry: Entry, mines: SupportsIndex | None, cells: int, capacity: int) -> int:
    most = cells * capacity
    if mines is not None and checked_mines(mines, most) != entry.value:
        raise _refusal(
            entry,
            f"the header says {counted(int(entry.value), 'mine')}, "
            f"but mines={shown(mines)} was given",
        )
    if int(entry.value) > most:
        raise _refusal(entry, f"mines is {entry.value}, but the board has {counted(cells, 'cell')}")
    return int(entry.value)


def _densities(
    header: Mapping[str, Entry], given: Chance | NDArray[Any] | None, cells: NDArray[np.int8]
) -> NDArray[Any]:
    """The chances by cell; what is given must agree in hidden cells and flags."""
    entry = header["densities"]
    if "density" in header:
        raise _refusal(entry, "one of density and densities is enough")
    if len(entry.value) != cells.size:
        raise _refusal(
            entry,
            f"the header has {counted(len(entry.value), 'chance')}, but the board has "
            f"{counted(cells.size, 'cell')}",
        )
    densities = np.empty(len(entry.value), dtype=object)
    densities[:] = entry.value
    if given is not None:
        own, hidden = np.asarray(given, dtype=object), cells < 0
        if own.shape != cells.shape or not all(
            map(_is_chance, own[hidden], densities[hidden.ravel()])
        ):
            raise _refusal(entry, "the header says other densities than were given")
    return densities.reshape(cells.shape)


def _topology(entry: Entry, topology: Topology | str | None, shape: tuple[int, ...]) -> Topology:
    expected = topology.name if isinstance(topology, Topology) else topology
    if expected is not None and entry.value != expected:
        raise _refusal(entry, f"the topology is {expected!r}, not {shown(entry.value)}")
    try:
        return topology_of(topology or entry.value, shape)
    except BoardFormatError as error:
        raise _refusal(entry, str(error)) from None


def _same(entry: Entry, name: str, given: object, default: object) -> None:
    if given not in (default, entry.value):
        raise _refusal(
            entry, f"the header says {name} {written(entry.value)}, but {written(given)} was given"
        )


def _are_weights(given: Mapping[int, Chance], weights: Mapping[int, Fraction]) -> bool:
    same_totals = given.keys() == weights.keys()
    return same_totals and all(_is_chance(given[total], w) for total, w in weights.items())


def _is_chance(given: object, chance: Fraction) -> bool:
    """Whether a number that is given is this chance, or the float nearest to it."""
    if not is_number(given):
        return False
    nearest = isinstance(given, float) and given == float(chance)
    return nearest or exact_number("density", given) == chance


def _refusal(entry: Entry, message: str) -> BoardFormatError:
    return BoardFormatError(message, line=entry.line, column=entry.column)
