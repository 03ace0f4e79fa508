// The enumeration engine against closed forms, on problems that are long, deep, many, or past the
// range of doubles.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "coefficients/primes.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/check.hpp"
#include "tests/enumeration_problems.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr double kBelowOne = 1.0 - 0x1p-53;

TEST_CASE("a single 1 amid eight cells gives each of them 1/8") {
    const SmallProblem problem = problem_of(8, {{0, 1, 2, 3, 4, 5, 6, 7}}, {1});
    const Evaluation odds = evaluate(Enumeration(problem.view(), 10), {1.0});
    for (const double probability : odds.probability) CHECK(probability == 0.125);
}

TEST_CASE("a chain of 100,000 clues needs no deep stack") {
    // x0 + x1 = 1, x1 + x2 = 1, ...: everything follows from the first cell.
    constexpr CellId clues = 100000;
    std::vector<std::vector<CellId>> chain;
    for (CellId cell = 0; cell < clues; ++cell) chain.push_back({cell, cell + 1});
    SmallProblem problem = problem_of(clues + 1, chain, std::vector<MineCount>(clues, 1));
    const Enumeration engine(problem.view(), 1e6);
    CHECK(engine.least_mines() == clues / 2);
    CHECK(engine.most_mines() == clues / 2 + 1);
    const Evaluation odds = evaluate(engine, {3.0, 1.0});
    for (CellId cell = 0; cell <= clues; ++cell)
        CHECK(odds.probability[static_cast<std::size_t>(cell)] == (cell % 2 == 0 ? 0.25 : 0.75));

    // No clue forces another here, so that the search itself is 30,000 choices deep: groups of
    // three cells, neighbouring groups sharing 3 mines; values m, 3 - m, m, ... weigh C(3, m) each.
    constexpr CellId groups = 30001;
    chain.clear();
    for (CellId group = 0; group + 1 < groups; ++group) {
        chain.emplace_back();
        for (CellId i = 0; i < 6; ++i) chain.back().push_back(3 * group + i);
    }
    problem = problem_of(3 * groups, chain, std::vector<MineCount>(groups - 1, 3));
    const Enumeration deep(problem.view(), 1e6);
    CHECK(deep.possible() == std::vector<std::uint8_t>{1, 1, 1, 1});
    const Evaluation heavy = evaluate(deep, {0.0, 1.0, 2.0, 0.0});
    CHECK(heavy.total > 0.0);
    CHECK(heavy.total_exponent > 47000);  // 3 * 3^30001
    // The mine counts 1 and 2 at the first group stand 1 to 2.
    CHECK(near(heavy.probability[0], (1.0 / 3.0 + 2.0 * 2.0 / 3.0) / 3.0));
    CHECK(near(heavy.probability[3], (2.0 / 3.0 + 2.0 * 1.0 / 3.0) / 3.0));
}

TEST_CASE("many components are joined through the total") {
    for (const CellId n : {1, 2, 3, 5, 33, 1500}) {
        const SmallProblem problem = pairs_or_singles(n);
        const Enumeration engine(problem.view(), 1e6);
        CHECK(engine.least_mines() == n);
        CHECK(engine.most_mines() == 2 * n);
        for (const CellId pairs : {0, 1, n / 2, n}) {  // the total leaves only this many pairs
            std::vector<double> weight(static_cast<std::size_t>(n) + 1, 0.0);
            weight[static_cast<std::size_t>(pairs)] = 1.0;
            const Evaluation odds = evaluate(engine, weight);
            const double share = static_cast<double>(pairs) / n;
            CHECK(near(odds.probability[0], share));
            CHECK(near(odds.probability[1], 1.0 - share));
            CHECK(odds.probability[2] == odds.probability[0]);
            CHECK(near(odds.probability[static_cast<std::size_t>(3 * n - 2)], 1.0 - share));
            const double logarithm =
                std::lgamma(n + 1.0) - std::lgamma(pairs + 1.0) - std::lgamma(n - pairs + 1.0);
            CHECK(std::abs(std::log(odds.total) +
                           static_cast<double>(odds.total_exponent) * std::log(2.0) - logarithm) <
                  1e-8);
        }
    }
}

