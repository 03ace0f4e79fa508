// Checking a table and finding its shifts; see neighbours.hpp.
#include "position/neighbours.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr std::size_t kMostShifts = 24;
constexpr std::size_t kMostDegree = 15;  // counts of two kinds share a byte

// Eight shifts at a time keep the partial results in registers.
template <class Combine>
void combine_shifted(const std::uint8_t* x, const std::vector<std::ptrdiff_t>& shift,
                     const std::vector<std::vector<std::uint8_t>>& valid, std::size_t cells,
                     std::uint8_t* result, Combine combine) {
    std::fill(result, result + cells, std::uint8_t{0});
    std::size_t k = 0;
    for (; k + 4 <= shift.size(); k += 4) {
        const std::uint8_t* const a = x + shift[k];
        const std::uint8_t* const b = x + shift[k + 1];
        const std::uint8_t* const c = x + shift[k + 2];
        const std::uint8_t* const d = x + shift[k + 3];
        const std::uint8_t* const in_a = valid[k].data();
        const std::uint8_t* const in_b = valid[k + 1].data();
        const std::uint8_t* const in_c = valid[k + 2].data();
        const std::uint8_t* const in_d = valid[k + 3].data();
        for (std::size_t i = 0; i < cells; ++i) {
            const auto left = combine(static_cast<std::uint8_t>(a[i] & in_a[i]),
                                      static_cast<std::uint8_t>(b[i] & in_b[i]));
            const auto right = combine(static_cast<std::uint8_t>(c[i] & in_c[i]),
                                       static_cast<std::uint8_t>(d[i] & in_d[i]));
            result[i] = combine(result[i], combine(left, right));
        }
    }
    for (; k < shift.size(); ++k) {
        const std::uint8_t* const a = x + shift[k];
        const std::uint8_t* const in_a = valid[k].data();
        for (std::size_t i = 0; i < cells; ++i)
            result[i] = combine(result[i], static_cast<std::uint8_t>(a[i] & in_a[i]));
    }
}

}  // namespace

Neighbours::Neighbours(std::vector<std::int32_t> start, std::vector<CellId> cell)
    : start_(std::move(start)), cell_(std::move(cell)) {
    if (start_.empty() || start_.front() != 0 ||
        static_cast<std::size_t>(start_.back()) != cell_.size())
        throw BadArgument("the neighbour table's start must run from 0 to the length of its cells");
    const std::size_t cells = cell_count();
    for (std::size_t i = 0; i < cells; ++i)
        if (start_[i] > start_[i + 1]) throw BadArgument("the neighbour table's start descends");
    const auto has = [&](CellId from, CellId to) {
        return std::ranges::binary_search(table().of(from), to);
    };
    for (std::size_t i = 0; i < cells; ++i) {
        const auto list = table().of(static_cast<CellId>(i));
        largest_degree_ = std::max(largest_degree_, list.size());
        for (std::size_t k = 0; k < list.size(); ++k) {
            const CellId other = list[k];
            if (other < 0 || static_cast<std::size_t>(other) >= cells ||
                static_cast<std::size_t>(other) == i || (k > 0 && list[k - 1] >= other) ||
                !has(other, static_cast<CellId>(i)))
                throw BadArgument(
                    "cell " + std::to_string(i) +
                    ": neighbours must be other cells, ascending, and neighbours in turn");
        }
    }
    if (largest_degree_ <= kMostDegree) find_shifts();
}

void Neighbours::find_shifts() {
    std::map<std::ptrdiff_t, std::size_t> index;
    const std::size_t cells = cell_count();
    for (std::size_t i = 0; i < cells; ++i)
        for (const CellId other : table().of(static_cast<CellId>(i))) {
            const std::ptrdiff_t shift = other - static_cast<std::ptrdiff_t>(i);
            if (index.try_emplace(shift, index.size()).second && index.size() > kMostShifts) return;
        }
    shift_.resize(index.size());
    valid_.assign(index.size(), std::vector<std::uint8_t>(cells, 0));
    for (const auto& [shift, k] : index) {
        shift_[k] = shift;
        padding_ = std::max(padding_, static_cast<std::size_t>(shift < 0 ? -shift : shift));
    }
    for (std::size_t i = 0; i < cells; ++i)
        for (const CellId other : table().of(static_cast<CellId>(i)))
            valid_[index.at(other - static_cast<std::ptrdiff_t>(i))][i] = 255;
}

void Neighbours::sum(const std::uint8_t* x, std::uint8_t* result) const {
    combine_shifted(x, shift_, valid_, cell_count(), result, [](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a + b);
    });
}

void Neighbours::either(const std::uint8_t* x, std::uint8_t* result) const {
    combine_shifted(x, shift_, valid_, cell_count(), result, [](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a | b);
    });
}

}  // namespace mineodds
