// The ratio recurrence; see deep_weights.hpp.
#include "position/deep_weights.hpp"

#include <algorithm>

namespace mineodds {

bool deep_weights(std::int64_t deep_cells, std::int64_t mines, std::int64_t least,
                  std::size_t counts, TotalWeights& weights) {
    weights.weight.assign(counts, WideDouble{});
    weights.deep_share.assign(counts, 0.0);
    const std::int64_t most_left = mines - least;  // deep mines at k = 0
    const std::int64_t first = std::max<std::int64_t>(0, most_left - deep_cells);
    const std::int64_t last =
        std::min<std::int64_t>(static_cast<std::int64_t>(counts) - 1, most_left);
    if (first > last) return false;
    const auto at = [](std::int64_t k) { return static_cast<std::size_t>(k); };
    const std::int64_t peak = std::clamp<std::int64_t>(most_left - deep_cells / 2, first, last);
    const double cells = static_cast<double>(deep_cells);
    weights.weight[at(peak)] = Wide::make(1.0, 0);
    for (std::int64_t k = peak; k < last; ++k) {  // one deep mine fewer: times j / (D - j + 1)
        const auto j = static_cast<double>(most_left - k);
        const WideDouble w = weights.weight[at(k)];
        weights.weight[at(k) + 1] = Wide::make(w.mantissa * j / (cells - j + 1.0), w.exponent);
    }
    for (std::int64_t k = peak; k > first; --k) {  // one more: times (D - j) / (j + 1)
        const auto j = static_cast<double>(most_left - k);
        const WideDouble w = weights.weight[at(k)];
        weights.weight[at(k) - 1] = Wide::make(w.mantissa * (cells - j) / (j + 1.0), w.exponent);
    }
    if (deep_cells > 0)
        for (std::int64_t k = first; k <= last; ++k)
            weights.deep_share[at(k)] = static_cast<double>(most_left - k) / cells;
    return true;
}

}  // namespace mineodds
