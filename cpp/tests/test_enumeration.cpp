// The enumeration engine against brute force on random small problems, and on those with nothing to
// search: counts, odds, and the configurations one by one.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "coefficients/primes.hpp"
#include "enumeration/configurations.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/check.hpp"
#include "tests/enumeration_problems.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

void compare_with_brute_force(const SmallProblem& problem) {
    const auto expected = brute_force(problem);
    const Enumeration engine(problem.view(), kUnlimitedNodes);
    std::vector<std::size_t> occurring;
    for (std::size_t k = 0; k < expected.count.size(); ++k)
        if (expected.count[k] != 0) occurring.push_back(k);
    CHECK(engine.consistent() == !occurring.empty());
    if (!engine.consistent()) {
        CHECK(engine.least_mines() == 0 && engine.most_mines() == 0);
        CHECK(std::isnan(evaluate(engine, {1.0}).deep_probability));
        CHECK(engine.evaluate_modular(7, std::vector<std::uint64_t>{1}).total == 0);
        CHECK_FALSE(ConfigurationIterator(problem.view()).next());
        return;
    }
    const std::size_t least = occurring.front();
    CHECK(engine.least_mines() == static_cast<MineCount>(least));
    CHECK(engine.most_mines() == static_cast<MineCount>(occurring.back()));
    REQUIRE(engine.possible().size() == occurring.back() - least + 1);

    std::vector<double> weight;
    std::vector<std::uint64_t> whole_weight;
    for (std::size_t k = least; k <= occurring.back(); ++k) {
        CHECK((engine.possible()[k - least] != 0) == (expected.count[k] != 0));
        weight.push_back(problem.weight[k]);
        whole_weight.push_back(static_cast<std::uint64_t>(problem.weight[k]));
    }
    for (const std::uint64_t prime : {largest_primes(1).front(), std::uint64_t{10007}}) {
        const auto exact = engine.evaluate_modular(prime, whole_weight);
        for (std::size_t k = 0; k < weight.size(); ++k)
            CHECK(exact.count[k] == expected.count[least + k] % prime);
        CHECK(exact.total == static_cast<std::uint64_t>(expected.total) % prime);
        for (std::size_t cell = 0; cell < expected.mine.size(); ++cell)
            CHECK(exact.mine[cell] == static_cast<std::uint64_t>(expected.mine[cell]) % prime);
    }

    const Evaluation odds = evaluate(engine, weight);
    CHECK(near(std::ldexp(odds.total, static_cast<int>(odds.total_exponent)), expected.total));
    for (std::size_t cell = 0; cell < expected.mine.size(); ++cell) {
        const double probability = odds.probability[cell];
        if (expected.total == 0.0) {
            CHECK(std::isnan(probability));
        } else {
            CHECK(near(probability, expected.mine[cell] / expected.total));
            CHECK((probability == 0.0) == (expected.mine[cell] == 0.0));
            CHECK((probability == 1.0) == (expected.mine[cell] == expected.total));
            CHECK(engine.settled()[cell] == -1 || probability == engine.settled()[cell]);
        }
    }

    // One by one: each once, each agreeing with the clues, as many as were counted.
    ConfigurationIterator configurations(problem.view());
    std::set<std::vector<std::int8_t>> seen;
    std::vector<std::uint64_t> count(expected.count.size(), 0);
    while (const auto configuration = configurations.next()) {
        CHECK(seen.emplace(configuration->begin(), configuration->end()).second);
        ++count[static_cast<std::size_t>(std::ranges::count(*configuration, 1))];
        for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_need.size()); ++clue) {
            MineCount mines = 0;
            for (const CellId cell : problem.view().cells_of(clue))
                mines += (*configuration)[static_cast<std::size_t>(cell)];
            CHECK(mines == problem.clue_need[static_cast<std::size_t>(clue)]);
        }
    }
    CHECK(count == expected.count);
    CHECK_FALSE(configurations.next());
}

// Clues over intervals of a line of cells: neighbouring ones overlap, gaps make components. Most
// needs are those of one layout, so that there is something to find.
SmallProblem random_intervals(std::mt19937_64& random) {
    const auto below = [&](std::uint64_t n) { return static_cast<CellId>(random() % n); };
    SmallProblem problem;
    problem.cell_count = 1 + below(kMostCells);
    const auto cells = static_cast<std::uint64_t>(problem.cell_count);
    const std::uint64_t layout = random();
    const CellId clues = below(8);
    for (CellId clue = 0; clue < clues; ++clue) {
        const CellId begin = below(cells);
        const CellId end = std::min(problem.cell_count, begin + 1 + below(6));
        const CellId left_out = begin + below(8);
        MineCount need = 0;
        for (CellId cell = begin; cell < end; ++cell) {
            if (cell == left_out) continue;
            problem.clue_cell.push_back(cell);
            need += static_cast<MineCount>(layout >> cell & 1U);
        }
        problem.end_clue(below(16) == 0 ? below(6) - 1 : need);
    }
    for (CellId k = 0; k <= problem.cell_count; ++k) problem.weight.push_back(below(4));
    return problem;
}

TEST_CASE("enumeration agrees with brute force on random problems") {
    std::mt19937_64 random(20240607);
    for (int round = 0; round < 400; ++round)
        compare_with_brute_force(random_problem(random, 20, 64));
    for (int round = 0; round < 1000; ++round) compare_with_brute_force(random_intervals(random));
}

TEST_CASE("enumeration of problems with nothing to search") {
    compare_with_brute_force([] {
        SmallProblem none;
        none.weight = {3.0};
        return none;
    }());
    for (const MineCount need : {-1, 0, 1}) {  // a clue without cells
        SmallProblem problem = problem_of(0, {{}}, {need});
        problem.weight = {1.0};
        compare_with_brute_force(problem);
    }
    for (const MineCount need : {0, 3}) {  // all settled
        SmallProblem problem = problem_of(3, {{0, 1, 2}}, {need});
        problem.weight = {1.0, 0.0, 0.0, 2.0};
        compare_with_brute_force(problem);
    }
    SmallProblem no_clue = problem_of(4, {{1, 2}}, {1});  // cells 0 and 3 are in no clue
    no_clue.weight = {1.0, 2.0, 0.0, 1.0, 1.0};
    compare_with_brute_force(no_clue);
}

}  // namespace
