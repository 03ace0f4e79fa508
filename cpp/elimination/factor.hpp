// Factors as sparse tables of bitmasks: multiply, sum out, condition, on keys alone.
//
// A factor's table maps a mask (mask.hpp: how many mines each open counter has so far) to a
// polynomial in the number of mines; only masks that can occur are stored. The three operations
// are:
//   - sum out a variable: its leaf table has one entry a value m, whose counters stand at m and
//   whose polynomial is
//     C(s, m) z^m; multiplying by it advances the counters of the variable and counts its mines,
//     once;
//   - multiply two tables: counters that both hold add up; pairs over `need`, or that can no longer
//   reach it, are dropped;
//   - condition the counters that close in the product on their need, and forget them.
// A counter instead of a table over the cells of a clue is causal independence (Zhang & Poole,
// Exploiting causal independence in Bayesian network inference, 1996). Keys come first, numbers
// after (evaluation.hpp), so this file writes a Support.
//
// A join that closes counters is matched: entries of the larger table are grouped by their closing
// counters, and each entry of the smaller meets only the group that completes every need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "elimination/join_tree.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"
#include "words/mask.hpp"

namespace mineodds {

struct SupportOptions {
    double max_memory = 2147483648.0;    // bytes that the evaluation may take in all
    std::uint64_t drop_dead_from = 512;  // pairs from which the backward pass pays
    const Control* control = nullptr;    // may be null: neither deadline nor interruption
};

template <std::size_t Words>
class FactorTables {
  public:
    // Builds the tables of all nodes, children first. Throws CostExceeded as soon as the memory is
    // over the budget.
    void build(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
               Support& support);

  private:
    using Key = Mask<Words>;

    // The root's one entry has mask 0, or one entry a value of the free counter.
    void read_root(const Reduction& reduction, const JoinTree& tree, Support& support) const;
    void leaf(const Reduction& reduction, const JoinTree& tree, const JoinNode& node,
              Support& support);
    void multiply(const Reduction& reduction, const JoinTree& tree, const JoinNode& node,
                  const SupportOptions& options, Support& support);
    void multiply_all(const Limits<Words>& limits, EntryId left_begin, EntryId left_end,
                      EntryId right_begin, EntryId right_end, const SupportOptions& options,
                      Support& support);
    void multiply_matched(const Limits<Words>& limits, const Key& needs, EntryId small_begin,
                          EntryId small_end, EntryId large_begin, EntryId large_end, bool swapped,
                          const SupportOptions& options, Support& support);
    EntryId find_or_add(const Key& key, Support& support);
    // After a row of a join, so many pairs: stop when asked to, and keep to the memory.
    void watch(std::size_t tried, const SupportOptions& options, const Support& support);
    void grow_hash(EntryId entries);

    std::vector<Key> key_;   // by entry
    std::size_t tried_ = 0;  // pairs since the last look
    EntryId out_begin_ = 0;  // first entry of the table being made
    std::vector<EntryId>
        hash_;  // open addressing; used once the table is larger than a few entries
    std::vector<std::pair<Key, EntryId>> by_closing_;
};

// Keys with as many words as the tree needs; kept between uses.
class SupportBuilder {
  public:
    void build(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
               Support& support);

  private:
    FactorTables<1> one_;
    FactorTables<2> two_;
    FactorTables<4> four_;
    FactorTables<16> sixteen_;
};

}  // namespace mineodds
