// Fuzz target: questions to a small problem against brute force. Count tables of any query (these
// safe, those mines, how many among these others), what some of the clues allow, all
// configurations, and random ones.
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "coefficients/primes.hpp"
#include "elimination/count_tables.hpp"
#include "elimination/entailment.hpp"
#include "elimination/sampling.hpp"
#include "enumeration/configurations.hpp"
#include "play/random.hpp"
#include "tests/fuzz_support.hpp"
#include "tests/small_problem.hpp"

namespace {

using namespace mineodds;
using namespace mineodds::testing;

using CellSet = std::uint32_t;  // a bit for each cell

bool agrees(const Problem& problem, ClueId clue, CellSet mines) {
    MineCount found = 0;
    for (const CellId cell : problem.cells_of(clue)) found += (mines >> cell & 1U) != 0 ? 1 : 0;
    return found == problem.clue_need[static_cast<std::size_t>(clue)];
}

bool agrees(const Problem& problem, CellSet mines) {
    for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_count()); ++clue)
        if (!agrees(problem, clue, mines)) return false;
    return true;
}

// By cell: the least cell of its component, which serves as the number of its part.
std::vector<std::int32_t> components(const Problem& problem) {
    std::vector<std::int32_t> part(static_cast<std::size_t>(problem.cell_count));
    std::iota(part.begin(), part.end(), 0);
    for (CellId round = 0; round < problem.cell_count; ++round)
        for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_count()); ++clue) {
            std::int32_t least = problem.cell_count;
            for (const CellId cell : problem.cells_of(clue))
                least = std::min(least, part[static_cast<std::size_t>(cell)]);
            for (const CellId cell : problem.cells_of(clue))
                part[static_cast<std::size_t>(cell)] = least;
        }
    return part;
}

struct Query {
    std::vector<std::int32_t> part;
    std::vector<CellId> safe, mine, asked;
    CellSet fixed = 0, fixed_mines = 0, asked_set = 0, in_parts = 0;
};

Query read_query(const std::vector<std::int32_t>& part, ByteReader& bytes) {
    Query query;
    const std::uint32_t chosen = bytes.word();
    for (std::size_t p = 0; p < part.size(); ++p)  // a part is numbered by its least cell
        if (part[p] == static_cast<std::int32_t>(p) && (chosen >> p & 1U) != 0)
            query.part.push_back(static_cast<std::int32_t>(p));
    for (std::size_t v = 0; v < part.size(); ++v) {
        const auto cell = static_cast<CellId>(v);
        if ((chosen >> part[v] & 1U) == 0) continue;
        const CellSet bit = CellSet{1} << v;
        query.in_parts |= bit;
        switch (bytes.byte() % 8) {
            case 0:
                query.safe.push_back(cell);
                query.fixed |= bit;
                break;
            case 1:
                query.mine.push_back(cell);
                query.fixed |= bit;
                query.fixed_mines |= bit;
                break;
            case 2:
            case 3:
            case 4:
                query.asked.push_back(cell);
                query.asked_set |= bit;
                break;
            default:
                break;
        }
    }
    return query;
}

template <class Item>
struct OneList {
    explicit OneList(const std::vector<Item>& items)
        : start{0, static_cast<std::int32_t>(items.size())}, item(items) {}
    ListsView<Item> view() const { return {start, item}; }

    std::vector<std::int32_t> start;
    const std::vector<Item>& item;
};

// Configurations of the query's parts by (mines among the asked, mines in all).
std::vector<std::vector<std::uint64_t>> count_by_hand(const Problem& problem, const Query& query) {
    const auto cells = static_cast<std::size_t>(problem.cell_count);
    std::vector<std::vector<std::uint64_t>> count(query.asked.size() + 1,
                                                  std::vector<std::uint64_t>(cells + 1));
    for (CellSet mines = 0; mines < CellSet{1} << cells; ++mines) {
        if ((mines & ~query.in_parts) != 0 || (mines & query.fixed) != query.fixed_mines) continue;
        bool holds = true;
        for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_count()); ++clue)
            if ((query.in_parts >> problem.cells_of(clue).front() & 1U) != 0)
                holds = holds && agrees(problem, clue, mines);
        if (holds) {
            const auto among = static_cast<std::size_t>(std::popcount(mines & query.asked_set));
            ++count[among][static_cast<std::size_t>(std::popcount(mines))];
        }
    }
    return count;
}

void compare_tables(const Problem& problem, const std::vector<std::int32_t>& part,
                    ByteReader& bytes) {
    const Query query = read_query(part, bytes);
    const OneList parts(query.part);
    const OneList safe(query.safe), mine(query.mine), asked(query.asked);
    CountTableMaker maker(problem, part, Budget{});
    const CountQueries queries{parts.view(), safe.view(), mine.view(), asked.view()};
    const auto table = maker.count(queries, nullptr);
    const auto residues = maker.count_modular(queries, largest_primes(1).front(), nullptr);
    const auto expected = count_by_hand(problem, query);
    const auto size = static_cast<std::size_t>(table.start[1]);
    expect(residues.start == table.start && residues.least == table.least, "two tables");
    const std::size_t rows = query.asked.size() + 1;
    expect(size % rows == 0, "whole rows");
    const std::size_t columns = size / rows;
    std::uint64_t left = 0;  // what no entry of the table stands for
    for (const auto& row : expected)
        for (const std::uint64_t count : row) left += count;
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t k = 0; k < columns; ++k) {
            const std::size_t mines = static_cast<std::size_t>(table.least[0]) + k;
            const std::uint64_t exact = mines < expected[j].size() ? expected[j][mines] : 0;
            const WideDouble value = table.count[j * columns + k];
            expect(near(std::ldexp(value.mantissa, static_cast<int>(value.exponent)),
                        static_cast<double>(exact)),
                   "entry of a count table");
            expect(residues.count[j * columns + k] == exact, "residue in a count table");
            left -= exact;
        }
    expect(left == 0, "range of a count table");
}

