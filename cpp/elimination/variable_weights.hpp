// The weights of a variable's values: m mines in s interchangeable cells stand for C(s, m) tilt^m.
//
// One row a size that occurs. Rows stay as long as ring and tilt do, so that a batch of similar
// boards makes them once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coefficients/binomial.hpp"
#include "words/integers.hpp"

namespace mineodds {

template <class Ring>
class VariableWeights {
  public:
    using Value = typename Ring::Value;

    // Makes the rows of these sizes. Two rings of one type differ in `one`.
    void prepare(const Ring& ring, Value one, Value tilt, std::span<const std::uint32_t> sizes) {
        if (!(one == one_ && tilt == tilt_)) row_.clear();
        one_ = one;
        tilt_ = tilt;
        for (const std::uint32_t size : sizes) {
            if (size >= row_.size()) row_.resize(size + std::size_t{1});
            if (row_[size].empty()) make(ring, size);
        }
    }
    Value operator()(std::uint32_t size, MineCount m) const {
        return row_[size][static_cast<std::size_t>(m)];
    }

  private:
    void make(const Ring& ring, std::uint32_t size) {
        auto& row = row_[size];
        binomial_row(ring, one_, size, size, row);
        Value power = one_;
        for (Value& weight : row) {
            weight = ring.multiply(weight, power);
            power = ring.multiply(power, tilt_);
        }
    }

    Value one_{};
    Value tilt_{};
    std::vector<std::vector<Value>> row_;  // by size; empty where none was needed
};

}  // namespace mineodds
