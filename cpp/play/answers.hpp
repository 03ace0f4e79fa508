// What opening a cell can show, and what would be known then.
//
// Each number is tried: a copy of the position, an open, a settle, one inference. Its number of
// layouts over that of the position before is the chance of the answer. (local_progress does
// without the inference: an estimate for a small part of the price.)
//
// Cells of one *class* have equal answers, up to the mines around them that are known already: they
// are of the same variable (or all deep), and so are their undecided neighbours, each kind equally
// often. Cells of a variable can be exchanged without changing any clue, so nothing computed from
// one opening can tell such cells apart. A board of hundreds of equal deep cells has about ten
// classes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "position/position.hpp"

namespace mineodds {

struct Answer {
    MineCount mines = 0;      // around it, among the undecided cells (the number, less known ones)
    double chance = 0.0;      // that the cell is safe and shows this
    double least_risk = 0.0;  // of the next click: the least chance of a mine; 0 when won
    std::int64_t safe = 0;    // hidden cells that are then certainly safe
    std::int64_t certain =
        0;  // cells that become certain, safe or mine, the opened one not counted
    bool won = false;
};

enum class Trial : std::uint8_t {
    impossible,  // the cell cannot show that
    enough,      // by complete and full clues alone, enough cells would be certainly safe; the
                 // answer may still be impossible, and nothing else is known of it
    solved
};

// Opens `cell` of `before`, which has `layouts` layouts, with `mines` mines among its undecided
// neighbours. When solved, `after` and `solver` hold what follows.
Trial try_answer(const Position& before, WideDouble layouts, CellId cell, MineCount mines,
                 std::int64_t enough, Position& after, PositionSolver& solver,
                 const Control* control, Answer& answer);

inline constexpr std::int64_t kNeverEnough = std::numeric_limits<std::int64_t>::max();

// The numbers 0..most of mines that a cell may have around it, likely ones first: outward from
// `expected`.
void likely_first(MineCount most, double expected, std::vector<MineCount>& order);

// Undecided neighbours of a cell.
MineCount undecided_around(const Position& position, CellId cell);

// How likely opening `cell`, if it is safe, brings progress that complete and full clues alone see:
// the chance that it shows a number from which they find a safe cell, the mines around it taken as
// independent. risk: by cell. Costs a copy and a settling for each number, no inference.
double local_progress(const Position& before, std::span<const double> risk, CellId cell,
                      Position& after);

// Numbers the classes of a solved position from 0, in order of first use.
class CellClasses {
  public:
    void start(const Position& position, const PositionSolver& solver);
    std::size_t class_of(CellId cell);
    std::size_t count() const { return begin_.size() - 1; }

  private:
    std::uint32_t kind_of(CellId cell) const { return kind_[static_cast<std::size_t>(cell)]; }

    const Position* position_ = nullptr;
    std::vector<std::uint32_t> kind_;  // by cell: its variable, or kNone for deep ones
    std::vector<std::uint32_t> key_;   // the keys of all classes, end to end
    std::vector<std::size_t> begin_;
    std::vector<std::size_t> bucket_;
    void grow();
};

}  // namespace mineodds
