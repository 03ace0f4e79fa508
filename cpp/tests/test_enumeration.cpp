// The enumeration engine against brute force on random small problems, and against closed forms on
// problems that are long, deep, many, or past the range of doubles. Longer than other files because
// all cases share the random problems and the comparison that come first.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "coefficients/primes.hpp"
#include "enumeration/configurations.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/check.hpp"
#include "tests/near.hpp"
#include "tests/small_problem.hpp"
#include "words/errors.hpp"

namespace {

using namespace mineodds;
using testing::near;
using testing::SmallProblem;

constexpr double kBelowOne = 1.0 - 0x1p-53;

// Clues as lists of cells with their needs.
SmallProblem problem_of(CellId cell_count, const std::vector<std::vector<CellId>>& clues,
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

Evaluation evaluate(const Enumeration& engine, const std::vector<double>& weight) {
    const std::vector<std::int64_t> exponent(weight.size(), 0);
    const std::vector<double> share(weight.size(), 0.5);
    return engine.evaluate(weight, exponent, share);
}

void compare_with_brute_force(const SmallProblem& problem) {
    const auto expected = testing::brute_force(problem);
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
    problem.cell_count = 1 + below(testing::kMostCells);
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
        compare_with_brute_force(testing::random_problem(random, 20, 64));
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

// n components a + b = 1, b + c = 1, either {b} or {a, c}: (z + z^2)^n.
SmallProblem pairs_or_singles(CellId n) {
    std::vector<std::vector<CellId>> clues;
    for (CellId i = 0; i < n; ++i) {
        clues.push_back({3 * i, 3 * i + 1});
        clues.push_back({3 * i + 2, 3 * i + 1});
    }
    return problem_of(3 * n, clues, std::vector<MineCount>(clues.size(), 1));
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

// All of them, as texts of 0 and 1.
std::vector<std::string> list(const SmallProblem& problem) {
    ConfigurationIterator configurations(problem.view());
    std::vector<std::string> texts;
    while (const auto configuration = configurations.next()) {
        texts.emplace_back();
        for (const std::int8_t mine : *configuration) texts.back() += mine != 0 ? '1' : '0';
    }
    return texts;
}

TEST_CASE("configurations come in the order that is promised") {
    // Two components; the later one turns faster.
    CHECK(list(problem_of(5, {{0, 1}, {2, 3, 4}}, {1, 2})) ==
          std::vector<std::string>{"01011", "01101", "01110", "10011", "10101", "10110"});
    // Two variables, {0, 1} and {2, 3}, and a single cell: values ascend, and for the same values
    // the later variable turns faster.
    CHECK(list(problem_of(5, {{0, 1, 2, 3}, {2, 3, 4}}, {2, 1})) ==
          std::vector<std::string>{"01010", "01100", "10010", "10100", "11001"});
    CHECK(list(problem_of(2, {{0, 1}}, {2})) == std::vector<std::string>{"11"});
}

TEST_CASE("an impossible component ends the listing at once") {
    // 2^30 configurations of pairs, then three cells of which any two hold exactly one mine.
    std::vector<std::vector<CellId>> clues;
    for (CellId i = 0; i < 30; ++i) clues.push_back({2 * i, 2 * i + 1});
    clues.insert(clues.end(), {{60, 61}, {61, 62}, {60, 62}});
    const SmallProblem problem = problem_of(63, clues, std::vector<MineCount>(33, 1));
    CHECK(list(problem).empty());
    CHECK_FALSE(Enumeration(problem.view(), 1000).consistent());
}

TEST_CASE("with the total as a clue, configurations are layouts") {
    const std::vector<std::string> board{"#2###", "#####", "112##", "00###", "000##"};
    constexpr int rows = 5, cols = 5;
    const auto at = [&](int row, int col) {
        return board[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
    };
    std::vector<CellId> index(rows * cols, -1);
    std::vector<CellId> hidden;
    for (int place = 0; place < rows * cols; ++place) {
        if (at(place / cols, place % cols) != '#') continue;
        index[static_cast<std::size_t>(place)] = static_cast<CellId>(hidden.size());
        hidden.push_back(index[static_cast<std::size_t>(place)]);
    }
    std::vector<std::vector<CellId>> clues{hidden};
    std::vector<MineCount> needs{5};
    for (int place = 0; place < rows * cols; ++place) {
        const int row = place / cols, col = place % cols;
        if (at(row, col) == '#') continue;
        needs.push_back(at(row, col) - '0');
        clues.emplace_back();
        for (int r = std::max(row - 1, 0); r <= std::min(row + 1, rows - 1); ++r)
            for (int c = std::max(col - 1, 0); c <= std::min(col + 1, cols - 1); ++c)
                if (at(r, c) == '#')
                    clues.back().push_back(index[static_cast<std::size_t>(r * cols + c)]);
    }
    const auto layouts = list(problem_of(static_cast<CellId>(hidden.size()), clues, needs));
    const auto thirty_sixths = [&](int row, int col) {
        std::size_t mines = 0;
        for (const auto& layout : layouts)
            mines += layout[static_cast<std::size_t>(
                         index[static_cast<std::size_t>(row * cols + col)])] == '1';
        CHECK(36 * mines % layouts.size() == 0);
        return 36 * mines / layouts.size();
    };
    REQUIRE(!layouts.empty());
    for (const auto& layout : layouts) CHECK(std::ranges::count(layout, '1') == 5);
    CHECK(thirty_sixths(0, 0) == 18);
    CHECK(thirty_sixths(0, 2) == 18);
    CHECK(thirty_sixths(1, 0) == 6);
    CHECK(thirty_sixths(1, 1) == 30);
    CHECK(thirty_sixths(1, 2) == 0);
    CHECK(thirty_sixths(1, 3) == 21);
    CHECK(thirty_sixths(2, 3) == 21);
    CHECK(thirty_sixths(3, 2) == 0);
    CHECK(thirty_sixths(3, 3) == 0);
    CHECK(thirty_sixths(4, 3) == 0);
    for (const auto& [row, col] : {std::pair{0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}})
        CHECK(thirty_sixths(row, col) == 11);
}

}  // namespace
