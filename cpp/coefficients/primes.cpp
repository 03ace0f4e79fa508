// Miller-Rabin in Montgomery form; see primes.hpp.
#include "coefficients/primes.hpp"

#include "coefficients/modular.hpp"

namespace mineodds {

bool is_prime(std::uint64_t n) {
    constexpr std::uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    for (const std::uint64_t base : bases)
        if (n % base == 0) return false;
    const Modular ring(n);
    const auto one = ring.from_integer(1);
    const auto minus_one = ring.from_integer(n - 1);
    std::uint64_t odd = n - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2) ++twos;
    for (const std::uint64_t base : bases) {
        auto power = one;
        auto square = ring.from_integer(base);
        for (std::uint64_t e = odd; e != 0; e /= 2, square = ring.multiply(square, square))
            if (e % 2 != 0) power = ring.multiply(power, square);
        if (power == one) continue;
        int step = 1;
        for (; step < twos && power != minus_one; ++step) power = ring.multiply(power, power);
        if (power != minus_one) return false;
    }
    return true;
}

std::vector<std::uint64_t> largest_primes(std::size_t count) {
    std::vector<std::uint64_t> primes;
    for (std::uint64_t n = (std::uint64_t{1} << 61) - 1; primes.size() < count; n -= 2)
        if (is_prime(n)) primes.push_back(n);
    return primes;
}

}  // namespace mineodds
