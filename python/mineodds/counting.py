"""The one query primitive: how many mines lie among some cells, under a condition.

A query names frontier cells that are safe, frontier cells that are mines, and frontier cells whose
mines are asked for. The core answers with a table, [mines asked for, mines in all], of the
components that the query touches. The other components come in as a product of polynomials, the
deep cells and the total as weights: both by the number of mines they are left with. Every question
about a position is a sum over such a table.

Weights are exact integers. Tables are counted in doubles (and then stand for integers to 53 bits)
or exactly, modulo primes; what follows is the same arithmetic for both.
"""

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineodds import _core
from mineodds.engine import REFUSALS, Budget
from mineodds.frontier import Problem
from mineodds.modular import counts_of
from mineodds.parts import Part
from mineodds.polynomials import Products, as_wide, product
from mineodds.priors import Prior

Parts = tuple[int, ...]

MANY_PARTS = 32  # whose product has so long integers that the core's residues are faster


class Query(NamedTuple):
    """Frontier cells are positions in ``problem.cell``; deep cells only count.

    ``deep_safe`` and ``deep_mine`` deep cells are fixed, ``deep_asked`` are asked for.
    """

    safe: tuple[int, ...] = ()
    mine: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    deep_safe: int = 0
    deep_mine: int = 0
    deep_asked: int = 0


class RawTables(NamedTuple):
    """The core's tables, one after the other; see count_tables.hpp."""

    start: NDArray[np.int64]
    least: NDArray[np.int32]
    mantissa: NDArray[np.float64]
    exponent: NDArray[np.int64]


class Table(NamedTuple):
    """``row[j][k]``: configurations with j of the asked cells mines, least + k mines in all."""

    least: int
    row: list[list[int]]


