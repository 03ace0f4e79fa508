// One small problem a query, one elimination each; see count_tables.hpp.
#include "elimination/count_tables.hpp"

#include <algorithm>
#include <cstddef>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr CellId kUntouched = -1;
constexpr CellId kFixedSafe = -2;
constexpr CellId kFixedMine = -3;

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

template <class Item>
void check_lists(const ListsView<Item>& lists, std::size_t count) {
    if (lists.start.size() != count + 1 || lists.start.front() != 0 ||
        at(lists.start.back()) != lists.item.size() || !std::ranges::is_sorted(lists.start))
        throw BadArgument("the lists of the queries must rise from 0 to the number of their items");
}

}  // namespace

CountTableMaker::CountTableMaker(const Problem& problem, std::span<const std::int32_t> part,
                                 const Budget& budget)
    : problem_(problem), part_(part), budget_(budget) {
    mineodds::check(problem);
    if (part.size() != at(problem.cell_count))
        throw BadArgument("part must have one entry for each cell");
    std::int32_t parts = 0;
    for (const std::int32_t p : part) {
        if (p < 0 || p >= problem.cell_count)
            throw BadArgument("parts are numbered from 0, and there are no more than cells");
        parts = std::max(parts, p + 1);
    }
    clues_of_part_.resize(at(parts));
    local_.assign(part.size(), kUntouched);
    for (std::size_t c = 0; c < problem.clue_count(); ++c) {
        const auto clue = static_cast<ClueId>(c);
        const auto cells = problem.cells_of(clue);
        if (cells.empty()) throw BadArgument("every clue must have a cell");
        for (const CellId cell : cells)
            if (part[at(cell)] != part[at(cells.front())])
                throw BadArgument("the cells of a clue must lie in one part");
        clues_of_part_[at(part[at(cells.front())])].push_back(clue);
    }
}

CountTableMaker::CountTableMaker(const Problem& problem, std::span<const std::int32_t> part,
                                 const CellWeights& weights, const Budget& budget)
    : CountTableMaker(problem, part, budget) {
    mineodds::check(weights, problem.cell_count);
    weights_ = &weights;
    local_weights_ = weights;
    inference_.weights_of_cells = &local_weights_;
    cells_of_part_.resize(clues_of_part_.size());
    for (CellId cell = 0; cell < problem.cell_count; ++cell)
        cells_of_part_[at(part[at(cell)])].push_back(cell);
}

void CountTableMaker::check(const CountQueries& queries) const {
    if (queries.part.start.empty()) throw BadArgument("the lists of the queries must start at 0");
    const std::size_t count = queries.part.count();
    check_lists(queries.part, count);
    check_lists(queries.safe, count);
    check_lists(queries.mine, count);
    check_lists(queries.asked, count);
    std::vector<std::size_t> seen(part_.size(), 0);
    for (std::size_t q = 0; q < count; ++q) {
        const auto parts = queries.part[q];
        for (const std::int32_t p : parts)
            if (p < 0 || at(p) >= clues_of_part_.size() || std::ranges::count(parts, p) != 1)
                throw BadArgument("a query must name parts of the problem, each once");
        for (const auto cells : {queries.safe[q], queries.mine[q], queries.asked[q]})
            for (const CellId cell : cells) {
                if (cell < 0 || at(cell) >= part_.size() || seen[at(cell)] == q + 1 ||
                    std::ranges::count(parts, part_[at(cell)]) == 0)
                    throw BadArgument("the cells of a query must lie in its parts, each once");
                seen[at(cell)] = q + 1;
            }
    }
}

