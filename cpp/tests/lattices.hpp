// Lattices of clues for tests: wide problems of any size.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/small_problem.hpp"

namespace mineodds::testing {

// Clues in 3x3 blocks that share their borders, needs counted from random mines.
inline SmallProblem lattice(std::mt19937& random, CellId side, std::uint32_t mines_in_ten) {
    SmallProblem problem;
    const CellId width = 2 * side + 1;
    problem.cell_count = width * width;
    std::vector<MineCount> mine(static_cast<std::size_t>(problem.cell_count));
    for (auto& m : mine) m = random() % 10 < mines_in_ten;
    for (CellId row = 0; row < side; ++row)
        for (CellId column = 0; column < side; ++column) {
            MineCount need = 0;
            for (CellId i = 0; i < 3; ++i)
                for (CellId j = 0; j < 3; ++j) {
                    if (i == 1 && j == 1) continue;
                    const CellId cell = (2 * row + i) * width + 2 * column + j;
                    problem.clue_cell.push_back(cell);
                    need += mine[static_cast<std::size_t>(cell)];
                }
            problem.end_clue(need);
        }
    return problem;
}

}  // namespace mineodds::testing
