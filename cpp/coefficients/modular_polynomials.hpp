// Products of polynomials modulo a prime, where most of the time of exact counts on large boards
// goes.
//
// A coefficient of the product is a sum of products, so its terms are added up in 128 bits and
// reduced once. Long polynomials are halved (Karatsuba & Ofman, Multiplication of multidigit
// numbers on automata, 1963): three products of half the length in place of four. So are
// correlations, which distribute needs (Hanrot, Quercia & Zimmermann, The middle product algorithm,
// 2004).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "coefficients/modular.hpp"

namespace mineodds {

class ModularPolynomials {
  public:
    using Value = Modular::Value;

    // Adds the product of two polynomials of n and m coefficients to the n + m - 1 of `out`.
    void add_product(const Modular& ring, const Value* a, std::size_t n, const Value* b,
                     std::size_t m, Value* out) {
        if (n > m) {
            std::swap(a, b);
            std::swap(n, m);
        }
        if (n <= kShort) {
            add_short(ring, a, n, b, m, out);
            return;
        }
        scratch_.resize(8 * n + 256);
        for (; m >= n; b += n, out += n, m -= n) add_square(ring, a, b, n, out, scratch_.data());
        if (m != 0) add_product(ring, b, m, a, n, out);
    }

    // Adds to coefficient i of `out`, i < n, the sum of a[i + j] * b[j] for j < m.
    void add_correlation(const Modular& ring, const Value* a, const Value* b, std::size_t m,
                         Value* out, std::size_t n) {
        const std::size_t least = std::min(n, m);
        if (least <= kShort) {
            for (std::size_t i = 0; i < n; ++i) out[i] = ring.add(out[i], ring.dot<1>(a + i, b, m));
            return;
        }
        std::size_t size = least;  // of squares that can be halved down to short ones
        std::size_t halvings = 0;
        for (; size > kShort; ++halvings) size /= 2;
        size <<= halvings;
        scratch_.resize(4 * size);
        const std::size_t rows = n - n % size;
        const std::size_t columns = m - m % size;
        for (std::size_t i = 0; i < rows; i += size)
            for (std::size_t j = 0; j < columns; j += size)
                add_middle(ring, a + i + j, b + j, size, out + i, scratch_.data());
        if (columns < m) add_correlation(ring, a + columns, b + columns, m - columns, out, rows);
        if (rows < n) add_correlation(ring, a + rows, b, m, out + rows, n - rows);
    }

  private:
    static constexpr std::size_t kShort = 32;

    static void add_short(const Modular& ring, const Value* a, std::size_t n, const Value* b,
                          std::size_t m, Value* out) {
        for (std::size_t k = 0; k + 1 < n + m; ++k) {
            const std::size_t first = k < m ? 0 : k - m + 1;
            const std::size_t last = std::min(k, n - 1);
            out[k] = ring.add(out[k], ring.dot<-1>(a + first, b + (k - first), last - first + 1));
        }
    }

    // Both of n coefficients. Takes 8 n + 256 of scratch at most.
    static void add_square(const Modular& ring, const Value* a, const Value* b, std::size_t n,
                           Value* out, Value* scratch) {
        if (n <= kShort) {
            add_short(ring, a, n, b, n, out);
            return;
        }
        const std::size_t half = (n + 1) / 2;
        const std::size_t rest = n - half;
        Value* const a_sum = scratch;
        Value* const b_sum = a_sum + half;
        Value* const part = b_sum + half;
        Value* const further = part + 2 * half;
        for (std::size_t i = 0; i < half; ++i) {
            a_sum[i] = i < rest ? ring.add(a[i], a[half + i]) : a[i];
            b_sum[i] = i < rest ? ring.add(b[i], b[half + i]) : b[i];
        }
        const auto add_part = [&](const Value* x, const Value* y, std::size_t size, Value* at) {
            std::fill_n(part, 2 * size, ring.zero());
            add_square(ring, x, y, size, part, further);
            for (std::size_t i = 0; i + 1 < 2 * size; ++i) {
                at[i] = ring.add(at[i], part[i]);
                out[half + i] = ring.subtract(out[half + i], part[i]);
            }
        };
        add_part(a, b, half, out);
        add_part(a + half, b + half, rest, out + 2 * half);
        add_square(ring, a_sum, b_sum, half, out + half, further);
    }

    // A correlation of n coefficients with n, `a` having 2 n - 1. With A0, A1, A2 what begins at 0,
    // n / 2 and n, the two halves are (A0 - A1) b0 + A1 (b0 + b1) and (A2 - A1) b1 + A1 (b0 + b1).
    // Takes 4 n of scratch at most.
    static void add_middle(const Modular& ring, const Value* a, const Value* b, std::size_t n,
                           Value* out, Value* scratch) {
        if (n <= kShort) {
            for (std::size_t i = 0; i < n; ++i) out[i] = ring.add(out[i], ring.dot<1>(a + i, b, n));
            return;
        }
        const std::size_t half = n / 2;
        Value* const sum = scratch;
        Value* const common = sum + n;
        Value* const further = common + half;
        for (std::size_t i = 0; i < half; ++i) sum[i] = ring.add(b[i], b[half + i]);
        std::fill_n(common, half, ring.zero());
        add_middle(ring, a + half, sum, half, common, further);
        for (std::size_t i = 0; i < half; ++i) {
            out[i] = ring.add(out[i], common[i]);
            out[half + i] = ring.add(out[half + i], common[i]);
        }
        for (const std::size_t side : {std::size_t{0}, half}) {
            const Value* const outer = a + 2 * side;
            for (std::size_t i = 0; i + 1 < n; ++i) sum[i] = ring.subtract(outer[i], a[half + i]);
            add_middle(ring, sum, b + side, half, out + side, further);
        }
    }

    std::vector<Value> scratch_;
};

}  // namespace mineodds
