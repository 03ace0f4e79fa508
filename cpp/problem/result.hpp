// What every engine answers, so that engines can be compared and exchanged.
#pragma once

#include <cstdint>
#include <vector>

namespace mineodds {

// The odds in doubles. With no layout at all (total 0) every probability is NaN.
struct Evaluation {
    double total = 0.0;               // the weight of all configurations: total * 2^total_exponent,
    std::int64_t total_exponent = 0;  // total 0 or in [1/2, 1)
    std::vector<double> probability;  // by cell; exactly 0.0 or 1.0 only when certain
    double deep_probability = 0.0;    // of each deep cell; likewise
};

// The same, exactly, modulo a prime.
struct ModularEvaluation {
    std::vector<std::uint64_t> count;  // configurations by mine count, from least_mines on
    std::uint64_t total = 0;           // the weight of all configurations
    std::vector<std::uint64_t> mine;   // by cell: the weight of those with a mine in it
};

}  // namespace mineodds
