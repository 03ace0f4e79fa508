// What the engines promise of their odds: twelve digits.
#pragma once

#include <cmath>

namespace mineodds::testing {

// Of a number that is not negative.
inline bool near(double value, double exact) {
    return std::abs(value - exact) <= 1e-12 * exact;
}

}  // namespace mineodds::testing
