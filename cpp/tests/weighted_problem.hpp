// Small problems of cells that are not all alike, and all their placements one by one: the
// reference for cells with weights (cell_weights.hpp) and for chains (gibbs.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "elimination/cell_weights.hpp"
#include "tests/problem_arrays.hpp"

namespace mineodds::testing {

// A cell of the board is `capacity` cells of the problem, one after the other.
struct WeightedProblem : ProblemArrays {
    std::vector<std::vector<std::uint64_t>> polynomial;  // by class
    std::vector<ClassId> class_of;                       // by cell of the board
    std::vector<CellId> first;                           // by cell of the board, and the end
    std::vector<std::vector<std::size_t>> around;        // by clue: cells of the board
    std::vector<std::uint64_t> total;                    // weights of 0, 1, ... mines in all

    std::size_t cells() const { return class_of.size(); }
    MineCount capacity(std::size_t cell) const {
        return static_cast<MineCount>(polynomial[class_of[cell]].size()) - 1;
    }
    CellWeights weights(std::uint64_t prime = 0) const {
        CellWeights result;
        for (std::size_t i = 0; i < cells(); ++i)
            result.cell_class.insert(result.cell_class.end(), static_cast<std::size_t>(capacity(i)),
                                     class_of[i]);
        for (const auto& weight : polynomial) {
            for (const std::uint64_t w : weight) {
                result.weight.push_back(Wide::make(static_cast<double>(w), 0));
                if (prime != 0) result.residue.push_back(w % prime);
            }
            result.start.push_back(static_cast<std::uint32_t>(result.weight.size()));
        }
        return result;
    }
    // The weight of a placement: mines by cell of the board; 0 if the clues do not agree.
    std::uint64_t weight(const std::vector<MineCount>& held) const {
        std::uint64_t result = 1;
        std::size_t mines = 0;
        for (std::size_t i = 0; i < cells(); ++i) {
            result *= polynomial[class_of[i]][static_cast<std::size_t>(held[i])];
            mines += static_cast<std::size_t>(held[i]);
        }
        for (std::size_t c = 0; c < around.size(); ++c) {
            MineCount seen = 0;
            for (const std::size_t cell : around[c]) seen += held[cell];
            if (seen != clue_need[c]) return 0;
        }
        return result * total[mines];
    }
    // visit(held, weight) for every placement that has a weight.
    template <class Visit>
    void each(Visit&& visit) const {
        std::vector<MineCount> held(cells(), 0);
        while (true) {
            if (const std::uint64_t w = weight(held); w != 0) visit(held, w);
            std::size_t i = 0;
            while (i < held.size() && held[i] == capacity(i)) held[i++] = 0;
            if (i == held.size()) return;
            ++held[i];
        }
    }
};

// Two to five cells of one or two classes, clues that some placement agrees with (most of them),
// small weights, so that sums are exact in doubles. `all_in_clues`: no cell is in no clue.
inline WeightedProblem weighted_problem(std::mt19937& random, bool all_in_clues) {
    WeightedProblem result;
    const auto below = [&](std::size_t bound) { return random() % bound; };
    const std::size_t classes = 1 + below(2);
    for (std::size_t c = 0; c < classes; ++c) {
        std::vector<std::uint64_t> weight(2 + below(3));
        for (auto& w : weight) w = 1 + below(5);
        result.polynomial.push_back(std::move(weight));
    }
    const std::size_t cells = 2 + below(4);
    std::vector<MineCount> layout;
    for (std::size_t i = 0; i < cells; ++i) {
        result.class_of.push_back(static_cast<ClassId>(below(classes)));
        result.first.push_back(result.cell_count);
        result.cell_count += result.capacity(i);
        layout.push_back(
            static_cast<MineCount>(below(static_cast<std::size_t>(result.capacity(i)) + 1)));
    }
    result.first.push_back(result.cell_count);
    std::vector<bool> covered(cells, false);
    for (std::size_t c = 0, clues = below(4); c < clues || all_in_clues; ++c) {
        std::vector<std::size_t> near;
        for (std::size_t i = 0; i < cells; ++i)
            if (below(2) != 0) near.push_back(i);
        if (near.empty()) near.push_back(below(cells));
        MineCount need = below(12) == 0 ? 1 : 0;
        for (const std::size_t i : near) {
            covered[i] = true;
            need += layout[i];
            for (CellId place = result.first[i]; place < result.first[i + 1]; ++place)
                result.clue_cell.push_back(place);
        }
        result.end_clue(need);
        result.around.push_back(std::move(near));
        bool all = true;
        for (const bool is_covered : covered) all = all && is_covered;
        if (all_in_clues && all) break;
    }
    for (CellId m = 0; m <= result.cell_count; ++m) result.total.push_back(below(4));
    return result;
}

}  // namespace mineodds::testing
