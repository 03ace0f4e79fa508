// Opening cells one at a time, and inference on what stays undecided; see position.hpp.
#include "position/position.hpp"

#include <algorithm>

namespace mineodds {
namespace {

std::size_t at(CellId cell) {
    return static_cast<std::size_t>(cell);
}

}  // namespace

void Position::reset(const NeighbourTable& neighbours, std::int64_t mines) {
    const std::size_t cells = neighbours.cell_count();
    neighbours_ = neighbours;
    settled_.start(cells);
    settled_.state.assign(cells, kOpen);
    settled_.clue.assign(cells, kNoClue);
    clues_.clear();
    mines_ = mines;
    hidden_ = undecided_ = static_cast<std::int64_t>(cells);
}

bool Position::load(const NeighbourTable& neighbours, std::int64_t mines,
                    std::span<const std::int8_t> cells) {
    reset(neighbours, mines);
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] >= 0 && !open(static_cast<CellId>(i), cells[i])) return false;
    return settle();
}

void Position::become(const Position& other) {
    neighbours_ = other.neighbours_;
    settled_.start(other.settled_.state.size());
    settled_.state = other.settled_.state;
    settled_.clue = other.settled_.clue;
    settled_.settled_mines = other.settled_.settled_mines;
    settled_.settled_cells = other.settled_.settled_cells;
    clues_ = other.clues_;
    mines_ = other.mines_;
    hidden_ = other.hidden_;
    undecided_ = other.undecided_;
}

void Position::enqueue(ClueId clue) {
    settled_.reserve_queue(1);
    settled_.queue[settled_.queued++] = clue;
}

bool Position::lower(ClueId clue, std::int8_t value) {
    ClueState& changed = settled_.clue[at(clue)];
    changed.need -= value;
    --changed.open;
    if (changed.is_ready()) enqueue(clue);
    return !changed.is_wrong();
}

bool Position::open(CellId cell, MineCount number) {
    const std::int8_t before = settled_.state[at(cell)];
    if (before == kMine) return false;
    settled_.state[at(cell)] = kNotHidden;
    --hidden_;
    MineCount open = 0;
    MineCount need = number;
    bool possible = true;
    if (before == kSafe) {
        // Its clues know. It was counted as settled, and is not undecided any more.
        --undecided_;
        --settled_.settled_cells;
        for (const CellId other : neighbours_.of(cell)) {
            open += settled_.state[at(other)] == kOpen;
            need -= settled_.state[at(other)] == kMine;
        }
    } else {
        --undecided_;
        for (const CellId other : neighbours_.of(cell)) {
            open += settled_.state[at(other)] == kOpen;
            need -= settled_.state[at(other)] == kMine;
            possible = lower(other, kSafe) && possible;
        }
    }
    if (!possible || need < 0 || need > open) return false;
    settled_.clue[at(cell)] = {need, open};
    if (open == 0) return true;
    clues_.push_back(cell);
    if (settled_.clue[at(cell)].is_ready()) enqueue(cell);
    return true;
}

bool Position::decide(CellId cell, std::int8_t value) {
    if (settled_.state[at(cell)] != kOpen) return settled_.state[at(cell)] == value;
    settled_.state[at(cell)] = value;
    settled_.settled_mines += value;
    ++settled_.settled_cells;
    bool possible = true;
    for (const CellId other : neighbours_.of(cell)) possible = lower(other, value) && possible;
    return possible;
}

void Position::drop_finished_clues() {
    std::erase_if(clues_, [&](ClueId clue) { return settled_.clue[at(clue)].open == 0; });
}

bool PositionSolver::weigh(std::int64_t mines) {
    const std::size_t counts = inference_.mine_counts();
    weights_.weight.assign(counts, WideDouble{});
    weights_.deep_share.assign(counts, 0.0);
    if (factorial_.empty()) factorial_.push_back(Wide::make(1.0, 0));
    while (factorial_.size() <= static_cast<std::size_t>(deep_)) {
        const WideDouble last = factorial_.back();
        factorial_.push_back(
            Wide::make(last.mantissa * static_cast<double>(factorial_.size()), last.exponent));
    }
    bool any = false;
    const auto place = [](std::int64_t k) { return static_cast<std::size_t>(k); };
    const WideDouble all = factorial_[place(deep_)];
    const std::int64_t first = mines - inference_.least_mines();
    for (std::size_t k = 0; k < counts; ++k) {
        const std::int64_t deep_mines = first - static_cast<std::int64_t>(k);
        if (deep_mines < 0 || deep_mines > deep_) continue;
        const WideDouble a = factorial_[place(deep_mines)];
        const WideDouble b = factorial_[place(deep_ - deep_mines)];
        weights_.weight[k] = Wide::make(all.mantissa / (a.mantissa * b.mantissa),
                                        all.exponent - a.exponent - b.exponent);
        if (deep_ > 0)
            weights_.deep_share[k] = static_cast<double>(deep_mines) / static_cast<double>(deep_);
        any = true;
    }
    return any;
}

bool PositionSolver::solve(Position& position, const Control* control) {
    check(control);  // look-ahead asks thousands of small questions, none of which looks itself
    ++solves_;
    position.drop_finished_clues();
    const std::int64_t left = position.mines_left();
    const std::int64_t undecided = position.undecided();
    if (left < 0 || left > undecided) return false;
    if (!group(position.neighbours(), position.settled(), position.clues(), inference_.reduction))
        return false;
    if (!inference_.prepare(budget_, control)) return false;
    deep_ = undecided - static_cast<std::int64_t>(inference_.reduction.cell.size());
    if (!weigh(left)) return false;
    weights_.tilt = tilt_for(left, undecided);
    inference_.evaluate(weights_, control, marginals_);
    if (marginals_.total.mantissa == 0.0) return false;
    summarise();
    return true;
}

void PositionSolver::summarise() {
    least_ = 1.0;
    safe_ = 0;
    mine_ = 0;
    const auto count = [&](double p, std::int64_t cells) {
        least_ = std::min(least_, p);
        if (p == 0.0) safe_ += cells;
        if (p == 1.0) mine_ += cells;
    };
    const auto& size = inference_.reduction.size;
    for (std::size_t v = 0; v < size.size(); ++v) count(marginals_.probability[v], size[v]);
    if (deep_ > 0) count(marginals_.deep_probability, deep_);
}

}  // namespace mineodds
