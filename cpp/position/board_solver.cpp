// Splitting, inference and output of the fused kernel; see board_solver.hpp.
#include "position/board_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "words/errors.hpp"

namespace mineodds {

BoardStatus BoardSolver::solve(std::span<const std::int8_t> cells, std::int64_t mines,
                               const NeighbourTable& neighbours, std::int8_t largest_clue,
                               const Budget& budget, const Control* control,
                               std::span<double> probability) {
    BoardStatus status = BoardStatus::bad_input;
    if (mines >= 0 && mines <= static_cast<std::int64_t>(cells.size())) {
        status = find_clues(cells, neighbours, largest_clue);
        if (status == BoardStatus::ok) status = infer(mines, neighbours, budget, control);
    }
    if (status == BoardStatus::ok) {
        write(cells, probability);
    } else {
        std::ranges::fill(probability, std::numeric_limits<double>::quiet_NaN());
    }
    return status;
}

BoardStatus BoardSolver::find_clues(std::span<const std::int8_t> cells,
                                    const NeighbourTable& neighbours, std::int8_t largest_clue) {
    SettleState& s = inference_.settled;
    s.state.resize(cells.size());
    s.need.resize(cells.size());
    s.open.assign(cells.size(), 0);
    s.queue.clear();
    s.settled_mines = 0;
    s.settled_cells = 0;
    clues_.clear();
    hidden_ = 0;
    flags_ = 0;
    BoardStatus status = BoardStatus::ok;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::int8_t cell = cells[i];
        s.state[i] = cell == kHiddenCell ? kOpen : kNotHidden;
        hidden_ += cell == kHiddenCell;
        if (cell == kHiddenCell) continue;
        if (cell == kFlagCell) {
            ++flags_;
            continue;
        }
        if (cell < kFlagCell || cell > largest_clue) return BoardStatus::bad_input;
        MineCount open = 0;
        MineCount need = cell;
        for (const CellId neighbour : neighbours.of(static_cast<CellId>(i))) {
            const std::int8_t other = cells[static_cast<std::size_t>(neighbour)];
            open += other == kHiddenCell;
            need -= other == kFlagCell;
        }
        if (need < 0 || need > open) status = BoardStatus::inconsistent;
        if (open == 0) continue;
        s.open[i] = open;
        s.need[i] = need;
        clues_.push_back(static_cast<ClueId>(i));
        if (need == 0 || need == open) s.queue.push_back(static_cast<ClueId>(i));
    }
    return status;
}

BoardStatus BoardSolver::infer(std::int64_t mines, const NeighbourTable& neighbours,
                               const Budget& budget, const Control* control) {
    SettleState& s = inference_.settled;
    if (!settle(neighbours, s)) return BoardStatus::inconsistent;
    if (!group(neighbours, s, clues_, inference_.reduction)) return BoardStatus::inconsistent;
    try {
        if (!inference_.prepare(budget, control)) return BoardStatus::inconsistent;
        const std::int64_t left = mines - flags_ - s.settled_mines;
        const std::int64_t open = hidden_ - s.settled_cells;
        const std::int64_t deep =
            open - static_cast<std::int64_t>(inference_.reduction.cell.size());
        if (!deep_weights(deep, left, inference_.least_mines(), inference_.mine_counts(), weights_))
            return BoardStatus::inconsistent;
        weights_.tilt = tilt_for(left, open);
        inference_.evaluate(weights_, control, marginals_);
    } catch (const CostExceeded&) {
        return BoardStatus::over_budget;
    }
    return marginals_.total.mantissa == 0.0 ? BoardStatus::inconsistent : BoardStatus::ok;
}

void BoardSolver::write(std::span<const std::int8_t> cells, std::span<double> probability) const {
    // By state + 1: an undecided cell is deep unless its variable says otherwise below.
    const double value[4] = {marginals_.deep_probability, 0.0, 1.0,
                             std::numeric_limits<double>::quiet_NaN()};
    const auto& state = inference_.settled.state;
    for (std::size_t i = 0; i < cells.size(); ++i) probability[i] = value[state[i] + 1];
    if (flags_ != 0)
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] == kFlagCell) probability[i] = 1.0;
    const Reduction& reduction = inference_.reduction;
    for (std::size_t i = 0; i < reduction.cell.size(); ++i)
        probability[static_cast<std::size_t>(reduction.cell[i])] =
            marginals_.probability[reduction.variable[i]];
}

}  // namespace mineodds
