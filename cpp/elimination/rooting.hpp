// Hanging a join tree from another of its nodes.
//
// Which node of a join tree is the root is a free choice: the product of all tables is the same
// (Koller & Friedman 2009, 10.2). A free counter never closes: it stays open from the variables
// that it counts up to the root, and every table on the way has entries for all of its values. So a
// tree with a free counter is hung from a node near these variables. Only the joins between that
// node and the old root are turned round. On large components a question so costs 0.6 to 2.9 times
// the products of a solve, where it took up to 5.4 with the root left where it was; one lattice of
// the corpus remains (3.3), whose turned joins cost more than predicted, by the fitted cost model
// too.
#pragma once

#include <cstdint>
#include <vector>

#include "elimination/join_tree.hpp"
#include "problem/reduction.hpp"
#include "words/integers.hpp"

namespace mineodds {

class Rooting {
  public:
    // Hangs the tree, which has a free counter, from the node that makes it cheapest: the node
    // where all that is counted meets, or one between that and the counted variables; as many are
    // tried as take no longer than the tree itself. Leaves it alone if nothing is cheaper.
    void hang_from_counted(const Reduction& reduction, JoinTree& tree);

  private:
    // The same tables, with `top` right below the root.
    void hang(const Reduction& reduction, const JoinTree& tree, NodeId top, JoinTree& result);

    std::vector<std::uint32_t> counted_;  // by node: counted variables below
    std::vector<NodeId> parent_;          // by node
    std::vector<NodeId> copy_;            // by node: its number in the result
    std::vector<NodeId> way_;             // from the new top to the old root
    JoinTree attempt_, cheapest_;
};

}  // namespace mineodds
