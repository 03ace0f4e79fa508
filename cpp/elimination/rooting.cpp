// See rooting.hpp.
#include "elimination/rooting.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace mineodds {

void Rooting::hang_from_counted(const Reduction& reduction, JoinTree& tree) {
    parent_.assign(tree.node.size(), kNone);
    counted_.clear();
    for (const JoinNode& node : tree.node) {
        if (node.is_leaf()) {
            const auto counters = reduction.counters_of(node.right);
            counted_.push_back(std::ranges::count(counters, reduction.free_counter) != 0);
        } else {
            parent_[node.left] = parent_[node.right] = static_cast<NodeId>(counted_.size());
            counted_.push_back(counted_[node.left] + counted_[node.right]);
        }
    }
    // Children stand before their parents: the first that has them all below is where they meet.
    const auto meeting =
        static_cast<NodeId>(std::ranges::find(counted_, counted_.back()) - counted_.begin());
    double least = tree.work;
    double spared = tree.work;  // an attempt costs about as much as a product for each node
    for (NodeId n = meeting + 1; n-- > 0 && (n == meeting || spared > 0.0);) {
        if (counted_[n] == 0 || parent_[n] == kNone) continue;
        hang(reduction, tree, n, attempt_);
        spared -= static_cast<double>(tree.node.size());
        if (attempt_.work < least) {
            least = attempt_.work;
            std::swap(attempt_, cheapest_);
        }
    }
    if (least < tree.work) std::swap(tree, cheapest_);
}

// All nodes but those above `top` stay as they are. Those are taken from the old root downwards:
// each is joined from what was above it and what was beside the way.
void Rooting::hang(const Reduction& reduction, const JoinTree& tree, NodeId top, JoinTree& result) {
    result.clear();
    way_.clear();
    for (NodeId n = top; n != kNone; n = parent_[n]) way_.push_back(n);
    copy_.assign(tree.node.size(), kNone);
    std::size_t passed = 1;  // the nodes of the way rise
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        if (passed < way_.size() && n == way_[passed]) {
            ++passed;
        } else if (node.is_leaf()) {
            copy_[n] = result.add_leaf(reduction, node.right);
        } else {
            copy_[n] = result.add_join(reduction, copy_[node.left], copy_[node.right]);
        }
    }
    NodeId above = kNone;
    for (std::size_t i = way_.size() - 1; i != 0; --i) {
        const JoinNode& node = tree.node[way_[i]];
        const NodeId beside = copy_[node.left == way_[i - 1] ? node.right : node.left];
        above = above == kNone ? beside : result.add_join(reduction, above, beside);
    }
    result.add_join(reduction, copy_[top], above);
}

}  // namespace mineodds