bool CountTableMaker::prepare(const CountQueries& queries, std::size_t query,
                              const Control* control) {
    for (const CellId cell : touched_) local_[at(cell)] = kUntouched;
    touched_.clear();
    clue_start_.assign(1, 0);
    clue_cell_.clear();
    clue_need_.clear();
    asked_.clear();
    cell_count_ = 0;
    const auto fix = [&](std::span<const CellId> cells, CellId value) {
        for (const CellId cell : cells) local_[at(cell)] = value;
        touched_.insert(touched_.end(), cells.begin(), cells.end());
    };
    fix(queries.safe[query], kFixedSafe);
    fix(queries.mine[query], kFixedMine);
    if (weights_ != nullptr) {
        for (const std::int32_t part : queries.part[query])
            for (const CellId cell : cells_of_part_[at(part)])
                if (local_[at(cell)] == kUntouched) {
                    local_[at(cell)] = cell_count_++;
                    touched_.push_back(cell);
                }
        local_weights_.cell_class.assign(at(cell_count_), 0);
        for (const CellId cell : touched_)
            if (local_[at(cell)] >= 0)
                local_weights_.cell_class[at(local_[at(cell)])] = weights_->cell_class[at(cell)];
        inference_.reduction.cell_class = local_weights_.cell_class;
    }
    fixed_mines_ = static_cast<MineCount>(queries.mine[query].size());
    for (const std::int32_t part : queries.part[query])
        for (const ClueId clue : clues_of_part_[at(part)]) {
            MineCount need = problem_.clue_need[at(clue)];
            for (const CellId cell : problem_.cells_of(clue)) {
                CellId& local = local_[at(cell)];
                if (local == kUntouched) {
                    local = cell_count_++;
                    touched_.push_back(cell);
                }
                if (local >= 0) {
                    clue_cell_.push_back(local);
                } else {
                    need -= local == kFixedMine;
                }
            }
            clue_need_.push_back(need);
            clue_start_.push_back(static_cast<std::int32_t>(clue_cell_.size()));
        }
    for (const CellId cell : queries.asked[query]) {
        if (local_[at(cell)] < 0) throw BadArgument("an asked cell must lie in a clue");
        asked_.push_back(local_[at(cell)]);
    }
    return reduce({cell_count_, clue_start_, clue_cell_, clue_need_}, inference_.settled,
                  inference_.reduction, asked_) &&
           inference_.prepare(budget_, control);
}

template <class Value, class Count>
CountTables<Value> CountTableMaker::count_all(const CountQueries& queries, const Control* control,
                                              Count&& count_one) {
    check(queries);
    CountTables<Value> result;
    for (std::size_t q = 0; q < queries.part.count(); ++q) {
        mineodds::check(control);
        MineCount least = 0;
        if (prepare(queries, q, control)) {
            const std::vector<Value> table = count_one();
            const auto& state = inference_.settled.state;
            const auto mines = static_cast<std::size_t>(std::ranges::count_if(
                asked_, [&](CellId cell) { return state[at(cell)] == kMine; }));
            // Asked cells that are settled as mines shift the rows; there are rows enough.
            const std::size_t before = mines * inference_.mine_counts();
            const std::size_t size = (asked_.size() + 1) * inference_.mine_counts();
            result.count.resize(result.count.size() + before);
            result.count.insert(result.count.end(), table.begin(), table.end());
            result.count.resize(static_cast<std::size_t>(result.start.back()) + size);
            least = inference_.settled.settled_mines + inference_.least_mines() + fixed_mines_;
            result.products += inference_.support.products;
        }
        result.least.push_back(least);
        result.start.push_back(static_cast<std::int64_t>(result.count.size()));
    }
    return result;
}

CountTables<WideDouble> CountTableMaker::count(const CountQueries& queries,
                                               const Control* control) {
    return count_all<WideDouble>(queries, control,
                                 [&] { return inference_.count_table(control).count; });
}

CountTables<std::uint64_t> CountTableMaker::count_modular(const CountQueries& queries,
                                                          std::uint64_t prime,
                                                          const Control* control) {
    if (prime < 3 || prime % 2 == 0 || prime >= std::uint64_t{1} << 61)
        throw BadArgument("the modulus must be an odd prime below 2**61");
    return count_all<std::uint64_t>(queries, control,
                                    [&] { return inference_.count_table_modular(prime, control); });
}

}  // namespace mineodds
