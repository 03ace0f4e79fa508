// The fitted model; see cost_model.hpp.
#include "elimination/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "elimination/support.hpp"

namespace mineodds {
namespace {

constexpr double kFullBox = 32.0;
constexpr double kRangePower = 0.78;
constexpr double kEvenness = 1.3;         // of the pairs over the masks; 1 at random
constexpr double kDegreesPerCell = 0.12;  // of a polynomial's length, by the cells below it
constexpr MineCount kMostInTables = 32;   // cells of counters whose ranges are kept in tables

// Of all pairs of values of a counter in two tables: what part adds up to something possible?
double selectivity(MineCount need, MineCount open, std::uint32_t left_seen,
                   std::uint32_t right_seen) {
    if (static_cast<MineCount>(left_seen + right_seen) > open) return 0.0;
    const CounterRange left = counter_range(need, open, left_seen);
    const CounterRange right = counter_range(need, open, right_seen);
    const CounterRange sum = counter_range(need, open, left_seen + right_seen);
    MineCount pairs = 0;
    for (MineCount value = left.low; value <= left.high; ++value) {
        const MineCount from = std::max(right.low, sum.low - value);
        const MineCount to = std::min(right.high, sum.high - value);
        if (to >= from) pairs += to - from + 1;
    }
    return static_cast<double>(pairs) / (left.size() * right.size());
}

// Of tables made by semi_join.hpp: what their live entries and pairs take, from what all of them
// would. The larger a board, the fewer are live: fitted to lattices that took 0.2 to 7 GiB, between
// a third and three times of what they did take.
double live_bytes(double all) {
    return 3.0e8 * std::pow(all / 6.0e8, 0.65);
}

}  // namespace

void PredictedTable::join(const PredictedTable& left, const PredictedTable& right) {
    products = std::max(1.0, left.entries * right.entries * matching);
    const double load = kEvenness * products / masks;
    if (load < 0.5) {  // there 1 - exp(-load) > load / kEvenness
        entries = products;
    } else {
        entries = load > 32.0 ? masks : std::min(products, -masks * std::expm1(-load));
    }
    cells = left.cells + right.cells;
}

double PredictedTable::bytes(std::uint32_t mask_words) const {
    const double degrees = 1.0 + kDegreesPerCell * cells;
    return products * sizeof(EntryPair) +
           entries * (sizeof(Entry) + 8.0 * mask_words + 2.0 * sizeof(EntryId) +
                      2.0 * sizeof(double) * degrees);
}

double PredictedTable::effort(const PredictedTable& left, const PredictedTable& right,
                              const UnitCosts& costs) const {
    const double multiplications =
        (1.0 + kDegreesPerCell * left.cells) * (1.0 + kDegreesPerCell * right.cells);
    return products * (1.0 + costs.multiplication * multiplications) + costs.entry * entries;
}

CostModel::Range CostModel::range_of(CounterRange values) {
    return {values.size(), std::pow(values.size(), kRangePower)};
}

CostModel::Range CostModel::range(const ScopeEntry& entry) const {
    const Kind& kind = kind_of(entry.counter);
    if (kind.range_begin == kNone) return range_of(counter_range(kind.need, kind.open, entry.seen));
    return range_[kind.range_begin + entry.seen];
}

double CostModel::matching(const Kind& kind, std::uint32_t left_seen,
                           std::uint32_t right_seen) const {
    if (kind.matching_begin == kNone)
        return costs_.matching_gain * selectivity(kind.need, kind.open, left_seen, right_seen);
    const auto row = static_cast<std::size_t>(kind.open) + 1;
    return matching_[kind.matching_begin + left_seen * row + right_seen];
}

double CostModel::masks_in(const Range& box) {
    static const double full = std::pow(kFullBox, 1.0 - kRangePower);
    return std::min(box.size, full * box.power);
}

void CostModel::set(const Reduction& reduction, const UnitCosts& costs) {
    costs_ = costs;
    kind_.clear();
    range_.clear();
    matching_.clear();
    kind_of_.resize(reduction.counter_count());
    for (CounterId c = 0; c < reduction.counter_count(); ++c) {
        const MineCount need = reduction.need[c];
        const MineCount open = reduction.open[c];
        const auto same = std::ranges::find_if(
            kind_, [&](const Kind& kind) { return kind.need == need && kind.open == open; });
        kind_of_[c] = static_cast<std::uint32_t>(same - kind_.begin());
        if (same != kind_.end()) continue;
        if (open > kMostInTables) {
            kind_.push_back({need, open, kNone, kNone});
            continue;
        }
        kind_.push_back({need, open, range_.size(), matching_.size()});
        const auto cells = static_cast<std::uint32_t>(open);
        for (std::uint32_t a = 0; a <= cells; ++a) {
            range_.push_back(range_of(counter_range(need, open, a)));
            for (std::uint32_t b = 0; b <= cells; ++b)
                matching_.push_back(costs_.matching_gain * selectivity(need, open, a, b));
        }
    }
}

void CostModel::widen(Range& box, const Range& by) {
    box.size *= by.size;
    box.power *= by.power;
}

PredictedTable CostModel::leaf(const Reduction& reduction, const JoinTree& tree,
                               const JoinNode& node) const {
    PredictedTable table;
    table.entries = node.entries;
    table.cells = reduction.size[node.right];
    Range box{1.0, 1.0};
    for (const ScopeEntry& entry : tree.scope_of(node)) widen(box, range(entry));
    table.masks = masks_in(box);
    return table;
}

PredictedTable CostModel::join(const PredictedTable& left, std::span<const ScopeEntry> left_scope,
                               const PredictedTable& right, std::span<const ScopeEntry> right_scope,
                               std::vector<ScopeEntry>& scope) const {
    PredictedTable result;
    Range box{1.0, 1.0};
    double part = 1.0;
    scope.clear();
    auto i = left_scope.begin();
    auto j = right_scope.begin();
    while (i != left_scope.end() || j != right_scope.end()) {
        if (j == right_scope.end() || (i != left_scope.end() && i->counter < j->counter)) {
            widen(box, range(*i));
            scope.push_back(*i++);
        } else if (i == left_scope.end() || j->counter < i->counter) {
            widen(box, range(*j));
            scope.push_back(*j++);
        } else {
            const Kind& kind = kind_of(i->counter);
            const ScopeEntry both{i->counter, i->seen + j->seen};
            part *= matching(kind, i->seen, j->seen);
            if (static_cast<MineCount>(both.seen) != kind.open) {
                widen(box, range(both));
                scope.push_back(both);
            }
            ++i;
            ++j;
        }
    }
    result.matching = std::min(1.0, part / costs_.matching_gain);
    result.masks = masks_in(box);
    result.join(left, right);
    return result;
}

double CostModel::predict(const Reduction& reduction, JoinTree& tree) {
    table_.resize(tree.node.size());
    double effort = 0.0;
    tree.work = 0.0;
    tree.memory = 0.0;
    tree.peak_entries = 0.0;
    for (NodeId id = 0; id < tree.node.size(); ++id) {
        JoinNode& node = tree.node[id];
        if (node.is_leaf()) {
            table_[id] = leaf(reduction, tree, node);
            continue;
        }
        const PredictedTable& left = table_[node.left];
        const PredictedTable& right = table_[node.right];
        table_[id] = join(left, tree.scope_of(tree.node[node.left]), right,
                          tree.scope_of(tree.node[node.right]), scope_);
        effort += table_[id].effort(left, right, costs_);
        node.entries = table_[id].entries;
        node.products = table_[id].products;
        tree.work += node.products;
        tree.memory += table_[id].bytes(tree.words);
        tree.peak_entries = std::max(tree.peak_entries, node.entries);
    }
    if (tree.work >= kSemiJoinFrom) tree.memory = std::min(tree.memory, live_bytes(tree.memory));
    return effort;
}

}  // namespace mineodds
