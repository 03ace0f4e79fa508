// Settling: carry out complete and full clues until nothing changes.
//
// A clue that needs 0 more mines is complete (its open cells are safe); one that needs as many as
// it has open cells is full (they are mines). Each settled cell changes its clues. Which neighbours
// are open, and which of them are clues, is close to random to a branch predictor, so the inner
// loops decide by arithmetic: what is no clue has so negative a count of open cells that no test
// holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/buffer.hpp"
#include "words/integers.hpp"

namespace mineodds {

inline constexpr std::int8_t kOpen = -1;  // state of a cell: undecided
inline constexpr std::int8_t kSafe = 0;
inline constexpr std::int8_t kMine = 1;
inline constexpr std::int8_t kNotHidden = 2;  // state of a board's revealed or flagged cell

struct ClueState {
    MineCount need;  // mines still to place
    MineCount open;  // cells still undecided

    bool is_wrong() const {  // needs less than nothing, or more than there is room for
        return open >= 0 && static_cast<std::uint32_t>(need) > static_cast<std::uint32_t>(open);
    }
    bool is_ready() const { return open > 0 && (need == 0 || need == open); }
};

inline constexpr ClueState kNoClue{0, -(1 << 30)};

// The working arrays; kept between uses so that nothing is allocated per position.
struct SettleState {
    std::vector<std::int8_t> state;  // by cell
    std::vector<ClueState> clue;     // by clue
    std::vector<ClueId> queue;       // the first `queued` are ready clues not yet carried out
    std::size_t queued = 0;
    MineCount settled_mines = 0;
    CellId settled_cells = 0;
    Buffer<CellId> found;  // scratch: the open cells of one clue

    void start(std::size_t cells) {
        state.resize(cells);
        queued = 0;
        settled_mines = 0;
        settled_cells = 0;
    }
    void reserve_queue(std::size_t more) {
        if (queue.size() < queued + more) queue.resize(2 * (queued + more));
    }
};

// Carries out the queued clues and all that follow from them. False: the clues contradict each
// other. Linear in the lists of the settled cells.
template <class Incidence>
bool settle(const Incidence& incidence, SettleState& s) {
    ClueState* const clues = s.clue.data();
    while (s.queued != 0) {
        const ClueId next = s.queue[--s.queued];
        const ClueState clue = clues[next];
        if (clue.open == 0) continue;
        const std::int8_t value = clue.need == 0 ? kSafe : kMine;
        const auto candidates = incidence.cells_of(next);
        if (s.found.size() < candidates.size()) s.found.resize(candidates.size());
        std::size_t open = 0;
        for (const CellId cell : candidates) {
            s.found[open] = cell;
            open += s.state[static_cast<std::size_t>(cell)] == kOpen;
        }
        s.settled_mines += value * static_cast<MineCount>(open);
        s.settled_cells += static_cast<CellId>(open);
        bool wrong = false;
        for (std::size_t i = 0; i < open; ++i) {
            s.state[static_cast<std::size_t>(s.found[i])] = value;
            const auto others = incidence.clues_of(s.found[i]);
            s.reserve_queue(others.size());
            ClueId* const queue = s.queue.data();
            std::size_t queued = s.queued;
            for (const ClueId other : others) {
                ClueState& changed = clues[other];
                changed.need -= value;
                --changed.open;
                wrong |= changed.is_wrong();
                queue[queued] = other;
                queued += changed.is_ready();
            }
            s.queued = queued;
        }
        if (wrong) return false;
    }
    return true;
}

}  // namespace mineodds
