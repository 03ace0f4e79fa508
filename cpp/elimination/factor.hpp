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
// counters, and each entry of the smaller meets only the group that completes every need. In large
// joins the entries of both sides are first grouped by all the counters that both have open:
// whether two entries can meet is asked once for two groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "elimination/join_tree.hpp"
#include "elimination/plain_tables.hpp"
#include "elimination/semi_join.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/buffer.hpp"
#include "words/control.hpp"
#include "words/mask.hpp"

namespace mineodds {

template <std::size_t Words>
class FactorTables {
  public:
    // The steps of build_tables.
    void clear();
    void leaf(const JoinTree& tree, const JoinNode& node, Support& support);
    void multiply(const Reduction& reduction, const JoinTree& tree, const JoinNode& node,
                  const SupportOptions& options, Support& support);
    MineCount root_value(const Reduction& reduction, const JoinTree& tree, EntryId e) const;
    // Gives back what a large board took, once it is no longer needed.
    void release();

  private:
    using Key = Mask<Words>;

    struct Side {  // the entries of one child
        EntryId begin, end;
        EntryId size() const { return end - begin; }
    };
    // Entries of one child by their closing counters, then by all counters that both children have.
    struct Groups {
        std::vector<Key> closing, shared;  // by group
        std::vector<std::uint32_t> begin;  // by group, into entry
        std::vector<EntryId> entry;
    };
    struct Projected {
        Key closing, shared;
        EntryId entry;
        friend bool operator<(const Projected& a, const Projected& b) {
            if (!(a.closing == b.closing)) return a.closing < b.closing;
            if (!(a.shared == b.shared)) return a.shared < b.shared;
            return a.entry < b.entry;
        }
    };
    void multiply_all(const Limits<Words>& limits, Side lefts, Side rights,
                      const SupportOptions& options, Support& support);
    void multiply_matched(const Limits<Words>& limits, const Key& needs, Side small, Side large,
                          bool swapped, const SupportOptions& options, Support& support);
    void multiply_groups(const Limits<Words>& limits, const Limits<Words>& shared, const Key& needs,
                         Side small, Side large, bool swapped, const SupportOptions& options,
                         Support& support);
    void group(const Key& closing, const Key& shared, Side side, Groups& groups);
    EntryId find_or_add(const Key& key, Support& support);
    // Between rows of a join: stop when asked to, and keep to the memory.
    void watch(std::size_t tried, const SupportOptions& options, const Support& support);
    double key_bytes() const;
    // Makes room for so many more pairs. Throws CostExceeded when moving them would be over the
    // budget.
    void make_room(std::size_t pairs, const SupportOptions& options, Support& support) const;
    void grow_hash(EntryId entries);

    Buffer<Key> key_;        // by entry
    std::size_t tried_ = 0;  // pairs since the last look
    EntryId out_begin_ = 0;  // first entry of the product being made
    std::vector<EntryId>
        hash_;  // open addressing; used once the table is larger than a few entries
    std::vector<std::pair<Key, EntryId>> by_closing_;
    std::vector<Projected> by_projection_;
    Groups small_groups_, large_groups_;
};

// Keys with as many words as the tree needs; kept between uses.
class SupportBuilder {
  public:
    void build(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
               Support& support);

  private:
    template <std::size_t Words>
    void build(FactorTables<Words>& tables, SemiJoin<Words>& semi_join, const Reduction& reduction,
               const JoinTree& tree, const SupportOptions& options, Support& support);

    FactorTables<1> one_;
    FactorTables<2> two_;
    FactorTables<4> four_;
    FactorTables<16> sixteen_;
    SemiJoin<1> semi_one_;
    SemiJoin<2> semi_two_;
    SemiJoin<4> semi_four_;
    SemiJoin<16> semi_sixteen_;
    PlainTables plain_;
};

}  // namespace mineodds
