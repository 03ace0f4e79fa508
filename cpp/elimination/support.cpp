// Degrees and the backward pass over the list of pairs; see support.hpp.
#include "elimination/support.hpp"

#include <algorithm>
#include <cstddef>

namespace mineodds {

void Support::find_degrees() {
    // Length first holds the highest degree; pairs come in an order in which both children are
    // complete.
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
    std::uint64_t offset = 0;
    for (Entry& e : entry) {
        e.length = e.length - static_cast<std::uint32_t>(e.low) + 1;
        e.offset = offset;
        offset += e.length;
    }
    coefficients = offset;
}

void Support::drop_dead() {
    if (entry.empty()) return;  // everything was settled: there is no root
    auto& place = scratch;
    place.assign(entry.size(), kNone);
    for (EntryId root = root_begin(); root < root_end(); ++root) place[root] = 0;
    for (std::size_t k = pair.size(); k-- > 0;)
        if (place[pair[k].out] != kNone) place[pair[k].left] = place[pair[k].right] = 0;
    EntryId kept = 0;
    EntryId read = 0;
    // Every entry of the root is alive, so root_value stays as it is.
    for (std::size_t n = 1; n < node_entry.size(); ++n) {
        for (; read < node_entry[n]; ++read) {
            if (place[read] == kNone) continue;
            entry[kept] = entry[read];
            place[read] = kept++;
        }
        node_entry[n] = kept;
    }
    entry.resize(kept);
    std::uint64_t write = 0;
    std::uint64_t next = 0;
    for (std::size_t n = 1; n < node_pair.size(); ++n) {
        for (; next < node_pair[n]; ++next) {
            const EntryPair p = pair[next];
            if (place[p.out] != kNone)
                pair[write++] = {place[p.left], place[p.right], place[p.out]};
        }
        node_pair[n] = write;
    }
    pair.resize(write);
}

}  // namespace mineodds
