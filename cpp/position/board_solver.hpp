// The fused kernel: from the cells of a board straight to the chance of a mine under each.
//
// Works on any neighbour table. Splitting the cells in front and weighting the deep cells behind
// are its own; settling, grouping, plan and evaluation are the code that everything uses. One
// object serves one thread and keeps its arrays.
#pragma once

#include <cstdint>
#include <span>

#include "elimination/inference.hpp"
#include "position/deep_weights.hpp"
#include "position/neighbours.hpp"
#include "position/split.hpp"

namespace mineodds {

class BoardSolver {
  public:
    // cells: -1 hidden, -2 flag (trusted), 0..largest_clue revealed. mines: all on the board, flags
    // included. Writes one probability a cell: nan where revealed, 1.0 at flags, exactly 0.0 or 1.0
    // only where certain; all nan unless ok. Throws only Interrupted and DeadlinePassed.
    BoardStatus solve(std::span<const std::int8_t> cells, std::int64_t mines,
                      const Neighbours& neighbours, std::int8_t largest_clue, const Budget& budget,
                      const Control* control, std::span<double> probability);
    // Plan and support of the last position that was solved, for benchmarks and counts.
    const Inference& inference() const { return inference_; }

  private:
    BoardStatus infer(std::int64_t mines, const Neighbours& neighbours, const Budget& budget,
                      const Control* control);
    void write(std::span<const std::int8_t> cells, std::span<double> probability) const;

    Inference inference_;
    TotalWeights weights_;
    Marginals marginals_;
    Splitter splitter_;
    Split split_;
};

}  // namespace mineodds
