// Numbers distinct masks in the order in which they come: open addressing over a list of keys that
// somebody else holds, linear search while there are few. Forgetting them costs what was used.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "words/integers.hpp"
#include "words/mask.hpp"

namespace mineodds {

template <std::size_t Words>
class KeyNumbers {
  public:
    using Keys = std::span<const Mask<Words>>;

    void clear() { size_ = 0; }
    // The number of `key` among those numbered so far, or kNone; then the caller may append it to
    // them, and must call add.
    std::uint32_t find(const Mask<Words>& key, Keys keys) {
        if (keys.size() <= kFew) {
            for (std::uint32_t i = 0; i < keys.size(); ++i)
                if (keys[i] == key) return i;
            return kNone;
        }
        if (2 * keys.size() > size_) rebuild(keys);
        place_ = place_of(key);
        for (; bucket_[place_] != kNone; place_ = (place_ + 1) & (size_ - 1))
            if (keys[bucket_[place_]] == key) return bucket_[place_];
        return kNone;
    }
    void add(std::uint32_t number) {
        if (size_ != 0) bucket_[place_] = number;
    }
    double bytes() const { return static_cast<double>(bucket_.capacity()) * sizeof(bucket_[0]); }
    void release() { bucket_ = {}, size_ = 0; }

  private:
    static constexpr std::size_t kFew = 8;  // searched one by one

    std::size_t place_of(const Mask<Words>& key) const {
        return static_cast<std::size_t>(key.hash()) & (size_ - 1);
    }
    void rebuild(Keys keys) {
        size_ = std::bit_ceil(4 * keys.size());
        if (bucket_.size() < size_) bucket_.resize(size_);
        std::fill_n(bucket_.begin(), size_, kNone);
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            std::size_t place = place_of(keys[i]);
            while (bucket_[place] != kNone) place = (place + 1) & (size_ - 1);
            bucket_[place] = i;
        }
    }

    std::vector<std::uint32_t> bucket_;
    std::size_t size_ = 0;  // buckets in use, a power of two; 0: linear search
    std::size_t place_ = 0;
};

}  // namespace mineodds
