// Shrink first: settle what complete and full clues settle, drop repeated clues, and join cells
// with equal clues.
//
// A clue that needs 0 more mines is complete (its open cells are safe); one that needs as many as
// it has open cells is full (they are mines). Each settled cell changes its clues, until nothing
// changes. What is left is small: of the 196 clues of an expert position about 15. Cells that the
// same clues touch are interchangeable and become one *variable* of size s, whose value m has
// weight C(s, m) z^m. A clue that is left is a *counter*.
//
// Both steps are written once, over an incidence (incidence.hpp), and serve problems and boards
// alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/incidence.hpp"
#include "problem/problem.hpp"
#include "words/integers.hpp"

namespace mineodds {

inline constexpr std::int8_t kOpen = -1;  // state of a cell: undecided
inline constexpr std::int8_t kSafe = 0;
inline constexpr std::int8_t kMine = 1;
inline constexpr std::int8_t kNotHidden = 2;  // state of a board's revealed or flagged cell

// The working arrays, one entry a cell or a clue; kept between uses so that nothing is allocated
// per position.
struct SettleState {
    std::vector<std::int8_t> state;  // by cell
    std::vector<MineCount> need;     // by clue: mines still to place
    std::vector<MineCount> open;     // by clue: cells still undecided; 0 for what is no clue
    std::vector<ClueId> queue;       // complete and full clues not yet carried out
    MineCount settled_mines = 0;
    CellId settled_cells = 0;
};

// Carries out the queued clues and all that follow from them. False: the clues contradict each
// other. Linear in the lists of the settled cells.
template <class Incidence>
bool settle(const Incidence& incidence, SettleState& s) {
    while (!s.queue.empty()) {
        const ClueId clue = s.queue.back();
        s.queue.pop_back();
        const auto c = static_cast<std::size_t>(clue);
        if (s.open[c] == 0) continue;
        const std::int8_t value = s.need[c] == 0 ? kSafe : kMine;
        for (const CellId cell : incidence.cells_of(clue)) {
            if (s.state[static_cast<std::size_t>(cell)] != kOpen) continue;
            s.state[static_cast<std::size_t>(cell)] = value;
            s.settled_mines += value;
            ++s.settled_cells;
            for (const ClueId other : incidence.clues_of(cell)) {
                const auto d = static_cast<std::size_t>(other);
                if (s.open[d] == 0) continue;
                --s.open[d];
                s.need[d] -= value;
                if (s.need[d] < 0 || s.need[d] > s.open[d]) return false;
                if ((s.need[d] == 0 || s.need[d] == s.open[d]) && s.open[d] != 0) {
                    s.queue.push_back(other);
                }
            }
        }
    }
    return true;
}

// What is left: variables and counters, each listing the other. Arrays are reused by the next
// position.
struct Reduction {
    std::vector<std::uint32_t> size;  // cells of each variable
    std::vector<std::uint32_t>
        counter_start;  // counters of variable v: counter[counter_start[v] ..), ascending
    std::vector<CounterId> counter;
    std::vector<std::uint32_t> variable_start;  // variables of counter c, likewise, ascending
    std::vector<VariableId> counter_variable;
    std::vector<MineCount> need;       // by counter: 0 < need < open
    std::vector<MineCount> open;       // by counter
    std::vector<ClueId> clue;          // by counter: the clue that it was; -1 for the free counter
    CounterId free_counter = kNone;    // a counter without a need, which never closes (see group)
    std::vector<CellId> cell;          // every open frontier cell ...
    std::vector<VariableId> variable;  // ... and its variable

    std::size_t variable_count() const { return size.size(); }
    std::size_t counter_count() const { return need.size(); }
    std::span<const CounterId> counters_of(VariableId v) const {
        return {counter.data() + counter_start[v], counter_start[v + 1] - counter_start[v]};
    }
    std::span<const VariableId> variables_of(CounterId c) const {
        return {counter_variable.data() + variable_start[c],
                variable_start[c + 1] - variable_start[c]};
    }

    // Scratch of group().
    struct Scratch {
        std::vector<std::uint32_t> local;  // by cell: its place in `cell`, or kNone
        std::vector<std::uint64_t> signature;
        std::vector<std::uint32_t> start, next, hash, place;
        std::vector<CounterId> list;
    } scratch;
};

namespace detail {
// Joins open cells with equal counters and drops repeated counters, from the lists in scratch
// (counters of each local cell, ascending). False when two counters over the same cells need
// different numbers of mines.
bool group_listed(Reduction& reduction);
}  // namespace detail

// Groups what settle() left, for the clues listed in `clues` (those without open cells are passed
// over). False: the clues contradict each other. Linear in the lists.
//
// `free_cells` may name cells whose mines are to be counted without a need, the question "how many
// mines among these?". The open ones get a free counter. It never closes: it stands for twice as
// many cells as there are, half of them never seen.
template <class Incidence>
bool group(const Incidence& incidence, const SettleState& s, std::span<const ClueId> clues,
           Reduction& r, std::span<const CellId> free_cells = {}) {
    auto& scratch = r.scratch;
    r.need.clear();
    r.open.clear();
    r.clue.clear();
    r.cell.clear();
    r.free_counter = kNone;
    const auto is_open = [&](CellId cell) {
        return s.state[static_cast<std::size_t>(cell)] == kOpen;
    };
    const auto add = [&](ClueId clue, MineCount need, MineCount open) {
        r.need.push_back(need);
        r.open.push_back(open);
        r.clue.push_back(clue);
    };
    for (const ClueId clue : clues) {
        const auto c = static_cast<std::size_t>(clue);
        if (s.open[c] != 0) add(clue, s.need[c], s.open[c]);
    }
    const auto asked = static_cast<MineCount>(std::ranges::count_if(free_cells, is_open));
    if (asked != 0) {
        r.free_counter = static_cast<CounterId>(r.clue.size());
        add(-1, asked, 2 * asked);
    }
    const auto cells_of = [&](CounterId counter) {
        return counter == r.free_counter ? free_cells : incidence.cells_of(r.clue[counter]);
    };
    scratch.local.resize(s.state.size(), kNone);
    scratch.start.clear();
    for (CounterId counter = 0; counter < r.clue.size(); ++counter)
        for (const CellId cell : cells_of(counter)) {
            if (!is_open(cell)) continue;
            auto& local = scratch.local[static_cast<std::size_t>(cell)];
            if (local == kNone) {
                local = static_cast<std::uint32_t>(r.cell.size());
                r.cell.push_back(cell);
                scratch.start.push_back(0);
            }
            ++scratch.start[local];
        }
    std::uint32_t total = 0;
    for (auto& start : scratch.start) {
        const std::uint32_t count = start;
        start = total;
        total += count;
    }
    scratch.next = scratch.start;
    scratch.start.push_back(total);
    scratch.list.resize(total);
    for (CounterId counter = 0; counter < r.clue.size(); ++counter)
        for (const CellId cell : cells_of(counter))
            if (is_open(cell))
                scratch.list[scratch.next[scratch.local[static_cast<std::size_t>(cell)]]++] =
                    counter;
    for (const CellId cell : r.cell) scratch.local[static_cast<std::size_t>(cell)] = kNone;
    return detail::group_listed(r);
}

// Reduces a problem from scratch: settle, then group. False: the clues contradict each other.
bool reduce(const Problem& problem, SettleState& state, Reduction& reduction,
            std::span<const CellId> free_cells = {});

}  // namespace mineodds
