// Rotations and their costs; see tree_annealing.hpp.
#include "elimination/tree_annealing.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace mineodds {
namespace {

// The temperature, as a share of the whole effort, at the first and at the last step.
constexpr double kHot = 0.03;
constexpr double kCold = 0.0003;
constexpr std::uint64_t kCheckEvery = 1024;  // steps between looks at the clock

}  // namespace

std::uint64_t TreeAnnealer::random() {  // splitmix64 (Steele, Lea & Flood 2014)
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

double TreeAnnealer::anneal(const Reduction& reduction, const CostModel& model, std::uint64_t steps,
                            std::uint64_t seed, const Control* control, JoinTree& tree) {
    load(reduction, model, tree);
    save_shape();
    const double at_first = least_effort_;
    if (tree.node.size() < 5 || steps == 0) return at_first;  // nothing to rotate
    state_ = seed;
    const double cooling = std::pow(kCold / kHot, 1.0 / static_cast<double>(steps));
    double temperature = kHot;
    for (std::uint64_t i = 0; i < steps; ++i) {
        if (i % kCheckEvery == 0) check(control);
        step(model, temperature);
        temperature *= cooling;
    }
    if (effort_ < least_effort_) save_shape();
    if (least_effort_ < at_first) store(reduction, tree);
    return least_effort_;
}

void TreeAnnealer::load(const Reduction& reduction, const CostModel& model, const JoinTree& tree) {
    if (node_.size() < tree.node.size()) node_.resize(tree.node.size());
    inner_.clear();
    effort_ = 0.0;
    root_ = static_cast<NodeId>(tree.node.size() - 1);
    for (NodeId id = 0; id < tree.node.size(); ++id) {
        const JoinNode& from = tree.node[id];
        Node& node = node_[id];
        node.left = from.left;
        node.right = from.right;
        node.parent = kNone;
        if (from.is_leaf()) {
            const auto scope = tree.scope_of(from);
            node.scope.assign(scope.begin(), scope.end());
            node.table = model.leaf(reduction, tree, from);
            node.effort = 0.0;
        } else {
            Node& left = node_[from.left];
            Node& right = node_[from.right];
            left.parent = right.parent = id;
            node.table = model.join(left.table, left.scope, right.table, right.scope, node.scope);
            node.effort = node.table.effort(left.table, right.table, model.costs());
            effort_ += node.effort;
            inner_.push_back(id);
        }
    }
    least_.resize(tree.node.size());
}

void TreeAnnealer::save_shape() {
    least_effort_ = effort_;
    for (std::size_t id = 0; id < least_.size(); ++id)
        least_[id] = {node_[id].parent, node_[id].left, node_[id].right};
}

void TreeAnnealer::store(const Reduction& reduction, JoinTree& tree) const {
    tree.clear();
    // Children before parents, without recursion: a tree may be as deep as it has leaves.
    std::vector<NodeId> made(least_.size(), kNone);
    std::vector<NodeId> waiting{root_};
    while (!waiting.empty()) {
        const NodeId id = waiting.back();
        const Shape& shape = least_[id];
        if (shape.left == kNone) {
            made[id] = tree.add_leaf(reduction, shape.right);
        } else if (made[shape.left] == kNone || made[shape.right] == kNone) {
            waiting.push_back(shape.left);
            waiting.push_back(shape.right);
            continue;
        } else {
            made[id] = tree.add_join(reduction, made[shape.left], made[shape.right]);
        }
        waiting.pop_back();
    }
}

double TreeAnnealer::change_above(const CostModel& model, NodeId id, const PredictedTable& table) {
    above_.clear();
    double change = 0.0;
    PredictedTable now = table;
    while (node_[id].parent != kNone && now.entries != node_[id].table.entries) {
        const NodeId up = node_[id].parent;
        const Node& node = node_[up];
        const PredictedTable& sibling = node_[node.left == id ? node.right : node.left].table;
        PredictedTable changed = node.table;
        changed.join(now, sibling);
        const double effort = changed.effort(now, sibling, model.costs());
        change += effort - node.effort;
        above_.push_back({changed, effort});
        now = changed;
        id = up;
    }
    return change;
}

void TreeAnnealer::step(const CostModel& model, double temperature) {
    const std::uint64_t bits = random();
    // The dearer of two: most of the effort is in few nodes.
    NodeId x = inner_[bits % inner_.size()];
    const NodeId other = inner_[(bits >> 24) % inner_.size()];
    if (node_[other].effort > node_[x].effort) x = other;
    Node& upper = node_[x];
    const bool left_inner = node_[upper.left].left != kNone;
    const bool right_inner = node_[upper.right].left != kNone;
    if (!left_inner && !right_inner) return;
    const bool into_left = left_inner && (!right_inner || (bits >> 62 & 1) != 0);
    const NodeId y = into_left ? upper.left : upper.right;
    const NodeId a = into_left ? upper.right : upper.left;
    Node& lower = node_[y];
    const bool keep_left = (bits >> 63) != 0;
    const NodeId b = keep_left ? lower.left : lower.right;
    const NodeId c = keep_left ? lower.right : lower.left;

    const PredictedTable below =
        model.join(node_[a].table, node_[a].scope, node_[b].table, node_[b].scope, lower_scope_);
    const double below_effort = below.effort(node_[a].table, node_[b].table, model.costs());
    const PredictedTable here =
        model.join(below, lower_scope_, node_[c].table, node_[c].scope, upper_scope_);
    const double here_effort = here.effort(below, node_[c].table, model.costs());
    const double change =
        below_effort + here_effort - lower.effort - upper.effort + change_above(model, x, here);
    if (change > 0.0) {
        const double chance = std::exp(-change / (effort_ * temperature));
        if (static_cast<double>(random() >> 11) * 0x1p-53 >= chance) return;
        if (effort_ < least_effort_) save_shape();  // about to leave the cheapest tree so far
    }
    effort_ += change;
    lower.left = a;
    lower.right = b;
    node_[a].parent = y;
    lower.table = below;
    lower.effort = below_effort;
    std::swap(lower.scope, lower_scope_);
    upper.left = y;
    upper.right = c;
    node_[c].parent = x;
    upper.table = here;
    upper.effort = here_effort;
    NodeId up = upper.parent;
    for (const Change& changed : above_) {
        node_[up].table = changed.table;
        node_[up].effort = changed.effort;
        up = node_[up].parent;
    }
}

}  // namespace mineodds
