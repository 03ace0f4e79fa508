// Shrink first: settle what complete and full clues settle (settle.hpp), drop repeated clues, and
// join cells with equal clues.
//
// Of the 196 clues of an expert position about 15 are left. Cells that the same clues touch are
// interchangeable and become one *variable* of size s, whose value m has weight C(s, m) z^m. A clue
// that is left is a *counter*.
//
// Both steps are written once, over an incidence (incidence.hpp), and serve problems and boards
// alike. With at most 64 counters, as on nearly every real position, the counters of a cell are the
// bits of one word; beyond that they are lists. Both give the same result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/incidence.hpp"
#include "problem/problem.hpp"
#include "problem/settle.hpp"
#include "words/buffer.hpp"
#include "words/integers.hpp"

namespace mineodds {

// What is left: variables, with the counters of each, and counters. Arrays are reused by the next
// position.
struct Reduction {
    Buffer<std::uint32_t> size;  // cells of each variable
    Buffer<std::uint32_t>
        counter_start;  // counters of variable v: counter[counter_start[v] ..), ascending
    Buffer<CounterId> counter;
    Buffer<MineCount> need;          // by counter: 0 < need < open
    Buffer<MineCount> open;          // by counter
    Buffer<ClueId> clue;             // by counter: the clue that it was; -1 for the free counter
    CounterId free_counter = kNone;  // a counter without a need, which never closes (see group)
    Buffer<CellId> cell;             // every open frontier cell ...
    Buffer<VariableId> variable;     // ... and its variable
    // Where cells are of several classes (set before group): by cell its class. Cells of different
    // classes are not joined, and cells in no clue are variables too.
    std::span<const ClassId> cell_class;
    std::vector<ClassId> variable_class;  // empty where cells are all alike

    std::size_t variable_count() const { return size.size(); }
    std::size_t counter_count() const { return need.size(); }
    std::span<const CounterId> counters_of(VariableId v) const {
        return {counter.data() + counter_start[v], counter_start[v + 1] - counter_start[v]};
    }

    // Scratch of group().
    struct Scratch {
        std::vector<std::uint64_t> bits;   // by cell: its counters; zero between calls
        Buffer<std::uint64_t> within;      // by counter: the counters of all its variables
        std::vector<std::uint32_t> local;  // by cell: its place in `cell`, or kNone
        Buffer<std::uint64_t> signature;
        Buffer<std::uint32_t> start, next, hash, place;
        Buffer<CounterId> list;
        Buffer<std::uint32_t> variable_start;  // variables of each counter, ascending
        std::vector<VariableId> counter_variable;
    } scratch;
};

namespace detail {
// Join open cells with equal counters and drop repeated counters, from scratch.bits or from the
// lists of each local cell (ascending). False when two counters over the same cells need different
// numbers of mines.
bool group_bits(Reduction& reduction);
bool group_lists(Reduction& reduction);
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
    r.free_counter = kNone;
    r.clue.resize(clues.size());
    r.cell.clear();
    std::size_t counters = 0;
    for (const ClueId clue : clues) {
        r.clue[counters] = clue;
        counters += s.clue[static_cast<std::size_t>(clue)].open > 0;
    }
    r.clue.resize(counters);
    r.need.resize(counters);
    r.open.resize(counters);
    for (std::size_t c = 0; c < counters; ++c) {
        const ClueState& clue = s.clue[static_cast<std::size_t>(r.clue[c])];
        r.need[c] = clue.need;
        r.open[c] = clue.open;
    }
    const auto is_open = [&](CellId cell) {
        return s.state[static_cast<std::size_t>(cell)] == kOpen;
    };
    const auto asked = static_cast<MineCount>(std::ranges::count_if(free_cells, is_open));
    if (asked != 0) {
        r.free_counter = static_cast<CounterId>(counters++);
        r.clue.push_back(-1);
        r.need.push_back(asked);
        r.open.push_back(2 * asked);
    }
    const auto cells_of = [&](CounterId counter) {
        return counter == r.free_counter ? free_cells : incidence.cells_of(r.clue[counter]);
    };
    if (counters <= 64 && r.cell_class.empty()) {
        if (scratch.bits.size() < s.state.size()) scratch.bits.resize(s.state.size(), 0);
        std::uint64_t* const bits = scratch.bits.data();
        std::size_t cells = 0;
        for (CounterId counter = 0; counter < counters; ++counter) {
            const auto candidates = cells_of(counter);
            r.cell.resize(cells + candidates.size());
            for (const CellId cell : candidates) {
                const std::uint64_t open = is_open(cell) ? 1 : 0;
                const std::uint64_t before = bits[cell];
                bits[cell] = before | open << counter;
                r.cell[cells] = cell;
                cells += static_cast<std::size_t>(open & (before == 0 ? 1 : 0));
            }
        }
        r.cell.resize(cells);
        return detail::group_bits(r);
    }
    scratch.local.resize(s.state.size(), kNone);
    scratch.start.clear();
    for (CounterId counter = 0; counter < counters; ++counter)
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
    for (std::size_t cell = 0; cell < r.cell_class.size(); ++cell)
        if (is_open(static_cast<CellId>(cell)) && scratch.local[cell] == kNone) {
            scratch.local[cell] = static_cast<std::uint32_t>(r.cell.size());
            r.cell.push_back(static_cast<CellId>(cell));
            scratch.start.push_back(0);
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
    for (CounterId counter = 0; counter < counters; ++counter)
        for (const CellId cell : cells_of(counter))
            if (is_open(cell))
                scratch.list[scratch.next[scratch.local[static_cast<std::size_t>(cell)]]++] =
                    counter;
    for (const CellId cell : r.cell) scratch.local[static_cast<std::size_t>(cell)] = kNone;
    return detail::group_lists(r);
}

// Reduces a problem from scratch: settle, then group. False: the clues contradict each other.
bool reduce(const Problem& problem, SettleState& state, Reduction& reduction,
            std::span<const CellId> free_cells = {});

}  // namespace mineodds
