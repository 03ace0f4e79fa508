// The inference problem, free of boards: cells, and clues that each count the mines among some of
// the cells.
//
// A Problem only views its arrays (clues as compressed sparse rows over cells); the caller keeps
// them alive. Flags, totals and cells that touch no clue are the business of whoever makes the
// problem.
#pragma once

#include <span>

#include "words/integers.hpp"

namespace mineodds {

struct Problem {
    CellId cell_count = 0;
    std::span<const std::int32_t> clue_start;  // one more than there are clues; ascending from 0
    std::span<const CellId>
        clue_cell;  // the cells of clue c: clue_cell[clue_start[c] .. clue_start[c + 1])
    std::span<const MineCount>
        clue_need;  // mines among the cells of each clue; any integer, impossible ones too

    std::size_t clue_count() const { return clue_need.size(); }
    std::span<const CellId> cells_of(ClueId clue) const {
        const auto begin = static_cast<std::size_t>(clue_start[static_cast<std::size_t>(clue)]);
        const auto end = static_cast<std::size_t>(clue_start[static_cast<std::size_t>(clue) + 1]);
        return clue_cell.subspan(begin, end - begin);
    }
};

// Throws BadArgument when the arrays do not form a problem: wrong lengths, descending starts, a
// cell out of range or repeated within a clue.
void check(const Problem& problem);

}  // namespace mineodds
