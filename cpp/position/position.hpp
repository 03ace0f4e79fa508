// A position kept up to date as cells open: no rescanning of the board, and what complete and full
// clues say is known at once.
//
// `Position` is plain data over a neighbour table (which cells are undecided, what each clue still
// needs), cheap to copy: asking "what if this cell showed 3?" is a copy, an open and a settle.
// `PositionSolver` runs the inference on what is left undecided, and holds its working arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elimination/inference.hpp"
#include "problem/incidence.hpp"

namespace mineodds {

class Position {
  public:
    // All cells hidden. The table must outlive the position.
    void reset(const NeighbourTable& neighbours, std::int64_t mines);
    // The position of a board's cells; flags are read as hidden. False: the clues contradict each
    // other.
    bool load(const NeighbourTable& neighbours, std::int64_t mines,
              std::span<const std::int8_t> cells);

    // Copies a settled position into this one's arrays.
    void become(const Position& other);

    // A hidden cell is safe and shows this number. False: a contradiction.
    bool open(CellId cell, MineCount number);
    // A cell that is still undecided is known to be safe (kSafe) or a mine (kMine).
    bool decide(CellId cell, std::int8_t value);
    // Follows up complete and full clues; to be called after opening and deciding.
    bool settle() { return mineodds::settle(neighbours_, settled_); }

    const NeighbourTable& neighbours() const { return neighbours_; }
    const SettleState& settled() const { return settled_; }
    // kOpen (undecided), kSafe and kMine (hidden, known), kNotHidden (opened).
    std::int8_t state(CellId cell) const { return settled_.state[static_cast<std::size_t>(cell)]; }
    std::int64_t undecided() const { return undecided_ - settled_.settled_cells; }
    std::int64_t mines_left() const { return mines_ - settled_.settled_mines; }
    std::int64_t hidden_safe() const { return hidden_ - mines_; }
    std::int64_t known_safe() const { return hidden_ - undecided() - settled_.settled_mines; }
    // Numbers that still touch undecided cells.
    std::span<const ClueId> clues() const { return clues_; }
    void drop_finished_clues();

  private:
    bool lower(ClueId clue, std::int8_t value);
    void enqueue(ClueId clue);

    NeighbourTable neighbours_;
    SettleState settled_;
    std::vector<ClueId> clues_;
    std::int64_t mines_ = 0;
    std::int64_t hidden_ = 0;
    std::int64_t undecided_ = 0;  // before settling
};

class PositionSolver {
  public:
    explicit PositionSolver(const Budget& budget) : budget_(budget) {}

    // Everything below speaks of the position of the last solve. False: no layout. Throws
    // CostExceeded, and what the control throws.
    bool solve(Position& position, const Control* control);

    // The number of layouts of the hidden cells.
    WideDouble layouts() const { return marginals_.total; }
    // Undecided cells that touch a clue, and the variable of each; equal variables have equal
    // chances and the same clues.
    std::span<const CellId> frontier() const { return inference_.reduction.cell; }
    std::span<const VariableId> variable() const { return inference_.reduction.variable; }
    double probability(VariableId variable) const { return marginals_.probability[variable]; }
    std::int64_t deep_cells() const { return deep_; }
    double deep_probability() const { return marginals_.deep_probability; }
    // Over all undecided cells; 1 when there are none.
    double least_probability() const { return least_; }
    std::int64_t certain_safe() const { return safe_; }
    std::int64_t certain_mines() const { return mine_; }
    std::uint64_t solves() const { return solves_; }

  private:
    bool weigh(std::int64_t mines);
    void summarise();

    Budget budget_;
    Inference inference_;
    TotalWeights weights_;
    Marginals marginals_;
    std::vector<WideDouble> factorial_;
    std::int64_t deep_ = 0;
    double least_ = 1.0;
    std::int64_t safe_ = 0;
    std::int64_t mine_ = 0;
    std::uint64_t solves_ = 0;
};

}  // namespace mineodds
