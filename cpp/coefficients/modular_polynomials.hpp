// Products of polynomials modulo a prime, where most of the time of exact counts on large boards
// goes.
//
// A coefficient of the product is a sum of products, so its terms are added up in 128 bits and
// reduced once. Long polynomials are halved (Karatsuba & Ofman, Multiplication of multidigit
// numbers on automata, 1963): three products of half the length in place of four.
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
    static void add_correlation(const Modular& ring, const Value* a, const Value* b, std::size_t m,
                                Value* out, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) out[i] = ring.add(out[i], ring.dot<1>(a + i, b, m));
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

    std::vector<Value> scratch_;
};

}  // namespace mineodds
