// What can go wrong inside the core. The bindings turn each into the Python exception of the same
// meaning.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace mineodds {

// An argument breaks the contract of a public function (shapes, ranges, an index out of bounds).
struct BadArgument : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The predicted (or, for enumeration, the counted) cost is over the caller's budget. Thrown before
// memory is taken.
struct CostExceeded : std::runtime_error {
    CostExceeded(double work_needed, double memory_needed)
        : std::runtime_error("predicted cost is over the budget"),
          work(work_needed),
          memory(memory_needed) {}
    double work;    // table-entry products (elimination) or values tried (enumeration)
    double memory;  // bytes
};

// The caller's deadline passed, or the caller asked to stop (Ctrl-C).
struct DeadlinePassed : std::runtime_error {
    DeadlinePassed() : std::runtime_error("the deadline passed") {}
};
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace mineodds
