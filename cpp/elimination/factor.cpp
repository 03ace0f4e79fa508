// Keys-only tables; see factor.hpp.
#include "elimination/factor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr EntryId kLinearSearch = 12;      // tables up to this size are searched entry by entry
constexpr std::size_t kWatchEvery = 4096;  // pairs tried between two looks at the clock and memory
constexpr EntryId kMatchFrom = 8;  // larger tables are worth indexing when a join closes counters

}  // namespace

template <std::size_t Words>
void FactorTables<Words>::build(const Reduction& reduction, const JoinTree& tree,
                                const SupportOptions& options, Support& support) {
    support.entry.clear();
    support.pair.clear();
    support.node_entry.assign(1, 0);
    support.node_pair.assign(1, 0);
    support.consistent = tree.possible();
    key_.clear();
    tried_ = 0;
    if (!support.consistent) return;
    for (const JoinNode& node : tree.node) {
        out_begin_ = static_cast<EntryId>(support.entry.size());
        if (node.is_leaf()) {
            leaf(reduction, tree, node, support);
        } else {
            multiply(reduction, tree, node, options, support);
        }
        if (support.entry.size() == out_begin_) {
            support.consistent = false;
            return;
        }
        support.node_entry.push_back(static_cast<EntryId>(support.entry.size()));
        support.node_pair.push_back(support.pair.size());
    }
    read_root(reduction, tree, support);
    support.products = support.pair.size();
    if (support.products >= options.drop_dead_from) support.drop_dead();
    support.find_degrees();
}

template <std::size_t Words>
void FactorTables<Words>::read_root(const Reduction& reduction, const JoinTree& tree,
                                    Support& support) const {
    support.root_value.clear();
    for (EntryId e = out_begin_; e < support.entry.size(); ++e)
        support.root_value.push_back(
            reduction.free_counter == kNone
                ? 0
                : static_cast<MineCount>(key_[e].field(tree.slot[reduction.free_counter])));
}

template <std::size_t Words>
void FactorTables<Words>::leaf(const Reduction& reduction, const JoinTree& tree,
                               const JoinNode& node, Support& support) {
    const VariableId variable = node.right;
    const std::uint32_t size = reduction.size[variable];
    CounterRange values{0, static_cast<MineCount>(size)};
    Key unit;
    for (const CounterId c : reduction.counters_of(variable)) {
        const CounterRange range = counter_range(reduction.need[c], reduction.open[c], size);
        values.low = std::max(values.low, range.low);
        values.high = std::min(values.high, range.high);
    }
    for (const ScopeEntry& open : tree.scope_of(node)) unit.add(tree.slot[open.counter], 1);
    Key key;
    for (MineCount m = 0; m <= values.high; ++m) {
        if (m >= values.low) {
            key_.push_back(key);
            support.entry.push_back({0, m, static_cast<std::uint32_t>(m)});
        }
        key = key + unit;
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply(const Reduction& reduction, const JoinTree& tree,
                                   const JoinNode& node, const SupportOptions& options,
                                   Support& support) {
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
    EntryId begin[2] = {support.node_entry[node.left], support.node_entry[node.right]};
    EntryId end[2] = {support.node_entry[node.left + 1], support.node_entry[node.right + 1]};
    const bool right_smaller = end[1] - begin[1] < end[0] - begin[0];
    const int small = right_smaller ? 1 : 0;
    const int large = 1 - small;
    if (end[large] - begin[large] > kMatchFrom && limits.closing.any()) {
        multiply_matched(limits, needs, begin[small], end[small], begin[large], end[large],
                         right_smaller, options, support);
    } else {
        multiply_all(limits, begin[0], end[0], begin[1], end[1], options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply_all(const Limits<Words>& limits, EntryId left_begin,
                                       EntryId left_end, EntryId right_begin, EntryId right_end,
                                       const SupportOptions& options, Support& support) {
    for (EntryId left = left_begin; left < left_end; ++left) {
        for (EntryId right = right_begin; right < right_end; ++right) {
            const Key sum = key_[left] + key_[right];
            if (!limits.allow(sum)) continue;
            const EntryId out = find_or_add(sum & limits.keep, support);
            support.pair.push_back({left, right, out});
        }
        watch(right_end - right_begin, options, support);
    }
}

template <std::size_t Words>
void FactorTables<Words>::multiply_matched(const Limits<Words>& limits, const Key& needs,
                                           EntryId small_begin, EntryId small_end,
                                           EntryId large_begin, EntryId large_end, bool swapped,
                                           const SupportOptions& options, Support& support) {
    auto& index = by_closing_;
    index.clear();
    for (EntryId e = large_begin; e < large_end; ++e)
        index.emplace_back(key_[e] & limits.closing, e);
    std::ranges::sort(index);
    for (EntryId e = small_begin; e < small_end; ++e) {
        // No field borrows from the next: no entry of a child has a counter above its need.
        const Key wanted = needs - (key_[e] & limits.closing);
        auto match = std::ranges::lower_bound(index, wanted, {}, &std::pair<Key, EntryId>::first);
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
void FactorTables<Words>::watch(std::size_t tried, const SupportOptions& options,
                                const Support& support) {
    tried_ += tried;
    if (tried_ < kWatchEvery) return;
    tried_ = 0;
    check(options.control);
    const double bytes = static_cast<double>(support.pair.size()) * sizeof(EntryPair) +
                         static_cast<double>(support.entry.size()) *
                             (sizeof(Entry) + sizeof(Key) + 4 * sizeof(EntryId));
    if (bytes > options.max_memory) {
        throw CostExceeded(static_cast<double>(support.pair.size()), bytes);
    }
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

void SupportBuilder::build(const Reduction& reduction, const JoinTree& tree,
                           const SupportOptions& options, Support& support) {
    if (tree.words <= 1) {
        one_.build(reduction, tree, options, support);
    } else if (tree.words <= 2) {
        two_.build(reduction, tree, options, support);
    } else if (tree.words <= 4) {
        four_.build(reduction, tree, options, support);
    } else if (tree.words <= 16) {
        sixteen_.build(reduction, tree, options, support);
    } else {
        throw CostExceeded(tree.work, tree.peak_entries * 8.0 * tree.words);
    }
}

}  // namespace mineodds
