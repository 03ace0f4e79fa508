// Two passes over the list of pairs, for any coefficient type: collect and distribute.
//
// Collect computes every table's polynomials up to the root, the count polynomial of the whole
// frontier. The root's coefficients are joined with the weights of the deep cells. Distribute runs
// the same pairs backwards: the adjoint of an entry is the derivative of the weighted total with
// respect to it (Darwiche, A differential approach to inference in Bayesian networks, JACM 2003),
// so one pass gives the mass of every value of every variable, and with it all marginals.
//
// With scaling on, tables of doubles are brought back to about 1 by a power of two each (scale).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "coefficients/doubles.hpp"
#include "elimination/cell_weights.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/pair_products.hpp"
#include "elimination/support.hpp"
#include "elimination/variable_weights.hpp"
#include "problem/reduction.hpp"
#include "words/buffer.hpp"
#include "words/control.hpp"

namespace mineodds {

// With scaling: tables whose values span more than kNarrow powers of two are centred on 1; the
// largest values stay below 2^kHighestExponent, so that sums of products of two do not overflow.
inline constexpr int kNarrow = 128;
inline constexpr int kHighestExponent = 450;

template <class Ring>
class Evaluator {
  public:
    using Value = typename Ring::Value;

    Buffer<Value> value;             // coefficients of all entries
    Buffer<Value> adjoint;           // their derivatives
    std::int64_t root_exponent = 0;  // with scaling: the root's coefficients are times 2^this
    // The weights of cells that are not all alike; not owned, null for the usual ones.
    ClassPolynomials<Ring>* polynomials = nullptr;
    // For the caller: the root's count polynomial, and what distribute starts from.
    Buffer<Value> root_count, root_adjoint;

    // Fills `value`; every mine weighs `tilt`.
    void collect(const Ring& ring, Value one, Value tilt, const Reduction& reduction,
                 const JoinTree& tree, const Support& support, bool scaling,
                 const Control* control);
    // Fills `adjoint`, from `root_adjoint`: the coefficients of `least`, `least` + 1, ... mines.
    void distribute(const Ring& ring, const JoinTree& tree, const Support& support, bool scaling,
                    const Control* control, MineCount least);

  private:
    void set_leaves(const Reduction& reduction, const JoinTree& tree, const Support& support);
    void multiply(const Ring& ring, const Support& support, PairRange range,
                  const Control* control);
    void multiply_back(const Ring& ring, const Support& support, PairRange range,
                       const Control* control);
    static void scale(Buffer<Value>& values, const Support& support, NodeId node,
                      std::int64_t& exponent);

    Buffer<std::int64_t> exponent_;  // by node, with scaling
    PairProducts<Ring> products_;
    VariableWeights<Ring> weight_;
};

template <class Ring>
void Evaluator<Ring>::collect(const Ring& ring, Value one, Value tilt, const Reduction& reduction,
                              const JoinTree& tree, const Support& support, bool scaling,
                              const Control* control) {
    if (polynomials == nullptr) weight_.prepare(ring, one, tilt, reduction.size);
    value.assign(support.coefficients, ring.zero());
    if (scaling) exponent_.assign(tree.node.size(), 0);
    set_leaves(reduction, tree, support);
    root_exponent = 0;
    if (!scaling) {
        multiply(ring, support, all_pairs(support), control);
        return;
    }
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        if (node.is_leaf()) continue;
        multiply(ring, support, pairs_of(support, n), control);
        exponent_[n] = exponent_[node.left] + exponent_[node.right];
        scale(value, support, n, exponent_[n]);
    }
    root_exponent = exponent_.back();
}

