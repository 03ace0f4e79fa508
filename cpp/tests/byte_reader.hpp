// Bytes read as numbers: how fuzz targets and random tests get problems and boards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mineodds::testing {

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
