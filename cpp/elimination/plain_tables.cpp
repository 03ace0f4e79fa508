// Values counter by counter; see plain_tables.hpp.
#include "elimination/plain_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

// A counter open in a child: its place there and in the product, and what it may hold here.
struct Field {
    std::size_t left = kNone;
    std::size_t right = kNone;
    std::size_t out = kNone;  // kNone: it closes
    CounterRange range{0, 0};
};

}  // namespace

std::size_t PlainTables::KeyHash::operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const MineCount value : key)
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U + (hash >> 32);
    return static_cast<std::size_t>(hash);
}

void PlainTables::leaf(const JoinTree& tree, const JoinNode& node, Support& support) {
    const MineCount end = node.least + static_cast<MineCount>(node.entries);
    for (MineCount m = node.least; m < end; ++m) {
        key_.emplace_back(tree.scope_of(node).size(), m);
        support.entry.push_back({0, m, static_cast<std::uint32_t>(m)});
    }
}

void PlainTables::multiply(const Reduction& reduction, const JoinTree& tree, const JoinNode& node,
                           const SupportOptions& options, Support& support) {
    const auto lefts = tree.scope_of(tree.node[node.left]);
    const auto rights = tree.scope_of(tree.node[node.right]);
    std::vector<Field> fields;
    std::size_t open = 0;
    for (std::size_t i = 0, j = 0; i < lefts.size() || j < rights.size();) {
        Field field;
        CounterId counter = kNone;
        std::uint32_t seen = 0;
        if (i < lefts.size()) counter = lefts[i].counter;
        if (j < rights.size()) counter = std::min(counter, rights[j].counter);
        if (i < lefts.size() && lefts[i].counter == counter) {
            field.left = i;
            seen += lefts[i++].seen;
        }
        if (j < rights.size() && rights[j].counter == counter) {
            field.right = j;
            seen += rights[j++].seen;
        }
        if (static_cast<MineCount>(seen) != reduction.open[counter]) field.out = open++;
        field.range = counter_range(reduction.need[counter], reduction.open[counter], seen);
        fields.push_back(field);
    }
    place_.clear();
    Key key(open);
    for (EntryId l = support.node_entry[node.left]; l < support.node_entry[node.left + 1]; ++l) {
        for (EntryId r = support.node_entry[node.right]; r < support.node_entry[node.right + 1];
             ++r) {
            const bool possible = std::ranges::all_of(fields, [&](const Field& field) {
                const MineCount value = (field.left == kNone ? 0 : key_[l][field.left]) +
                                        (field.right == kNone ? 0 : key_[r][field.right]);
                if (field.out != kNone) key[field.out] = value;
                return value >= field.range.low && value <= field.range.high;
            });
            if (!possible) continue;
            const auto [at, added] =
                place_.try_emplace(key, static_cast<EntryId>(support.entry.size()));
            if (added) {
                key_.push_back(key);
                support.entry.push_back({0, -1, 0});
            }
            support.pair.push_back({l, r, at->second});
        }
        check(options.control);
        // Twice the key, for the map's copy; and what a vector and a place in the map take besides.
        const double bytes =
            support.bytes() + static_cast<double>(key_.size()) *
                                  (2.0 * sizeof(MineCount) * static_cast<double>(open) + 96.0);
        if (bytes > options.max_memory)
            throw CostExceeded(static_cast<double>(support.pair.size()), bytes);
    }
}

MineCount PlainTables::root_value(const Reduction&, const JoinTree&, EntryId e) const {
    return key_[e].empty() ? 0 : key_[e].front();  // nothing else is open at the root
}

}  // namespace mineodds
