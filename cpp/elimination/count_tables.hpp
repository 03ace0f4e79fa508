// Many questions to one problem at once: "with these cells safe and those mines, how many mines lie
// among these others, and how many in all?"
//
// Each query is answered by a table of its own: the parts of the problem that it touches, with the
// fixed cells taken out of their clues, a free counter over the asked cells, one elimination. A
// part is a component, or any set of clues that shares no cell with the rest; what a query does not
// touch it does not pay for. On a real board a table costs some ten microseconds, so that asking
// for the number under every cell costs about as much as one call from Python per component would.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coefficients/wide.hpp"
#include "elimination/inference.hpp"
#include "problem/problem.hpp"
#include "words/control.hpp"

namespace mineodds {

// Lists one after the other: list q is item[start[q] .. start[q + 1]).
template <class Item>
struct ListsView {
    std::span<const std::int32_t> start;
    std::span<const Item> item;

    std::size_t count() const { return start.size() - 1; }
    std::span<const Item> operator[](std::size_t q) const {
        const auto begin = static_cast<std::size_t>(start[q]);
        return item.subspan(begin, static_cast<std::size_t>(start[q + 1]) - begin);
    }
};

// One list of each a query. All cells of a query lie in its parts, each at most once.
struct CountQueries {
    ListsView<std::int32_t> part;
    ListsView<CellId> safe;
    ListsView<CellId> mine;
    ListsView<CellId> asked;
};

// The table of query q: rows for 0, 1, ... mines among the asked cells, columns for least[q], ...
// mines of its parts, fixed ones included; count[start[q] .. start[q + 1]). Empty when the query's
// conditions are impossible.
template <class Value>
struct CountTables {
    std::vector<std::int64_t> start{0};
    std::vector<MineCount> least;
    std::vector<Value> count;
    std::uint64_t products = 0;  // table-entry products of all queries, for one evaluation each
};

class CountTableMaker {
  public:
    // part: by cell. Throws BadArgument for arrays that form no problem. Keeps views of its
    // arguments.
    CountTableMaker(const Problem& problem, std::span<const std::int32_t> part,
                    const Budget& budget);
    // The same for cells that are not all alike; those in no clue belong to their parts too. A
    // fixed cell has no weight: it is the caller's.
    CountTableMaker(const Problem& problem, std::span<const std::int32_t> part,
                    const CellWeights& weights, const Budget& budget);

    // Throws BadArgument for queries that break the rules above, CostExceeded when a table is over
    // the budget.
    CountTables<WideDouble> count(const CountQueries& queries, const Control* control);
    // The same modulo an odd prime below 2^61.
    CountTables<std::uint64_t> count_modular(const CountQueries& queries, std::uint64_t prime,
                                             const Control* control);

  private:
    template <class Value, class Count>
    CountTables<Value> count_all(const CountQueries& queries, const Control* control,
                                 Count&& count_one);
    void check(const CountQueries& queries) const;
    bool prepare(const CountQueries& queries, std::size_t query, const Control* control);

    Problem problem_;
    std::span<const std::int32_t> part_;
    Budget budget_;
    std::vector<std::vector<ClueId>> clues_of_part_;
    std::vector<std::vector<CellId>> cells_of_part_;  // where cells have weights
    const CellWeights* weights_ = nullptr;
    CellWeights local_weights_;
    Inference inference_;

    // The problem of one query.
    std::vector<CellId> local_;  // by cell: its number there; kUntouched, kFixedSafe, kFixedMine
    std::vector<CellId> touched_;
    CellId cell_count_ = 0;
    std::vector<std::int32_t> clue_start_;
    std::vector<CellId> clue_cell_;
    std::vector<MineCount> clue_need_;
    std::vector<CellId> asked_;
    MineCount fixed_mines_ = 0;
};

}  // namespace mineodds
