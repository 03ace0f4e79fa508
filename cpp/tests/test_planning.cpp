// Plans: whatever the order, the join tree and the masks, the answers are the same; and the
// portfolio's plans keep the laws of join trees.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "coefficients/binomial.hpp"
#include "coefficients/modular.hpp"
#include "elimination/elimination.hpp"
#include "tests/check.hpp"
#include "tests/lattices.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20260202;

// kShare cells in every clue, and as many of its own: `clues` counters, which need that many mines,
// are open at once.
constexpr CellId kShare = 15;
SmallProblem star(CellId clues) {
    SmallProblem problem;
    problem.cell_count = kShare * (clues + 1);
    for (CellId clue = 0; clue < clues; ++clue) {
        for (CellId i = 0; i < kShare; ++i) problem.clue_cell.push_back(i);
        for (CellId i = 0; i < kShare; ++i) problem.clue_cell.push_back(kShare * (clue + 1) + i);
        problem.end_clue(kShare);
    }
    return problem;
}

std::vector<std::uint64_t> counts(const SmallProblem& problem, const PlanOptions& options,
                                  std::span<const CellId> free_cells = {}) {
    Elimination engine(problem.view(), Budget{}, nullptr, free_cells, options);
    return engine.count_table_modular((std::uint64_t{1} << 61) - 1, nullptr);
}

bool prepared(const SmallProblem& problem, Inference& inference, const PlanOptions& options) {
    return reduce(problem.view(), inference.settled, inference.reduction) &&
           inference.prepare(Budget{}, nullptr, options);
}

}  // namespace

TEST_CASE("every kind of plan and every width of masks counts the same") {
    std::mt19937 random(kSeed);
    for (int i = 0; i < 40; ++i) {
        const SmallProblem problem = lattice(random, 2 + i % 3, 2 + i % 4);
        const std::vector<CellId> asked{0, problem.cell_count / 2, problem.cell_count - 1};
        const auto expected = counts(problem, {PlanKind::min_fill, 0}, asked);
        for (const PlanKind kind : {PlanKind::best, PlanKind::linear, PlanKind::annealed})
            CHECK(counts(problem, {kind, 0}, asked) == expected);
        for (const std::uint32_t words : {2U, 4U, 16U, 17U})
            CHECK(counts(problem, {PlanKind::best, words}, asked) == expected);
    }
}

TEST_CASE("tables without masks find the entries and pairs that masks find") {
    std::mt19937 random(kSeed + 1);
    for (int i = 0; i < 20; ++i) {
        const SmallProblem problem = lattice(random, 4, 2 + i % 4);
        Inference masks, plain;
        const bool consistent = prepared(problem, masks, {PlanKind::annealed, 0});
        CHECK(prepared(problem, plain, {PlanKind::annealed, 17}) == consistent);
        CHECK(plain.support.products == masks.support.products);
        CHECK(plain.support.pair.size() == masks.support.pair.size());
        CHECK(plain.support.entry.size() == masks.support.entry.size());
        CHECK(plain.support.coefficients == masks.support.coefficients);
    }
}

TEST_CASE("more counters open at once than any mask has bits for") {
    // 200 counters of five bits do not fit into 16 words. With m mines in the cells that all share,
    // every clue has 15 - m of its own 15.
    constexpr CellId kClues = 200;
    Inference inference;
    CHECK(prepared(star(kClues), inference, {}));
    CHECK(inference.tree.words > 16);
    const auto count = counts(star(kClues), {});
    CHECK(count.size() == kShare * (kClues - 1) + 1);
    const Modular ring((std::uint64_t{1} << 61) - 1);
    std::vector<Modular::Value> row;
    binomial_row(ring, ring.from_integer(1), kShare, kShare, row);
    std::vector<std::uint64_t> expected(count.size(), 0);
    for (std::size_t m = 0; m <= kShare; ++m) {
        Modular::Value ways = row[m];
        for (CellId clue = 0; clue < kClues; ++clue) ways = ring.multiply(ways, row[kShare - m]);
        expected[(kShare - m) * (kClues - 1)] = ring.to_integer(ways);
    }
    CHECK(count == expected);
}

