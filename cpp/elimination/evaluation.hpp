// Two passes over the list of pairs, for any coefficient type: collect and distribute.
//
// Collect computes every table's polynomials up to the root, the count polynomial of the whole
// frontier. The root's coefficients are joined with the weights of the deep cells. Distribute runs
// the same pairs backwards: the adjoint of an entry is the derivative of the weighted total with
// respect to it (Darwiche, A differential approach to inference in Bayesian networks, JACM 2003),
// so one pass gives the mass of every value of every variable, and with it all marginals.
//
// With scaling on, tables of doubles are brought back to about 1 by a power of two each.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coefficients/doubles.hpp"
#include "elimination/cell_weights.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/support.hpp"
#include "elimination/variable_weights.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"

namespace mineodds {

template <class Ring>
class Evaluator {
  public:
    using Value = typename Ring::Value;

    std::vector<Value> value;        // coefficients of all entries
    std::vector<Value> adjoint;      // their derivatives
    std::int64_t root_exponent = 0;  // with scaling: the root's coefficients are times 2^this
    // The weights of cells that are not all alike; not owned, null for the usual ones.
    ClassPolynomials<Ring>* polynomials = nullptr;
    // For the caller: the root's count polynomial, and what distribute starts from.
    std::vector<Value> root_count, root_adjoint;

    // Fills `value`; every mine weighs `tilt`.
    void collect(const Ring& ring, Value one, Value tilt, const Reduction& reduction,
                 const JoinTree& tree, const Support& support, bool scaling,
                 const Control* control);
    // Fills `adjoint`, from `root_adjoint`: the coefficients of `least`, `least` + 1, ... mines.
    void distribute(const Ring& ring, const JoinTree& tree, const Support& support, bool scaling,
                    const Control* control, MineCount least);

  private:
    // So many products that the clock is worth a look.
    static bool is_long(const Entry& left, const Entry& right) {
        return std::uint64_t{left.length} * right.length > 0x1000;
    }
    static void scale(std::vector<Value>& values, const Support& support, NodeId node,
                      std::int64_t& exponent);

    std::vector<std::int64_t> exponent_;  // by node, with scaling
    VariableWeights<Ring> weight_;
};

template <class Ring>
void Evaluator<Ring>::collect(const Ring& ring, Value one, Value tilt, const Reduction& reduction,
                              const JoinTree& tree, const Support& support, bool scaling,
                              const Control* control) {
    if (polynomials == nullptr) weight_.prepare(ring, one, tilt, reduction.size);
    value.assign(support.coefficients, ring.zero());
    if (scaling) exponent_.assign(tree.node.size(), 0);
    Value* const values = value.data();
    const Entry* const entries = support.entry.data();
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        if (node.is_leaf()) {
            if constexpr (!std::same_as<Value, double>) {
                if (polynomials != nullptr) {
                    const auto& weight = polynomials->of(reduction, node.right);
                    for (EntryId e = support.node_entry[n]; e < support.node_entry[n + 1]; ++e)
                        values[entries[e].offset] =
                            weight[static_cast<std::size_t>(entries[e].low)];
                    continue;
                }
            }
            const std::uint32_t size = reduction.size[node.right];
            for (EntryId e = support.node_entry[n]; e < support.node_entry[n + 1]; ++e)
                values[entries[e].offset] = weight_(size, entries[e].low);
            continue;
        }
        for (std::uint64_t k = support.node_pair[n]; k < support.node_pair[n + 1]; ++k) {
            const EntryPair p = support.pair[k];
            const Entry& l = entries[p.left];
            const Entry& r = entries[p.right];
            const Entry& o = entries[p.out];
            const Value* const left = values + l.offset;
            const Value* const right = values + r.offset;
            Value* const out =
                values + o.offset + static_cast<std::uint32_t>(l.low + r.low - o.low);
            for (std::uint32_t i = 0; i < l.length; ++i) {
                const Value factor = left[i];
                Value* const target = out + i;
                for (std::uint32_t j = 0; j < r.length; ++j)
                    target[j] = ring.add(target[j], ring.multiply(factor, right[j]));
            }
            if ((k & 0xfff) == 0xfff || is_long(l, r)) check(control);
        }
        if (scaling) {
            exponent_[n] = exponent_[node.left] + exponent_[node.right];
            scale(value, support, n, exponent_[n]);
        }
    }
    root_exponent = scaling ? exponent_.back() : 0;
}

template <class Ring>
void Evaluator<Ring>::distribute(const Ring& ring, const JoinTree& tree, const Support& support,
                                 bool scaling, const Control* control, MineCount least) {
    adjoint.assign(support.coefficients, ring.zero());
    const Value* const values = value.data();
    Value* const adjoints = adjoint.data();
    const Entry* const entries = support.entry.data();
    for (EntryId root = support.root_begin(); root < support.root_end(); ++root)
        for (std::uint32_t k = 0; k < entries[root].length; ++k)
            adjoint[entries[root].offset + k] =
                root_adjoint[static_cast<std::uint32_t>(entries[root].low - least) + k];
    for (std::size_t n = tree.node.size(); n-- > 0;) {
        const JoinNode& node = tree.node[n];
        if (node.is_leaf()) continue;
        if (scaling) {
            std::int64_t unused = 0;  // marginals are ratios within a node: its scale cancels
            scale(adjoint, support, static_cast<NodeId>(n), unused);
        }
        for (std::uint64_t k = support.node_pair[n]; k < support.node_pair[n + 1]; ++k) {
            const EntryPair p = support.pair[k];
            const Entry& l = entries[p.left];
            const Entry& r = entries[p.right];
            const Entry& o = entries[p.out];
            const Value* const left = values + l.offset;
            const Value* const right = values + r.offset;
            Value* const left_adjoint = adjoints + l.offset;
            Value* const right_adjoint = adjoints + r.offset;
            const Value* const out =
                adjoints + o.offset + static_cast<std::uint32_t>(l.low + r.low - o.low);
            for (std::uint32_t i = 0; i < l.length; ++i) {
                const Value* const source = out + i;
                const Value factor = left[i];
                Value sum = ring.zero();
                for (std::uint32_t j = 0; j < r.length; ++j) {
                    sum = ring.add(sum, ring.multiply(source[j], right[j]));
                    right_adjoint[j] = ring.add(right_adjoint[j], ring.multiply(source[j], factor));
                }
                left_adjoint[i] = ring.add(left_adjoint[i], sum);
            }
            if ((k & 0xfff) == 0xfff || is_long(l, r)) check(control);
        }
    }
}

template <class Ring>
void Evaluator<Ring>::scale(std::vector<Value>& values, const Support& support, NodeId node,
                            std::int64_t& exponent) {
    if constexpr (std::same_as<Value, double>) {
        const EntryId first = support.node_entry[node];
        const EntryId last = support.node_entry[node + 1] - 1;
        const std::uint64_t begin = support.entry[first].offset;
        const std::uint64_t end = support.entry[last].offset + support.entry[last].length;
        double largest = 0.0;
        for (std::uint64_t i = begin; i < end; ++i) largest = std::max(largest, values[i]);
        if (largest == 0.0 || (largest > 0x1p-64 && largest < 0x1p64)) return;
        const int shift = std::ilogb(largest);
        for (std::uint64_t i = begin; i < end; ++i) values[i] = std::scalbn(values[i], -shift);
        exponent += shift;
    } else {
        static_cast<void>(values), static_cast<void>(support), static_cast<void>(node),
            static_cast<void>(exponent);
    }
}

}  // namespace mineodds
