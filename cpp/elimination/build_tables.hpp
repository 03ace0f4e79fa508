// The loop over a join tree that every kind of table shares (factor.hpp, plain_tables.hpp).
#pragma once

#include "elimination/join_tree.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"

namespace mineodds {

// Builds the tables of all nodes, children first, and writes down their entries and pairs. Throws
// CostExceeded as soon as the memory is over the budget. `tables` keeps the keys:
//   - clear() forgets those of the problem before, release() gives back memory at the end;
//   - leaf(tree, node, support) and multiply(reduction, tree, node, options, support)
//   append the entries, and multiply the pairs, of a node's table;
//   - root_value(reduction, tree, e) is the value of the free counter in entry e of the root, or 0.
template <class Tables>
void build_tables(Tables& tables, const Reduction& reduction, const JoinTree& tree,
                  const SupportOptions& options, Support& support) {
    support.entry.clear();
    support.pair.clear();
    support.node_entry.assign(1, 0);
    support.node_pair.assign(1, 0);
    support.consistent = tree.possible();
    tables.clear();
    if (!support.consistent) return;
    for (const JoinNode& node : tree.node) {
        if (node.is_leaf()) {
            tables.leaf(tree, node, support);
        } else {
            tables.multiply(reduction, tree, node, options, support);
        }
        if (support.entry.size() == support.node_entry.back()) {
            support.consistent = false;
            return;
        }
        support.node_entry.push_back(static_cast<EntryId>(support.entry.size()));
        support.node_pair.push_back(support.pair.size());
    }
    support.root_value.clear();
    if (!tree.node.empty())
        for (EntryId e = support.root_begin(); e < support.root_end(); ++e)
            support.root_value.push_back(tables.root_value(reduction, tree, e));
    tables.release();
    support.finish(options);
}

}  // namespace mineodds
