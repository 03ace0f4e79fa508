// Count tables, random layouts and entailment against brute force, on random problems; join trees
// hung from another node.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "elimination/count_tables.hpp"
#include "elimination/elimination.hpp"
#include "elimination/entailment.hpp"
#include "elimination/rooting.hpp"
#include "elimination/sampling.hpp"
#include "play/random.hpp"
#include "tests/check.hpp"
#include "tests/small_problem.hpp"
#include "words/errors.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

constexpr std::uint32_t kSeed = 20260201;
constexpr int kProblems = 1500;

bool is_mine(std::uint32_t placement, CellId cell) {
    return (placement >> cell & 1U) != 0;
}

MineCount mines_among(std::uint32_t placement, std::span<const CellId> cells) {
    MineCount mines = 0;
    for (const CellId cell : cells) mines += is_mine(placement, cell);
    return mines;
}

// The placements that agree with some of the clues, as bits by cell.
std::vector<std::uint32_t> agreeing(const Problem& problem, std::span<const ClueId> clues) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t placement = 0; placement < std::uint32_t{1} << problem.cell_count;
         ++placement) {
        const bool agrees = std::ranges::all_of(clues, [&](ClueId clue) {
            return mines_among(placement, problem.cells_of(clue)) ==
                   problem.clue_need[static_cast<std::size_t>(clue)];
        });
        if (agrees) result.push_back(placement);
    }
    return result;
}

std::vector<ClueId> all_clues(const Problem& problem) {
    std::vector<ClueId> clues;
    for (std::size_t c = 0; c < problem.clue_count(); ++c) clues.push_back(static_cast<ClueId>(c));
    return clues;
}

// Three lists of cells, no cell in two of them.
struct Question {
    std::vector<CellId> safe, mine, asked;
};

Question random_question(std::mt19937& random, CellId cells) {
    Question question;
    for (CellId cell = 0; cell < cells; ++cell) {
        const auto kind = random() % 8;
        if (kind == 0) question.safe.push_back(cell);
        if (kind == 1) question.mine.push_back(cell);
        if (kind == 2 || kind == 3) question.asked.push_back(cell);
    }
    return question;
}

bool holds(const Question& question, std::uint32_t placement) {
    return mines_among(placement, question.safe) == 0 &&
           mines_among(placement, question.mine) == static_cast<MineCount>(question.mine.size());
}

// One query about all of a problem, which is one part.
class OneQuery {
  public:
    OneQuery(const SmallProblem& problem, const Question& question)
        : part_of_cell_(static_cast<std::size_t>(problem.cell_count), 0),
          question_(question),
          ends_{{0, problem.cell_count == 0 ? 0 : 1},
                {0, static_cast<std::int32_t>(question.safe.size())},
                {0, static_cast<std::int32_t>(question.mine.size())},
                {0, static_cast<std::int32_t>(question.asked.size())}},
          maker_(problem.view(), part_of_cell_, Budget{}) {
        if (problem.cell_count != 0) part_.push_back(0);
    }
    CountQueries queries() const {
        return {{ends_[0], part_},
                {ends_[1], question_.safe},
                {ends_[2], question_.mine},
                {ends_[3], question_.asked}};
    }
    CountTableMaker& maker() { return maker_; }

  private:
    std::vector<std::int32_t> part_of_cell_;
    std::vector<std::int32_t> part_;
    Question question_;
    std::vector<std::int32_t> ends_[4];
    CountTableMaker maker_;
};

// A strip of clues: each over three cells in a row, the next over the last two of them and one
// more.
SmallProblem strip(std::mt19937& random, CellId length) {
    SmallProblem problem;
    problem.cell_count = length;
    std::vector<MineCount> mine(static_cast<std::size_t>(length));
    for (auto& m : mine) m = random() % 2 == 0;
    for (CellId first = 0; first + 2 < length; ++first) {
        MineCount need = 0;
        for (CellId cell = first; cell < first + 3; ++cell) {
            problem.clue_cell.push_back(cell);
            need += mine[static_cast<std::size_t>(cell)];
        }
        problem.end_clue(need);
    }
    return problem;
}

}  // namespace

