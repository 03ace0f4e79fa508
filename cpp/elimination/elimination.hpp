// The elimination engine as a value: a problem in, counts and marginals of its cells out, as often
// as asked.
//
// The plan and the support are made once, in the constructor. May be used from several threads:
// evaluations take turns.
#pragma once

#include <cstdint>
#include <mutex>
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
    Elimination(const Problem& problem, const Budget& budget, const Control* control);

    bool consistent() const { return consistent_; }
    // Mines among all cells of the problem, settled ones included. 0 and 0 when inconsistent.
    MineCount least_mines() const;
    MineCount most_mines() const;
    std::vector<bool> possible_counts(const Control* control);
    const std::vector<std::int8_t>& settled() const { return inference_.settled.state; }
    std::vector<std::int32_t> variable_of_cell() const;  // -1 where settled
    const Inference& inference() const { return inference_; }
    std::string describe() const;

    // weights.weight[k] belongs to least_mines() + k mines. Probabilities by cell.
    Evaluation evaluate(const TotalWeights& weights, const Control* control);
    ModularEvaluation evaluate_modular(std::uint64_t prime,
                                       const std::vector<std::uint64_t>& weight,
                                       const Control* control);

  private:
    // Value of each cell: by variable, or as settled.
    template <class T>
    std::vector<T> spread(const std::vector<T>& by_variable, T safe, T mine) const;

    Inference inference_;
    bool consistent_;
    std::mutex turn_;
};

}  // namespace mineodds
