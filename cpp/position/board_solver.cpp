// Splitting, inference and output of the fused kernel; see board_solver.hpp.
#include "position/board_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr std::size_t kManyCells = 65536;  // the steps on them take a millisecond

}  // namespace

BoardStatus BoardSolver::solve(std::span<const std::int8_t> cells, std::int64_t mines,
                               const Neighbours& neighbours, std::int8_t largest_clue,
                               const Budget& budget, const Control* control,
                               std::span<double> probability) {
    BoardStatus status = BoardStatus::bad_input;
    if (mines >= 0 && mines <= static_cast<std::int64_t>(cells.size())) {
        status = splitter_.split(cells, neighbours, largest_clue, inference_.settled, split_);
        if (status == BoardStatus::ok) status = infer(mines, neighbours, budget, control);
    }
    if (status == BoardStatus::ok) {
        write(cells, probability);
    } else {
        std::ranges::fill(probability, std::numeric_limits<double>::quiet_NaN());
    }
    return status;
}

BoardStatus BoardSolver::infer(std::int64_t mines, const Neighbours& neighbours,
                               const Budget& budget, const Control* control) {
    SettleState& s = inference_.settled;
    const NeighbourTable table = neighbours.table();
    const Control* const between = s.state.size() > kManyCells ? control : nullptr;
    check(between);
    if (!settle(table, s)) return BoardStatus::inconsistent;
    check(between);
    if (!group(table, s, split_.clue, inference_.reduction)) return BoardStatus::inconsistent;
    try {
        const std::int64_t left = mines - split_.flags - s.settled_mines;
        const std::int64_t open = split_.hidden - s.settled_cells;
        const std::int64_t deep =
            open - static_cast<std::int64_t>(inference_.reduction.cell.size());
        if (!inference_.prepare(budget, control, {}, {left - deep, left}))
            return BoardStatus::inconsistent;
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
    const double* const by_state = value + 1;
    const std::int8_t* const state = inference_.settled.state.data();
    double* const out = probability.data();
    for (std::size_t i = 0; i < cells.size(); ++i) out[i] = by_state[state[i]];
    if (split_.flags != 0)
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] == kFlagCell) probability[i] = 1.0;
    const Reduction& reduction = inference_.reduction;
    for (std::size_t i = 0; i < reduction.cell.size(); ++i)
        probability[static_cast<std::size_t>(reduction.cell[i])] =
            marginals_.probability[reduction.variable[i]];
}

}  // namespace mineodds
