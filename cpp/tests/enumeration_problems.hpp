// What the tests of the enumeration engine share: problems from lists of cells, plain weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "enumeration/enumeration.hpp"
#include "tests/small_problem.hpp"

namespace mineodds::testing {

// Clues as lists of cells with their needs.
inline SmallProblem problem_of(CellId cell_count, const std::vector<std::vector<CellId>>& clues,
                               const std::vector<MineCount>& needs) {
    SmallProblem problem;
    problem.cell_count = cell_count;
    for (const auto& clue : clues) {
        problem.clue_cell.insert(problem.clue_cell.end(), clue.begin(), clue.end());
        problem.clue_start.push_back(static_cast<std::int32_t>(problem.clue_cell.size()));
    }
    problem.clue_need = needs;
    return problem;
}

// Every mine count with its weight; a deep cell is a mine half of the time.
inline Evaluation evaluate(const Enumeration& engine, const std::vector<double>& weight) {
    const std::vector<std::int64_t> exponent(weight.size(), 0);
    const std::vector<double> share(weight.size(), 0.5);
    return engine.evaluate(weight, exponent, share);
}

// n components a + b = 1, b + c = 1, either {b} or {a, c}: (z + z^2)^n.
inline SmallProblem pairs_or_singles(CellId n) {
    std::vector<std::vector<CellId>> clues;
    for (CellId i = 0; i < n; ++i) {
        clues.push_back({3 * i, 3 * i + 1});
        clues.push_back({3 * i + 2, 3 * i + 1});
    }
    return problem_of(3 * n, clues, std::vector<MineCount>(clues.size(), 1));
}

}  // namespace mineodds::testing
