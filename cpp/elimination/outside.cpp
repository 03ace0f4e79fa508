// Enumeration of the variables around two counters; see outside.hpp.
#include "elimination/outside.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace mineodds {
namespace {

constexpr double kMostSettings = 4096.0;  // of the variables around two counters

}  // namespace

void Outside::set(const Reduction& reduction, const JoinTree& tree) {
    const std::size_t nodes = tree.node.size();
    place_.assign(reduction.variable_count(), 0);
    first_leaf_.assign(nodes, 0);
    end_leaf_.assign(nodes, 0);
    // Leaves below, then from the root down where they begin.
    for (NodeId n = 0; n < nodes; ++n) {
        const JoinNode& node = tree.node[n];
        end_leaf_[n] = node.is_leaf() ? 1 : end_leaf_[node.left] + end_leaf_[node.right];
    }
    for (std::size_t n = nodes; n-- > 0;) {
        const JoinNode& node = tree.node[n];
        const std::uint32_t begin = first_leaf_[n];
        if (node.is_leaf()) {
            place_[node.right] = begin;
        } else {
            first_leaf_[node.left] = begin;
            first_leaf_[node.right] = begin + end_leaf_[node.left];
        }
        end_leaf_[n] += begin;
    }
    start_.assign(reduction.counter_count() + 1, 0);
    for (const CounterId c : reduction.counter) ++start_[c + 1];
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    variable_.resize(reduction.counter.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (VariableId v = 0; v < reduction.variable_count(); ++v)
        for (const CounterId c : reduction.counters_of(v)) variable_[next[c]++] = v;
    seen_.assign(reduction.counter_count(), 0);
    around_of_.assign(reduction.counter_count(), kNone);
}

void Outside::find_tests(const Reduction& reduction, const JoinTree& tree, NodeId n,
                         std::vector<PairTest>& tests) {
    tests.clear();
    pair_.clear();
    const auto scope = tree.scope_of(tree.node[n]);
    for (const ScopeEntry& open : scope) seen_[open.counter] = open.seen;
    const auto usable = [&](CounterId c) {
        return c != reduction.free_counter && reduction.need[c] <= PairTest::kLargestNeed;
    };
    for (const ScopeEntry& open : scope) {
        if (!usable(open.counter)) continue;
        for (std::uint32_t i = start_[open.counter]; i < start_[open.counter + 1]; ++i) {
            if (below(n, variable_[i])) continue;
            for (const CounterId other : reduction.counters_of(variable_[i]))
                if (other > open.counter && seen_[other] != 0 && usable(other))
                    pair_.emplace_back(open.counter, other);
        }
    }
    std::ranges::sort(pair_);
    pair_.erase(std::unique(pair_.begin(), pair_.end()), pair_.end());
    std::vector<std::pair<double, PairTest>> found;
    for (const auto& [first, second] : pair_) {
        PairTest test_of{first, second, {}};
        if (!test(reduction, tree, n, test_of)) continue;
        const CounterRange rows =
            counter_range(reduction.need[first], reduction.open[first], seen_[first]);
        const CounterRange columns =
            counter_range(reduction.need[second], reduction.open[second], seen_[second]);
        int possible = 0;
        for (MineCount x = rows.low; x <= rows.high; ++x)
            possible += std::popcount(test_of.allowed[static_cast<std::size_t>(x)]);
        const double share = possible / (rows.size() * columns.size());
        if (share < 1.0) found.emplace_back(share, test_of);
    }
    std::ranges::stable_sort(found, {}, [](const auto& scored) { return scored.first; });
    for (const auto& [share, test_of] : found) tests.push_back(test_of);
    for (const ScopeEntry& open : scope) seen_[open.counter] = 0;
}

bool Outside::test(const Reduction& reduction, const JoinTree&, NodeId n, PairTest& result) {
    chosen_.clear();
    double settings = 1.0;
    for (const CounterId c : {result.first, result.second})
        for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) {
            const VariableId v = variable_[i];
            if (below(n, v) || std::ranges::find(chosen_, v) != chosen_.end()) continue;
            chosen_.push_back(v);
            settings *= 1.0 + reduction.size[v];
        }
    if (settings > kMostSettings) return false;
    around_.clear();
    around_counter_.clear();
    for (const VariableId v : chosen_)
        for (const CounterId c : reduction.counters_of(v)) {
            if (c == reduction.free_counter) continue;
            if (around_of_[c] == kNone) {
                around_of_[c] = static_cast<std::uint32_t>(around_.size());
                around_counter_.push_back(c);
                const CounterRange range =
                    counter_range(reduction.need[c], reduction.open[c], seen_[c]);
                around_.push_back({reduction.need[c] - range.low,
                                   reduction.need[c] - range.high -
                                       (reduction.open[c] - static_cast<MineCount>(seen_[c])),
                                   0});
            }
            around_[around_of_[c]].least += static_cast<MineCount>(reduction.size[v]);
        }
    enumerate(reduction, 0, result,
              counter_range(reduction.need[result.first], reduction.open[result.first],
                            seen_[result.first]),
              counter_range(reduction.need[result.second], reduction.open[result.second],
                            seen_[result.second]));
    for (const CounterId c : around_counter_) around_of_[c] = kNone;
    return true;
}

void Outside::enumerate(const Reduction& reduction, std::size_t next, PairTest& result,
                        CounterRange first, CounterRange second) {
    if (next == chosen_.size()) {
        for (const Around& around : around_)
            if (around.mines < around.least) return;
        const MineCount x = reduction.need[result.first] - around_[around_of_[result.first]].mines;
        const MineCount y =
            reduction.need[result.second] - around_[around_of_[result.second]].mines;
        if (x < first.low || x > first.high || y < second.low || y > second.high) return;
        result.allowed[static_cast<std::size_t>(x)] |=
            static_cast<std::uint16_t>(1U << static_cast<unsigned>(y));
        return;
    }
    const VariableId v = chosen_[next];
    const auto size = static_cast<MineCount>(reduction.size[v]);
    const auto add = [&](MineCount mines) {
        bool possible = true;
        for (const CounterId c : reduction.counters_of(v)) {
            if (c == reduction.free_counter) continue;
            Around& around = around_[around_of_[c]];
            around.mines += mines;
            possible = possible && around.mines <= around.most;
        }
        return possible;
    };
    MineCount mines = 0;
    for (; mines <= size; ++mines) {
        if (mines > 0 && !add(1)) {
            break;
        }
        enumerate(reduction, next + 1, result, first, second);
    }
    add(-std::min(mines, size));
}

}  // namespace mineodds
