// The two passes; see semi_join.hpp.
#include "elimination/semi_join.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr std::size_t kLookEvery = 4096;  // new entries between two looks at the memory
constexpr EntryId kLive = 0;              // of an entry whose number is not known yet

}  // namespace

template <std::size_t Words>
struct SemiJoin<Words>::Forward {
    SemiJoin& all;
    const SupportOptions& options;
    std::size_t block_begin = 0;
    std::size_t looked = 0;

    bool block(const Key&) {
        end_block();
        all.numbers_.clear();
        return true;
    }
    // Drops what cannot be completed from the products of the block.
    void end_block() {
        auto& products = all.product_;
        if (!all.tests_.empty()) {
            const auto impossible = [&](const Key& key) {
                return std::ranges::any_of(all.tests_, [&](const SlotTest& test) {
                    return (test.allowed[key.field(test.first)] >> key.field(test.second) & 1) == 0;
                });
            };
            const auto begin = products.begin() + static_cast<std::ptrdiff_t>(block_begin);
            products.erase(std::remove_if(begin, products.end(), impossible), products.end());
        }
        block_begin = products.size();
    }
    void pair(EntryId, EntryId, const Key& key) {
        auto& products = all.product_;
        ++all.products_;
        const auto known = std::span<const Key>(products).subspan(block_begin);
        if (all.numbers_.find(key, known) != kNone) return;
        all.numbers_.add(static_cast<std::uint32_t>(known.size()));
        products.push_back(key);
        if (products.size() < looked + kLookEvery) return;
        looked = products.size();
        // While it grows, and when it is copied, it is there twice.
        all.check_memory(2.0 * static_cast<double>(products.capacity()) * sizeof(Key), options);
    }
};

template <std::size_t Words>
struct SemiJoin<Words>::Backward {
    SemiJoin& all;
    const SupportOptions& options;
    Support& support;
    const JoinNode& node;
    const Key fields;
    std::span<const Key> keys;        // of the products
    std::span<const EntryId> number;  // among the live ones
    std::size_t next = 0;             // the first product of the next block
    std::vector<Key> block_key;       // of the live products of this block
    std::vector<EntryId> block_number;

    bool block(const Key& block_is) {
        block_key.clear();
        block_number.clear();
        for (; next < keys.size() && (keys[next] & fields) == block_is; ++next) {
            if (number[next] == kNone) continue;
            block_key.push_back(keys[next]);
            block_number.push_back(number[next]);
        }
        all.numbers_.clear();
        return !block_key.empty();
    }
    void pair(EntryId left, EntryId right, const Key& key) {
        const std::uint32_t found = all.numbers_.find(key, block_key);
        if (found == kNone) return;
        all.live_[node.left][left] = all.live_[node.right][right] = kLive;
        if (support.pair.size() == support.pair.capacity()) {
            const std::size_t room = support.pair.size() / 2 + kLookEvery;
            all.check_memory(
                static_cast<double>(2 * support.pair.size() + room) * sizeof(EntryPair), options);
            support.pair.reserve(support.pair.size() + room);
        }
        support.pair.push_back({left, right, block_number[found]});
    }
};

template <std::size_t Words>
double SemiJoin<Words>::held(const Support& support) const {
    return key_bytes_ + numbers_.bytes() + static_cast<double>(product_.capacity()) * sizeof(Key) +
           static_cast<double>(support.pair.capacity()) * sizeof(EntryPair);
}

template <std::size_t Words>
void SemiJoin<Words>::check_memory(double more, const SupportOptions& options) const {
    const double bytes = key_bytes_ + join_.bytes() + numbers_.bytes() + more;
    if (bytes > options.max_memory) throw CostExceeded(static_cast<double>(products_), bytes);
}

template <std::size_t Words>
void SemiJoin<Words>::leaf_keys(const JoinTree& tree, const JoinNode& node) {
    const MineCount end = node.least + static_cast<MineCount>(node.entries);
    for (MineCount m = node.least; m < end; ++m) {
        Key key;
        for (const ScopeEntry& open : tree.scope_of(node))
            key.add(tree.slot[open.counter], static_cast<std::uint64_t>(m));
        product_.push_back(key);
    }
}

template <std::size_t Words>
void SemiJoin<Words>::find_tests(const Reduction& reduction, const JoinTree& tree, NodeId n,
                                 const SupportOptions& options) {
    tests_.clear();
    if (tree.node[n].entries < options.pair_tests_from) return;
    outside_.find_tests(reduction, tree, n, pair_tests_);
    for (const PairTest& test : pair_tests_)
        tests_.push_back({tree.slot[test.first], tree.slot[test.second], test.allowed});
}

