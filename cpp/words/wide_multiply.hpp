// The full 128-bit product of two 64-bit integers, on every compiler.
#pragma once

#include <cstdint>
#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace mineodds {

struct Product128 {
    std::uint64_t low;
    std::uint64_t high;
};

inline Product128 multiply_wide(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 product = static_cast<Uint128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#elif defined(_MSC_VER) && defined(_M_X64)
    Product128 result;
    result.low = _umul128(a, b, &result.high);
    return result;
#else
    const std::uint64_t a_low = a & 0xffffffffU, a_high = a >> 32, b_low = b & 0xffffffffU,
                        b_high = b >> 32;
    const std::uint64_t low = a_low * b_low, cross = a_high * b_low + (low >> 32);
    const std::uint64_t middle = a_low * b_high + (cross & 0xffffffffU);
    return {(middle << 32) | (low & 0xffffffffU), a_high * b_high + (cross >> 32) + (middle >> 32)};
#endif
}

}  // namespace mineodds
