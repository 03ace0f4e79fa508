// Problems small enough for brute force, read from bytes: the reference for both engines, in the
// fuzz target and wherever a test wants any problem at all.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tests/byte_reader.hpp"
#include "tests/problem_arrays.hpp"

namespace mineodds::testing {

// A problem and the weights of its mine counts.
struct SmallProblem : ProblemArrays {
    std::vector<double> weight;  // of 0, 1, ... cell_count mines: small whole numbers, some zero
};

// What placing mines on the cells in every possible way tells.
struct BruteForce {
    std::vector<std::uint64_t> count;  // configurations with 0, 1, ... cell_count mines
    double total = 0.0;                // their weight; whole numbers, so exact
    std::vector<double> mine;          // by cell: the weight of those with a mine in it
};

inline constexpr unsigned kMostCells = 14;
inline constexpr std::size_t kMostClues = 12;

// Any bytes are a problem: the number of cells, the weights, a layout (two bytes), then clues of
// three bytes each (two for the cells, one for the need). Most needs are those of the layout, or
// hardly any problem would have a configuration; some are arbitrary, from -1 to one too many.
// Missing bytes count as zero. Cells in no clue are left out.
inline SmallProblem problem_from_bytes(std::span<const std::uint8_t> input) {
    ByteReader bytes(input);
    const unsigned cells = 1 + bytes.byte() % kMostCells;
    const unsigned all_cells = (1U << cells) - 1U;
    const auto take_cells = [&] { return bytes.word() & all_cells; };
    SmallProblem problem;
    for (unsigned k = 0; k <= cells; ++k) problem.weight.push_back(bytes.byte() % 4);
    const unsigned layout = take_cells();

    std::vector<unsigned> clue;
    unsigned used = 0;
    while (!bytes.empty() && clue.size() < kMostClues) {
        clue.push_back(take_cells());
        used |= clue.back();
        const int size = std::popcount(clue.back());
        const unsigned choice = bytes.byte();
        problem.clue_need.push_back(choice < 16 ? static_cast<int>(choice) % (size + 3) - 1
                                                : std::popcount(clue.back() & layout));
    }
    std::vector<CellId> index(cells);
    for (unsigned v = 0; v < cells; ++v) {
        if ((used >> v & 1U) != 0) index[v] = problem.cell_count++;
    }
    for (const unsigned mask : clue) {
        for (unsigned v = 0; v < cells; ++v) {
            if ((mask >> v & 1U) != 0) problem.clue_cell.push_back(index[v]);
        }
        problem.clue_start.push_back(static_cast<std::int32_t>(problem.clue_cell.size()));
    }
    return problem;
}

// Of `least` to `most` random bytes.
template <class Generator>
SmallProblem random_problem(Generator& random, std::size_t least = 6, std::size_t most = 65) {
    std::vector<std::uint8_t> bytes(least + random() % (most - least + 1));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return problem_from_bytes(bytes);
}

inline BruteForce brute_force(const SmallProblem& problem) {
    const auto cells = static_cast<std::size_t>(problem.cell_count);
    const Problem view = problem.view();
    BruteForce result{std::vector<std::uint64_t>(cells + 1), 0.0, std::vector<double>(cells)};
    for (std::uint32_t placement = 0; placement < std::uint32_t{1} << cells; ++placement) {
        const auto mine = [&](CellId v) { return static_cast<MineCount>(placement >> v & 1U); };
        bool agrees = true;
        for (ClueId c = 0; c < static_cast<ClueId>(view.clue_count()); ++c) {
            MineCount mines = 0;
            for (const CellId v : view.cells_of(c)) mines += mine(v);
            agrees = agrees && mines == view.clue_need[static_cast<std::size_t>(c)];
        }
        if (!agrees) continue;
        std::size_t mines = 0;
        for (CellId v = 0; v < problem.cell_count; ++v) mines += static_cast<std::size_t>(mine(v));
        ++result.count[mines];
        result.total += problem.weight[mines];
        for (std::size_t v = 0; v < cells; ++v) {
            if (mine(static_cast<CellId>(v)) != 0) result.mine[v] += problem.weight[mines];
        }
    }
    return result;
}

}  // namespace mineodds::testing
