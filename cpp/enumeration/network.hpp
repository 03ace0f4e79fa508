// The constraint network that the search walks: what is left of a problem after the clues that
// settle cells at once, split into components, its variables numbered in search order.
//
// Cells that lie in exactly the same clues are interchangeable: they form one variable of size s
// with the values 0..s, and value m stands for C(s, m) placements. Two variables belong to the same
// component when a chain of clues joins them. Within a component the variables are numbered clue by
// clue: first the clue at the end of the component (found by breadth-first search), then always the
// touched clue with the fewest variables left, so that a search in the order of the numbers
// finishes a clue, and notices a contradiction, as early as it can (fail first: Haralick & Elliott,
// Increasing tree search efficiency for constraint satisfaction problems, 1980).
//
// This is the enumeration's own code; it shares nothing with the reduction of the elimination
// engine, so that an error in either shows as a disagreement of the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "words/integers.hpp"

namespace mineodds {

using ComponentId = std::uint32_t;

// Lists of ids, one after the other: list i is entry[start[i] .. start[i + 1]).
template <class Id>
struct Lists {
    std::vector<std::size_t> start{0};
    std::vector<Id> entry;

    std::size_t count() const { return start.size() - 1; }
    std::span<const Id> operator[](std::size_t i) const {
        return {entry.data() + start[i], start[i + 1] - start[i]};
    }
    void close() { start.push_back(entry.size()); }
};

struct ConstraintNetwork {
    bool consistent = true;            // false: the clues contradict each other without any search
    std::vector<std::int8_t> settled;  // by cell: -1 open, 0 safe, 1 mine
    MineCount settled_mines = 0;

    std::vector<MineCount> size;       // by variable: how many cells
    Lists<CellId> cells;               // by variable, ascending
    Lists<std::uint32_t> clues;        // by variable: the clues that it lies in
    Lists<VariableId> variables;       // by clue: its variables, ascending
    std::vector<MineCount> need;       // by clue: mines among its cells that are not settled
    std::vector<MineCount> open;       // by clue: cells that are not settled
    std::vector<VariableId> first{0};  // component c: variables first[c] .. first[c + 1]

    std::size_t variable_count() const { return size.size(); }
    std::size_t clue_count() const { return need.size(); }
    std::size_t component_count() const { return first.size() - 1; }
    // Cells of a component, the most mines that it could hold.
    MineCount cell_count(ComponentId component) const;
    double memory() const;  // bytes
};

// Linear in the lists of the problem but for sorting. The problem must have passed check().
ConstraintNetwork make_network(const Problem& problem);

}  // namespace mineodds
