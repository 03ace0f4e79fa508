// Degrees and the backward pass over the list of pairs; see support.hpp.
#include "elimination/support.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace mineodds {
namespace {

constexpr std::size_t kSpare = std::size_t{1} << 22;  // pairs dropped for which it pays to move
constexpr std::int64_t kMostMines = std::numeric_limits<MineCount>::max() / 4;

}  // namespace

void Support::finish(const SupportOptions& options) {
    products = pair.size();
    trimmed = false;
    find_degrees();
    if (products >= options.drop_dead_from) drop_dead(options.window);
    lay_out();
}

void Support::find_degrees() {
    for (const EntryPair& p : pair) {
        const Entry& left = entry[p.left];
        const Entry& right = entry[p.right];
        Entry& out = entry[p.out];
        const MineCount low = left.low + right.low;
        const std::uint32_t high = left.length + right.length;
        if (out.low < 0) {
            out.low = low;
            out.length = high;
        } else {
            out.low = std::min(out.low, low);
            out.length = std::max(out.length, high);
        }
    }
}

void Support::lay_out() {
    std::uint64_t offset = 0;
    for (Entry& e : entry) {
        e.length = e.length - static_cast<std::uint32_t>(e.low) + 1;
        e.offset = offset;
        offset += e.length;
    }
    coefficients = offset;
}

void Support::drop_dead(const MineWindow& window) {
    if (entry.empty()) return;  // everything was settled: there is no root
    // Degrees that are of use, from the root down; none yet.
    auto& useful = useful_;
    useful.assign(entry.size(), {std::numeric_limits<MineCount>::max(), -1});
    const auto highest = [&](EntryId e) { return static_cast<MineCount>(entry[e].length); };
    const auto widen = [&](EntryId e, MineCount low, MineCount high) {
        low = std::max(low, entry[e].low);
        high = std::min(high, highest(e));
        if (low > high) return;
        useful[e].low = std::min(useful[e].low, low);
        useful[e].high = std::max(useful[e].high, high);
    };
    for (EntryId root = root_begin(); root < root_end(); ++root)
        widen(root, static_cast<MineCount>(std::clamp<std::int64_t>(window.least, 0, kMostMines)),
              static_cast<MineCount>(std::clamp<std::int64_t>(window.most, -1, kMostMines)));
    for (std::size_t k = pair.size(); k-- > 0;) {
        const EntryPair& p = pair[k];
        const Degrees out = useful[p.out];
        if (out.high < 0) continue;
        widen(p.left, out.low - highest(p.right), out.high - entry[p.right].low);
        widen(p.right, out.low - highest(p.left), out.high - entry[p.left].low);
    }
    auto& place = place_;
    place.assign(entry.size(), kNone);
    const EntryId first_root = root_begin();
    EntryId kept = 0;
    EntryId read = 0;
    for (std::size_t n = 1; n < node_entry.size(); ++n) {
        for (; read < node_entry[n]; ++read) {
            const Degrees degrees = useful[read];
            if (degrees.high < 0) continue;
            trimmed = trimmed || degrees.low != entry[read].low || degrees.high != highest(read);
            entry[kept] = entry[read];
            entry[kept].low = degrees.low;
            entry[kept].length = static_cast<std::uint32_t>(degrees.high);
            if (read >= first_root)
                root_value[kept - node_entry[n - 1]] = root_value[read - first_root];
            place[read] = kept++;
        }
        node_entry[n] = kept;
    }
    entry.resize(kept);
    root_value.resize(node_entry.back() - root_begin());
    consistent = !root_value.empty();
    std::uint64_t write = 0;
    std::uint64_t next = 0;
    for (std::size_t n = 1; n < node_pair.size(); ++n) {
        for (; next < node_pair[n]; ++next) {
            const EntryPair p = pair[next];
            if (place[p.out] != kNone && place[p.left] != kNone && place[p.right] != kNone)
                pair[write++] = {place[p.left], place[p.right], place[p.out]};
        }
        node_pair[n] = write;
    }
    pair.resize(write);
    if (pair.capacity() - pair.size() > kSpare) pair.shrink_to_fit();
}

}  // namespace mineodds
