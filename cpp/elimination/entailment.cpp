// See entailment.hpp.
#include "elimination/entailment.hpp"

#include <algorithm>
#include <cstddef>

#include "words/errors.hpp"

namespace mineodds {

Entailment::Entailment(const Problem& problem, const Budget& budget)
    : problem_(problem), budget_(budget) {
    check(problem);
    local_.assign(static_cast<std::size_t>(problem.cell_count), -1);
}

CellId Entailment::local(CellId cell) {
    CellId& number = local_[static_cast<std::size_t>(cell)];
    if (number < 0) {
        number = static_cast<CellId>(touched_.size());
        touched_.push_back(cell);
    }
    return number;
}

bool Entailment::allows(std::span<const ClueId> clues, CellId cell, MineCount value,
                        std::span<const MineCount> totals, const Control* control) {
    if (cell < 0 || cell >= problem_.cell_count) throw BadArgument("no such cell");
    for (const CellId before : touched_) local_[static_cast<std::size_t>(before)] = -1;
    touched_.clear();
    clue_cell_.assign(1, local(cell));
    clue_start_.assign({0, 1});
    clue_need_.assign(1, value);
    for (const ClueId clue : clues) {
        if (clue < 0 || static_cast<std::size_t>(clue) >= problem_.clue_count())
            throw BadArgument("no such clue");
        for (const CellId c : problem_.cells_of(clue)) clue_cell_.push_back(local(c));
        clue_start_.push_back(static_cast<std::int32_t>(clue_cell_.size()));
        clue_need_.push_back(problem_.clue_need[static_cast<std::size_t>(clue)]);
    }
    const auto cells = static_cast<CellId>(touched_.size());
    if (!reduce({cells, clue_start_, clue_cell_, clue_need_}, inference_.settled,
                inference_.reduction) ||
        !inference_.prepare(budget_, control))
        return false;
    if (totals.empty()) return true;
    const auto count = inference_.count_table(control).count;
    const MineCount least = inference_.settled.settled_mines + inference_.least_mines();
    for (std::size_t k = 0; k < count.size(); ++k) {
        if (count[k].mantissa == 0.0) continue;
        const MineCount mines = least + static_cast<MineCount>(k);
        if (std::ranges::any_of(totals, [&](MineCount total) {
                return total >= mines && total - mines <= problem_.cell_count - cells;
            }))
            return true;
    }
    return false;
}

}  // namespace mineodds
