// Many boards of one shape: blocks of boards on several threads, each with its own BoardSolver.
//
// The answer for a board does not depend on the others, nor on how many threads there are. One bad
// board among many is a status, never an exception.
#pragma once

#include <cstdint>
#include <span>

#include "position/board_solver.hpp"

namespace mineodds {

struct Batch {
    std::span<const std::int8_t> cells;   // boards * cells, one board after another
    std::span<const std::int64_t> mines;  // one a board
    const Neighbours& neighbours;
    std::int8_t largest_clue = 8;
    Budget budget;
    std::size_t workers = 1;  // threads, this one included
};

// probability: as cells; status: one a board. Throws Interrupted or DeadlinePassed.
void solve_batch(const Batch& batch, const Control* control, std::span<double> probability,
                 std::span<std::uint8_t> status);

}  // namespace mineodds
