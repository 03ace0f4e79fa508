// Cells that are not all alike against all placements one by one: chances, exact masses, count
// tables; and what lies outside of some factors against plain products.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "coefficients/outside_weights.hpp"
#include "elimination/cell_weights.hpp"
#include "elimination/count_tables.hpp"
#include "elimination/elimination.hpp"
#include "tests/check.hpp"
#include "tests/near.hpp"
#include "tests/weighted_problem.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20261130;
constexpr int kProblems = 1500;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

double as_double(WideDouble value) {
    return std::ldexp(value.mantissa, static_cast<int>(value.exponent));
}

std::uint64_t mass_of(const WeightedProblem& problem) {
    std::uint64_t mass = 0;
    problem.each([&](const auto&, std::uint64_t weight) { mass += weight; });
    return mass;
}

}  // namespace

TEST_CASE("Chances of cells with weights agree with all placements") {
    std::mt19937 random(kSeed);
    int possible = 0;
    for (int i = 0; i < kProblems; ++i) {
        const WeightedProblem problem = weighted_problem(random, false);
        const std::uint64_t mass = mass_of(problem);
        Elimination engine(problem.view(), problem.weights(), Budget{}, nullptr);
        if (!engine.consistent()) {
            CHECK(mass == 0);
            continue;
        }
        TotalWeights weights;
        std::vector<std::uint64_t> exact_weight;
        for (std::size_t k = 0; k < engine.mine_counts(); ++k) {
            const auto mines = static_cast<std::size_t>(engine.least_mines()) + k;
            exact_weight.push_back(problem.total[mines]);
            weights.weight.push_back(Wide::make(static_cast<double>(problem.total[mines]), 0));
            weights.deep_share.push_back(0.0);
        }
        const ModularEvaluation exact =
            engine.evaluate_modular(kPrime, exact_weight, nullptr, problem.weights(kPrime).residue);
        CHECK(exact.total == mass);
        if (mass == 0) continue;
        ++possible;
        const Evaluation found = engine.evaluate(weights, nullptr);
        for (std::size_t cell = 0; cell < problem.cells(); ++cell) {
            std::uint64_t with_mine = 0;
            problem.each([&](const auto& held, std::uint64_t weight) {
                if (held[cell] > 0) with_mine += weight;
            });
            const double chance = static_cast<double>(with_mine) / static_cast<double>(mass);
            for (CellId place = problem.first[cell]; place < problem.first[cell + 1]; ++place) {
                CHECK(near(found.probability[static_cast<std::size_t>(place)], chance));
                CHECK(exact.mine[static_cast<std::size_t>(place)] == with_mine);
            }
        }
    }
    CHECK(possible > kProblems / 2);
}

TEST_CASE("Count tables of cells with weights agree with all placements") {
    std::mt19937 random(kSeed + 1);
    for (int i = 0; i < kProblems; ++i) {
        WeightedProblem problem = weighted_problem(random, false);
        problem.total.assign(problem.total.size(), 1);
        std::vector<CellId> safe, asked;
        std::vector<std::size_t> safe_cells, asked_cells;
        for (std::size_t cell = 0; cell < problem.cells(); ++cell) {
            const auto kind = random() % 3;
            for (CellId place = problem.first[cell]; place < problem.first[cell + 1]; ++place) {
                if (kind == 1) safe.push_back(place);
                if (kind == 2) asked.push_back(place);
            }
            if (kind == 1) safe_cells.push_back(cell);
            if (kind == 2) asked_cells.push_back(cell);
        }
        const auto end = [](const std::vector<CellId>& list) {
            return std::vector<std::int32_t>{0, static_cast<std::int32_t>(list.size())};
        };
        const std::vector<CellId> none;
        const std::vector<std::int32_t> part(static_cast<std::size_t>(problem.cell_count), 0);
        const std::vector<std::int32_t> the_part{0};
        const auto one = end(the_part), safe_end = end(safe), asked_end = end(asked);
        const auto none_end = end(none);
        const CountQueries queries{
            {one, the_part}, {safe_end, safe}, {none_end, none}, {asked_end, asked}};
        const CellWeights weights = problem.weights(kPrime);
        CountTableMaker maker(problem.view(), part, weights, Budget{});
        const auto tables = maker.count(queries, nullptr);
        const auto modular = maker.count_modular(queries, kPrime, nullptr);
        const std::size_t rows = asked.size() + 1;
        const std::size_t columns = tables.count.size() / rows;
        // By mines asked for and in all. The weights of safe cells are the caller's.
        std::vector<std::uint64_t> expected(rows * (problem.total.size()), 0);
        problem.each([&](const auto& held, std::uint64_t weight) {
            MineCount among = 0, mines = 0;
            for (const MineCount m : held) mines += m;
            for (const std::size_t cell : asked_cells) among += held[cell];
            for (const std::size_t cell : safe_cells) {
                if (held[cell] > 0) return;
                weight /= problem.polynomial[problem.class_of[cell]][0];
            }
            expected[static_cast<std::size_t>(among) * problem.total.size() +
                     static_cast<std::size_t>(mines)] += weight;
        });
        std::uint64_t found = 0;
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t k = 0; k < columns; ++k) {
                const std::size_t mines = static_cast<std::size_t>(tables.least[0]) + k;
                const std::uint64_t exact = expected[row * problem.total.size() + mines];
                CHECK(near(as_double(tables.count[row * columns + k]), static_cast<double>(exact)));
                CHECK(modular.count[row * columns + k] == exact);
                found += exact;
            }
        std::uint64_t all = 0;
        for (const std::uint64_t weight : expected) all += weight;
        CHECK(found == all);
    }
}

