// The join tree: which tables are multiplied, in which order, and where each counter closes.
//
// A leaf is a variable; an inner node multiplies its two children and closes (conditions) the
// counters all of whose variables lie below it. A counter is open in every node that has some but
// not all of its variables below, which is a connected part of the tree. Bucket elimination
// (Dechter 1999) along an order gives one such tree: the tables that hold a counter are joined when
// it is eliminated, the largest last. Any other binary tree is as correct; only its cost differs.
//
// Costs are predicted from the ranges of the counters alone, before any table exists. A counter
// with `seen` of its `open` cells below a node can hold max(0, need - unseen) .. min(need, seen)
// mines there; a join tries the pairs of entries whose shared counters add up to something
// possible, which is estimated as the product of the sizes and the shared counters' selectivities.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "elimination/elimination_order.hpp"
#include "problem/reduction.hpp"
#include "words/buffer.hpp"
#include "words/integers.hpp"
#include "words/mask.hpp"

namespace mineodds {

// A counter at a node: how many of its cells lie below.
struct ScopeEntry {
    CounterId counter;
    std::uint32_t seen;
};

struct JoinNode {
    NodeId left = kNone;            // kNone for a leaf
    NodeId right = kNone;           // for a leaf: its variable
    std::uint32_t scope_begin = 0;  // counters open at this node, ascending
    std::uint32_t scope_end = 0;
    std::uint32_t closing_begin = 0;  // counters that close here
    std::uint32_t closing_end = 0;
    MineCount least = 0;    // of a leaf: its variable's least value; `entries` follow one another
    double entries = 0.0;   // predicted; of a leaf, exact
    double products = 0.0;  // predicted pairs of entries multiplied; 0 for a leaf

    bool is_leaf() const { return left == kNone; }
};

// The values that a counter can hold with `seen` of its cells counted.
struct CounterRange {
    MineCount low;
    MineCount high;
    double size() const { return static_cast<double>(high - low + 1); }
};

inline CounterRange counter_range(MineCount need, MineCount open, std::uint32_t seen) {
    const auto s = static_cast<MineCount>(seen);
    const MineCount unseen = open - s;
    return {need > unseen ? need - unseen : 0, need < s ? need : s};
}

class JoinTree {
  public:
    // Children stand before their parents; the last node is the root, where nothing is open. Empty
    // without variables.
    Buffer<JoinNode> node;
    Buffer<ScopeEntry> scope;   // of all nodes
    Buffer<CounterId> closing;  // of all nodes
    std::vector<Slot> slot;     // by counter
    std::uint32_t words = 1;    // words that the masks need
    double work = 0.0;          // predicted table-entry products
    double memory = 0.0;        // bytes, predicted for tables, pairs and coefficients
    double peak_entries = 0.0;  // of the largest table, predicted
    std::uint32_t width = 0;    // most counters open at one node

    std::span<const ScopeEntry> scope_of(const JoinNode& n) const {
        return {scope.data() + n.scope_begin, n.scope_end - n.scope_begin};
    }
    std::span<const CounterId> closing_of(const JoinNode& n) const {
        return {closing.data() + n.closing_begin, n.closing_end - n.closing_begin};
    }
    bool possible() const { return possible_; }  // false: some variable has no value at all

    // Bucket elimination along the order.
    void build(const Reduction& reduction, const EliminationOrder& order);
    // Gives each counter a bit range that is free wherever the counter is open: a colouring from
    // the root down.
    void assign_slots(const Reduction& reduction);

    // For searches that assemble trees themselves (tree_annealing.cpp): empty, then leaves and
    // joins, then finish.
    void clear();
    NodeId add_leaf(const Reduction& reduction, VariableId variable);
    NodeId add_join(const Reduction& reduction, NodeId left, NodeId right);

  private:
    NodeId finish_node(JoinNode node);

    bool possible_ = true;
    struct Scratch {
        Buffer<std::uint32_t> position;
        Buffer<NodeId> head, next, bucket, roots;
        Buffer<std::uint64_t> used;
    } scratch_;
};

}  // namespace mineodds
