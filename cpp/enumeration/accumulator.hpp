// Sums of very many terms. Modulo a prime a sum is exact; in doubles adding 10^8 terms one by one
// can drift by more than the 1e-12 that is promised, so the rounding error of each addition is
// kept and added at the end (Knuth's two-sum, The Art of Computer Programming 2, 4.2.2, theorem B;
// compensated summation after Kahan 1965): the error no longer depends on the number of terms.
#pragma once

#include <bit>
#include <cstdint>

#include "coefficients/modular.hpp"
#include "coefficients/wide.hpp"

namespace mineodds {

template <class Ring>
class Accumulator;

template <>
class Accumulator<Modular> {
  public:
    void add(const Modular& ring, Modular::Value term) { sum_ = ring.add(sum_, term); }
    Modular::Value value() const { return sum_; }

  private:
    Modular::Value sum_ = 0;
};

template <>
class Accumulator<Wide> {
  public:
    void add(const Wide&, WideDouble term) {
        if (term.mantissa == 0.0) return;
        if (sum_ == 0.0) {
            sum_ = term.mantissa;
            exponent_ = term.exponent;
            return;
        }
        double larger_part = sum_;
        double smaller_part = term.mantissa;
        if (term.exponent > exponent_) {
            const double shift = power_of_half(term.exponent - exponent_);
            larger_part = term.mantissa;
            smaller_part = sum_ * shift;
            error_ *= shift;
            exponent_ = term.exponent;
        } else {
            smaller_part *= power_of_half(exponent_ - term.exponent);
        }
        sum_ = larger_part + smaller_part;
        const double added = sum_ - larger_part;
        error_ += (larger_part - (sum_ - added)) + (smaller_part - added);
        if (sum_ >= 1.0) {
            sum_ *= 0.5;
            error_ *= 0.5;
            ++exponent_;
        }
    }
    WideDouble value() const { return Wide::make(sum_ + error_, exponent_); }

  private:
    // 2^-n, or 0 where a term 2^n times smaller than the sum cannot matter.
    static double power_of_half(std::int64_t n) {
        if (n > 1000) return 0.0;
        return std::bit_cast<double>(static_cast<std::uint64_t>(1023 - n) << 52);
    }

    // The sum so far is (sum + error) * 2^exponent; sum is 0 or in [1/2, 1).
    double sum_ = 0.0;
    double error_ = 0.0;
    std::int64_t exponent_ = 0;
};

}  // namespace mineodds
