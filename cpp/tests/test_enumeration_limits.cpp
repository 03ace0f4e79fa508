// What the enumeration engine refuses and when it ends: the budget, a stop, a deadline, wrong
// arguments; and that threads may share it.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "enumeration/configurations.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/check.hpp"
#include "tests/enumeration_problems.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

// Nine mines in eighteen cells, each with a partner that makes it a variable of its own.
SmallProblem half_of_eighteen() {
    std::vector<std::vector<CellId>> clues(1);
    for (CellId cell = 0; cell < 18; ++cell) {
        clues[0].push_back(cell);
        clues.push_back({cell, 18 + cell});
    }
    std::vector<MineCount> needs(19, 1);
    needs[0] = 9;
    return problem_of(36, clues, needs);
}

TEST_CASE("the budget counts nodes") {
    const SmallProblem problem = half_of_eighteen();
    const Enumeration engine(problem.view(), kUnlimitedNodes);
    CHECK(engine.work() > 48620);
    CHECK(Enumeration(problem.view(), engine.work()).work() == engine.work());
    const auto tight = [&](double max_work) { return Enumeration(problem.view(), max_work); };
    CHECK_THROWS_AS(tight(engine.work() - 1), CostExceeded);
    try {
        tight(1000);
        CHECK(false);
    } catch (const CostExceeded& error) {
        CHECK(error.work == 1001);
        CHECK(error.memory > 0);
    }
}

TEST_CASE("a search can be stopped") {
    const SmallProblem problem = half_of_eighteen();
    const auto start = [&](const Control& control) {
        return Enumeration(problem.view(), kUnlimitedNodes, &control);
    };
    std::atomic<bool> stop = true;
    Control stopped;
    stopped.stop = &stop;
    CHECK_THROWS_AS(start(stopped), Interrupted);
    Control late;
    late.deadline = Control::Clock::now() - std::chrono::seconds(1);
    CHECK_THROWS_AS(start(late), DeadlinePassed);
    int polls = 0;
    Control polled;
    polled.poll = [&] { ++polls; };
    const Enumeration engine = start(polled);
    CHECK(polls > 0);

    const std::vector<double> one{1.0};
    const std::vector<std::int64_t> zero{0};
    CHECK_THROWS_AS(engine.evaluate(one, zero, one, &stopped), Interrupted);
    CHECK_THROWS_AS(engine.evaluate_modular(10007, std::vector<std::uint64_t>{1}, &late),
                    DeadlinePassed);
    CHECK(near(engine.evaluate(one, zero, one, &polled).probability[0], 0.5));
}

TEST_CASE("threads may share an enumeration") {
    const SmallProblem problem = half_of_eighteen();
    const Enumeration engine(problem.view(), kUnlimitedNodes);
    std::vector<double> probability(4);
    std::vector<std::thread> threads;
    for (double& result : probability)
        threads.emplace_back([&] { result = evaluate(engine, {1.0}).probability[0]; });
    for (std::thread& thread : threads) thread.join();
    for (const double result : probability) CHECK(result == probability[0]);
    CHECK(near(probability[0], 0.5));
}

TEST_CASE("wrong arguments are refused") {
    const SmallProblem problem = pairs_or_singles(1);
    const Enumeration engine(problem.view(), 100);
    const std::vector<double> good{1.0, 1.0};
    const std::vector<std::int64_t> zero{0, 0};
    const auto weigh = [&](std::vector<double> weight, std::vector<std::int64_t> exponent,
                           std::vector<double> share) {
        return engine.evaluate(weight, exponent, share);
    };
    CHECK_THROWS_AS(weigh({1.0}, zero, good), BadArgument);
    CHECK_THROWS_AS(weigh(good, {0}, good), BadArgument);
    CHECK_THROWS_AS(weigh(good, zero, {1.0}), BadArgument);
    CHECK_THROWS_AS(weigh({1.0, -1.0}, zero, good), BadArgument);
    CHECK_THROWS_AS(weigh({1.0, std::numeric_limits<double>::infinity()}, zero, good), BadArgument);
    CHECK_THROWS_AS(weigh({std::nan(""), 1.0}, zero, good), BadArgument);
    CHECK_THROWS_AS(weigh(good, {0, std::numeric_limits<std::int64_t>::max()}, good), BadArgument);
    CHECK_THROWS_AS(weigh(good, zero, {0.5, 1.5}), BadArgument);
    const auto modulo = [&](std::uint64_t prime, std::vector<std::uint64_t> weight) {
        return engine.evaluate_modular(prime, weight);
    };
    for (const std::uint64_t modulus : {0ULL, 1ULL, 2ULL, 10ULL, (1ULL << 61) + 1})
        CHECK_THROWS_AS(modulo(modulus, {1, 1}), BadArgument);
    CHECK_THROWS_AS(modulo(7, {1}), BadArgument);
    const SmallProblem eight = problem_of(8, {{0, 1, 2, 3, 4, 5, 6, 7}}, {4});
    const Enumeration wide(eight.view(), 100);
    CHECK_THROWS_AS(wide.evaluate_modular(7, std::vector<std::uint64_t>{1}), BadArgument);
    CHECK(wide.evaluate_modular(11, std::vector<std::uint64_t>{1}).total == 70 % 11);
    const SmallProblem twice = problem_of(2, {{0, 0}}, {1});
    CHECK_THROWS_AS(Enumeration(twice.view(), 10), BadArgument);
    CHECK_THROWS_AS(ConfigurationIterator(twice.view()), BadArgument);
}

}  // namespace
