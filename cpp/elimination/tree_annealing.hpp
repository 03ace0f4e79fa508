// Simulated annealing of a join tree by rotations (Kirkpatrick, Gelatt & Vecchi 1983).
//
// Join trees over the same leaves are connected by one kind of step: where a node X joins A with
// Y = (B, C), it may join (A, B) with C instead. Only Y's table changes, and with it the products
// of Y, of X and, as far as the predicted entries differ, of the nodes above. A step that makes the
// tree dearer is taken with a chance that falls with the rise, as a share of the whole, and with a
// temperature that sinks as the steps run out. The cheapest tree seen is what counts.
//
// Costs are the efforts of cost_model.hpp. The tree is kept in a form that is quick to change: each
// node has its own scope and remembers what its entries were predicted from.
#pragma once

#include <cstdint>
#include <vector>

#include "elimination/cost_model.hpp"
#include "elimination/join_tree.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"
#include "words/integers.hpp"

namespace mineodds {

class TreeAnnealer {
  public:
    // Takes `steps` steps from `tree` and writes the cheapest tree seen over it, unless that is no
    // cheaper; the model, set for this reduction, is then to predict it anew. Returns its effort.
    // The same arguments give the same tree.
    double anneal(const Reduction& reduction, const CostModel& model, std::uint64_t steps,
                  std::uint64_t seed, const Control* control, JoinTree& tree);

  private:
    struct Node {
        NodeId parent = kNone;
        NodeId left = kNone;   // kNone for a leaf
        NodeId right = kNone;  // for a leaf: its variable
        PredictedTable table;
        double effort = 0.0;
        std::vector<ScopeEntry> scope;  // counters open here, ascending
    };
    struct Shape {
        NodeId parent, left, right;
    };
    struct Change {
        PredictedTable table;
        double effort;
    };

    void load(const Reduction& reduction, const CostModel& model, const JoinTree& tree);
    void store(const Reduction& reduction, JoinTree& tree) const;
    void save_shape();
    // One step at a random place; it may be refused.
    void step(const CostModel& model, double temperature);
    // The effort more or less above `node` if that were its table; fills above_.
    double change_above(const CostModel& model, NodeId node, const PredictedTable& table);
    std::uint64_t random();

    std::vector<Node> node_;
    std::vector<NodeId> inner_;  // nodes that are no leaves
    NodeId root_ = kNone;
    double effort_ = 0.0;
    double least_effort_ = 0.0;  // of `least_`, the cheapest tree saved
    std::vector<Shape> least_;
    std::vector<Change> above_;  // the ancestors that a step would change
    std::vector<ScopeEntry> lower_scope_, upper_scope_;
    std::uint64_t state_ = 0;
};

}  // namespace mineodds
