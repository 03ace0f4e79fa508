// Who touches whom: the two views that settling and grouping need, for the two ways a problem
// arrives.
//
// A Problem has clues and cells numbered apart, so the transposed lists (clues of a cell) are made
// once. On a board a clue is itself a cell and "touches" is the neighbour table in both directions.
// Lists may name cells that are no longer open and clues that are no longer active; the algorithms
// look at their counts and pass over them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "words/integers.hpp"

namespace mineodds {

class ProblemIncidence {
  public:
    explicit ProblemIncidence(const Problem& problem) : problem_(problem) {
        start_.assign(static_cast<std::size_t>(problem.cell_count) + 1, 0);
        for (const CellId cell : problem.clue_cell) ++start_[static_cast<std::size_t>(cell) + 1];
        for (std::size_t cell = 1; cell < start_.size(); ++cell) start_[cell] += start_[cell - 1];
        clue_.resize(problem.clue_cell.size());
        std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
        for (std::size_t clue = 0; clue < problem.clue_count(); ++clue)
            for (const CellId cell : problem.cells_of(static_cast<ClueId>(clue)))
                clue_[next[static_cast<std::size_t>(cell)]++] = static_cast<ClueId>(clue);
    }
    std::span<const CellId> cells_of(ClueId clue) const { return problem_.cells_of(clue); }
    std::span<const ClueId> clues_of(CellId cell) const {
        const std::size_t begin = start_[static_cast<std::size_t>(cell)];
        return std::span(clue_).subspan(begin, start_[static_cast<std::size_t>(cell) + 1] - begin);
    }

  private:
    const Problem& problem_;
    std::vector<std::size_t> start_;
    std::vector<ClueId> clue_;
};

// The cells next to each cell, as compressed sparse rows; symmetric. `start` has one entry more
// than there are cells.
struct NeighbourTable {
    std::span<const std::int32_t> start;
    std::span<const CellId> cell;

    std::size_t cell_count() const { return start.size() - 1; }
    std::span<const CellId> of(CellId index) const {
        const auto begin = static_cast<std::size_t>(start[static_cast<std::size_t>(index)]);
        const auto end = static_cast<std::size_t>(start[static_cast<std::size_t>(index) + 1]);
        return {cell.data() + begin, end - begin};
    }
    std::span<const CellId> cells_of(ClueId clue) const { return of(clue); }
    std::span<const ClueId> clues_of(CellId index) const { return of(index); }
};

}  // namespace mineodds
