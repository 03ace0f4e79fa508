// Validation of a Problem; see problem.hpp for what the arrays mean.
#include "problem/problem.hpp"

#include <string>
#include <vector>

#include "words/errors.hpp"

namespace mineodds {

void check(const Problem& problem) {
    const std::size_t clues = problem.clue_count();
    if (problem.cell_count < 0) throw BadArgument("cell_count must not be negative");
    if (problem.clue_start.size() != clues + 1)
        throw BadArgument("clue_start must have one entry more than clue_need");
    if (problem.clue_start[0] != 0 ||
        static_cast<std::size_t>(problem.clue_start[clues]) != problem.clue_cell.size())
        throw BadArgument("clue_start must run from 0 to the length of clue_cell");
    for (std::size_t clue = 0; clue < clues; ++clue)  // all of them, before any list is read
        if (problem.clue_start[clue] > problem.clue_start[clue + 1])
            throw BadArgument("clue_start descends at clue " + std::to_string(clue));
    std::vector<std::size_t> last_clue(static_cast<std::size_t>(problem.cell_count), 0);
    for (std::size_t clue = 0; clue < clues; ++clue)
        for (const CellId cell : problem.cells_of(static_cast<ClueId>(clue))) {
            if (cell < 0 || cell >= problem.cell_count)
                throw BadArgument("clue " + std::to_string(clue) + " names cell " +
                                  std::to_string(cell) + ", outside 0.." +
                                  std::to_string(problem.cell_count - 1));
            auto& seen = last_clue[static_cast<std::size_t>(cell)];
            if (seen == clue + 1)
                throw BadArgument("clue " + std::to_string(clue) + " names cell " +
                                  std::to_string(cell) + " twice");
            seen = clue + 1;
        }
}

}  // namespace mineodds
