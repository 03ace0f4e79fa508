// What an inference engine answers, by cell of its Problem. Both engines fill the same structures,
// so that they can be compared and exchanged.
#pragma once

#include <cstdint>
#include <vector>

namespace mineodds {

// In doubles. Probabilities are exactly 0.0 or 1.0 only when no, or every, weighted configuration
// has a mine there.
struct Evaluation {
    double total =
        0.0;  // weighted number of configurations, total * 2^total_exponent; 0: no total fits
    std::int64_t total_exponent = 0;
    std::vector<double> probability;  // by cell
    double deep_probability = 0.0;    // of one deep cell
};

// Exactly, modulo one prime.
struct ModularEvaluation {
    std::vector<std::uint64_t>
        count;                // configurations by mine count, least_mines first, without weights
    std::uint64_t total = 0;  // sum of count times weight
    std::vector<std::uint64_t> mine;  // by cell: the part of the total with a mine there
};

}  // namespace mineodds