TEST_CASE("count tables agree with brute force") {
    std::mt19937 random(kSeed);
    for (int i = 0; i < kProblems; ++i) {
        const SmallProblem problem = random_problem(random);
        if (std::ranges::adjacent_find(problem.clue_start) != problem.clue_start.end())
            continue;  // a clue without cells
        const Question question = random_question(random, problem.cell_count);
        const std::size_t rows = question.asked.size() + 1;
        const auto columns = static_cast<std::size_t>(problem.cell_count) + 1;
        std::vector<std::uint64_t> truth(rows * columns);
        std::uint64_t total = 0;
        for (const std::uint32_t placement : agreeing(problem.view(), all_clues(problem.view()))) {
            if (!holds(question, placement)) continue;
            const auto row = static_cast<std::size_t>(mines_among(placement, question.asked));
            ++truth[row * columns + static_cast<std::size_t>(std::popcount(placement))];
            ++total;
        }
        OneQuery query(problem, question);
        const auto table = query.maker().count(query.queries(), nullptr);
        const auto residues = query.maker().count_modular(query.queries(), 1'000'003, nullptr);
        CHECK(table.start == residues.start);
        CHECK(table.least == residues.least);
        const std::size_t found_columns = table.count.size() / rows;
        CHECK(table.count.size() == rows * found_columns);
        CHECK(table.count.empty() == (total == 0));
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < table.count.size(); ++k) {
            const std::size_t column = static_cast<std::size_t>(table.least[0]) + k % found_columns;
            const std::uint64_t expected =
                column < columns ? truth[k / found_columns * columns + column] : 0;
            CHECK(std::ldexp(table.count[k].mantissa, static_cast<int>(table.count[k].exponent)) ==
                  static_cast<double>(expected));
            CHECK(residues.count[k] == expected);
            sum += expected;
        }
        CHECK(sum == total);  // nothing lies outside of the table
    }
}

TEST_CASE("queries that break the rules are refused") {
    SmallProblem problem;
    problem.cell_count = 3;
    problem.clue_cell = {0, 1, 2};
    problem.clue_start = {0, 3};
    problem.clue_need = {1};
    const auto count = [&](const Question& question) {
        OneQuery query(problem, question);
        return query.maker().count(query.queries(), nullptr);
    };
    CHECK(count({{0}, {1}, {2}}).count.size() == 2);
    CHECK_THROWS_AS(count({{0}, {0}, {}}), BadArgument);
    CHECK_THROWS_AS(count({{}, {}, {1, 1}}), BadArgument);
    CHECK_THROWS_AS(count({{}, {}, {3}}), BadArgument);
    CHECK_THROWS_AS(count({{-1}, {}, {}}), BadArgument);
    OneQuery query(problem, {});
    CHECK_THROWS_AS(query.maker().count_modular(query.queries(), 8, nullptr), BadArgument);
    const std::vector<std::int32_t> split{0, 0, 1};
    CHECK_THROWS_AS(CountTableMaker(problem.view(), split, Budget{}), BadArgument);
}

TEST_CASE("layouts are drawn as often as they weigh") {
    std::mt19937 random(kSeed + 1);
    constexpr std::uint64_t kDraws = 20'000;
    constexpr CellId kDeep = 2;
    int tested = 0;
    for (int i = 0; tested < 40; ++i) {
        const SmallProblem problem = random_problem(random);
        const auto placements = agreeing(problem.view(), all_clues(problem.view()));
        if (placements.empty() || placements.size() > 60) continue;
        // One deep mine, or two: with even counts on the frontier one, with odd ones either.
        Elimination engine(problem.view(), Budget{}, nullptr);
        SamplingWeights weights;
        std::vector<std::int32_t> start{0}, mines;
        std::vector<double> chance;
        const auto weight_of = [](MineCount count) { return 1.0 + count % 3; };
        for (MineCount m = engine.least_mines(); m <= engine.most_mines(); ++m) {
            weights.weight.push_back(Wide::make(weight_of(m), 0));
            mines.push_back(1);
            chance.push_back(m % 2 == 0 ? 1.0 : 0.25);
            if (m % 2 != 0) {
                mines.push_back(2);
                chance.push_back(0.75);
            }
            start.push_back(static_cast<std::int32_t>(mines.size()));
        }
        weights.deep_start = start;
        weights.deep_mines = mines;
        weights.deep_chance = chance;
        ++tested;
        std::vector<CellId> frontier, deep;
        for (CellId cell = 0; cell < problem.cell_count; ++cell) frontier.push_back(cell);
        for (CellId cell = 0; cell < kDeep; ++cell) deep.push_back(problem.cell_count + cell);
        std::map<std::uint32_t, double> expected;
        double total = 0.0;
        for (const std::uint32_t placement : placements) {
            const MineCount count = std::popcount(placement);
            const double one = weight_of(count) * (count % 2 == 0 ? 1.0 : 0.25);
            for (const CellId cell : deep)
                expected[placement | std::uint32_t{1} << cell] = one / kDeep;
            if (count % 2 != 0)
                expected[placement | std::uint32_t{3} << problem.cell_count] =
                    weight_of(count) * 0.75;
            total += weight_of(count);
        }
        Sampler sampler(engine, weights, kDeep, nullptr);
        std::map<std::uint32_t, double> seen;
        for (std::uint64_t n = 0; n < kDraws; ++n) {
            Random stream(kSeed, n, Random::kLayoutStream);
            std::vector<std::uint8_t> layout(frontier.size() + deep.size());
            sampler.draw(stream, frontier, deep, layout);
            std::uint32_t bits = 0;
            for (std::size_t cell = 0; cell < layout.size(); ++cell)
                bits |= std::uint32_t{layout[cell]} << cell;
            ++seen[bits];
        }
        double squares = 0.0;
        for (const auto& [bits, weight] : expected) {
            const double mean = kDraws * weight / total;
            squares += (seen[bits] - mean) * (seen[bits] - mean) / mean;
        }
        CHECK(seen.size() == expected.size());  // nothing else was drawn
        const double freedom = static_cast<double>(expected.size()) - 1.0;
        CHECK(squares <= freedom + 6.0 * std::sqrt(2.0 * freedom) + 10.0);
    }
}