class Counting:
    """Tables and weights of one problem.

    ``component`` labels the frontier cells from 0; ``parts`` are the components in that order.
    """

    def __init__(
        self,
        problem: Problem,
        component: NDArray[np.int32],
        parts: Sequence[Part],
        prior: Prior,
        budget: Budget,
    ) -> None:
        self.problem = problem
        self.component = component
        self.prior = prior
        self.budget = budget
        self.products = 0  # table-entry products of all queries so far
        self._parts = parts
        self._whole = Part(problem)
        self._labels: list[int] = component.tolist()
        self._products: dict[bool, Products] = {}
        self._outside: dict[tuple[Parts, int, bool], list[int]] = {}
        self._deep: dict[int, list[int]] = {}
        # Where cells are independent: what each component weighs, and all of them together.
        self._alone: dict[bool, list[int]] = {}
        self._together: dict[bool, int] = {}

    def parts(self, query: Query) -> Parts:
        """The components that a query touches."""
        cells = itertools.chain(query.safe, query.mine, query.asked)
        return tuple(sorted({self._labels[cell] for cell in cells}))

    def total(self, exact: bool) -> int:
        """The weight of all layouts; 0 when there is none."""
        free = self.problem.deep.size
        if self.prior.independent is not None:
            return next(iter(self.outside((), free, exact)), 0)
        return sum(map(operator.mul, self.frontier_polynomial(exact), self.free_weights(free)))

    def masses(self, query: Query, exact: bool) -> list[int]:
        """The weight of the layouts with j mines among the asked cells, under the conditions."""
        parts = self.parts(query)
        (table,) = self.tables([query], [parts], exact)
        deep = query.deep_safe + query.deep_mine + query.deep_asked
        outside = self.outside(parts, self.problem.deep.size - deep, exact)
        asked_deep = product([[1, 1]] * query.deep_asked)
        result = [0] * (len(query.asked) + query.deep_asked + 1)
        first = table.least + query.deep_mine
        for j, row in enumerate(table.row):
            for i, ways in enumerate(asked_deep):
                weights = outside[first + i : first + i + len(row)]
                result[j + i] += ways * sum(a * b for a, b in zip(row, weights, strict=False))
        return result

    def shares(self, queries: Sequence[Query]) -> NDArray[np.float64]:
        """`masses` of many queries over `total`, float64 (n, most asked cells + 1)."""
        parts = [self.parts(query) for query in queries]
        raw = self._raw(queries, parts)
        figures = np.array(
            [(len(q.asked), q.deep_asked, q.deep_mine, q.deep_safe) for q in queries], np.int64
        ).reshape(-1, 4)
        asked, deep_asked, deep_mine = figures[:, 0], figures[:, 1], figures[:, 2]
        free = self.problem.deep.size - figures[:, 1:].sum(axis=1)
        keys = list(zip(parts, free.tolist(), strict=True))
        row_of = {key: row for row, key in enumerate(dict.fromkeys(keys))}
        weight_class = np.array([row_of[key] for key in keys], dtype=np.int64)
        mantissa, exponent = self._scaled_outside(list(row_of))

        return weighed(raw, asked, weight_class, mantissa, exponent, deep_asked, deep_mine)

    def frontier_polynomial(self, exact: bool) -> list[int]:
        """The configurations of the whole frontier, by their mines."""
        if exact and len(self._parts) > MANY_PARTS:
            return self._whole.polynomial(exact, self.budget)
        return self._polynomials(exact).without(())

    def outside(self, parts: Parts, free: int, exact: bool) -> list[int]:
        """The weight of all there is outside of ``parts``, by the mines on them.

        ``free`` deep cells are neither fixed nor asked for; mines on those that are count as mines
        on the parts.
        """
        key = parts, free, exact
        if key not in self._outside:
            if self.prior.independent is not None:
                self._outside[key] = self._independent(self.prior.independent, *key)
            elif len(parts) == 1:
                around = self._polynomials(exact).around(
                    self.free_weights(free), self.problem.deep.size - free
                )
                for label, weights in enumerate(around):
                    self._outside[(label,), free, exact] = weights
            else:
                # As many entries as the parts and the deep cells that are not free can have mines.
                length = sum(self._parts[part].problem.cell.size for part in parts) + 1
                length += self.problem.deep.size - free
                products, weights = self._polynomials(exact), self.free_weights(free)
                self._outside[key] = products.around_all(parts, weights, length)
        return self._outside[key]

    def _independent(
        self, weights: tuple[int, int], parts: Parts, free: int, exact: bool
    ) -> list[int]:
        """`outside` where every cell is a mine independently: components do not meet at all."""
        safe, mine = weights
        if exact not in self._alone:
            self._alone[exact] = [
                sum(
                    ways * mine**k * safe ** (part.problem.cell.size - k)
                    for k, ways in enumerate(part.polynomial(exact, self.budget))
                )
                for part in self._parts
            ]
            self._together[exact] = math.prod(self._alone[exact])
        alone = self._alone[exact]
        if not self._together[exact]:
            return []
        others = self._together[exact] // math.prod(alone[part] for part in parts)
        others *= (safe + mine) ** free
        own = sum(self._parts[part].problem.cell.size for part in parts)
        own += self.problem.deep.size - free
        return [mine**k * safe ** (own - k) * others for k in range(own + 1)]

    def free_weights(self, free: int) -> list[int]:
        """The prior's weights of ``free`` deep cells, by the mines on everything else."""
        if free not in self._deep:
            # As many mines as there are cells that are not free.
            most = self.problem.cell.size + self.problem.deep.size - free
            most = min(most, max(self.prior.range()[1], 0))
            self._deep[free] = self.prior.free_weights(free, most)
        return self._deep[free]

    def _polynomials(self, exact: bool) -> Products:
        """The count polynomials of the components."""
        if exact not in self._products:
            self._products[exact] = Products(
                [part.polynomial(exact, self.budget) for part in self._parts], exact
            )
        return self._products[exact]

    def _scaled_outside(
        self, keys: Sequence[tuple[Parts, int]]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """`outside` over `total`, as mantissas and exponents: a row a key, by the mines."""
        total, total_exponent = as_wide(self.total(False))
        weights = [self.outside(parts, free, False) for parts, free in keys]
        shape = len(keys), max(map(len, weights), default=0)
        mantissa = np.zeros(shape)
        exponent = np.zeros(shape, dtype=np.int64)
        for row, values in enumerate(weights):
            wide = [as_wide(value) for value in values]
            mantissa[row, : len(wide)] = [m / total for m, _ in wide]
            exponent[row, : len(wide)] = [e - total_exponent for _, e in wide]
        return mantissa, exponent

    def tables(
        self, queries: Sequence[Query], parts: Sequence[Parts], exact: bool = False
    ) -> list[Table]:
        """A table for each query; ``parts`` are the components that it touches, or more."""
        rows = [len(query.asked) + 1 for query in queries]
        return read_tables(
            self._raw(queries, parts),
            rows,
            lambda prime: self._ask(queries, parts, prime)[2],
            exact,
        )

    def _raw(self, queries: Sequence[Query], parts: Sequence[Parts]) -> RawTables:
        start, least, mantissa, exponent, products = self._ask(queries, parts, 0)
        self.products += products
        return RawTables(start, least, mantissa, exponent)

    def _ask(
        self, queries: Sequence[Query], parts: Sequence[Parts], prime: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], NDArray[np.int64], int]:
        lists = {
            "part": parts,
            "safe": [query.safe for query in queries],
            "mine": [query.mine for query in queries],
            "asked": [query.asked for query in queries],
        }
        return ask_tables(self.problem, self.component, lists, prime, self.budget)


