// The growing array of the kernel behaves as std::vector does.
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/check.hpp"
#include "words/buffer.hpp"

using namespace mineodds;

namespace {

bool same(const Buffer<std::uint64_t>& buffer, const std::vector<std::uint64_t>& expected) {
    return std::vector<std::uint64_t>(buffer.begin(), buffer.end()) == expected;
}

}  // namespace

TEST_CASE("appends, resizes and assignments are those of a vector") {
    Buffer<std::uint64_t> buffer;
    std::vector<std::uint64_t> expected;
    std::uint64_t random = 1;
    for (int step = 0; step < 2000; ++step) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t value = random >> 32;
        const auto size = static_cast<std::size_t>(value % 50);
        switch (random >> 61) {
            case 0:
                buffer.assign(size, value);
                expected.assign(size, value);
                break;
            case 1: {
                const std::size_t before = buffer.size();
                buffer.resize(size);
                for (std::size_t i = before; i < size; ++i) buffer[i] = 0;
                expected.resize(size);
                break;
            }
            case 2:
                buffer.reserve(size);
                buffer.shrink_to_fit();
                break;
            case 3:
                if (!expected.empty()) {
                    buffer.pop_back();
                    expected.pop_back();
                }
                break;
            default:
                buffer.push_back(value);
                expected.push_back(value);
        }
        CHECK(same(buffer, expected));
        CHECK(buffer.capacity() >= buffer.size());
    }
}

TEST_CASE("an element of the buffer itself can be appended while it grows") {
    Buffer<std::uint64_t> buffer;
    buffer.push_back(7);
    for (int i = 0; i < 100; ++i) buffer.push_back(buffer[0]);
    CHECK(same(buffer, std::vector<std::uint64_t>(101, 7)));
}

TEST_CASE("copies are independent, moves take the memory") {
    Buffer<std::uint64_t> buffer;
    for (std::uint64_t i = 0; i < 10; ++i) buffer.push_back(i);
    Buffer<std::uint64_t> copy = buffer;
    CHECK(copy == buffer);
    copy[3] = 99;
    CHECK(!(copy == buffer));
    buffer = copy;
    CHECK(buffer[3] == 99);
    const std::uint64_t* const place = buffer.data();
    const Buffer<std::uint64_t> moved = std::move(buffer);
    CHECK(moved.data() == place);
    CHECK(moved == copy);
    Buffer<std::uint64_t> none;
    copy = none;
    CHECK(copy.empty());
    copy.shrink_to_fit();
    CHECK(copy.capacity() == 0);
}
