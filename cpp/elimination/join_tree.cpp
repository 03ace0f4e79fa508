// Building and costing of join trees; see join_tree.hpp.
#include "elimination/join_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace mineodds {
namespace {

// Among left.size() * right.size() pairs of values of a shared counter: how many add up to a
// possible value?
double matching_pairs(CounterRange left, CounterRange right, CounterRange sum) {
    MineCount pairs = 0;
    for (MineCount value = left.low; value <= left.high; ++value) {
        const MineCount from = std::max(right.low, sum.low - value);
        const MineCount to = std::min(right.high, sum.high - value);
        if (to >= from) pairs += to - from + 1;
    }
    return static_cast<double>(pairs);
}

// Of the values of a variable of so many cells: those that its counter c allows.
void narrow(CounterRange& values, const Reduction& reduction, CounterId c, std::uint32_t size) {
    const CounterRange range = counter_range(reduction.need[c], reduction.open[c], size);
    values.low = std::max(values.low, range.low);
    values.high = std::min(values.high, range.high);
}

}  // namespace

void JoinTree::clear() {
    node.clear();
    scope.clear();
    closing.clear();
    work = 0.0;
    peak_entries = 0.0;
    width = 0;
    possible_ = true;
}

NodeId JoinTree::finish_node(JoinNode n) {
    n.scope_end = static_cast<std::uint32_t>(scope.size());
    n.closing_end = static_cast<std::uint32_t>(closing.size());
    work += n.products;
    peak_entries = std::max(peak_entries, n.entries);
    width = std::max(width, n.scope_end - n.scope_begin);
    node.push_back(n);
    return static_cast<NodeId>(node.size() - 1);
}

NodeId JoinTree::add_leaf(const Reduction& reduction, VariableId variable) {
    JoinNode n;
    n.right = variable;
    n.scope_begin = static_cast<std::uint32_t>(scope.size());
    n.closing_begin = static_cast<std::uint32_t>(closing.size());
    const std::uint32_t size = reduction.size[variable];
    CounterRange values{0, static_cast<MineCount>(size)};
    for (const CounterId c : reduction.counters_of(variable)) {
        narrow(values, reduction, c, size);
        if (static_cast<MineCount>(size) == reduction.open[c]) {
            closing.push_back(c);
        } else {
            scope.push_back({c, size});
        }
    }
    if (values.high < values.low) possible_ = false;
    n.least = values.low;
    n.entries = std::max(values.size(), 0.0);
    return finish_node(n);
}

NodeId JoinTree::add_join(const Reduction& reduction, NodeId left, NodeId right) {
    JoinNode n;
    n.left = left;
    n.right = right;
    n.scope_begin = static_cast<std::uint32_t>(scope.size());
    n.closing_begin = static_cast<std::uint32_t>(closing.size());
    std::uint32_t i = node[left].scope_begin;
    std::uint32_t j = node[right].scope_begin;
    const std::uint32_t i_end = node[left].scope_end;
    const std::uint32_t j_end = node[right].scope_end;
    double selectivity = 1.0;
    double box = 1.0;  // the entries if all values of the open counters could occur together
    while (i != i_end || j != j_end) {
        if (j == j_end || (i != i_end && scope[i].counter < scope[j].counter)) {
            const ScopeEntry entry = scope[i++];
            scope.push_back(entry);
            box *= counter_range(reduction.need[entry.counter], reduction.open[entry.counter],
                                 entry.seen)
                       .size();
        } else if (i == i_end || scope[j].counter < scope[i].counter) {
            const ScopeEntry entry = scope[j++];
            scope.push_back(entry);
            box *= counter_range(reduction.need[entry.counter], reduction.open[entry.counter],
                                 entry.seen)
                       .size();
        } else {
            const CounterId c = scope[i].counter;
            const std::uint32_t seen = scope[i].seen + scope[j].seen;
            const CounterRange a =
                counter_range(reduction.need[c], reduction.open[c], scope[i].seen);
            const CounterRange b =
                counter_range(reduction.need[c], reduction.open[c], scope[j].seen);
            const CounterRange sum = counter_range(reduction.need[c], reduction.open[c], seen);
            selectivity *= matching_pairs(a, b, sum) / (a.size() * b.size());
            if (static_cast<MineCount>(seen) == reduction.open[c]) {
                closing.push_back(c);
            } else {
                scope.push_back({c, seen});
                box *= sum.size();
            }
            ++i;
            ++j;
        }
    }
    n.products = std::max(1.0, node[left].entries * node[right].entries * selectivity);
    n.entries = std::min(box, n.products);
    return finish_node(n);
}