// Some of the clues, one cell, some totals: is there a placement on all cells of the problem?
void compare_entailment(const Problem& problem, ByteReader& bytes) {
    const auto cell = static_cast<CellId>(bytes.byte() % problem.cell_count);
    const auto value = static_cast<MineCount>(bytes.byte() % 2);
    const std::uint32_t chosen = bytes.word();
    std::vector<ClueId> clues;
    for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_count()); ++clue)
        if ((chosen >> clue & 1U) != 0) clues.push_back(clue);
    std::vector<MineCount> totals;
    for (std::uint32_t choice = bytes.word(); choice != 0; choice &= choice - 1)
        totals.push_back(std::countr_zero(choice));
    bool expected = false;
    for (CellSet mines = 0; mines < CellSet{1} << problem.cell_count && !expected; ++mines) {
        bool holds = static_cast<MineCount>(mines >> cell & 1U) == value;
        for (const ClueId clue : clues) holds = holds && agrees(problem, clue, mines);
        expected =
            holds && (totals.empty() || std::ranges::count(totals, std::popcount(mines)) != 0);
    }
    Entailment entailment(problem, Budget{});
    expect(entailment.allows(clues, cell, value, totals, nullptr) == expected, "what is allowed");
}

void compare_configurations(const Problem& problem) {
    std::set<CellSet> found;
    ConfigurationIterator iterator(problem);
    while (const auto configuration = iterator.next()) {
        CellSet mines = 0;
        for (std::size_t v = 0; v < configuration->size(); ++v)
            mines |= static_cast<CellSet>((*configuration)[v] != 0) << v;
        expect(agrees(problem, mines), "a listed configuration");
        expect(found.insert(mines).second, "listed twice");
    }
    std::size_t expected = 0;
    for (CellSet mines = 0; mines < CellSet{1} << problem.cell_count; ++mines)
        expected += agrees(problem, mines) ? 1 : 0;
    expect(found.size() == expected, "number of configurations");
}

// Layouts with some deep cells, for weights of which some are zero.
void check_samples(const Problem& problem, ByteReader& bytes) {
    Elimination engine(problem, Budget{}, nullptr);
    if (!engine.consistent()) return;
    const auto possible = engine.possible_counts(nullptr);
    const CellId deep_cells = bytes.byte() % 4;
    SamplingWeights weights;
    std::vector<std::int32_t> start{0}, deep_mines;
    std::vector<double> chance;
    bool any = false;
    for (const bool occurs : possible) {
        const unsigned choice = bytes.byte();
        weights.weight.push_back(Wide::make(static_cast<double>(choice % 4), choice % 7 * 1000));
        any = any || (occurs && choice % 4 != 0);
        deep_mines.push_back(static_cast<std::int32_t>(choice) % (deep_cells + 1));
        chance.push_back(1.0);
        start.push_back(static_cast<std::int32_t>(deep_mines.size()));
    }
    if (!any) return;
    weights.deep_start = start;
    weights.deep_mines = deep_mines;
    weights.deep_chance = chance;
    Sampler sampler(engine, weights, deep_cells, nullptr);
    std::vector<CellId> frontier(static_cast<std::size_t>(problem.cell_count));
    std::iota(frontier.begin(), frontier.end(), 0);
    std::vector<CellId> deep(static_cast<std::size_t>(deep_cells));
    std::iota(deep.begin(), deep.end(), problem.cell_count);
    Random random(bytes.word(), 0, Random::kLayoutStream);
    for (int draw = 0; draw < 4; ++draw) {
        std::vector<std::uint8_t> layout(frontier.size() + deep.size());
        sampler.draw(random, frontier, deep, layout);
        CellSet mines = 0;
        for (std::size_t v = 0; v < frontier.size(); ++v)
            mines |= static_cast<CellSet>(layout[v]) << v;
        expect(agrees(problem, mines), "a drawn layout");
        const auto k = static_cast<std::size_t>(std::popcount(mines) - engine.least_mines());
        expect(weights.weight[k].mantissa != 0.0, "a drawn total");
        expect(
            std::accumulate(layout.begin() + problem.cell_count, layout.end(), 0) == deep_mines[k],
            "drawn deep mines");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto small = problem_from_bytes({data, size / 2});
    const Problem problem = small.view();
    ByteReader bytes({data + size / 2, size - size / 2});
    if (problem.cell_count == 0) return 0;
    for (ClueId clue = 0; clue < static_cast<ClueId>(problem.clue_count()); ++clue)
        if (problem.cells_of(clue).empty()) return 0;  // a clue without cells is in no part
    compare_tables(problem, components(problem), bytes);
    compare_entailment(problem, bytes);
    compare_configurations(problem);
    check_samples(problem, bytes);
    return 0;
}