def ask_tables(
    problem: Problem,
    component: NDArray[np.int32],
    lists: Mapping[str, Sequence[Sequence[int]]],
    prime: int,
    budget: Budget,
    **weights: NDArray[Any],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], NDArray[np.int64], int]:
    """The core's tables of a problem, for ``lists`` of components and cells, one of each a query.

    ``weights`` are those of the cells, where they have their own.
    """
    arguments: dict[str, Any] = dict(weights)
    for name, items in lists.items():
        arguments[f"{name}_start"], arguments[name] = packed(items)
    try:
        return _core.count_tables(
            *problem.arrays,
            part_of_cell=component,
            prime=prime,
            max_work=budget.max_work,
            max_memory=budget.max_memory,
            deadline=budget.seconds_left,
            **arguments,
        )
    except REFUSALS as error:
        raise budget.refusal(error) from None


def weighed(
    raw: RawTables,
    asked: NDArray[np.int64],
    weight_class: NDArray[np.int64],
    mantissa: NDArray[np.float64],
    exponent: NDArray[np.int64],
    deep_asked: NDArray[np.int64] | None = None,
    deep_mine: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """The sums of many tables' rows, float64 (n, most asked cells + 1), by mines asked for.

    ``asked`` cells belong to each table; ``mantissa`` and ``exponent`` (classes, mines) weigh the
    mines of a table, which is of the class ``weight_class``. Deep cells that are alike are outside
    of the tables: ``deep_asked`` of them are asked for too, ``deep_mine`` are mines.
    """
    count = asked.size
    zeros = np.zeros(count, dtype=np.int64)
    deep_asked = zeros if deep_asked is None else deep_asked
    deep_mine = zeros if deep_mine is None else deep_mine
    length = np.diff(raw.start)
    query = np.repeat(np.arange(count), length)
    place = np.arange(raw.mantissa.size) - raw.start[:-1][query]
    columns = np.maximum(length // (asked + 1), 1)
    row, column = np.divmod(place, columns[query])
    mines = raw.least[query] + column + deep_mine[query]
    width = int((asked + deep_asked).max(initial=0)) + 1
    result = np.zeros(count * width)
    ways = np.ones(count)
    for i in range(int(deep_asked.max(initial=0)) + 1):
        chosen = (i <= deep_asked[query]) & (mines + i < mantissa.shape[1])
        q, k = query[chosen], mines[chosen] + i
        weight = weight_class[q], k
        value = raw.mantissa[chosen] * mantissa[weight] * ways[q]
        power = np.clip(raw.exponent[chosen] + exponent[weight], -2000, 2000)
        result += np.bincount(
            q * width + row[chosen] + i,
            weights=np.ldexp(value, power.astype(np.int32)),
            minlength=result.size,
        )
        ways = ways * np.maximum(deep_asked - i, 0) / (i + 1)
    return result.reshape(-1, width)


def read_tables(
    raw: RawTables, rows: Sequence[int], residues: Callable[[int], NDArray[Any]], exact: bool
) -> list[Table]:
    """The core's tables of ``rows`` rows each; exact counts from their residues modulo primes."""
    count = counts_of(raw.mantissa, raw.exponent, residues, exact)
    tables = []
    bounds = itertools.pairwise(raw.start.tolist())
    for least, row_count, (begin, end) in zip(raw.least.tolist(), rows, bounds, strict=True):
        columns = (end - begin) // row_count
        table = [count[i : i + columns] for i in range(begin, end, columns)] if columns else []
        tables.append(Table(least, table))
    return tables


def packed(lists: Iterable[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Lists one after the other: where each begins (and the last one ends), and all items."""
    lists = list(lists)
    start = np.zeros(len(lists) + 1, dtype=np.int32)
    np.cumsum([len(items) for items in lists], out=start[1:])
    return start, np.fromiter(itertools.chain.from_iterable(lists), np.int32, count=start[-1])