template <class Ring>
void Evaluator<Ring>::set_leaves(const Reduction& reduction, const JoinTree& tree,
                                 const Support& support) {
    const Entry* const entries = support.entry.data();
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        if (!node.is_leaf()) continue;
        const EntryId end = support.node_entry[n + 1];
        if constexpr (!std::same_as<Value, double>) {
            if (polynomials != nullptr) {
                const auto& weight = polynomials->of(reduction, node.right);
                for (EntryId e = support.node_entry[n]; e < end; ++e)
                    value[entries[e].offset] = weight[static_cast<std::size_t>(entries[e].low)];
                continue;
            }
        }
        const std::uint32_t size = reduction.size[node.right];
        for (EntryId e = support.node_entry[n]; e < end; ++e)
            value[entries[e].offset] = weight_(size, entries[e].low);
    }
}

template <class Ring>
void Evaluator<Ring>::multiply(const Ring& ring, const Support& support, PairRange range,
                               const Control* control) {
    Value* const values = value.data();
    const auto run = [&]<bool trimmed>() {
        visit_pairs<true>(support, range, control,
                          [=, this, &ring](const Entry& l, const Entry& r, const Entry& o) {
                              products_.template forwards<trimmed>(ring, l, r, o, values);
                          });
    };
    support.trimmed ? run.template operator()<true>() : run.template operator()<false>();
}

template <class Ring>
void Evaluator<Ring>::multiply_back(const Ring& ring, const Support& support, PairRange range,
                                    const Control* control) {
    const Value* const values = value.data();
    Value* const adjoints = adjoint.data();
    const auto run = [&]<bool trimmed>() {
        visit_pairs<false>(support, range, control,
                           [=, this, &ring](const Entry& l, const Entry& r, const Entry& o) {
                               products_.template backwards<trimmed>(ring, l, r, o, values,
                                                                     adjoints);
                           });
    };
    support.trimmed ? run.template operator()<true>() : run.template operator()<false>();
}

template <class Ring>
void Evaluator<Ring>::distribute(const Ring& ring, const JoinTree& tree, const Support& support,
                                 bool scaling, const Control* control, MineCount least) {
    adjoint.assign(support.coefficients, ring.zero());
    const Entry* const entries = support.entry.data();
    for (EntryId root = support.root_begin(); root < support.root_end(); ++root)
        for (std::uint32_t k = 0; k < entries[root].length; ++k)
            adjoint[entries[root].offset + k] =
                root_adjoint[static_cast<std::uint32_t>(entries[root].low - least) + k];
    if (!scaling) {
        multiply_back(ring, support, all_pairs(support), control);
        return;
    }
    for (std::size_t n = tree.node.size(); n-- > 0;) {
        if (tree.node[n].is_leaf()) continue;
        std::int64_t unused = 0;  // marginals are ratios within a node: its scale cancels
        scale(adjoint, support, static_cast<NodeId>(n), unused);
        multiply_back(ring, support, pairs_of(support, n), control);
    }
}

template <class Ring>
void Evaluator<Ring>::scale(Buffer<Value>& values, const Support& support, NodeId node,
                            std::int64_t& exponent) {
    if constexpr (std::same_as<Value, double>) {
        const EntryId first = support.node_entry[node];
        const EntryId last = support.node_entry[node + 1] - 1;
        const std::uint64_t begin = support.entry[first].offset;
        const std::uint64_t end = support.entry[last].offset + support.entry[last].length;
        double largest = 0.0;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint64_t i = begin; i < end; ++i) {
            largest = std::max(largest, values[i]);
            if (values[i] != 0.0) least = std::min(least, values[i]);
        }
        if (largest == 0.0 || (largest < 0x1p64 && least > 0x1p-200 && largest > 0x1p-64)) return;
        // About 1, or with the range centred on 1 where it is wide: products of two tables' least
        // values then stay representable for ranges twice as wide.
        const int high = std::ilogb(largest);
        const int spread = std::min(high - std::ilogb(least), 2 * kHighestExponent);
        const int shift = high - (spread > kNarrow ? spread / 2 : 0);
        if (shift == 0) return;
        for (std::uint64_t i = begin; i < end; ++i) values[i] = std::scalbn(values[i], -shift);
        exponent += shift;
    } else {
        static_cast<void>(values), static_cast<void>(support), static_cast<void>(node),
            static_cast<void>(exponent);
    }
}

}  // namespace mineodds
