// The pairs of entries that a large join multiplies, enumerated block by block.
//
// Entries of both children are grouped by the counters that both have open, so that whether two
// entries can meet is asked once for two groups; groups that close counters meet only those that
// complete every need. Pairs of groups whose products agree on these counters form a block: equal
// products lie in one block. Taken block by block, the keys being looked up stay in the processor's
// cache, where one table over all of them misses it at nearly every pair (Shatdal, Kant & Naughton,
// Cache conscious algorithms for relational query processing, VLDB 1994). The same tables give the
// same pairs in the same order, so a pass over them can be made again instead of written down.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "elimination/join_tree.hpp"
#include "elimination/key_numbers.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"
#include "words/errors.hpp"
#include "words/mask.hpp"

namespace mineodds {

template <std::size_t Words>
class BlockJoin {
  public:
    using Key = Mask<Words>;
    using Keys = std::span<const Key>;

    // Reads the tables of the node's children and finds the blocks. Throws CostExceeded when that
    // takes more than so many bytes.
    void prepare(const Reduction& reduction, const JoinTree& tree, const JoinNode& node, Keys left,
                 Keys right, double max_bytes, const Control* control);
    // Fields that are equal in all products of a block, and in those of no other block.
    const Key& block_fields() const { return block_fields_; }
    // Calls visit.block(fields) for each block; then, if that is true, visit.pair(left, right,
    // product) for all of its pairs, by their places in the tables.
    template <class Visit>
    void run(Visit& visit, const Control* control) const;
    double bytes() const;
    void release();

  private:
    struct Side {
        std::vector<Key> group;            // by group: the fields by which it was made
        std::vector<std::uint32_t> begin;  // by group, into entry and key
        std::vector<EntryId> entry;
        std::vector<Key> key;
        std::vector<std::uint32_t> group_of;  // by entry of the table
    };
    struct GroupPair {
        std::uint32_t small, large, block;
    };
    void set_fields(const Reduction& reduction, const JoinTree& tree, const JoinNode& node);
    void group(Keys keys, const Key& fields, double max_bytes, Side& side);
    // Throws CostExceeded when so much more would be too much.
    void check_bytes(double more, double max_bytes) const;
    void match(double max_bytes, const Control* control);
    void sort_by_block();

