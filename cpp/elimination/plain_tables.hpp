// Factor tables without masks: a key is the plain list of its counters' values.
//
// The textbook version of factor.hpp, for any number of counters of any size: for tables that have
// more counters open at once than masks have bits for, and for tests. Every pair of entries is
// tried, and keys are found in a hash map; much slower, the same entries and pairs.
#pragma once

#include <unordered_map>
#include <vector>

#include "elimination/join_tree.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/integers.hpp"

namespace mineodds {

class PlainTables {
  public:
    // The steps of build_tables.
    void clear() { key_.clear(); }
    void leaf(const JoinTree& tree, const JoinNode& node, Support& support);
    void multiply(const Reduction& reduction, const JoinTree& tree, const JoinNode& node,
                  const SupportOptions& options, Support& support);
    MineCount root_value(const Reduction& reduction, const JoinTree& tree, EntryId e) const;
    void release() {}  // the keys stay until the next problem

  private:
    using Key = std::vector<MineCount>;  // mines of the counters open at a node, in their order
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };

    std::vector<Key> key_;  // by entry
    std::unordered_map<Key, EntryId, KeyHash> place_;
};

}  // namespace mineodds
