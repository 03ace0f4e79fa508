// The moduli of exact evaluations: the largest primes below 2^61.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineodds {

// Deterministic below 2^64: Miller-Rabin with the first twelve primes as bases (Sorenson & Webster,
// Strong pseudoprimes to twelve prime bases, 2017). n odd and above 37.
bool is_prime(std::uint64_t n);

// The `count` largest primes below 2^61, largest first. About 42 candidates' tests a prime.
std::vector<std::uint64_t> largest_primes(std::size_t count);

}  // namespace mineodds
