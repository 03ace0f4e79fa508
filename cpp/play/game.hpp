// One game: a hidden layout and what the player has opened and flagged so far.
//
// Layouts. A game has one permutation of its cells, drawn by Fisher-Yates from its own stream of
// random numbers. Its mines are the first M cells of it that lie outside the first-click zone: no
// cell ("any"), the clicked cell ("safe"), or that and its neighbours ("opening"). So layouts are
// uniform given the rule, and two policies that start differently still play almost the same
// layout. Mines are laid at the first click.
//
// Every action that changes something is one step of a log, and undo takes the last one back, the
// first click and a lost game included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "play/random.hpp"
#include "problem/incidence.hpp"

namespace mineodds {

enum class FirstClick : std::uint8_t { any = 0, safe = 1, opening = 2 };
enum class GameState : std::uint8_t { playing = 0, won = 1, lost = 2 };

inline constexpr CellId kNoCell = -1;

class Game {
  public:
    // The table must outlive the game. Throws BadArgument when mines are fewer than 0 or more than
    // there are cells.
    Game(const NeighbourTable& neighbours, std::int64_t mines, FirstClick first_click);

    // Starts the game of this number.
    void restart(std::uint64_t seed, std::uint64_t index);

    // Each returns whether anything changed; nothing does once the game is over.
    // Opens a hidden cell, and around every 0 its neighbours, but never a flagged cell. The first
    // call lays the mines: BadArgument when the zone leaves too few cells for them.
    bool open(CellId cell);
    // Sets or takes away a flag on a hidden cell.
    bool flag(CellId cell);
    // On a number with as many flags around it: opens the other hidden cells around it in rising
    // order, up to the first mine.
    bool chord(CellId cell);
    bool undo();

    std::int64_t mines() const { return mines_; }
    GameState state() const { return state_; }
    // As on a board: -1 hidden, -2 flag, otherwise the number shown.
    std::span<const std::int8_t> cells() const { return cells_; }
    // All cells that have been opened, in order; the last step's are at the end.
    std::span<const CellId> opened() const { return opened_; }
    // The mine that was opened, or kNoCell.
    CellId exploded() const { return exploded_; }
    bool laid() const { return laid_; }
    // 1 where a mine is; only once laid.
    std::span<const std::uint8_t> layout() const { return layout_; }

    // How many cells the first click keeps free of mines.
    static std::size_t zone_size(const NeighbourTable& neighbours, FirstClick rule, CellId cell);

  private:
    enum class Action : std::uint8_t { first_open, open, flag };
    struct Step {
        Action action;
        CellId cell;         // of a flag
        std::size_t opened;  // size of opened_ before it
    };

    void lay(CellId first);
    void reveal(CellId cell);  // opens it and what follows; or explodes
    void end_step();

    NeighbourTable neighbours_;
    std::int64_t mines_;
    FirstClick first_click_;
    Random random_{0, 0, Random::kLayoutStream};
    Random start_ = random_;
    GameState state_ = GameState::playing;
    bool laid_ = false;
    CellId exploded_ = kNoCell;
    std::vector<std::int8_t> cells_;
    std::vector<std::uint8_t> layout_;
    std::vector<std::int8_t> number_;
    std::vector<CellId> opened_;
    std::vector<CellId> permutation_;
    std::vector<Step> steps_;
};

}  // namespace mineodds
