// A problem with its arrays, for tests to build clue by clue.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.hpp"

namespace mineodds::testing {

struct ProblemArrays {
    CellId cell_count = 0;
    std::vector<std::int32_t> clue_start{0};
    std::vector<CellId> clue_cell;
    std::vector<MineCount> clue_need;

    // The cells appended since the last clue are one that needs so many mines.
    void end_clue(MineCount need) {
        clue_start.push_back(static_cast<std::int32_t>(clue_cell.size()));
        clue_need.push_back(need);
    }
    Problem view() const { return {cell_count, clue_start, clue_cell, clue_need}; }
};

}  // namespace mineodds::testing
