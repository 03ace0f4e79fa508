// What a join will cost, predicted from the ranges of its counters alone, for searches over plans.
//
// The plain prediction of join_tree.hpp takes the values of different counters for independent and
// all masks within the ranges for reachable. Neighbouring counters share cells, so they are not: on
// wide boards that prediction is off by more than 10. This model, fitted to the counted joins of
// such boards, stays within a small factor:
//   - where one shared counter matches, its neighbours match a little more easily: each beyond the
//     first adds a gain, more between large tables than between small ones;
//   - of the masks in a box of more than kFullBox, the power kRangePower of the excess can occur,
//     and the pairs fall on them as if at random, several on one.
// A pair costs one step for its entry, and the multiplications of its two polynomials, whose
// lengths grow with the cells below.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elimination/join_tree.hpp"
#include "problem/reduction.hpp"
#include "words/integers.hpp"

namespace mineodds {

// What else there is to do, in products; and how tables match.
struct UnitCosts {
    double multiplication;  // of one coefficient by another
    double entry;
    double matching_gain;  // of each shared counter beyond the first
};
inline constexpr UnitCosts kUsualCosts{0.04, 0.0, 1.1};
// Of boards whose tables are made by semi_join.hpp: few of the pairs are multiplied in the end, and
// an entry is found, tested and sorted several times.
inline constexpr UnitCosts kCostlyCosts{0.01, 2.0, 1.15};

// A table as the model sees it, and how it came about.
struct PredictedTable {
    double entries = 0.0;
    double products = 0.0;  // pairs of entries multiplied to make it
    double cells = 0.0;     // of the variables below
    double matching = 1.0;  // part of all pairs of entries
    double masks = 1.0;     // that can occur

    // From the tables joined, once `matching` and `masks` are known.
    void join(const PredictedTable& left, const PredictedTable& right);
    // Of its entries, the pairs that make them, and its coefficients.
    double bytes(std::uint32_t mask_words) const;
    // The products, and what their polynomials' multiplications and the entries cost in the same
    // unit.
    double effort(const PredictedTable& left, const PredictedTable& right,
                  const UnitCosts& costs) const;
};

class CostModel {
  public:
    // Tables by need and number of cells, for the counters of this reduction and these costs.
    void set(const Reduction& reduction, const UnitCosts& costs = kUsualCosts);
    const UnitCosts& costs() const { return costs_; }
    PredictedTable leaf(const Reduction& reduction, const JoinTree& tree,
                        const JoinNode& node) const;
    // Joins two tables; the counters open in the product go to `scope`.
    PredictedTable join(const PredictedTable& left, std::span<const ScopeEntry> left_scope,
                        const PredictedTable& right, std::span<const ScopeEntry> right_scope,
                        std::vector<ScopeEntry>& scope) const;
    // Writes the model's predictions into a tree of this reduction. Returns the effort of all
    // joins.
    double predict(const Reduction& reduction, JoinTree& tree);

  private:
    struct Range {
        double size;
        double power;  // size to the power kRangePower
    };
    // Counters with equal needs and equally many cells have equal ranges and selectivities.
    struct Kind {
        MineCount need;
        MineCount open;
        std::size_t range_begin;  // kNone: too many cells for tables
        std::size_t matching_begin;
    };
    const Kind& kind_of(CounterId counter) const { return kind_[kind_of_[counter]]; }
    Range range(const ScopeEntry& entry) const;
    double matching(const Kind& kind, std::uint32_t left_seen, std::uint32_t right_seen) const;
    static Range range_of(CounterRange values);
    static void widen(Range& box, const Range& by);
    static double masks_in(const Range& box);

    UnitCosts costs_ = kUsualCosts;
    std::vector<Kind> kind_;
    std::vector<std::uint32_t> kind_of_;  // by counter
    std::vector<Range> range_;            // by kind, cells seen
    std::vector<double> matching_;        // by kind, cells seen left, cells seen right
    std::vector<PredictedTable> table_;   // scratch of predict
    std::vector<ScopeEntry> scope_;
};

}  // namespace mineodds