TEST_CASE("exact counts of many components") {
    const SmallProblem problem = pairs_or_singles(33);
    const Enumeration engine(problem.view(), 1e6);
    const std::uint64_t prime = largest_primes(1).front();
    const auto exact = engine.evaluate_modular(prime, std::vector<std::uint64_t>(34, 1));
    CHECK(exact.total == std::uint64_t{1} << 33);
    CHECK(exact.mine[0] == std::uint64_t{1} << 32);
    CHECK(exact.count[0] == 1);
    CHECK(exact.count[2] == 528);
    CHECK(exact.count[16] == 1166803110);
}

TEST_CASE("only the certain is certain") {
    // {b} against {a, c}, with weights further apart than doubles reach.
    const SmallProblem problem = pairs_or_singles(1);
    const Enumeration engine(problem.view(), 100);
    const std::vector<double> share{0.0, 1.0};
    const auto odds_with = [&](std::int64_t first, std::int64_t second) {
        const std::vector<double> weight{1.0, 1.0};
        const std::vector<std::int64_t> exponent{first, second};
        return engine.evaluate(weight, exponent, share);
    };
    for (const std::int64_t exponent : {55, 200, 5000, 1'000'000'000}) {
        const Evaluation single = odds_with(exponent, 0);
        CHECK(single.probability[1] == kBelowOne);
        CHECK(single.probability[0] > 0.0);
        CHECK(single.deep_probability > 0.0);
        CHECK(single.deep_probability == single.probability[0]);
        const Evaluation pair = odds_with(0, exponent);
        CHECK(pair.probability[0] == kBelowOne);
        CHECK(pair.deep_probability == kBelowOne);
        CHECK(pair.probability[1] == single.probability[0]);
    }
    CHECK(odds_with(-5000, 0).probability[1] == std::numeric_limits<double>::denorm_min());
    CHECK(odds_with(200, 0).probability[0] == std::ldexp(1.0, -200));
    const Evaluation certain = evaluate(engine, {1.0, 0.0});
    CHECK(certain.probability[1] == 1.0);
    CHECK(certain.probability[0] == 0.0);
}

TEST_CASE("deep cells take their share") {
    const SmallProblem problem = pairs_or_singles(1);
    const Enumeration engine(problem.view(), 100);
    const std::vector<double> weight{1.0, 3.0};
    const std::vector<std::int64_t> exponent{0, 0};
    const auto deep = [&](double first, double second) {
        return engine.evaluate(weight, exponent, std::vector<double>{first, second})
            .deep_probability;
    };
    CHECK(deep(0.5, 0.25) == 0.3125);
    CHECK(deep(0.0, 0.0) == 0.0);
    CHECK(deep(1.0, 1.0) == 1.0);
    CHECK(deep(1.0, 0.0) == 0.25);
    CHECK(std::isnan(evaluate(engine, {0.0, 0.0}).deep_probability));
    CHECK(evaluate(engine, {0.0, 0.0}).total == 0.0);
    // The share of a total that cannot be is not looked at.
    const std::vector<double> undefined{0.5, std::numeric_limits<double>::quiet_NaN()};
    CHECK(engine.evaluate(std::vector<double>{1.0, 0.0}, exponent, undefined).deep_probability ==
          0.5);
}

TEST_CASE("mine counts can have a gap") {
    // Cell 0 or else all of its three partners.
    const SmallProblem problem = problem_of(4, {{0, 1}, {0, 2}, {0, 3}}, {1, 1, 1});
    const Enumeration engine(problem.view(), 100);
    CHECK(engine.least_mines() == 1);
    CHECK(engine.most_mines() == 3);
    CHECK(engine.possible() == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(evaluate(engine, {0.0, 1.0, 0.0}).total == 0.0);
    CHECK(evaluate(engine, {3.0, 5.0, 1.0}).probability[0] == 0.75);
}

}  // namespace
