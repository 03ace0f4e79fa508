// The coefficient types against slower arithmetic: what a ring must satisfy, at the edges of its
// range.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "coefficients/binomial.hpp"
#include "coefficients/doubles.hpp"
#include "coefficients/modular.hpp"
#include "coefficients/modular_polynomials.hpp"
#include "coefficients/primes.hpp"
#include "coefficients/wide.hpp"
#include "enumeration/accumulator.hpp"
#include "tests/check.hpp"
#include "words/wide_multiply.hpp"

namespace {

using namespace mineodds;

constexpr std::uint64_t kMersenne = (std::uint64_t{1} << 61) - 1;  // a prime

std::uint64_t add_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    return a >= modulus - b ? a - (modulus - b) : a + b;
}

// By doubling: no product is ever formed.
std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    a %= modulus;
    std::uint64_t result = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) result = add_modulo(result, a, modulus);
        a = add_modulo(a, a, modulus);
    }
    return result;
}

// Exact for values that a double can hold.
double to_double(WideDouble value) {
    return std::ldexp(value.mantissa, static_cast<int>(value.exponent));
}

bool normal(WideDouble value) {
    return value.mantissa == 0.0 || (value.mantissa >= 0.5 && value.mantissa < 1.0);
}

TEST_CASE("the full product of two 64-bit integers") {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    CHECK(multiply_wide(most, most).high == most - 1);
    CHECK(multiply_wide(most, most).low == 1);
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t a = random() >> (random() % 64);
        const std::uint64_t b = random() >> (random() % 64);
        const Product128 product = multiply_wide(a, b);
        CHECK(product.low == a * b);
        // high * 2^64 + low modulo a prime, 2^64 being 8 modulo 2^61 - 1.
        const auto folded = add_modulo(multiply_modulo(product.high, 8, kMersenne),
                                       product.low % kMersenne, kMersenne);
        CHECK(folded == multiply_modulo(a, b, kMersenne));
    }
}

TEST_CASE("modular arithmetic agrees with doubling") {
    std::mt19937_64 random(2);
    std::vector<std::uint64_t> moduli = largest_primes(3);
    moduli.insert(moduli.end(), {3, 5, 7, 251, 65537, 4294967291});
    for (const std::uint64_t prime : moduli) {
        const Modular ring(prime);
        const std::uint64_t edges[] = {0, 1, 2, prime - 1, prime, prime + 1, ~std::uint64_t{0}};
        for (int i = 0; i < 300; ++i) {
            const std::uint64_t a = i < 49 ? edges[i / 7] : random();
            const std::uint64_t b = i < 49 ? edges[i % 7] : random();
            const auto x = ring.from_integer(a);
            const auto y = ring.from_integer(b);
            CHECK(x < prime);
            CHECK(ring.to_integer(x) == a % prime);
            CHECK(ring.is_zero(x) == (a % prime == 0));
            CHECK(ring.to_integer(ring.add(x, y)) == add_modulo(a % prime, b % prime, prime));
            CHECK(ring.to_integer(ring.multiply(x, y)) == multiply_modulo(a, b, prime));
        }
    }
}

TEST_CASE("products and correlations of polynomials, term by term, at all lengths") {
    std::mt19937_64 random(2);
    ModularPolynomials polynomials;
    const std::size_t lengths[] = {1, 2, 7, 8, 9, 31, 32, 33, 34, 65, 67, 128, 200, 431};
    for (const std::uint64_t prime : {kMersenne, std::uint64_t{3}})
        for (const std::size_t n : lengths)
            for (const std::size_t m : lengths) {
                const Modular ring(prime);
                // The largest residues: sums of 128 bits come closest to their end.
                const auto draw = [&](std::size_t size) {
                    std::vector<std::uint64_t> values(size, prime - 1);
                    if (n % 2 != 0)
                        for (auto& value : values) value = random() % prime;
                    return values;
                };
                const auto a = draw(n), b = draw(m), start = draw(n + m - 1);
                auto product = start, expected = start;
                auto correlated = a, by_terms = a;
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t j = 0; j < m; ++j) {
                        expected[i + j] = ring.add(expected[i + j], ring.multiply(a[i], b[j]));
                        by_terms[i] = ring.add(by_terms[i], ring.multiply(start[i + j], b[j]));
                    }
                polynomials.add_product(ring, a.data(), n, b.data(), m, product.data());
                polynomials.add_correlation(ring, start.data(), b.data(), m, correlated.data(), n);
                CHECK(product == expected);
                CHECK(correlated == by_terms);
            }
}

TEST_CASE("primes below 2^61") {
    for (std::uint64_t n = 39; n < 5000; n += 2) {
        bool divides = false;
        for (std::uint64_t d = 3; d * d <= n; d += 2) divides = divides || n % d == 0;
        CHECK(is_prime(n) == !divides);
    }
    CHECK_FALSE(is_prime(3215031751));           // a strong pseudoprime to 2, 3, 5 and 7
    CHECK_FALSE(is_prime(3825123056546413051));  // and to the first nine primes
    const auto primes = largest_primes(20);
    CHECK(primes.size() == 20);
    CHECK(primes.front() == kMersenne);
    for (std::size_t i = 1; i < primes.size(); ++i) {
        CHECK(primes[i] < primes[i - 1]);
        CHECK(is_prime(primes[i]));
    }
}

