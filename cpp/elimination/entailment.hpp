// Do some of the clues, alone, allow a cell to be a mine (or safe)? The question behind every
// proof: a set of clues proves a cell when it does not allow the other value.
//
// Each set is a small problem of its own, with one more clue over the one cell. A total counts as
// known when `totals` lists those that are possible: then the mines that the set's cells leave must
// fit into the hidden cells that lie outside of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elimination/inference.hpp"
#include "problem/problem.hpp"
#include "words/control.hpp"

namespace mineodds {

class Entailment {
  public:
    // The problem's cells are all hidden cells, deep ones (in no clue) too. Throws BadArgument for
    // arrays that form no problem. Keeps a view of the problem.
    Entailment(const Problem& problem, const Budget& budget);

    // Whether some layout agrees with `clues` (each at most once), with the value of `cell` (1
    // mine, 0 safe), and with one of the totals; any total, when there are none.
    bool allows(std::span<const ClueId> clues, CellId cell, MineCount value,
                std::span<const MineCount> totals, const Control* control);

  private:
    CellId local(CellId cell);

    Problem problem_;
    Budget budget_;
    Inference inference_;
    std::vector<CellId> local_;  // by cell: its number in the problem of the set, -1 if not there
    std::vector<CellId> touched_;
    std::vector<std::int32_t> clue_start_;
    std::vector<CellId> clue_cell_;
    std::vector<MineCount> clue_need_;
};

}  // namespace mineodds