    Limits<Words> shared_;  // counters that both have open
    Key needs_, keep_, block_fields_;
    bool swapped_ = false;  // the smaller table is the right one
    Side small_, large_;
    std::vector<std::uint32_t> by_closing_;  // groups of the larger
    std::vector<GroupPair> found_;
    std::vector<Key> block_;                // by block: its fields
    std::vector<std::size_t> block_begin_;  // by block, into order_
    std::vector<std::uint32_t> order_;      // of the pairs of groups, by block
    KeyNumbers<Words> numbers_;
};

template <std::size_t Words>
void BlockJoin<Words>::prepare(const Reduction& reduction, const JoinTree& tree,
                               const JoinNode& node, Keys left, Keys right, double max_bytes,
                               const Control* control) {
    constexpr std::size_t kLargeGroup = 8;
    constexpr double kKeptBytes = 0x1p24;  // for the next join
    set_fields(reduction, tree, node);
    swapped_ = right.size() < left.size();
    const Key both = shared_.keep + shared_.closing;
    if (bytes() > kKeptBytes) release();
    group(swapped_ ? left : right, both, max_bytes, large_);
    // Where groups are large, blocks can be smaller at little cost: the smaller side's other
    // counters tell them apart too.
    Key all;
    for (auto& word : all.word) word = ~std::uint64_t{0};
    const Keys small = swapped_ ? right : left;
    const bool large_groups = large_.entry.size() >= kLargeGroup * large_.group.size();
    group(small, large_groups ? all : both, max_bytes, small_);
    block_fields_ = shared_.keep;
    if (large_groups)
        for (const ScopeEntry& own : tree.scope_of(tree.node[swapped_ ? node.right : node.left])) {
            Key field;
            const Slot slot = tree.slot[own.counter];
            field.add(slot, (std::uint64_t{1} << slot.width) - 1);
            if (!(both & field).any()) block_fields_ = block_fields_ + field;
        }
    match(max_bytes, control);
    sort_by_block();
}

template <std::size_t Words>
void BlockJoin<Words>::set_fields(const Reduction& reduction, const JoinTree& tree,
                                  const JoinNode& node) {
    shared_ = {};
    needs_ = {};
    keep_ = {};
    const auto rights = tree.scope_of(tree.node[node.right]);
    for (const ScopeEntry& own : tree.scope_of(tree.node[node.left])) {
        const CounterId c = own.counter;
        const auto other = std::ranges::lower_bound(rights, c, {}, &ScopeEntry::counter);
        if (other == rights.end() || other->counter != c) continue;
        const std::uint32_t seen = own.seen + other->seen;
        const bool closes = static_cast<MineCount>(seen) == reduction.open[c];
        const CounterRange range = counter_range(reduction.need[c], reduction.open[c], seen);
        shared_.set(tree.slot[c], range.low, reduction.need[c], closes);
        if (closes) needs_.add(tree.slot[c], static_cast<std::uint64_t>(reduction.need[c]));
    }
    for (const ScopeEntry& open : tree.scope_of(node)) {
        const Slot slot = tree.slot[open.counter];
        keep_.add(slot, (std::uint64_t{1} << slot.width) - 1);
    }
}

template <std::size_t Words>
void BlockJoin<Words>::group(Keys keys, const Key& fields, double max_bytes, Side& side) {
    const auto count = static_cast<double>(keys.size());
    check_bytes(count * (sizeof(Key) + 2.0 * sizeof(EntryId)), max_bytes);
    side.group_of.reserve(keys.size());
    side.group.clear();
    side.group_of.clear();
    side.begin.assign(1, 0);
    numbers_.clear();
    for (const Key& key : keys) {
        const Key projection = key & fields;
        std::uint32_t number = numbers_.find(projection, side.group);
        if (number == kNone) {
            number = static_cast<std::uint32_t>(side.group.size());
            numbers_.add(number);
            // While they move, both places are taken; and so with the buckets of their numbers.
            if (side.group.size() == side.group.capacity())
                check_bytes(static_cast<double>(number) * (2.0 * sizeof(Key) + 40.0), max_bytes);
            side.group.push_back(projection);
            side.begin.push_back(0);
        }
        ++side.begin[number + 1];
        side.group_of.push_back(number);
    }
    for (std::size_t g = 1; g < side.begin.size(); ++g) side.begin[g] += side.begin[g - 1];
    side.entry.resize(keys.size());
    side.key.resize(keys.size());
    for (EntryId e = static_cast<EntryId>(keys.size()); e-- > 0;) {
        // Counted down from the end of each group, which leaves its beginning.
        const std::uint32_t place = --side.begin[side.group_of[e] + 1];
        side.entry[place] = e;
        side.key[place] = keys[e];
    }
    side.begin.erase(side.begin.begin());
    side.begin.push_back(static_cast<std::uint32_t>(keys.size()));
}

template <std::size_t Words>
void BlockJoin<Words>::match(double max_bytes, const Control* control) {
    constexpr std::size_t kCheckEvery = 1 << 16;
    const auto closing = [&](std::uint32_t l) { return large_.group[l] & shared_.closing; };
    by_closing_.resize(large_.group.size());
    for (std::uint32_t l = 0; l < by_closing_.size(); ++l) by_closing_[l] = l;
    std::ranges::sort(by_closing_, [&](std::uint32_t a, std::uint32_t b) {
        const Key x = closing(a);
        const Key y = closing(b);
        return x == y ? a < b : x < y;
    });
    found_.clear();
    block_.clear();
    numbers_.clear();
    std::size_t tried = 0;
    for (std::uint32_t s = 0; s < small_.group.size(); ++s) {
        // No field borrows from the next: no entry of a child has a counter above its need.
        const Key wanted = needs_ - (small_.group[s] & shared_.closing);
        auto at =
            std::lower_bound(by_closing_.begin(), by_closing_.end(), wanted,
                             [&](std::uint32_t l, const Key& key) { return closing(l) < key; });
        for (; at != by_closing_.end() && closing(*at) == wanted; ++at) {
            if (++tried % kCheckEvery == 0) check(control);
            const Key sum = small_.group[s] + large_.group[*at];
            if (!shared_.allow(sum)) continue;
            const Key fields = sum & block_fields_;
            std::uint32_t block = numbers_.find(fields, block_);
            if (block == kNone) {
                block = static_cast<std::uint32_t>(block_.size());
                numbers_.add(block);
                block_.push_back(fields);
            }
            // While they move, both places are taken; and each has its place in the order.
            if (found_.size() == found_.capacity())
                check_bytes(static_cast<double>(found_.size()) *
                                (2.0 * sizeof(found_[0]) + sizeof(order_[0])),
                            max_bytes);
            found_.push_back({s, *at, block});
        }
    }
}

template <std::size_t Words>
void BlockJoin<Words>::sort_by_block() {
    block_begin_.assign(block_.size() + 1, 0);
    for (const GroupPair& pair : found_) ++block_begin_[pair.block + 1];
    for (std::size_t b = 1; b < block_begin_.size(); ++b) block_begin_[b] += block_begin_[b - 1];
    order_.resize(found_.size());
    for (std::size_t p = found_.size(); p-- > 0;)
        order_[--block_begin_[found_[p].block + 1]] = static_cast<std::uint32_t>(p);
    block_begin_.erase(block_begin_.begin());
    block_begin_.push_back(found_.size());
}

template <std::size_t Words>
template <class Visit>
void BlockJoin<Words>::run(Visit& visit, const Control* control) const {
    constexpr std::size_t kCheckEvery = 1 << 16;
    std::size_t pairs = 0;
    for (std::size_t b = 0; b < block_.size(); ++b) {
        if (!visit.block(block_[b])) continue;
        for (std::size_t p = block_begin_[b]; p < block_begin_[b + 1]; ++p) {
            const GroupPair& both = found_[order_[p]];
            const std::uint32_t end = large_.begin[both.large + 1];
            for (std::uint32_t i = small_.begin[both.small]; i < small_.begin[both.small + 1]; ++i)
                for (std::uint32_t j = large_.begin[both.large]; j < end; ++j) {
                    const Key product = (small_.key[i] + large_.key[j]) & keep_;
                    if (swapped_) {
                        visit.pair(large_.entry[j], small_.entry[i], product);
                    } else {
                        visit.pair(small_.entry[i], large_.entry[j], product);
                    }
                    ++pairs;
                }
            if (pairs < kCheckEvery) continue;
            pairs = 0;
            check(control);
        }
    }
}

template <std::size_t Words>
void BlockJoin<Words>::check_bytes(double more, double max_bytes) const {
    if (bytes() + more > max_bytes)
        throw CostExceeded(static_cast<double>(found_.size()), bytes() + more);
}

template <std::size_t Words>
double BlockJoin<Words>::bytes() const {
    const auto size = [](const auto& list) {
        return static_cast<double>(list.capacity()) * sizeof(list[0]);
    };
    double sum = numbers_.bytes() + size(by_closing_) + size(found_) + size(block_) +
                 size(block_begin_) + size(order_);
    for (const Side* side : {&small_, &large_})
        sum += size(side->group) + size(side->begin) + size(side->entry) + size(side->key) +
               size(side->group_of);
    return sum;
}

template <std::size_t Words>
void BlockJoin<Words>::release() {
    small_ = {};
    large_ = {};
    by_closing_ = {};
    found_ = {};
    block_ = {};
    block_begin_ = {};
    order_ = {};
    numbers_.release();
}

}  // namespace mineodds