TEST_CASE("what cannot be drawn is refused") {
    SmallProblem problem;
    problem.cell_count = 2;
    problem.clue_cell = {0, 1};
    problem.clue_start = {0, 2};
    problem.clue_need = {1};
    Elimination engine(problem.view(), Budget{}, nullptr);
    const std::vector<std::int32_t> start{0, 1}, one{1}, none{0};
    const std::vector<double> certain{1.0};
    const auto sampler = [&](double weight, std::span<const std::int32_t> mines, CellId deep) {
        return Sampler(engine, {{Wide::make(weight, 0)}, start, mines, certain}, deep, nullptr);
    };
    sampler(1.0, one, 1);
    sampler(1.0, none, 0);
    CHECK_THROWS_AS(sampler(0.0, one, 1), BadArgument);
    CHECK_THROWS_AS(sampler(1.0, one, 0), BadArgument);
    CHECK_THROWS_AS(Sampler(engine, {{}, start, one, certain}, 1, nullptr), BadArgument);
}

TEST_CASE("entailment agrees with brute force") {
    std::mt19937 random(kSeed + 2);
    for (int i = 0; i < kProblems; ++i) {
        const SmallProblem problem = random_problem(random);
        if (problem.cell_count == 0) continue;
        std::vector<ClueId> clues;
        for (const ClueId clue : all_clues(problem.view()))
            if (random() % 2 == 0) clues.push_back(clue);
        const auto cells = static_cast<std::uint32_t>(problem.cell_count);
        const auto cell = static_cast<CellId>(random() % cells);
        std::vector<MineCount> totals;
        for (MineCount total = 0; total <= problem.cell_count; ++total)
            if (random() % 4 == 0) totals.push_back(total);
        const auto placements = agreeing(problem.view(), clues);
        Entailment entailment(problem.view(), Budget{});
        for (const MineCount value : {0, 1}) {
            const auto fits = [&](std::uint32_t placement) {
                return is_mine(placement, cell) == (value == 1);
            };
            CHECK(entailment.allows(clues, cell, value, {}, nullptr) ==
                  std::ranges::any_of(placements, fits));
            if (totals.empty()) continue;
            CHECK(entailment.allows(clues, cell, value, totals, nullptr) ==
                  std::ranges::any_of(placements, [&](std::uint32_t placement) {
                      return fits(placement) &&
                             std::ranges::count(totals, std::popcount(placement)) != 0;
                  }));
        }
    }
}

TEST_CASE("a tree hung from another node holds the same tables and costs no more") {
    std::mt19937 random(kSeed + 3);
    Rooting rooting;
    OrderFinder finder;
    int cheaper = 0;
    for (int i = 0; i < 300; ++i) {
        const SmallProblem problem =
            i % 2 == 0 ? random_problem(random) : strip(random, 10 + static_cast<CellId>(i % 60));
        Inference inference;
        const std::vector<CellId> asked{0, 1};
        if (problem.cell_count < 2 ||
            !reduce(problem.view(), inference.settled, inference.reduction, asked))
            continue;
        if (inference.reduction.free_counter == kNone) continue;
        EliminationOrder order;
        JoinTree before;
        finder.min_fill(inference.reduction, order);
        before.build(inference.reduction, order);
        JoinTree tree = before;
        rooting.hang_from_counted(inference.reduction, tree);
        CHECK(tree.work <= before.work);
        cheaper += tree.work < before.work;
        REQUIRE(tree.node.size() == before.node.size());
        std::vector<int> leaves(inference.reduction.variable_count(), 0);
        std::vector<int> closed(inference.reduction.counter_count(), 0);
        for (NodeId n = 0; n < tree.node.size(); ++n) {
            const JoinNode& node = tree.node[n];
            if (node.is_leaf()) ++leaves[node.right];
            if (!node.is_leaf()) CHECK(node.left < n && node.right < n);
            for (const CounterId c : tree.closing_of(node)) ++closed[c];
        }
        CHECK(std::ranges::count(leaves, 1) == std::ssize(leaves));
        closed[inference.reduction.free_counter] = 1;
        CHECK(std::ranges::count(closed, 1) == std::ssize(closed));
        CHECK(tree.scope_of(tree.node.back()).size() == 1);  // the free counter
    }
    CHECK(cheaper > 0);
}
