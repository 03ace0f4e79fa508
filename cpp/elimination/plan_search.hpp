// The planning portfolio: cheaper join trees for boards that the first one would keep busy.
//
// One min-fill order serves nearly every real board and is all there is below 2^17 predicted
// products. Above, the plan is costed by the fitted model (cost_model.hpp) and improved by means
// that cost more time the more there is to save:
//   1. above an effort of 2^20: min-fill again with random ties, counting fill edges and weighing
//   them
//      (Kjaerulff 1990), and a greedy linear order, which joins one variable after another, the one
//      that leaves the smallest table;
//   2. simulated annealing (tree_annealing.hpp), from the best two, or eight above 2^26: all are
//      annealed, the better half goes on for twice as many steps, until one is left; then that one
//      in rounds of doubling length, for as long as a round takes a small part of the time that the
//      plan is predicted to need, and the budget can still be met.
// The cheapest tree ever seen is kept. Time is counted in steps, never by the clock: the same
// position gets the same plan, everywhere.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "elimination/cost_model.hpp"
#include "elimination/elimination_order.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/tree_annealing.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"

namespace mineodds {

// Which plan: the cheapest found, or one kind of them whatever the cost, to compare and to test.
enum class PlanKind : std::uint8_t { best, min_fill, linear, annealed };

struct PlanOptions {
    PlanKind kind = PlanKind::best;
    std::uint32_t mask_words = 0;  // masks have as many words or more
    // What is not to be brought below this is not worth a long search.
    double max_work = std::numeric_limits<double>::infinity();
    double max_memory = std::numeric_limits<double>::infinity();
    bool semi_joins = false;  // tables are made as on costly boards, whatever the cost
};

class Planner {
  public:
    // The plan of a reduction: its elimination order, and its join tree without slots.
    void plan(const Reduction& reduction, const PlanOptions& options, const Control* control,
              EliminationOrder& order, JoinTree& tree);
    // Writes the best prediction there is into that tree, or into what has been made of it since.
    void predict(const Reduction& reduction, JoinTree& tree);
    // Joins one variable after another; of those that share a counter with what is joined already,
    // the one that leaves the smallest table.
    void linear(const Reduction& reduction, JoinTree& tree);

  private:
    struct Candidate {
        JoinTree tree;
        double effort = 0.0;
    };
    void search(const Reduction& reduction, const PlanOptions& options, const Control* control,
                JoinTree& tree);
    // Enters it among the cheapest.
    void consider(const Reduction& reduction, const JoinTree& tree);
    void sort_field();
    void anneal(const Reduction& reduction, std::uint64_t steps, const Control* control,
                Candidate& candidate);

    bool modelled_ = false;  // the costs are the model's
    OrderFinder finder_;
    CostModel model_;
    TreeAnnealer annealer_;
    std::vector<Candidate> field_;  // the cheapest first
    std::uint64_t seed_ = 0;        // of the last annealing
    std::vector<ScopeEntry> scope_;
};

}  // namespace mineodds
