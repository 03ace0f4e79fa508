// Exact odds by listing configurations: depth-first search with forward checking in each
// component, the components joined through the total. The engine for small positions, and the
// independent judge of the elimination engine: it shares no factor, reduction or plan with it.
//
// Making an Enumeration searches once and counts: N_c(k), the configurations of component c with k
// mines, each variable's value m weighing C(s, m). Evaluating searches once more, with the weight
// that a configuration has in the whole: its own, times what the component sees of the others and
// of the deep cells at its mine count (masses.hpp). Memory stays linear in the problem, whatever
// the ranges of the mine counts, and the work is the number of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coefficients/wide.hpp"
#include "enumeration/masses.hpp"
#include "enumeration/network.hpp"
#include "enumeration/product_tree.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"
#include "words/control.hpp"

namespace mineodds {

// Immutable once made: several threads may evaluate at the same time.
class Enumeration {
  public:
    // Searches the whole problem; keeps no view of it. Throws BadArgument when the arrays do not
    // form a problem, CostExceeded as soon as more than max_work nodes have been searched.
    Enumeration(const Problem& problem, double max_work, const Control* control = nullptr);

    // Whether some configuration agrees with all clues. If none does, the mines range from 0 to 0
    // and that count is not possible.
    bool consistent() const { return possible_.front() != 0; }
    MineCount least_mines() const { return least_mines_; }
    MineCount most_mines() const {
        return least_mines_ + static_cast<MineCount>(possible_.size()) - 1;
    }
    // Which mine counts, from least_mines on, occur.
    const std::vector<std::uint8_t>& possible() const { return possible_; }
    // By cell: 0 safe, 1 mine by complete and full clues alone, -1 otherwise.
    const std::vector<std::int8_t>& settled() const { return network_.settled; }
    // Nodes of one search through everything: values tried.
    double work() const { return work_; }

    // The odds when the layouts of the deep cells, with least_mines + k mines on the frontier, are
    // weight[k] * 2^weight_exponent[k] (0: that total is impossible) and deep_share[k] of the deep
    // cells are mines then. One entry for each mine count. Relative error below 1e-12.
    Evaluation evaluate(std::span<const double> weight,
                        std::span<const std::int64_t> weight_exponent,
                        std::span<const double> deep_share, const Control* control = nullptr) const;

    // The same modulo an odd prime below 2^61 and above the size of every variable. Searches twice.
    ModularEvaluation evaluate_modular(std::uint64_t prime, std::span<const std::uint64_t> weight,
                                       const Control* control = nullptr) const;

  private:
    template <class Ring>
    ProductTree<Ring> count(const Ring& ring, typename Ring::Value one,
                            const Control* control) const;

    ConstraintNetwork network_;
    std::vector<MineRange> range_;  // by component
    ProductTree<Wide> counts_;      // of the count polynomials N_c, from the least mines on
    MineCount least_mines_ = 0;
    std::vector<std::uint8_t> possible_{0};
    double work_ = 0.0;
};

}  // namespace mineodds
