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
#include <vector>

#include "coefficients/doubles.hpp"
#include "coefficients/modular.hpp"
#include "coefficients/modular_polynomials.hpp"
#include "elimination/cell_weights.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/support.hpp"
#include "elimination/variable_weights.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"

namespace mineodds {

// With scaling: tables whose values span more than kNarrow powers of two are centred on 1; the
// largest values stay below 2^kHighestExponent, so that sums of products of two do not overflow.
inline constexpr int kNarrow = 128;
inline constexpr int kHighestExponent = 450;

// Coefficient i of the left polynomial meets coefficients begin .. end - 1 of the right one; the
// first product goes to coefficient `out`. All of them, unless the product's polynomial is trimmed.
template <bool trimmed>
struct Row {
    std::uint32_t begin = 0;
    std::uint32_t end;
    std::uint32_t out;

    Row(const Entry& left, const Entry& right, const Entry& product, std::uint32_t i)
        : end(right.length) {
        if constexpr (trimmed) {
            const std::int64_t first = std::int64_t{left.low} + i + right.low - product.low;
            begin = static_cast<std::uint32_t>(std::clamp<std::int64_t>(-first, 0, right.length));
            end = static_cast<std::uint32_t>(
                std::clamp<std::int64_t>(product.length - first, begin, right.length));
            out = begin == end ? 0 : static_cast<std::uint32_t>(first + begin);
        } else {
            out = static_cast<std::uint32_t>(left.low + right.low - product.low) + i;
        }
    }
};

// So many products that the clock is worth a look.
inline bool is_long(const Entry& left, const Entry& right) {
    return std::uint64_t{left.length} * right.length > 0x1000;
}

// Calls `visit(left, right, out)` with the entries of every pair that makes node n. Bounds and
// arrays are read once, as the compiler cannot tell that `visit` leaves them alone; `inline` makes
// it merge the two, which is worth 0.7 % of a solve.
template <class Visit>
inline void visit_pairs(const Support& support, std::size_t n, const Control* control,
                        const Visit& visit) {
    const Entry* const entries = support.entry.data();
    const EntryPair* const pairs = support.pair.data();
    const std::uint64_t end = support.node_pair[n + 1];
    for (std::uint64_t k = support.node_pair[n]; k < end; ++k) {
        const EntryPair p = pairs[k];
        const Entry& left = entries[p.left];
        const Entry& right = entries[p.right];
        visit(left, right, entries[p.out]);
        if ((k & 0xfff) == 0xfff || is_long(left, right)) check(control);
    }
}

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
    // The pairs that make node n, forwards and backwards.
    template <bool trimmed>
    void multiply_pairs(const Ring& ring, const Support& support, std::size_t n,
                        const Control* control);
    template <bool trimmed>
    void distribute_pairs(const Ring& ring, const Support& support, std::size_t n,
                          const Control* control);
    static void scale(std::vector<Value>& values, const Support& support, NodeId node,
                      std::int64_t& exponent);

    static constexpr bool kModular = std::same_as<Ring, Modular>;

    std::vector<std::int64_t> exponent_;  // by node, with scaling
    ModularPolynomials modular_;          // used when kModular
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
        if (support.trimmed) {
            multiply_pairs<true>(ring, support, n, control);
        } else {
            multiply_pairs<false>(ring, support, n, control);
        }
        if (scaling) {
            exponent_[n] = exponent_[node.left] + exponent_[node.right];
            scale(value, support, n, exponent_[n]);
        }
    }
    root_exponent = scaling ? exponent_.back() : 0;
}

template <class Ring>
template <bool trimmed>
void Evaluator<Ring>::multiply_pairs(const Ring& ring, const Support& support, std::size_t n,
                                     const Control* control) {
    Value* const values = value.data();
    visit_pairs(
        support, n, control, [=, this, &ring](const Entry& l, const Entry& r, const Entry& o) {
            const Value* const left = values + l.offset;
            const Value* const right = values + r.offset;
            Value* const out = values + o.offset;
            if constexpr (kModular && !trimmed) {
                modular_.add_product(ring, left, l.length, right, r.length,
                                     out + (l.low + r.low - o.low));
            } else {
                for (std::uint32_t i = 0; i < l.length; ++i) {
                    const Value factor = left[i];
                    const Row<trimmed> row(l, r, o, i);
                    Value* const target = out + row.out;
                    for (std::uint32_t j = row.begin; j < row.end; ++j)
                        target[j - row.begin] =
                            ring.add(target[j - row.begin], ring.multiply(factor, right[j]));
                }
            }
        });
}

template <class Ring>
template <bool trimmed>
void Evaluator<Ring>::distribute_pairs(const Ring& ring, const Support& support, std::size_t n,
                                       const Control* control) {
    const Value* const values = value.data();
    Value* const adjoints = adjoint.data();
    visit_pairs(
        support, n, control, [=, this, &ring](const Entry& l, const Entry& r, const Entry& o) {
            const Value* const left = values + l.offset;
            const Value* const right = values + r.offset;
            Value* const left_adjoint = adjoints + l.offset;
            Value* const right_adjoint = adjoints + r.offset;
            const Value* const out = adjoints + o.offset;
            if constexpr (kModular && !trimmed) {
                const Value* const source = out + (l.low + r.low - o.low);
                modular_.add_correlation(ring, source, right, r.length, left_adjoint, l.length);
                modular_.add_correlation(ring, source, left, l.length, right_adjoint, r.length);
            } else {
                for (std::uint32_t i = 0; i < l.length; ++i) {
                    const Row<trimmed> row(l, r, o, i);
                    const Value* const source = out + row.out;
                    const Value factor = left[i];
                    Value sum = ring.zero();
                    for (std::uint32_t j = row.begin; j < row.end; ++j) {
                        const Value above = source[j - row.begin];
                        sum = ring.add(sum, ring.multiply(above, right[j]));
                        right_adjoint[j] = ring.add(right_adjoint[j], ring.multiply(above, factor));
                    }
                    left_adjoint[i] = ring.add(left_adjoint[i], sum);
                }
            }
        });
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
    for (std::size_t n = tree.node.size(); n-- > 0;) {
        const JoinNode& node = tree.node[n];
        if (node.is_leaf()) continue;
        if (scaling) {
            std::int64_t unused = 0;  // marginals are ratios within a node: its scale cancels
            scale(adjoint, support, static_cast<NodeId>(n), unused);
        }
        if (support.trimmed) {
            distribute_pairs<true>(ring, support, n, control);
        } else {
            distribute_pairs<false>(ring, support, n, control);
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
