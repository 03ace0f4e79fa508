// The elimination engine as a value: a problem in, counts and marginals of its cells out, as often
// as asked.
//
// The plan and the support are made once, in the constructor. May be used from several threads:
// evaluations take turns.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "elimination/inference.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"

namespace mineodds {

class Elimination {
  public:
    // Throws BadArgument for arrays that form no problem, CostExceeded when the predicted cost is
    // over the budget.
    // The mines among `free_cells` are counted without a need: see count_table.
    Elimination(const Problem& problem, const Budget& budget, const Control* control,
                std::span<const CellId> free_cells = {}, const PlanOptions& options = {});
    // Cells that are not all alike. Without possible_counts and count tables.
    Elimination(const Problem& problem, CellWeights weights, const Budget& budget,
                const Control* control);
    Elimination(const Elimination&) = delete;
    Elimination& operator=(const Elimination&) = delete;

    bool consistent() const { return consistent_; }
    // Mines among all cells of the problem, settled ones included. 0 and 0 when inconsistent.
    MineCount least_mines() const;
    MineCount most_mines() const;
    std::vector<bool> possible_counts(const Control* control);
    // Row j, column k: configurations with j mines among the free cells and least_mines() + k in
    // all. `rows` is one more than there are free cells.
    Inference::CountTable count_table(const Control* control);
    std::vector<std::uint64_t> count_table_modular(std::uint64_t prime, const Control* control);
    std::size_t table_rows() const { return free_cells_ + 1; }
    std::size_t mine_counts() const { return consistent_ ? inference_.mine_counts() : 1; }
    const std::vector<std::int8_t>& settled() const { return inference_.settled.state; }
    std::vector<std::int32_t> variable_of_cell() const;  // -1 where settled
    const Inference& inference() const { return inference_; }
    bool has_weights() const { return inference_.weights_of_cells != nullptr; }
    std::string describe() const;

    // weights.weight[k] belongs to least_mines() + k mines. Probabilities by cell.
    Evaluation evaluate(const TotalWeights& weights, const Control* control);
    // class_residue: the weights of the classes of cells modulo the prime, where there are any.
    ModularEvaluation evaluate_modular(std::uint64_t prime,
                                       const std::vector<std::uint64_t>& weight,
                                       const Control* control,
                                       std::vector<std::uint64_t> class_residue = {});

  private:
    // Value of each cell: by variable, or as settled.
    template <class T>
    std::vector<T> spread(std::span<const T> by_variable, T safe, T mine) const;

    // Free cells settled as mines shift the rows of the engine's table.
    template <class T>
    std::vector<T> place_rows(const std::vector<T>& open_rows) const;

    CellWeights weights_;
    Inference inference_;
    std::size_t free_cells_;
    std::size_t free_mines_ = 0;  // of them, settled as mines
    bool consistent_;
    std::mutex turn_;
};

}  // namespace mineodds