TEST_CASE("Classes that make no sense are refused") {
    WeightedProblem problem;
    problem.polynomial = {{1, 2, 1}};
    problem.class_of = {0};
    problem.cell_count = 2;
    const auto refused = [&](const CellWeights& weights) {
        Elimination(problem.view(), weights, Budget{}, nullptr);
    };
    CellWeights odd = problem.weights();
    odd.cell_class.pop_back();
    CHECK_THROWS_AS(refused(odd), BadArgument);
    CellWeights unknown = problem.weights();
    unknown.cell_class.assign(2, 1);
    CHECK_THROWS_AS(refused(unknown), BadArgument);
    CellWeights zero = problem.weights();
    zero.weight[1] = {};
    CHECK_THROWS_AS(refused(zero), BadArgument);
    Elimination engine(problem.view(), problem.weights(), Budget{}, nullptr);
    CHECK_THROWS_AS(engine.evaluate_modular(kPrime, {1, 1, 1}, nullptr), BadArgument);
}

TEST_CASE("What lies outside of some factors is the product of all others") {
    std::mt19937 random(kSeed + 2);
    using Plain = std::vector<double>;
    const auto times = [](const Plain& a, const Plain& b) {
        Plain result(a.size() + b.size() - 1, 0.0);
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
        return result;
    };
    for (int i = 0; i < 400; ++i) {
        // Some with coefficients far beyond the range of doubles.
        const std::int64_t far = i % 2 == 0 ? 0 : 3000;
        std::vector<Plain> factor(random() % 9);
        std::vector<OutsideWeights::Polynomial> wide;
        std::size_t degree = 0;
        for (Plain& f : factor) {
            f.resize(1 + random() % 4);
            wide.emplace_back();
            for (std::size_t k = 0; k < f.size(); ++k) {
                f[k] = static_cast<double>(random() % 9);
                wide.back().push_back(Wide::make(f[k], far * static_cast<std::int64_t>(k)));
            }
            degree += f.size() - 1;
        }
        Plain total(degree + 1);
        OutsideWeights::Polynomial wide_total;
        for (std::size_t m = 0; m < total.size(); ++m) {
            total[m] = static_cast<double>(random() % 3);
            wide_total.push_back(Wide::make(total[m], -far * static_cast<std::int64_t>(m)));
        }
        std::vector<std::vector<std::size_t>> choices(random() % 6);
        for (auto& choice : choices)
            for (std::size_t f = 0; f < factor.size(); ++f)
                if (random() % 3 == 0) choice.push_back(f);
        OutsideWeights weights(wide, wide_total, 1e9, nullptr);
        const auto found = weights.without(choices);
        for (std::size_t c = 0; c < choices.size(); ++c) {
            Plain rest{1.0}, out{1.0};
            for (std::size_t f = 0; f < factor.size(); ++f) {
                const bool left_out =
                    std::find(choices[c].begin(), choices[c].end(), f) != choices[c].end();
                (left_out ? out : rest) = times(left_out ? out : rest, factor[f]);
            }
            REQUIRE(found[c].size() == out.size());
            for (std::size_t m = 0; m < out.size(); ++m) {
                double expected = 0.0;
                for (std::size_t r = 0; r < rest.size(); ++r) expected += rest[r] * total[m + r];
                WideDouble value = found[c][m];
                value.exponent += far * static_cast<std::int64_t>(m);
                CHECK(near(as_double(value), expected));
            }
        }
    }
}

TEST_CASE("Outside weights check their arguments and their budget") {
    const auto one = Wide::make(1.0, 0);
    const OutsideWeights::Polynomial pair{one, one};
    using Factors = std::vector<OutsideWeights::Polynomial>;
    CHECK_THROWS_AS(OutsideWeights(Factors{pair}, pair, 0.0, nullptr)
                        .without(std::vector<std::vector<std::size_t>>{{}}),
                    CostExceeded);
    CHECK_THROWS_AS(OutsideWeights(Factors{pair}, {one}, 1e9, nullptr), BadArgument);
    CHECK_THROWS_AS(OutsideWeights(Factors{{}}, {one}, 1e9, nullptr), BadArgument);
    OutsideWeights weights(Factors{pair, pair}, {one, one, one}, 1e9, nullptr);
    CHECK_THROWS_AS(weights.without(std::vector<std::vector<std::size_t>>{{2}}), BadArgument);
    CHECK_THROWS_AS(weights.without(std::vector<std::vector<std::size_t>>{{1, 0}}), BadArgument);
}