TEST_CASE("wide doubles do what doubles do where doubles can") {
    const Wide ring;
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto draw = [&] {
            const double mantissa = static_cast<double>(random() >> 11);
            return std::ldexp(mantissa, static_cast<int>(random() % 200) - 100);
        };
        const double a = draw();
        const double b = draw();
        const WideDouble x = ring.from_double(a);
        const WideDouble y = ring.from_double(b);
        CHECK(to_double(x) == a);
        CHECK(normal(ring.multiply(x, y)));
        CHECK(to_double(ring.multiply(x, y)) == a * b);
        CHECK(normal(ring.add(x, y)));
        CHECK(std::abs(to_double(ring.add(x, y)) - (a + b)) <= 0x1p-52 * (a + b));
    }
}

TEST_CASE("wide doubles have no range to leave") {
    const Wide ring;
    CHECK(ring.is_zero(ring.zero()));
    CHECK(ring.is_zero(ring.from_double(0.0)));
    WideDouble tiny = ring.from_double(std::numeric_limits<double>::denorm_min());
    CHECK(normal(tiny));
    for (int i = 0; i < 40; ++i) tiny = ring.multiply(tiny, tiny);  // 2^(-1074 * 2^40)
    CHECK_FALSE(ring.is_zero(tiny));
    CHECK(tiny.mantissa == 0.5);
    const WideDouble one = ring.from_double(1.0);
    CHECK(to_double(ring.add(one, tiny)) == 1.0);
    CHECK(to_double(ring.add(tiny, one)) == 1.0);
    CHECK(ring.add(tiny, ring.zero()).exponent == tiny.exponent);
    CHECK(ring.add(tiny, tiny).exponent == tiny.exponent + 1);
    CHECK(ring.is_zero(ring.multiply(tiny, ring.zero())));
}

TEST_CASE("a watch over doubles sees what leaves their range") {
    const Doubles ring;
    volatile double small = 1e-200;  // volatile: nothing is worked out by the compiler
    volatile double large = 1e200;
    {
        const RangeWatch watch;
        volatile double kept = ring.multiply(small, large);
        CHECK(kept > 0.0);
        CHECK_FALSE(watch.lost());
        kept = ring.multiply(small, small);
        CHECK(watch.lost());
    }
    {
        const RangeWatch watch;
        CHECK_FALSE(watch.lost());
        volatile double kept = ring.multiply(large, large);
        CHECK(kept > large);
        CHECK(watch.lost());
    }
}

TEST_CASE("a row of binomial coefficients") {
    std::vector<double> row;
    binomial_row(Doubles(), 1.0, 8, 8, row);
    CHECK(row == std::vector<double>{1, 8, 28, 56, 70, 56, 28, 8, 1});
    binomial_row(Doubles(), 1.0, 50, 3, row);
    CHECK(row == std::vector<double>{1, 50, 1225, 19600});
    binomial_row(Doubles(), 1.0, 2, 4, row);
    CHECK(row == std::vector<double>{1, 2, 1, 0, 0});
    binomial_row(Doubles(), 1.0, 0, 0, row);
    CHECK(row == std::vector<double>{1});

    const Modular ring(10007);
    std::vector<Modular::Value> residues;
    binomial_row(ring, ring.from_integer(1), 200, 200, residues);
    auto sum = ring.zero();
    for (const auto residue : residues) sum = ring.add(sum, residue);
    auto power = ring.from_integer(1);  // the row adds up to 2^200
    for (int i = 0; i < 200; ++i) power = ring.add(power, power);
    CHECK(sum == power);
}

TEST_CASE("a long sum does not drift") {
    const Wide ring;
    const double term = 0.1;
    const std::int64_t terms = 1 << 20;
    for (const std::int64_t shift : {0, 5000, -5000}) {
        Accumulator<Wide> sum;
        for (std::int64_t i = 0; i < terms; ++i) sum.add(ring, Wide::make(term, shift));
        const WideDouble value = sum.value();
        CHECK(std::ldexp(value.mantissa, static_cast<int>(value.exponent - shift)) ==
              term * static_cast<double>(terms));
    }
}

TEST_CASE("a sum takes terms of any size in any order") {
    const Wide ring;
    Accumulator<Wide> sum;
    CHECK(ring.is_zero(sum.value()));
    sum.add(ring, ring.zero());
    CHECK(ring.is_zero(sum.value()));
    // 2^-40 a thousand times, then 1, then 2^-40 a thousand times: each alone is within rounding
    // of nothing beside 2^20, which comes last.
    const WideDouble small = Wide::make(1.0, -40);
    for (int i = 0; i < 1000; ++i) sum.add(ring, small);
    sum.add(ring, ring.from_double(1.0));
    for (int i = 0; i < 1000; ++i) sum.add(ring, small);
    sum.add(ring, Wide::make(1.0, 20));
    CHECK(to_double(sum.value()) == 0x1p20 + 1.0 + 2000 * 0x1p-40);
    sum.add(ring, Wide::make(1.0, 4000));  // dwarfs all that was there
    CHECK(sum.value().mantissa == 0.5);
    CHECK(sum.value().exponent == 4001);
    sum.add(ring, ring.from_double(1.0));
    CHECK(sum.value().exponent == 4001);

    const Modular modular(7);
    Accumulator<Modular> residue;
    for (int i = 0; i < 10; ++i) residue.add(modular, modular.from_integer(5));
    CHECK(modular.to_integer(residue.value()) == 1);
}

}  // namespace
