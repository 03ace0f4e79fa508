// The elimination engine's parts against their laws and against brute force, on random problems.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "elimination/elimination.hpp"
#include "tests/check.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20260101;
constexpr int kProblems = 3000;

// A strip or sheet of clues on a grid of cells: wide enough for lists instead of words.
SmallProblem grid_problem(std::mt19937& random, CellId rows, CellId columns) {
    SmallProblem problem;
    problem.cell_count = rows * columns;
    std::vector<MineCount> mine(static_cast<std::size_t>(problem.cell_count));
    for (auto& m : mine) m = random() % 2 == 0;
    for (CellId row = 0; row + 1 < rows; ++row)
        for (CellId column = 0; column + 1 < columns; ++column) {
            MineCount need = 0;
            for (const CellId cell :
                 {row * columns + column, row * columns + column + 1, (row + 1) * columns + column,
                  (row + 1) * columns + column + 1}) {
                problem.clue_cell.push_back(cell);
                need += mine[static_cast<std::size_t>(cell)];
            }
            problem.end_clue(need);
        }
    return problem;
}

bool reduced(const SmallProblem& problem, Inference& inference) {
    return reduce(problem.view(), inference.settled, inference.reduction);
}

TotalWeights flat_weights(const Inference& inference) {
    TotalWeights weights;
    weights.weight.assign(inference.mine_counts(), Wide::make(1.0, 0));
    weights.deep_share.assign(inference.mine_counts(), 0.0);
    return weights;
}

}  // namespace

TEST_CASE("elimination agrees with brute force") {
    std::mt19937 random(kSeed);
    for (int i = 0; i < kProblems; ++i) {
        const SmallProblem problem = random_problem(random);
        const BruteForce truth = brute_force(problem);
        Elimination engine(problem.view(), Budget{}, nullptr);
        const bool possible =
            std::ranges::any_of(truth.count, [](std::uint64_t n) { return n != 0; });
        CHECK(engine.consistent() == possible);
        if (!possible) continue;
        std::vector<std::uint64_t> one(engine.mine_counts(), 1);
        const auto exact = engine.evaluate_modular((std::uint64_t{1} << 61) - 1, one, nullptr);
        for (std::size_t mines = 0; mines < truth.count.size(); ++mines) {
            const auto k = static_cast<MineCount>(mines) - engine.least_mines();
            const bool inside = k >= 0 && k < static_cast<MineCount>(exact.count.size());
            CHECK((inside ? exact.count[static_cast<std::size_t>(k)] : 0) == truth.count[mines]);
        }
        TotalWeights weights;
        for (MineCount m = engine.least_mines(); m <= engine.most_mines(); ++m)
            weights.weight.push_back(Wide::make(problem.weight[static_cast<std::size_t>(m)], 0));
        weights.deep_share.assign(weights.weight.size(), 0.0);
        for (const int tilt : {0, -2, 3}) {
            weights.tilt = tilt;
            const Evaluation evaluation = engine.evaluate(weights, nullptr);
            CHECK(near(std::ldexp(evaluation.total, static_cast<int>(evaluation.total_exponent)),
                       truth.total));
            if (truth.total == 0.0) continue;
            for (std::size_t cell = 0; cell < truth.mine.size(); ++cell) {
                CHECK(near(evaluation.probability[cell], truth.mine[cell] / truth.total));
                CHECK((evaluation.probability[cell] == 0.0) == (truth.mine[cell] == 0.0));
                CHECK((evaluation.probability[cell] == 1.0) == (truth.mine[cell] == truth.total));
            }
        }
    }
}

TEST_CASE("words and lists give one elimination order") {
    std::mt19937 random(kSeed + 1);
    for (int i = 0; i < 500; ++i) {
        Inference inference;
        const SmallProblem problem =
            i % 2 == 0 ? random_problem(random) : grid_problem(random, 5, 5);
        if (!reduced(problem, inference)) continue;
        OrderFinder finder;
        EliminationOrder words, lists;
        finder.min_fill(inference.reduction, words);
        finder.min_fill_lists(inference.reduction, {}, lists);
        CHECK(words.counter == lists.counter);
        CHECK(words.width == lists.width);
    }
}

