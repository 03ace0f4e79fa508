// Doubles with a 64-bit exponent: the coefficient type that cannot overflow or underflow.
//
// A value is mantissa * 2^exponent with the mantissa 0 or in [1/2, 1). All terms of an evaluation
// are positive, so a value is zero only when no configuration at all stands behind it: certainty
// can be read off a Wide exactly, whatever the size of the board. It costs several times a plain
// double and runs when the plain evaluation says that it lost range.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mineodds {

static_assert(std::numeric_limits<double>::is_iec559);

struct WideDouble {
    double mantissa = 0.0;
    std::int64_t exponent = 0;

    friend bool operator==(const WideDouble& a, const WideDouble& b) = default;
};

class Wide {
  public:
    using Value = WideDouble;

    static Value make(double mantissa, std::int64_t exponent) {
        if (mantissa == 0.0) return {};
        int shift = 0;
        const double normal = std::frexp(mantissa, &shift);
        return {normal, exponent + shift};
    }
    Value zero() const { return {}; }
    bool is_zero(Value a) const { return a.mantissa == 0.0; }
    Value from_double(double a) const { return make(a, 0); }
    Value multiply(Value a, Value b) const {
        // Both mantissas lie in [1/2, 1): the product lies in [1/4, 1) and needs at most one
        // doubling.
        const double product = a.mantissa * b.mantissa;
        if (product == 0.0) return {};
        const bool small = product < 0.5;
        return {small ? product + product : product, a.exponent + b.exponent - (small ? 1 : 0)};
    }
    Value add(Value a, Value b) const {
        if (b.mantissa == 0.0) return a;
        if (a.mantissa == 0.0) return b;
        if (a.exponent < b.exponent) {
            const Value swap = a;
            a = b;
            b = swap;
        }
        const std::int64_t gap = a.exponent - b.exponent;
        if (gap > 60) return a;  // below half a unit in the last place of a
        const double power = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - gap) << 52);
        const double sum = a.mantissa + b.mantissa * power;  // the power of two is 2^-gap
        return sum >= 1.0 ? Value{sum * 0.5, a.exponent + 1} : Value{sum, a.exponent};
    }
};

// The greatest term in place of the sum of all: an evaluation finds the weight of the most likely
// configuration.
class Greatest : public Wide {
  public:
    Value add(Value a, Value b) const {
        if (a.mantissa == 0.0 || b.mantissa == 0.0) return a.mantissa == 0.0 ? b : a;
        if (a.exponent != b.exponent) return a.exponent < b.exponent ? b : a;
        return a.mantissa < b.mantissa ? b : a;
    }
};

}  // namespace mineodds
