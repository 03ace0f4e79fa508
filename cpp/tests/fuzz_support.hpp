// What the fuzz targets share: bytes read as numbers, and a fault as an abort.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>

namespace mineodds::testing {

// libFuzzer and cpp/tests/fuzz_main.cpp keep the input that aborted.
inline void expect(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "engines disagree: " << what << "\n";
    std::abort();
}

inline bool near(double value, double exact) {
    return std::abs(value - exact) <= 1e-12 * std::abs(exact);
}

// Any bytes are an input: what is missing counts as zero.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return next_ >= bytes_.size(); }
    std::uint8_t byte() { return empty() ? std::uint8_t{0} : bytes_[next_++]; }
    std::uint32_t word() {
        const std::uint32_t low = byte();
        return low | static_cast<std::uint32_t>(byte()) << 8U;
    }
    // 0 to most.
    std::uint32_t at_most(std::uint32_t most) { return word() % (most + 1); }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t next_ = 0;
};

}  // namespace mineodds::testing