TEST_CASE("a join tree opens and closes every counter once") {
    std::mt19937 random(kSeed + 2);
    for (int i = 0; i < 200; ++i) {
        Inference inference;
        if (!reduced(grid_problem(random, 4, 4 + i % 20), inference)) continue;
        if (!inference.prepare(Budget{}, nullptr)) continue;
        const JoinTree& tree = inference.tree;
        if (tree.node.empty()) continue;
        std::vector<int> closed(inference.reduction.counter_count(), 0);
        std::vector<int> used(tree.node.size(), 0);
        for (NodeId n = 0; n < tree.node.size(); ++n) {
            const JoinNode& node = tree.node[n];
            for (const CounterId c : tree.closing_of(node)) ++closed[c];
            if (!node.is_leaf()) {
                CHECK(node.left < n && node.right < n);
                ++used[node.left];
                ++used[node.right];
            }
            for (const ScopeEntry& a : tree.scope_of(node))
                for (const ScopeEntry& b : tree.scope_of(node)) {
                    if (a.counter >= b.counter) continue;
                    const Slot s = tree.slot[a.counter], t = tree.slot[b.counter];
                    CHECK(s.word != t.word || s.shift + s.width <= t.shift ||
                          t.shift + t.width <= s.shift);
                }
        }
        CHECK(std::ranges::all_of(closed, [](int n) { return n == 1; }));
        CHECK(std::count(used.begin(), used.end(), 1) + 1 ==
              static_cast<std::ptrdiff_t>(used.size()));
        CHECK(tree.scope_of(tree.node.back()).empty());
    }
}

TEST_CASE("masks of every width, with and without dead entries, give one answer") {
    std::mt19937 random(kSeed + 3);
    SupportBuilder builder;
    for (int i = 0; i < 60; ++i) {
        Inference inference;
        if (!reduced(grid_problem(random, 6, 6 + i % 10), inference)) continue;
        if (!inference.prepare(Budget{}, nullptr)) continue;
        Marginals expected;
        const TotalWeights weights = flat_weights(inference);
        inference.evaluate(weights, nullptr, expected);
        for (const std::uint32_t words : {1U, 2U, 4U, 16U})
            for (const std::uint64_t drop_from : {std::uint64_t{0}, ~std::uint64_t{0}}) {
                if (words < inference.tree.words) continue;
                inference.tree.words = words;
                builder.build(inference.reduction, inference.tree, {.drop_dead_from = drop_from},
                              inference.support);
                Marginals result;
                inference.evaluate(weights, nullptr, result);
                CHECK(result.probability.size() == expected.probability.size());
                for (std::size_t v = 0; v < expected.probability.size(); ++v)
                    CHECK(near(result.probability[v], expected.probability[v]));
            }
    }
}

TEST_CASE("a budget is refused before memory is taken") {
    // A lattice: 3x3 blocks that share their borders.
    SmallProblem problem;
    constexpr CellId kSide = 6;
    problem.cell_count = (2 * kSide + 1) * (2 * kSide + 1);
    for (CellId row = 0; row < kSide; ++row)
        for (CellId column = 0; column < kSide; ++column) {
            for (CellId i = 0; i < 3; ++i)
                for (CellId j = 0; j < 3; ++j)
                    problem.clue_cell.push_back((2 * row + i) * (2 * kSide + 1) + 2 * column + j);
            problem.end_clue(3);
        }
    CHECK(Elimination(problem.view(), Budget{}, nullptr).consistent());
    CHECK_THROWS_AS(Elimination(problem.view(), Budget{.max_work = 1.0}, nullptr), CostExceeded);
    CHECK_THROWS_AS(Elimination(problem.view(), Budget{.max_memory = 64.0}, nullptr), CostExceeded);
}
