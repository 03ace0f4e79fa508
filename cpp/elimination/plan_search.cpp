// Which plans are tried, and for how long; see plan_search.hpp.
#include "elimination/plan_search.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace mineodds {
namespace {

constexpr double kSearchFrom = 0x1p17;     // products predicted for min-fill; below, it is the plan
constexpr double kPortfolioFrom = 0x1p20;  // effort from which other orders are tried
constexpr std::size_t kManyCounters = 10000;  // from where an order takes long
constexpr double kBytesPerProduct = 48.0;     // below: a pair, a third of an entry, coefficients
constexpr std::uint64_t kRestarts = 4;        // with random ties, of each kind
constexpr std::uint64_t kFewestSteps = 1024;  // of annealing in a round
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 18;  // so refusals come within a second
// A step takes about as long as 20 units of effort; a round may take an eighth of the time that the
// plan is predicted to need, all rounds together a quarter.
constexpr double kEffortPerStep = 200.0;

}  // namespace

void Planner::plan(const Reduction& reduction, const PlanOptions& options, const Control* control,
                   EliminationOrder& order, JoinTree& tree) {
    finder_.min_fill(reduction, order);
    if (reduction.counter_count() > kManyCounters) check(control);
    tree.build(reduction, order);
    const bool forced = options.kind > PlanKind::min_fill;
    modelled_ = tree.work > kSearchFrom || forced;
    if (modelled_) model_.set(reduction);
    if (!modelled_ || options.kind == PlanKind::min_fill) return;
    if (options.kind == PlanKind::best) {
        search(reduction, control, tree);
    } else if (options.kind == PlanKind::linear) {
        linear(reduction, tree);
    } else {
        annealer_.anneal(reduction, model_, kFewestSteps, 1, control, tree);
    }
    // The counters in the order in which they close are an elimination order of this tree.
    order.counter = tree.closing;
    order.width = tree.width;
}

void Planner::predict(const Reduction& reduction, JoinTree& tree) {
    if (!modelled_ && tree.work <= kSearchFrom) {
        tree.memory = tree.work * kBytesPerProduct;
        return;
    }
    if (!modelled_) model_.set(reduction);
    model_.predict(reduction, tree);
}

void Planner::consider(const Reduction& reduction, JoinTree& tree) {
    const double effort = model_.predict(reduction, tree);
    if (effort >= second_.effort) return;
    second_.tree = tree;
    second_.effort = effort;
    if (second_.effort < best_.effort) std::swap(best_, second_);
}

double Planner::anneal(const Reduction& reduction, std::uint64_t steps, std::uint64_t seed,
                       const Control* control, Candidate& candidate) {
    annealer_.anneal(reduction, model_, steps, seed, control, candidate.tree);
    candidate.effort = model_.predict(reduction, candidate.tree);
    return candidate.effort;
}

void Planner::search(const Reduction& reduction, const Control* control, JoinTree& tree) {
    best_.effort = second_.effort = std::numeric_limits<double>::infinity();
    consider(reduction, tree);
    const bool portfolio = best_.effort > kPortfolioFrom;
    if (portfolio) {
        EliminationOrder order;
        for (std::uint64_t i = 0; i < 2 * kRestarts; ++i) {
            check(control);
            finder_.min_fill_lists(reduction, {.seed = i / 2, .weighted = i % 2 != 0}, order);
            tree.build(reduction, order);
            consider(reduction, tree);
        }
        linear(reduction, tree);
        consider(reduction, tree);
    }
    std::uint64_t steps = kFewestSteps;
    const auto affordable = [&] {
        return steps <= kMostSteps && static_cast<double>(steps) * kEffortPerStep <= best_.effort;
    };
    if (portfolio && affordable()) {
        if (anneal(reduction, steps, 1, control, second_) <
            anneal(reduction, steps, 2, control, best_))
            std::swap(best_, second_);
        steps *= 2;
    }
    for (std::uint64_t seed = 3; affordable(); ++seed, steps *= 2)
        anneal(reduction, steps, seed, control, best_);
    std::swap(tree, best_.tree);
}

void Planner::linear(const Reduction& reduction, JoinTree& tree) {
    tree.clear();
    std::vector<NodeId> leaf(reduction.variable_count());
    std::vector<PredictedTable> table(reduction.variable_count());
    std::vector<std::vector<VariableId>> variables(reduction.counter_count());
    for (VariableId v = 0; v < reduction.variable_count(); ++v) {
        leaf[v] = tree.add_leaf(reduction, v);
        table[v] = model_.leaf(reduction, tree, tree.node[leaf[v]]);
        for (const CounterId c : reduction.counters_of(v)) variables[c].push_back(v);
    }
    std::vector<bool> joined(reduction.variable_count(), false);
    std::vector<VariableId> near;
    VariableId next_apart = 0;
    NodeId whole = kNone;
    PredictedTable whole_table;
    for (std::size_t count = 0; count < reduction.variable_count(); ++count) {
        near.clear();
        if (whole != kNone)
            for (const ScopeEntry& open : tree.scope_of(tree.node[whole]))
                for (const VariableId v : variables[open.counter])
                    if (!joined[v]) near.push_back(v);
        if (near.empty()) {
            while (joined[next_apart]) ++next_apart;
            near.push_back(next_apart);
        }
        VariableId chosen = near.front();
        if (whole == kNone) {
            whole = leaf[chosen];
            whole_table = table[chosen];
        } else {
            PredictedTable smallest;
            smallest.entries = std::numeric_limits<double>::infinity();
            for (const VariableId v : near) {
                const PredictedTable product =
                    model_.join(whole_table, tree.scope_of(tree.node[whole]), table[v],
                                tree.scope_of(tree.node[leaf[v]]), scope_);
                if (product.entries >= smallest.entries) continue;
                smallest = product;
                chosen = v;
            }
            whole = tree.add_join(reduction, whole, leaf[chosen]);
            whole_table = smallest;
        }
        joined[chosen] = true;
    }
}

}  // namespace mineodds
