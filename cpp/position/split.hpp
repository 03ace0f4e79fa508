// Splitting a board: its clues less their flags, ready to be settled, and what is plain settled at
// once.
//
// With shifts, whole rounds of settling are done on byte arrays, all cells at a time: one sum over
// neighbours gives every clue its open cells and its known mines, one OR hands every complete or
// full clue's verdict to its cells. A few rounds settle most of a board in play; long chains of
// consequences are left to settle(), which follows them one by one. Without shifts the lists are
// walked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "position/neighbours.hpp"
#include "problem/settle.hpp"

namespace mineodds {

inline constexpr std::int8_t kHiddenCell = -1;
inline constexpr std::int8_t kFlagCell = -2;

enum class BoardStatus : std::uint8_t { ok = 0, inconsistent = 1, bad_input = 2, over_budget = 3 };

struct Split {
    std::vector<ClueId> clue;  // revealed cells with open neighbours
    std::int64_t hidden = 0;
    std::int64_t flags = 0;
};

class Splitter {
  public:
    // Fills `settled` (state, clues, the queue of ready ones) and `split`. inconsistent: some clue
    // alone cannot hold.
    BoardStatus split(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                      std::int8_t largest_clue, SettleState& settled, Split& split);

  private:
    // Both fill `settled` and `split`; false: some clue cannot hold.
    bool walk_lists(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                    SettleState& settled, Split& split);
    bool settle_rounds(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                       SettleState& settled, Split& split);
    // The clues with open cells, and the queue of those that are ready.
    static void list_clues(const std::uint8_t* verdict, std::size_t cells, SettleState& settled,
                           Split& split);

    std::vector<std::uint8_t> marks_, verdict_, counted_, told_;
};

}  // namespace mineodds
