// The support of costly boards: keys forward, live pairs backward.
//
// On a wide board most masks that the clues below allow cannot be completed by those above: of the
// pairs found going forward a tenth to a thirtieth are live. build_tables.hpp writes all of them
// down first; here a forward pass keeps the keys only, and a backward pass, from the root, makes
// each join again and keeps the pairs whose product is live: a semi-join, as in Yannakakis
// (Algorithms for acyclic database schemes, VLDB 1981). What is written down is live from the
// start, and memory is what the keys and the live pairs need. Entries and pairs are those of
// build_tables.hpp, in another order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elimination/block_join.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/outside.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/mask.hpp"

namespace mineodds {

template <std::size_t Words>
class SemiJoin {
  public:
    // As build_tables. Throws CostExceeded as soon as the memory is over the budget.
    void build(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
               Support& support);

  private:
    using Key = Mask<Words>;

    struct Forward;   // appends the products of a join to a table
    struct Backward;  // finds the live ones among them, and what they are made of

    struct SlotTest {  // a PairTest, by the bits of a key
        Slot first, second;
        std::array<std::uint16_t, PairTest::kLargestNeed + 1> allowed;
    };
    void find_tests(const Reduction& reduction, const JoinTree& tree, NodeId n,
                    const SupportOptions& options);
    // False: a table is empty, so that nothing is possible.
    bool make_keys(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
                   const Support& support);
    void leaf_keys(const JoinTree& tree, const JoinNode& node);
    void find_live(const Reduction& reduction, const JoinTree& tree, const SupportOptions& options,
                   Support& support);
    void write_down(const JoinTree& tree, Support& support);
    // Gives the memory back, also when a pass was given up.
    void release();
    // Bytes between two joins.
    double held(const Support& support) const;
    void check_memory(double more, const SupportOptions& options) const;

    std::vector<std::vector<Key>> table_;  // by node
    std::vector<std::vector<EntryId>>
        live_;  // by node: of a live entry, its number among these; else kNone
    std::vector<EntryId> live_count_;        // by node
    std::vector<std::uint64_t> pair_count_;  // by node
    std::vector<Key> product_;               // the table being made
    std::uint64_t products_ = 0;
    double key_bytes_ = 0.0;
    Outside outside_;
    std::vector<PairTest> pair_tests_;
    std::vector<SlotTest> tests_;
    BlockJoin<Words> join_;
    KeyNumbers<Words> numbers_;
};

}  // namespace mineodds
