// The semi-joins of costly boards find what the plain loop over the join tree finds: the same live
// entries, pairs and degrees; and tests of pairs of counters drop dead entries only.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "elimination/factor.hpp"
#include "elimination/outside.hpp"
#include "elimination/plan_search.hpp"
#include "tests/check.hpp"
#include "tests/lattices.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20261130;

struct Planned {
    SettleState settled;
    Reduction reduction;
    JoinTree tree;

    bool plan(const SmallProblem& problem, PlanKind kind, std::span<const CellId> free_cells = {}) {
        if (!reduce(problem.view(), settled, reduction, free_cells)) return false;
        Planner planner;
        EliminationOrder order;
        planner.plan(reduction, {.kind = kind}, nullptr, order, tree);
        tree.assign_slots(reduction);
        return true;
    }
    Support support(const SupportOptions& options) const {
        SupportBuilder builder;
        Support result;
        builder.build(reduction, tree, options, result);
        return result;
    }
};

// Entries by node and degrees, pairs by node: what does not depend on an order.
std::vector<std::uint64_t> outline(const Support& support) {
    std::vector<std::uint64_t> result{support.consistent, support.trimmed, support.coefficients};
    result.insert(result.end(), support.node_entry.begin(), support.node_entry.end());
    result.insert(result.end(), support.node_pair.begin(), support.node_pair.end());
    for (std::size_t n = 1; n < support.node_entry.size(); ++n) {
        std::vector<std::uint64_t> degrees;
        for (EntryId e = support.node_entry[n - 1]; e < support.node_entry[n]; ++e)
            degrees.push_back(static_cast<std::uint64_t>(support.entry[e].low) << 32U |
                              support.entry[e].length);
        std::ranges::sort(degrees);
        result.insert(result.end(), degrees.begin(), degrees.end());
    }
    return result;
}

}  // namespace

TEST_CASE("semi-joins find the entries and pairs that are live, and no others") {
    std::mt19937 random(kSeed);
    for (int i = 0; i < 60; ++i) {
        const SmallProblem problem = lattice(random, 2 + i % 4, 2 + i % 4);
        const std::vector<CellId> asked{0, problem.cell_count / 2};
        Planned planned;
        REQUIRE(
            planned.plan(problem, i % 2 == 0 ? PlanKind::min_fill : PlanKind::linear,
                         i % 3 == 0 ? std::span<const CellId>(asked) : std::span<const CellId>()));
        for (const std::int64_t least : {std::int64_t{0}, std::int64_t{problem.cell_count / 4}}) {
            const MineWindow window{least, least == 0 ? problem.cell_count : least + 2};
            const Support plain =
                planned.support({.window = window, .drop_dead_from = 0, .semi_join_from = 1e300});
            const Support tested = planned.support({.window = window,
                                                    .drop_dead_from = 0,
                                                    .semi_join_from = 0.0,
                                                    .pair_tests_from = 0.0});
            const Support untested = planned.support({.window = window,
                                                      .drop_dead_from = 0,
                                                      .semi_join_from = 0.0,
                                                      .pair_tests_from = 1e300});
            CHECK(outline(tested) == outline(plain));
            CHECK(outline(untested) == outline(plain));
            CHECK(untested.products == plain.products);
            CHECK(tested.products <= plain.products);
        }
    }
}

TEST_CASE("three mines beside one clue leave its neighbour one") {
    // Two clues of three cells each that share one: a table over no cell of theirs has both open
    // with nothing seen, so a third clue over one private cell of each opens them.
    SmallProblem problem;
    problem.cell_count = 7;
    for (const CellId cell : {0, 1, 2, 5}) problem.clue_cell.push_back(cell);
    problem.end_clue(3);
    for (const CellId cell : {2, 3, 4, 6}) problem.clue_cell.push_back(cell);
    problem.end_clue(1);
    for (const CellId cell : {5, 6}) problem.clue_cell.push_back(cell);
    problem.end_clue(1);
    Planned planned;
    REQUIRE(planned.plan(problem, PlanKind::min_fill));
    Outside outside;
    outside.set(planned.reduction, planned.tree);
    std::size_t found = 0;
    std::vector<PairTest> tests;
    for (NodeId n = 0; n < planned.tree.node.size(); ++n) {
        outside.find_tests(planned.reduction, planned.tree, n, tests);
        found += tests.size();
    }
    CHECK(found > 0);
}

TEST_CASE("semi-joins keep to their memory and give it back") {
    std::mt19937 random(kSeed);
    const SmallProblem problem = lattice(random, 8, 3);
    Planned planned;
    REQUIRE(planned.plan(problem, PlanKind::min_fill));
    CHECK_THROWS_AS(planned.support({.max_memory = 1000.0, .semi_join_from = 0.0}), CostExceeded);
}
