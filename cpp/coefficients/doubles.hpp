// Plain doubles: the coefficient type of normal use.
//
// All terms of an evaluation are positive, so doubles lose almost no precision; what they lack is
// range. The evaluation keeps a power-of-two scale per table where the plan says that one is
// needed, and reads the sticky floating-point flags afterwards: when a value was lost to underflow
// or overflow, the caller evaluates again in Wide (wide.hpp).
#pragma once

#include <cfenv>

namespace mineodds {

struct Doubles {
    using Value = double;
    static double zero() { return 0.0; }
    static bool is_zero(double a) { return a == 0.0; }
    static double from_double(double a) { return a; }
    static double add(double a, double b) { return a + b; }
    static double multiply(double a, double b) { return a * b; }
};

// Clears the sticky flags on entry; lost() tells whether a result since then was too small or too
// large for a double.
class RangeWatch {
  public:
    RangeWatch() { std::feclearexcept(FE_UNDERFLOW | FE_OVERFLOW); }
    bool lost() const { return std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW) != 0; }
};

}  // namespace mineodds
