// Keys-only tables; see factor.hpp.
#include "elimination/factor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "elimination/build_tables.hpp"
#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr EntryId kLinearSearch = 12;      // tables up to this size are searched entry by entry
constexpr std::size_t kWatchEvery = 4096;  // pairs tried between two looks at the clock and memory
constexpr EntryId kMatchFrom = 8;  // larger tables are worth indexing when a join closes counters
constexpr double kGroupFrom = 0x1p12;  // pairs from which entries are grouped by what is shared

constexpr double kKeptBytes = 0x1p25;  // of keys, for the next position; more is given back

}  // namespace

template <std::size_t Words>
void FactorTables<Words>::clear() {
    key_.clear();
    tried_ = 0;
}

template <std::size_t Words>
MineCount FactorTables<Words>::root_value(const Reduction& reduction, const JoinTree& tree,
                                          EntryId e) const {
    if (reduction.free_counter == kNone) return 0;
    return static_cast<MineCount>(key_[e].field(tree.slot[reduction.free_counter]));
}

template <std::size_t Words>
void FactorTables<Words>::leaf(const JoinTree& tree, const JoinNode& node, Support& support) {
    Key key;
    Key unit;
    for (const ScopeEntry& open : tree.scope_of(node)) {
        const Slot slot = tree.slot[open.counter];
        key.add(slot, static_cast<std::uint64_t>(node.least));
        unit.add(slot, 1);
    }
    const MineCount end = node.least + static_cast<MineCount>(node.entries);
    for (MineCount m = node.least; m < end; ++m) {
        key_.push_back(key);
        support.entry.push_back({0, m, static_cast<std::uint32_t>(m)});
        key = key + unit;
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply(const Reduction& reduction, const JoinTree& tree,
                                   const JoinNode& node, const SupportOptions& options,
                                   Support& support) {
    out_begin_ = support.node_entry.back();
    Limits<Words> limits;
    Key needs;
    for (const ScopeEntry& open : tree.scope_of(node)) {
        const CounterRange range =
            counter_range(reduction.need[open.counter], reduction.open[open.counter], open.seen);
        limits.set(tree.slot[open.counter], range.low, reduction.need[open.counter], false);
    }
    for (const CounterId c : tree.closing_of(node)) {
        limits.set(tree.slot[c], reduction.need[c], reduction.need[c], true);
        needs.add(tree.slot[c], static_cast<std::uint64_t>(reduction.need[c]));
    }
    const Side left{support.node_entry[node.left], support.node_entry[node.left + 1]};
    const Side right{support.node_entry[node.right], support.node_entry[node.right + 1]};
    const bool right_smaller = right.size() < left.size();
    const Side small = right_smaller ? right : left;
    const Side large = right_smaller ? left : right;
    if (large.size() <= kMatchFrom || !limits.closing.any()) {
        multiply_all(limits, left, right, options, support);
    } else if (static_cast<double>(small.size()) * large.size() < kGroupFrom) {
        multiply_matched(limits, needs, small, large, right_smaller, options, support);
    } else {
        // What only one side has open is as that side left it: within its bounds.
        Limits<Words> shared;
        const auto rights = tree.scope_of(tree.node[node.right]);
        const auto in_right = [&](CounterId c) {
            return std::ranges::binary_search(rights, c, {}, &ScopeEntry::counter);
        };
        for (const ScopeEntry& own : tree.scope_of(tree.node[node.left])) {
            const CounterId c = own.counter;
            if (!in_right(c)) continue;
            const std::uint32_t seen =
                own.seen + std::ranges::lower_bound(rights, c, {}, &ScopeEntry::counter)->seen;
            const CounterRange range = counter_range(reduction.need[c], reduction.open[c], seen);
            shared.set(tree.slot[c], range.low, reduction.need[c],
                       static_cast<MineCount>(seen) == reduction.open[c]);
        }
        multiply_groups(limits, shared, needs, small, large, right_smaller, options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply_all(const Limits<Words>& limits, Side lefts, Side rights,
                                       const SupportOptions& options, Support& support) {
    // Of small tables, many rows between two looks at the clock and the memory.
    const auto rows = static_cast<EntryId>(1 + kWatchEvery / rights.size());
    for (EntryId row = lefts.begin; row < lefts.end;) {
        const EntryId last = std::min(lefts.end, row + rows);
        const std::size_t pairs = std::size_t{last - row} * rights.size();
        make_room(pairs, options, support);
        for (; row < last; ++row) {
            for (EntryId right = rights.begin; right < rights.end; ++right) {
                const Key sum = key_[row] + key_[right];
                if (!limits.allow(sum)) continue;
                const EntryId out = find_or_add(sum & limits.keep, support);
                support.pair.push_back({row, right, out});
            }
        }
        watch(pairs, options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply_matched(const Limits<Words>& limits, const Key& needs,
                                           Side small, Side large, bool swapped,
                                           const SupportOptions& options, Support& support) {
    auto& index = by_closing_;
    index.clear();
    for (EntryId e = large.begin; e < large.end; ++e)
        index.emplace_back(key_[e] & limits.closing, e);
    std::sort(index.begin(), index.end());
    for (EntryId e = small.begin; e < small.end; ++e) {
        make_room(large.size(), options, support);
        // No field borrows from the next: no entry of a child has a counter above its need.
        const Key wanted = needs - (key_[e] & limits.closing);
        auto match = std::lower_bound(
            index.begin(), index.end(), wanted,
            [](const std::pair<Key, EntryId>& have, const Key& want) { return have.first < want; });
        const auto first = match;
        for (; match != index.end() && match->first == wanted; ++match) {
            const Key sum = key_[e] + key_[match->second];
            if (!limits.allow(sum)) continue;
            const EntryId out = find_or_add(sum & limits.keep, support);
            support.pair.push_back(swapped ? EntryPair{match->second, e, out}
                                           : EntryPair{e, match->second, out});
        }
        watch(static_cast<std::size_t>(match - first) + 1, options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::group(const Key& closing, const Key& shared, Side side, Groups& groups) {
    auto& order = by_projection_;
    order.clear();
    for (EntryId e = side.begin; e < side.end; ++e)
        order.push_back({key_[e] & closing, key_[e] & shared, e});
    std::sort(order.begin(), order.end());
    groups.closing.clear();
    groups.shared.clear();
    groups.begin.clear();
    groups.entry.clear();
    for (const auto& [closes, projection, e] : order) {
        if (groups.shared.empty() || !(groups.shared.back() == projection)) {
            groups.begin.push_back(static_cast<std::uint32_t>(groups.entry.size()));
            groups.closing.push_back(closes);
            groups.shared.push_back(projection);
        }
        groups.entry.push_back(e);
    }
    groups.begin.push_back(static_cast<std::uint32_t>(groups.entry.size()));
}

template <std::size_t Words>
void FactorTables<Words>::multiply_groups(const Limits<Words>& limits, const Limits<Words>& shared,
                                          const Key& needs, Side small, Side large, bool swapped,
                                          const SupportOptions& options, Support& support) {
    Key all = shared.keep + shared.closing;
    group(shared.closing, all, small, small_groups_);
    group(shared.closing, all, large, large_groups_);
    const Groups& smalls = small_groups_;
    const Groups& larges = large_groups_;
    for (std::size_t s = 0; s < smalls.shared.size(); ++s) {
        const Key wanted = needs - smalls.closing[s];
        auto l = static_cast<std::size_t>(
            std::lower_bound(larges.closing.begin(), larges.closing.end(), wanted) -
            larges.closing.begin());
        for (; l < larges.shared.size() && larges.closing[l] == wanted; ++l) {
            if (!shared.allow(smalls.shared[s] + larges.shared[l])) continue;
            const std::size_t pairs = std::size_t{smalls.begin[s + 1] - smalls.begin[s]} *
                                      (larges.begin[l + 1] - larges.begin[l]);
            make_room(pairs, options, support);
            for (std::uint32_t i = smalls.begin[s]; i < smalls.begin[s + 1]; ++i)
                for (std::uint32_t j = larges.begin[l]; j < larges.begin[l + 1]; ++j) {
                    const EntryId a = smalls.entry[i];
                    const EntryId b = larges.entry[j];
                    const EntryId out = find_or_add((key_[a] + key_[b]) & limits.keep, support);
                    support.pair.push_back(swapped ? EntryPair{b, a, out} : EntryPair{a, b, out});
                }
            watch(pairs, options, support);
        }
        watch(1, options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::watch(std::size_t tried, const SupportOptions& options,
                                const Support& support) {
    tried_ += tried;
    if (tried_ < kWatchEvery) return;
    tried_ = 0;
    check(options.control);
    const double bytes = support.bytes() + key_bytes();
    if (bytes > options.max_memory)
        throw CostExceeded(static_cast<double>(support.pair.size()), bytes);
}

template <std::size_t Words>
double FactorTables<Words>::key_bytes() const {
    return static_cast<double>(key_.capacity()) * sizeof(Key) +
           static_cast<double>(hash_.capacity()) * sizeof(EntryId) +
           static_cast<double>(by_projection_.capacity()) * sizeof(Projected);
}

template <std::size_t Words>
void FactorTables<Words>::make_room(std::size_t pairs, const SupportOptions& options,
                                    Support& support) const {
    const std::size_t needed = support.pair.size() + pairs;
    if (needed <= support.pair.capacity()) return;
    const std::size_t capacity = std::max(needed, support.pair.size() + support.pair.size() / 2);
    // While the pairs move, both places are taken.
    const double bytes =
        support.bytes() + key_bytes() + static_cast<double>(capacity) * sizeof(EntryPair);
    if (bytes > options.max_memory)
        throw CostExceeded(static_cast<double>(support.pair.size()), bytes);
    support.pair.reserve(capacity);
}

template <std::size_t Words>
void FactorTables<Words>::release() {
    if (key_bytes() < kKeptBytes) return;
    key_ = {};
    hash_ = {};
    by_projection_ = {};
}

template <std::size_t Words>
EntryId FactorTables<Words>::find_or_add(const Key& key, Support& support) {
    const auto end = static_cast<EntryId>(support.entry.size());
    const EntryId entries = end - out_begin_;
    const auto add = [&] {
        key_.push_back(key);
        support.entry.push_back({0, -1, 0});
        return end;
    };
    if (entries <= kLinearSearch) {
        for (EntryId e = out_begin_; e < end; ++e)
            if (key_[e] == key) return e;
        if (entries == kLinearSearch) grow_hash(entries);
    } else if (2 * static_cast<std::size_t>(entries) > hash_.size()) {
        grow_hash(entries);
    }
    if (entries < kLinearSearch) return add();
    const std::size_t mask = hash_.size() - 1;
    std::size_t bucket = static_cast<std::size_t>(key.hash()) & mask;
    for (; hash_[bucket] != kNone; bucket = (bucket + 1) & mask)
        if (key_[hash_[bucket]] == key) return hash_[bucket];
    hash_[bucket] = end;
    return add();
}

template <std::size_t Words>
void FactorTables<Words>::grow_hash(EntryId entries) {
    hash_.assign(std::bit_ceil(std::size_t{8} * entries), kNone);
    const std::size_t mask = hash_.size() - 1;
    for (EntryId e = out_begin_; e < out_begin_ + entries; ++e) {
        std::size_t bucket = static_cast<std::size_t>(key_[e].hash()) & mask;
        while (hash_[bucket] != kNone) bucket = (bucket + 1) & mask;
        hash_[bucket] = e;
    }
}

template <std::size_t Words>
void SupportBuilder::build(FactorTables<Words>& tables, SemiJoin<Words>& semi_join,
                           const Reduction& reduction, const JoinTree& tree,
                           const SupportOptions& options, Support& support) {
    if (tree.work < options.semi_join_from) {
        build_tables(tables, reduction, tree, options, support);
    } else {
        semi_join.build(reduction, tree, options, support);
    }
}

void SupportBuilder::build(const Reduction& reduction, const JoinTree& tree,
                           const SupportOptions& options, Support& support) {
    if (tree.words <= 1) {
        build(one_, semi_one_, reduction, tree, options, support);
    } else if (tree.words <= 2) {
        build(two_, semi_two_, reduction, tree, options, support);
    } else if (tree.words <= 4) {
        build(four_, semi_four_, reduction, tree, options, support);
    } else if (tree.words <= 16) {
        build(sixteen_, semi_sixteen_, reduction, tree, options, support);
    } else {
        build_tables(plain_, reduction, tree, options, support);
    }
}

}  // namespace mineodds
