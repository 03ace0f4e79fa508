// One name per quantity, with the reason for its width.
//
// Cells, clues, variables and tree nodes are indices into arrays that a board of 10^8 cells still
// fits; 32 bits keep the join records (three indices) at 12 bytes. Mine counts are signed because
// differences of them ("need minus unseen") go below zero before they are compared.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mineodds {

using CellId = std::int32_t;  // index of a cell; int32 as in the CSR arrays that NumPy hands over
using ClueId = std::int32_t;  // index of a clue in a Problem
using CounterId = std::uint32_t;   // index of a clue that is left after reduction
using VariableId = std::uint32_t;  // index of a group of cells with equal clues
using ClassId = std::uint32_t;     // index of a kind of cell: those with equal weights
using NodeId = std::uint32_t;      // index of a node of the join tree
using EntryId = std::uint32_t;     // index of a table entry, over all tables of one evaluation
using MineCount = std::int32_t;    // a number of mines; signed: see above

inline constexpr std::uint32_t kNone = 0xffffffffU;

}  // namespace mineodds