template <std::size_t Words>
bool SemiJoin<Words>::make_keys(const Reduction& reduction, const JoinTree& tree,
                                const SupportOptions& options, const Support& support) {
    products_ = 0;
    key_bytes_ = 0.0;
    outside_.set(reduction, tree);
    table_.assign(tree.node.size(), {});
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        product_.clear();
        if (node.is_leaf()) {
            leaf_keys(tree, node);
        } else {
            join_.prepare(reduction, tree, node, table_[node.left], table_[node.right],
                          options.max_memory - held(support), options.control);
            find_tests(reduction, tree, n, options);
            Forward forward{*this, options};
            join_.run(forward, options.control);
            forward.end_block();
        }
        if (product_.empty()) return false;
        table_[n].assign(product_.begin(), product_.end());
        key_bytes_ += static_cast<double>(product_.size()) * (sizeof(Key) + sizeof(EntryId));
        check_memory(static_cast<double>(product_.capacity()) * sizeof(Key), options);
    }
    return true;
}

template <std::size_t Words>
void SemiJoin<Words>::find_live(const Reduction& reduction, const JoinTree& tree,
                                const SupportOptions& options, Support& support) {
    live_.assign(tree.node.size(), {});
    live_count_.assign(tree.node.size(), 0);
    pair_count_.assign(tree.node.size(), 0);
    for (NodeId n = 0; n < tree.node.size(); ++n) live_[n].assign(table_[n].size(), kNone);
    const auto count = [&](NodeId n) {
        for (EntryId& number : live_[n])
            if (number != kNone) number = live_count_[n]++;
    };
    live_.back().assign(table_.back().size(), kLive);
    count(static_cast<NodeId>(tree.node.size() - 1));
    for (std::size_t n = tree.node.size(); n-- > 0;) {
        const JoinNode& node = tree.node[n];
        if (node.is_leaf()) continue;
        const std::size_t first = support.pair.size();
        join_.prepare(reduction, tree, node, table_[node.left], table_[node.right],
                      options.max_memory - held(support), options.control);
        Backward backward{*this,     options,  support, node, join_.block_fields(),
                          table_[n], live_[n], 0,       {},   {}};
        join_.run(backward, options.control);
        count(node.left);
        count(node.right);
        for (std::size_t p = first; p < support.pair.size(); ++p) {
            EntryPair& pair = support.pair[p];
            pair.left = live_[node.left][pair.left];
            pair.right = live_[node.right][pair.right];
        }
        pair_count_[n] = support.pair.size() - first;
        key_bytes_ -= static_cast<double>(table_[n].size()) * (sizeof(Key) + sizeof(EntryId));
        table_[n] = {};
        live_[n] = {};
    }
}

template <std::size_t Words>
void SemiJoin<Words>::write_down(const JoinTree& tree, Support& support) {
    std::ranges::reverse(support.pair);
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        const auto begin = static_cast<EntryId>(support.entry.size());
        if (node.is_leaf()) {
            for (std::size_t i = 0; i < live_[n].size(); ++i) {
                const MineCount mines = node.least + static_cast<MineCount>(i);
                if (live_[n][i] != kNone)
                    support.entry.push_back({0, mines, static_cast<std::uint32_t>(mines)});
            }
        } else {
            for (EntryId i = 0; i < live_count_[n]; ++i) support.entry.push_back({0, -1, 0});
            const std::uint64_t first = support.node_pair.back();
            for (std::uint64_t p = first; p < first + pair_count_[n]; ++p) {
                EntryPair& pair = support.pair[p];
                pair.left += support.node_entry[node.left];
                pair.right += support.node_entry[node.right];
                pair.out += begin;
            }
        }
        support.node_entry.push_back(static_cast<EntryId>(support.entry.size()));
        support.node_pair.push_back(support.node_pair.back() + pair_count_[n]);
    }
}

template <std::size_t Words>
void SemiJoin<Words>::release() {
    table_ = {};
    live_ = {};
    product_ = {};
    join_.release();
    numbers_.release();
}

template <std::size_t Words>
void SemiJoin<Words>::build(const Reduction& reduction, const JoinTree& tree,
                            const SupportOptions& options, Support& support) {
    const struct Release {
        SemiJoin& all;
        ~Release() { all.release(); }
    } release_at_end{*this};
    support.entry.clear();
    support.pair.clear();
    support.node_entry.assign(1, 0);
    support.node_pair.assign(1, 0);
    support.root_value.clear();
    support.consistent = tree.possible() && make_keys(reduction, tree, options, support);
    if (!support.consistent) return;
    if (tree.node.empty()) return support.finish(options);
    for (const Key& key : table_.back())
        support.root_value.push_back(
            reduction.free_counter == kNone
                ? 0
                : static_cast<MineCount>(key.field(tree.slot[reduction.free_counter])));
    find_live(reduction, tree, options, support);
    write_down(tree, support);
    release();
    support.finish(options);
    support.products = products_;
    // The inner loops of an evaluation run over the right polynomial: let it be the longer.
    for (EntryPair& pair : support.pair)
        if (support.entry[pair.left].length > support.entry[pair.right].length)
            std::swap(pair.left, pair.right);
}

template class SemiJoin<1>;
template class SemiJoin<2>;
template class SemiJoin<4>;
template class SemiJoin<16>;

}  // namespace mineodds
