// Laying mines, flood fill and the log of steps; see game.hpp.
#include "play/game.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "position/split.hpp"
#include "words/errors.hpp"

namespace mineodds {
namespace {

std::size_t at(CellId cell) {
    return static_cast<std::size_t>(cell);
}

}  // namespace

Game::Game(const NeighbourTable& neighbours, std::int64_t mines, FirstClick first_click)
    : neighbours_(neighbours), mines_(mines), first_click_(first_click) {
    const std::size_t cells = neighbours.cell_count();
    if (mines < 0 || mines > static_cast<std::int64_t>(cells))
        throw BadArgument("mines must be from 0 to " + std::to_string(cells) +
                          ", the number of cells, not " + std::to_string(mines));
    layout_.resize(cells);
    number_.resize(cells);
    permutation_.resize(cells);
    restart(0, 0);
}

void Game::restart(std::uint64_t seed, std::uint64_t index) {
    start_ = Random(seed, index, Random::kLayoutStream);
    cells_.assign(neighbours_.cell_count(), kHiddenCell);
    opened_.clear();
    steps_.clear();
    laid_ = false;
    exploded_ = kNoCell;
    state_ = GameState::playing;
    end_step();
}

std::size_t Game::zone_size(const NeighbourTable& neighbours, FirstClick rule, CellId cell) {
    switch (rule) {
        case FirstClick::any:
            return 0;
        case FirstClick::safe:
            return 1;
        case FirstClick::opening:
            break;
    }
    return 1 + neighbours.of(cell).size();
}

void Game::lay(CellId first) {
    const std::size_t cells = cells_.size();
    const std::size_t zone = zone_size(neighbours_, first_click_, first);
    if (static_cast<std::int64_t>(cells - zone) < mines_)
        throw BadArgument("the first click keeps " + std::to_string(zone) + " of " +
                          std::to_string(cells) + " cells free: no room for " +
                          std::to_string(mines_) + " mines, at most " +
                          std::to_string(cells - zone));
    constexpr std::uint8_t kKeptFree = 2;
    std::ranges::fill(layout_, std::uint8_t{0});
    std::ranges::fill(number_, std::int8_t{0});
    if (first_click_ != FirstClick::any) layout_[at(first)] = kKeptFree;
    if (first_click_ == FirstClick::opening)
        for (const CellId other : neighbours_.of(first)) layout_[at(other)] = kKeptFree;
    std::iota(permutation_.begin(), permutation_.end(), 0);
    random_ = start_;
    std::int64_t left = mines_;
    for (std::size_t i = 0; left > 0; ++i) {
        const auto j = i + static_cast<std::size_t>(random_.below(cells - i));
        std::swap(permutation_[i], permutation_[j]);
        const CellId mine = permutation_[i];
        if (layout_[at(mine)] == kKeptFree) continue;
        layout_[at(mine)] = 1;
        for (const CellId other : neighbours_.of(mine)) ++number_[at(other)];
        --left;
    }
    if (first_click_ != FirstClick::any) layout_[at(first)] = 0;
    if (first_click_ == FirstClick::opening)
        for (const CellId other : neighbours_.of(first)) layout_[at(other)] = 0;
    laid_ = true;
}

void Game::reveal(CellId cell) {
    if (layout_[at(cell)] != 0) {
        exploded_ = cell;
        return;
    }
    std::size_t next = opened_.size();
    cells_[at(cell)] = number_[at(cell)];
    opened_.push_back(cell);
    for (; next < opened_.size(); ++next) {
        if (number_[at(opened_[next])] != 0) continue;
        for (const CellId other : neighbours_.of(opened_[next])) {
            if (cells_[at(other)] != kHiddenCell) continue;
            cells_[at(other)] = number_[at(other)];
            opened_.push_back(other);
        }
    }
}

void Game::end_step() {
    if (exploded_ != kNoCell)
        state_ = GameState::lost;
    else if (static_cast<std::int64_t>(opened_.size()) + mines_ ==
             static_cast<std::int64_t>(cells_.size()))
        state_ = GameState::won;
    else
        state_ = GameState::playing;
}

bool Game::open(CellId cell) {
    if (state_ != GameState::playing || cells_[at(cell)] != kHiddenCell) return false;
    const Action action = laid_ ? Action::open : Action::first_open;
    if (!laid_) lay(cell);
    steps_.push_back({action, kNoCell, opened_.size()});
    reveal(cell);
    end_step();
    return true;
}

bool Game::flag(CellId cell) {
    if (state_ != GameState::playing || cells_[at(cell)] >= 0) return false;
    steps_.push_back({Action::flag, cell, opened_.size()});
    cells_[at(cell)] = cells_[at(cell)] == kHiddenCell ? kFlagCell : kHiddenCell;
    return true;
}

bool Game::chord(CellId cell) {
    if (state_ != GameState::playing || cells_[at(cell)] < 0) return false;
    std::int8_t flags = 0;
    bool any = false;
    for (const CellId other : neighbours_.of(cell)) {
        if (cells_[at(other)] == kFlagCell) ++flags;
        any |= cells_[at(other)] == kHiddenCell;
    }
    if (!any || flags != cells_[at(cell)]) return false;
    steps_.push_back({Action::open, kNoCell, opened_.size()});
    for (const CellId other : neighbours_.of(cell)) {
        if (exploded_ != kNoCell) break;
        if (cells_[at(other)] == kHiddenCell) reveal(other);
    }
    end_step();
    return true;
}

bool Game::undo() {
    if (steps_.empty()) return false;
    const Step step = steps_.back();
    steps_.pop_back();
    if (step.action == Action::flag) {
        cells_[at(step.cell)] = cells_[at(step.cell)] == kHiddenCell ? kFlagCell : kHiddenCell;
        return true;
    }
    for (std::size_t i = step.opened; i < opened_.size(); ++i) cells_[at(opened_[i])] = kHiddenCell;
    opened_.resize(step.opened);
    exploded_ = kNoCell;
    if (step.action == Action::first_open) laid_ = false;
    end_step();
    return true;
}

}  // namespace mineodds