void JoinTree::build(const Reduction& reduction, const EliminationOrder& order) {
    clear();
    auto& position = scratch_.position;
    auto& head = scratch_.head;
    auto& next = scratch_.next;
    auto& bucket = scratch_.bucket;
    auto& roots = scratch_.roots;
    const auto counters = static_cast<std::uint32_t>(reduction.counter_count());
    position.assign(counters, kNone);  // the free counter has none
    const auto eliminated = static_cast<std::uint32_t>(order.counter.size());
    for (std::uint32_t i = 0; i < eliminated; ++i) position[order.counter[i]] = i;
    head.assign(counters, kNone);
    next.clear();
    roots.clear();
    // A table waits in the bucket of the first of its counters to be eliminated.
    const auto file = [&](NodeId id) {
        std::uint32_t first = kNone;
        for (const ScopeEntry& entry : scope_of(node[id]))
            first = std::min(first, position[entry.counter]);
        next.resize(node.size());
        if (first == kNone) {
            roots.push_back(id);
        } else {
            next[id] = head[first];
            head[first] = id;
        }
    };
    for (VariableId v = 0; v < reduction.variable_count(); ++v) file(add_leaf(reduction, v));
    for (std::uint32_t i = 0; i < eliminated; ++i) {
        bucket.clear();
        for (NodeId id = head[i]; id != kNone; id = next[id]) bucket.push_back(id);
        if (bucket.empty()) continue;  // closed with an earlier counter
        std::ranges::sort(bucket, [&](NodeId a, NodeId b) {
            return node[a].entries != node[b].entries ? node[a].entries < node[b].entries : a < b;
        });
        NodeId joined = bucket[0];
        for (std::size_t k = 1; k < bucket.size(); ++k)
            joined = add_join(reduction, joined, bucket[k]);
        file(joined);
    }
    // Components meet only through the total: their polynomials are multiplied, neighbours first,
    // halving the count each round.
    while (roots.size() > 1) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < roots.size(); k += 2)
            roots[kept++] =
                k + 1 < roots.size() ? add_join(reduction, roots[k], roots[k + 1]) : roots[k];
        roots.resize(kept);
    }
}

void JoinTree::assign_slots(const Reduction& reduction) {
    slot.assign(reduction.counter_count(), Slot{});
    words = 1;
    auto& used = scratch_.used;
    const auto assign = [&](CounterId c) {
        const std::uint8_t needed = slot_width(reduction.need[c]);
        std::uint32_t word = 0;
        std::uint64_t room = 0;  // bits at which so many free ones start
        for (;; ++word) {
            if (word == used.size()) used.push_back(0);
            room = ~used[word];
            for (int bit = 1; bit < needed; ++bit) room &= ~used[word] >> bit;
            if (room != 0) break;
        }
        const int shift = std::countr_zero(room);
        used[word] |= ((std::uint64_t{1} << needed) - 1) << shift;
        slot[c] = {static_cast<std::uint16_t>(word), static_cast<std::uint8_t>(shift), needed};
        words = std::max(words, word + 1);
    };
    used.assign(1, 0);
    if (reduction.free_counter != kNone) assign(reduction.free_counter);
    for (std::size_t id = node.size(); id-- > 0;) {
        const JoinNode& n = node[id];
        if (n.closing_begin == n.closing_end || n.is_leaf()) continue;
        used.assign(words, 0);
        for (const ScopeEntry& entry : scope_of(n)) {
            const Slot s = slot[entry.counter];
            used[s.word] |= ((std::uint64_t{1} << s.width) - 1) << s.shift;
        }
        for (const CounterId c : closing_of(n)) assign(c);
    }
}

}  // namespace mineodds
