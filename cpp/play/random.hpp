// The fixed generator behind layouts and random ties: the same numbers on every platform.
//
// xoshiro256** (Blackman & Vigna, Scrambled linear pseudorandom number generators, 2021), its state
// filled by SplitMix64 (Steele, Lea & Flood, 2014). Every game has streams of its own, found from
// (seed, game index, stream) alone, so results do not depend on who plays which game, nor when:
//   word  = the output number `stream` (from 0) of SplitMix64 started at `seed`
//   state = the first four outputs of SplitMix64 started at word xor index
// Integers below a bound are drawn without bias (Lemire, Fast random integer generation in an
// interval, 2019). tests/reference/game.py holds the same in Python.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "words/wide_multiply.hpp"

namespace mineodds {

class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t start) : state_(start) {}
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t x = state_;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }

  private:
    std::uint64_t state_;
};

class Random {
  public:
    static constexpr int kLayoutStream = 0;
    static constexpr int kTieStream = 1;

    Random(std::uint64_t seed, std::uint64_t index, int stream) {
        SplitMix64 words(seed);
        std::uint64_t word = words.next();
        for (int i = 0; i < stream; ++i) word = words.next();
        SplitMix64 fill(word ^ index);
        for (std::uint64_t& part : state_) part = fill.next();
    }
    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }
    // Uniform over 0..bound - 1; bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        Product128 product = multiply_wide(next(), bound);
        if (product.low < bound) {
            const std::uint64_t reject = (0 - bound) % bound;
            while (product.low < reject) product = multiply_wide(next(), bound);
        }
        return product.high;
    }

  private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace mineodds
