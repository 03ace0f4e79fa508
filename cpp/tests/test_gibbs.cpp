// Chains of random configurations: every one of them agrees with the clues, and each is seen about
// as often as it weighs, for cells that are alike and cells that are not.
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "approximation/gibbs.hpp"
#include "problem/reduction.hpp"
#include "tests/check.hpp"
#include "tests/weighted_problem.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20261130;
constexpr std::size_t kTries = 50;
constexpr std::size_t kSweeps = 20000;

// The values of the variables that a placement comes to.
std::vector<MineCount> values_of(const Reduction& r, const WeightedProblem& problem,
                                 const std::vector<MineCount>& held) {
    std::vector<MineCount> value(r.variable_count(), 0);
    for (std::size_t i = 0; i < r.cell.size(); ++i)
        for (std::size_t cell = 0; cell < problem.cells(); ++cell)
            if (problem.first[cell] == r.cell[i]) value[r.variable[i]] += held[cell];
    return value;
}

// The weights of each variable's values: one cell after the other multiplied in.
std::vector<double> log_values(const Reduction& r, const WeightedProblem& problem) {
    std::vector<double> result;
    for (VariableId v = 0; v < r.variable_count(); ++v) {
        std::vector<double> weight{1.0};
        for (std::size_t i = 0; i < r.cell.size(); ++i)
            for (std::size_t cell = 0; cell < problem.cells(); ++cell) {
                if (r.variable[i] != v || problem.first[cell] != r.cell[i]) continue;
                const auto& own = problem.polynomial[problem.class_of[cell]];
                std::vector<double> product(weight.size() + own.size() - 1, 0.0);
                for (std::size_t a = 0; a < weight.size(); ++a)
                    for (std::size_t b = 0; b < own.size(); ++b)
                        product[a + b] += weight[a] * static_cast<double>(own[b]);
                weight = std::move(product);
            }
        for (const double w : weight) result.push_back(std::log(w));
    }
    return result;
}

std::vector<double> log_totals(const WeightedProblem& problem) {
    std::vector<double> result;
    for (const std::uint64_t weight : problem.total)
        result.push_back(weight == 0 ? -std::numeric_limits<double>::infinity()
                                     : std::log(static_cast<double>(weight)));
    return result;
}

}  // namespace

TEST_CASE("A chain sees configurations as often as they weigh") {
    std::mt19937 random(kSeed);
    int chains = 0;
    for (int i = 0; i < 60; ++i) {
        const WeightedProblem problem = weighted_problem(random, true);
        const auto classes = problem.weights().cell_class;
        SettleState settled;
        Reduction r;
        r.cell_class = classes;
        if (!reduce(problem.view(), settled, r)) continue;
        std::map<std::vector<MineCount>, double> expected;
        double mass = 0.0;
        problem.each([&](const auto& held, std::uint64_t weight) {
            expected[values_of(r, problem, held)] += static_cast<double>(weight);
            mass += static_cast<double>(weight);
        });
        Gibbs gibbs(problem.view(), classes, log_values(r, problem), log_totals(problem), 0.3,
                    kSeed, static_cast<std::uint64_t>(i));
        if (expected.empty()) {
            CHECK_FALSE(gibbs.find(2, nullptr));
            continue;
        }
        REQUIRE(gibbs.find(kTries, nullptr));
        ++chains;
        std::map<std::vector<MineCount>, std::size_t> seen;
        for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
            gibbs.sweep();
            ++seen[{gibbs.value().begin(), gibbs.value().end()}];
        }
        for (const auto& [value, times] : seen) CHECK(expected.contains(value));
        for (const auto& [value, weight] : expected) {
            const double p = weight / mass;
            const double share = static_cast<double>(seen[value]) / kSweeps;
            // Draws are correlated: half the sweeps at least count as independent here.
            CHECK(std::abs(share - p) <= 6.0 * std::sqrt(2.0 * p * (1.0 - p) / kSweeps) + 1e-9);
        }
    }
    CHECK(chains > 30);
}

TEST_CASE("A chain is named by its seed and its number") {
    WeightedProblem problem;
    problem.polynomial = {{1, 1}};
    problem.class_of.assign(8, 0);
    problem.cell_count = 8;
    for (CellId cell = 0; cell < 5; ++cell) problem.clue_cell.push_back(cell);
    problem.end_clue(2);
    for (CellId cell = 3; cell < 8; ++cell) problem.clue_cell.push_back(cell);
    problem.end_clue(3);
    const std::vector<double> log_value{std::log(1.0), std::log(3.0), std::log(3.0), std::log(1.0),
                                        std::log(1.0), std::log(2.0), std::log(1.0), std::log(1.0),
                                        std::log(3.0), std::log(3.0), std::log(1.0)};
    const std::vector<double> any(9, 0.0);
    const auto walk = [&](std::uint64_t seed, std::uint64_t chain) {
        Gibbs gibbs(problem.view(), {}, log_value, any, 0.3, seed, chain);
        REQUIRE(gibbs.find(kTries, nullptr));
        std::vector<MineCount> values;
        for (int i = 0; i < 50; ++i) {
            gibbs.sweep();
            values.insert(values.end(), gibbs.value().begin(), gibbs.value().end());
            MineCount mines = 0;
            for (const MineCount m : gibbs.value()) mines += m;
            CHECK(gibbs.mines() == mines);
        }
        return values;
    };
    CHECK(walk(1, 0) == walk(1, 0));
    CHECK(walk(1, 0) != walk(1, 1));
    CHECK(walk(1, 0) != walk(2, 0));
    CHECK_THROWS_AS(Gibbs(problem.view(), {}, {0.0}, any, 0.3, 1, 0), BadArgument);
    CHECK_THROWS_AS(Gibbs(problem.view(), {}, log_value, {0.0}, 0.3, 1, 0), BadArgument);
}
