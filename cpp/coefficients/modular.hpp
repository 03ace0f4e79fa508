// Integers modulo an odd prime below 2^61, in Montgomery form (Montgomery, Modular multiplication
// without trial division, 1985): the exact coefficient type. A count is known exactly once enough
// primes have been used; the Chinese remainder theorem joins the residues, in Python, where big
// integers live.
#pragma once

#include <cstddef>
#include <cstdint>

#include "words/wide_multiply.hpp"

namespace mineodds {

class Modular {
  public:
    using Value = std::uint64_t;  // a residue times 2^64, below the prime

    explicit Modular(std::uint64_t prime) : prime_(prime) {
        std::uint64_t inverse =
            prime;  // Newton's iteration doubles the correct low bits: 3, 6, 12, 24, 48, 96
        for (int step = 0; step < 5; ++step) inverse *= 2 - prime * inverse;
        negative_inverse_ = ~inverse + 1;
        std::uint64_t power = 1;  // 2^128 modulo the prime, by doubling
        for (int bit = 0; bit < 128; ++bit)
            power = power >= prime - power ? power - (prime - power) : power + power;
        square_ = power;
    }

    std::uint64_t prime() const { return prime_; }
    Value zero() const { return 0; }
    bool is_zero(Value a) const { return a == 0; }
    Value from_integer(std::uint64_t a) const { return multiply(a % prime_, square_); }
    std::uint64_t to_integer(Value a) const { return reduce({a, 0}); }
    Value add(Value a, Value b) const {
        const std::uint64_t sum = a + b;  // both below 2^61: no overflow
        return sum >= prime_ ? sum - prime_ : sum;
    }
    Value subtract(Value a, Value b) const { return a >= b ? a - b : a + (prime_ - b); }
    Value multiply(Value a, Value b) const { return reduce(multiply_wide(a, b)); }
    // The sum of a[i] * b[i * step], i < n: reduced once, not once a product.
    template <int step>
    Value dot(const Value* a, const Value* b, std::size_t n) const {
        Product128 sum{0, 0};
        while (n != 0) {
            // Eight products are below prime * 2^64, which is what reduce and the next eight allow.
            const std::size_t some = n < 8 ? n : 8;
            for (std::size_t i = 0; i < some; ++i, ++a, b += step) {
                const Product128 product = multiply_wide(*a, *b);
                sum.low += product.low;
                sum.high += product.high + (sum.low < product.low ? 1 : 0);
            }
            if (sum.high >= prime_) sum.high -= prime_;
            n -= some;
        }
        return reduce(sum);
    }

  private:
    std::uint64_t reduce(Product128 t) const {
        const Product128 m = multiply_wide(t.low * negative_inverse_, prime_);
        const std::uint64_t sum =
            t.high + m.high + (t.low != 0 ? 1 : 0);  // t.low + m.low is 0 or 2^64
        return sum >= prime_ ? sum - prime_ : sum;
    }

    std::uint64_t prime_;
    std::uint64_t negative_inverse_;  // -1/prime modulo 2^64
    std::uint64_t square_;            // 2^128 modulo prime
};

}  // namespace mineodds
