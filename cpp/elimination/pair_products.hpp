// What the pairs of a list do to coefficients: forwards, out += left * right; backwards, the
// derivatives of both factors from that of the product.
//
// On a board in play nearly all polynomials have one coefficient, which is why that case stands
// first. Modulo a prime, where exact counts of large boards have long polynomials, the products are
// those of modular_polynomials.hpp.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "coefficients/modular.hpp"
#include "coefficients/modular_polynomials.hpp"
#include "elimination/support.hpp"
#include "words/control.hpp"

namespace mineodds {

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

// Part of the list of pairs.
struct PairRange {
    std::uint64_t begin;
    std::uint64_t end;
};

inline PairRange all_pairs(const Support& support) {
    return {0, support.pair.size()};
}
inline PairRange pairs_of(const Support& support, std::size_t n) {
    return {support.node_pair[n], support.node_pair[n + 1]};
}

// Calls `visit(left, right, out)` with the entries of every pair, forwards or backwards. Bounds and
// arrays are read once, as the compiler cannot tell that `visit` leaves them alone; `inline` makes
// it merge the two, which is worth 0.7 % of a solve.
template <bool forwards, class Visit>
inline void visit_pairs(const Support& support, PairRange range, const Control* control,
                        const Visit& visit) {
    const Entry* const entries = support.entry.data();
    const EntryPair* const pairs = support.pair.data();
    for (std::uint64_t k = range.begin; k < range.end; ++k) {
        const EntryPair p = pairs[forwards ? k : range.begin + (range.end - 1 - k)];
        const Entry& left = entries[p.left];
        const Entry& right = entries[p.right];
        visit(left, right, entries[p.out]);
        if ((k & 0xfff) == 0xfff || is_long(left, right)) check(control);
    }
}

template <class Ring>
class PairProducts {
  public:
    using Value = typename Ring::Value;

    template <bool trimmed>
    void forwards(const Ring& ring, const Entry& l, const Entry& r, const Entry& o, Value* values) {
        const Value* const left = values + l.offset;
        const Value* const right = values + r.offset;
        Value* const out = values + o.offset;
        if (!trimmed && l.length == 1 && r.length == 1) {
            Value& target = out[l.low + r.low - o.low];
            target = ring.add(target, ring.multiply(*left, *right));
            return;
        }
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
    }

    template <bool trimmed>
    void backwards(const Ring& ring, const Entry& l, const Entry& r, const Entry& o,
                   const Value* values, Value* adjoints) {
        const Value* const left = values + l.offset;
        const Value* const right = values + r.offset;
        Value* const left_adjoint = adjoints + l.offset;
        Value* const right_adjoint = adjoints + r.offset;
        const Value* const out = adjoints + o.offset;
        if (!trimmed && l.length == 1 && r.length == 1) {
            const Value above = out[l.low + r.low - o.low];
            *left_adjoint = ring.add(*left_adjoint, ring.multiply(above, *right));
            *right_adjoint = ring.add(*right_adjoint, ring.multiply(above, *left));
            return;
        }
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
    }

  private:
    static constexpr bool kModular = std::same_as<Ring, Modular>;

    ModularPolynomials modular_;  // used when kModular
};

}  // namespace mineodds
