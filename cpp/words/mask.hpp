// Packed bit fields: one small field per counter, all counters of a table entry in one mask.
//
// A field holds 0..need in `bit_width(need)` bits and one guard bit above them. Fields never
// straddle words, and the sum of two fields stays below twice the guard bit, so adding masks word
// by word adds every counter at once. `Limits` turns the two tests "at most need" and "need can
// still be reached" into a handful of word operations for all counters together.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "words/integers.hpp"

namespace mineodds {

// Where a counter's field lies: bit `shift` of word `word`.
struct Slot {
    std::uint16_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t width = 0;  // guard bit included
};

inline std::uint8_t slot_width(MineCount need) {
    return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint32_t>(need)) + 1);
}

template <std::size_t Words>
struct Mask {
    std::array<std::uint64_t, Words> word{};

    // Word by word: the array's own comparisons call memcmp.
    friend bool operator==(const Mask& a, const Mask& b) {
        std::uint64_t differing = 0;
        for (std::size_t i = 0; i < Words; ++i) differing |= a.word[i] ^ b.word[i];
        return differing == 0;
    }
    friend bool operator<(const Mask& a, const Mask& b) {
        for (std::size_t i = 0; i + 1 < Words; ++i)
            if (a.word[i] != b.word[i]) return a.word[i] < b.word[i];
        return a.word[Words - 1] < b.word[Words - 1];
    }
    friend Mask operator+(Mask a, const Mask& b) {
        for (std::size_t i = 0; i < Words; ++i) a.word[i] += b.word[i];
        return a;
    }
    friend Mask operator-(Mask a, const Mask& b) {
        for (std::size_t i = 0; i < Words; ++i) a.word[i] -= b.word[i];
        return a;
    }
    friend Mask operator&(Mask a, const Mask& b) {
        for (std::size_t i = 0; i < Words; ++i) a.word[i] &= b.word[i];
        return a;
    }
    bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : word) all |= w;
        return all != 0;
    }
    std::uint64_t hash() const {
        std::uint64_t h = 0;
        for (const std::uint64_t w : word) {
            h = (h ^ w) * 0x9e3779b97f4a7c15U;
            h ^= h >> 32;
        }
        return h;
    }
    std::uint64_t field(Slot slot) const {
        return (word[slot.word] >> slot.shift) & ((std::uint64_t{1} << slot.width) - 1);
    }
    void add(Slot slot, std::uint64_t value) { word[slot.word] += value << slot.shift; }
};

// The bounds of every field of a join: lowest <= field <= need.
template <std::size_t Words>
struct Limits {
    Mask<Words> guard;     // the guard bits
    Mask<Words> lowest;    // what each field must reach
    Mask<Words> headroom;  // what lifts a field over its need into its guard bit: guard - 1 - need
    Mask<Words> keep;      // fields that stay open
    Mask<Words> closing;   // fields that close here; their lowest is their need

    void set(Slot slot, MineCount low, MineCount need, bool closes) {
        const std::uint64_t top = std::uint64_t{1} << (slot.width - 1);
        guard.add(slot, top);
        lowest.add(slot, static_cast<std::uint64_t>(low));
        headroom.add(slot, top - 1 - static_cast<std::uint64_t>(need));
        (closes ? closing : keep).add(slot, 2 * top - 1);
    }
    bool allow(const Mask<Words>& sum) const {
        std::uint64_t wrong = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t reached = (sum.word[i] | guard.word[i]) - lowest.word[i];
            const std::uint64_t passed = sum.word[i] + headroom.word[i];
            wrong |= guard.word[i] & (~reached | passed);
        }
        return wrong == 0;
    }
};

}  // namespace mineodds