TEST_CASE("an annealed tree joins every variable once and closes every counter once") {
    std::mt19937 random(kSeed + 2);
    for (int i = 0; i < 20; ++i) {
        const SmallProblem problem = lattice(random, 3 + i % 3, 4);
        for (const PlanKind kind : {PlanKind::linear, PlanKind::annealed}) {
            Inference inference;
            if (!prepared(problem, inference, {kind, 0})) continue;
            const JoinTree& tree = inference.tree;
            std::vector<int> leaves(inference.reduction.variable_count(), 0);
            std::vector<int> closed(inference.reduction.counter_count(), 0);
            for (const JoinNode& node : tree.node) {
                if (node.is_leaf()) ++leaves[node.right];
                for (const CounterId c : tree.closing_of(node)) ++closed[c];
            }
            CHECK(std::ranges::all_of(leaves, [](int n) { return n == 1; }));
            CHECK(std::ranges::all_of(closed, [](int n) { return n == 1; }));
            CHECK(inference.order.counter.size() == closed.size());
        }
    }
}

TEST_CASE("the portfolio is repeatable, cheaper than its first plan, and predicts its work") {
    std::mt19937 random(kSeed + 3);
    for (int i = 0; i < 4; ++i) {
        const SmallProblem problem = lattice(random, 8, 3 + i % 2);
        Inference first, again, plain;
        if (!prepared(problem, first, {})) continue;
        CHECK(prepared(problem, again, {}));
        CHECK(first.order.counter == again.order.counter);
        CHECK(first.support.products == again.support.products);
        CHECK(prepared(problem, plain, {PlanKind::min_fill, 0}));
        CHECK(first.support.products <= plain.support.products);
        const auto products = static_cast<double>(first.support.products);
        CHECK(first.tree.work <= 10.0 * products);
        CHECK(first.tree.work >= products / 10.0);
    }
}

TEST_CASE("degrees from which no total can be are not kept, and are not missed") {
    std::mt19937 random(kSeed + 5);
    for (int i = 0; i < 6; ++i) {
        const SmallProblem problem = lattice(random, 6, 3);
        Inference whole, part;
        if (!prepared(problem, whole, {})) continue;
        const auto middle = static_cast<std::int64_t>(whole.mine_counts() / 2);
        const MineWindow window{whole.least_mines() + middle - 1, whole.least_mines() + middle + 1};
        CHECK(reduce(problem.view(), part.settled, part.reduction));
        CHECK(part.prepare(Budget{}, nullptr, {}, window));
        CHECK(part.support.trimmed);
        CHECK(part.mine_counts() == 3);
        CHECK(part.least_mines() == static_cast<MineCount>(window.least));
        CHECK(part.support.coefficients < whole.support.coefficients);
        TotalWeights weights;
        weights.weight.assign(whole.mine_counts(), WideDouble{});
        weights.deep_share.assign(whole.mine_counts(), 0.0);
        for (std::int64_t k = middle - 1; k <= middle + 1; ++k)
            weights.weight[static_cast<std::size_t>(k)] = Wide::make(1.0, 0);
        Marginals expected, trimmed;
        whole.evaluate(weights, nullptr, expected);
        weights.weight.assign(3, Wide::make(1.0, 0));
        weights.deep_share.assign(3, 0.0);
        part.evaluate(weights, nullptr, trimmed);
        for (std::size_t v = 0; v < expected.probability.size(); ++v)
            CHECK(near(trimmed.probability[v], expected.probability[v]));
        // A window that no configuration reaches leaves nothing.
        CHECK(!part.prepare(Budget{}, nullptr, {}, {-5, -1}));
    }
}

TEST_CASE("tied and weighted orders are elimination orders too") {
    std::mt19937 random(kSeed + 4);
    const SmallProblem problem = lattice(random, 6, 4);
    Inference inference;
    CHECK(reduce(problem.view(), inference.settled, inference.reduction));
    OrderFinder finder;
    for (const std::uint64_t seed : {0U, 1U, 2U})
        for (const bool weighted : {false, true}) {
            EliminationOrder order;
            finder.min_fill_lists(inference.reduction, {seed, weighted}, order);
            std::ranges::sort(order.counter);
            CHECK(order.counter.size() == inference.reduction.counter_count());
            CHECK(std::ranges::adjacent_find(order.counter) == order.counter.end());
        }
}
