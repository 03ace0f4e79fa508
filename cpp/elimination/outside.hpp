// What the clues outside a table allow its counters, two at a time.
//
// An entry says how many mines each open counter has below; the rest of its need lies in variables
// outside. Two counters that share such variables restrain each other, and so do the counters
// around them: 3 mines in the cells of one clue leave no neighbour with none. For two counters the
// settings of the variables outside that either has are enumerated, all other counters bounded by
// what their cells elsewhere can hold at least and at most: pairs of values that no setting gives
// cannot be completed by any layout. A table whose entries are tested so holds a tenth of the
// entries on wide lattices. (Pairwise consistency, as in constraint networks: Montanari, Networks
// of constraints, 1974; here with the relaxed rest taken along.) It is a relaxation: what it drops
// is dead, what it keeps may be.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/join_tree.hpp"
#include "problem/reduction.hpp"
#include "words/integers.hpp"

namespace mineodds {

// For values x of the first counter: bit y of allowed[x] says whether y of the second can be.
struct PairTest {
    static constexpr MineCount kLargestNeed = 15;

    CounterId first, second;
    std::array<std::uint16_t, kLargestNeed + 1> allowed;
};

class Outside {
  public:
    // For the nodes of this tree. Linear.
    void set(const Reduction& reduction, const JoinTree& tree);
    // The tests for the entries of node n that can fail at all, those that most pairs of values
    // fail first.
    void find_tests(const Reduction& reduction, const JoinTree& tree, NodeId n,
                    std::vector<PairTest>& tests);

  private:
    struct Around {       // a counter that the variables being set have
        MineCount most;   // mines that it still takes
        MineCount least;  // mines that its other cells leave to these variables
        MineCount mines;  // of the variables set so far
    };
    bool below(NodeId n, VariableId v) const {
        return first_leaf_[n] <= place_[v] && place_[v] < end_leaf_[n];
    }
    bool test(const Reduction& reduction, const JoinTree& tree, NodeId n, PairTest& result);
    void enumerate(const Reduction& reduction, std::size_t next, PairTest& result,
                   CounterRange first, CounterRange second);

    std::vector<std::uint32_t> place_;                  // by variable: among the leaves
    std::vector<std::uint32_t> first_leaf_, end_leaf_;  // by node: those below it
    std::vector<std::uint32_t> start_;                  // by counter: its variables ...
    std::vector<VariableId> variable_;                  // ... in this list
    std::vector<VariableId> chosen_;                    // the variables being set
    std::vector<std::uint32_t> seen_;                   // by counter: cells below the node
    std::vector<std::uint32_t> around_of_;              // by counter: in around_, or kNone
    std::vector<Around> around_;
    std::vector<CounterId> around_counter_;
    std::vector<std::pair<CounterId, CounterId>> pair_;
};

}  // namespace mineodds
