// Which plans are tried, and for how long; see plan_search.hpp.
#include "elimination/plan_search.hpp"

#include <algorithm>
#include <cmath>
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
constexpr std::size_t kFewCandidates = 2;
// Costly boards, whose tables are made by semi_join.hpp.
constexpr double kCostlyFrom = 0x1p26;  // effort
constexpr std::size_t kMostCandidates = 8;
constexpr std::uint64_t kFewestCostlySteps = std::uint64_t{1} << 14;
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 21;
// Twice the steps make a plan so much cheaper at the best: what is dearer than that would bring
// below the budget is refused without taking them.
constexpr double kGainOfTwiceTheSteps = 1.25;
// A step takes about as long as 20 units of effort; a round may take an eighth of the time that the
// plan is predicted to need, all rounds together a quarter.
constexpr double kEffortPerStep = 200.0;

}  // namespace

void Planner::plan(const Reduction& reduction, const PlanOptions& options, const Control* control,
                   EliminationOrder& order, JoinTree& tree) {
    finder_.min_fill(reduction, order, control);
    if (reduction.counter_count() > kManyCounters) check(control);
    tree.build(reduction, order);
    const bool forced = options.kind > PlanKind::min_fill;
    modelled_ = tree.work > kSearchFrom || forced;
    if (modelled_) model_.set(reduction);
    if (!modelled_ || options.kind == PlanKind::min_fill) return;
    if (options.kind == PlanKind::best) {
        search(reduction, options, control, tree);
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

void Planner::consider(const Reduction& reduction, const JoinTree& tree) {
    field_.push_back({tree, 0.0});
    field_.back().effort = model_.predict(reduction, field_.back().tree);
    sort_field();
    if (field_.size() > kMostCandidates) field_.pop_back();
}

void Planner::sort_field() {
    std::ranges::stable_sort(field_, {}, &Candidate::effort);
}

void Planner::anneal(const Reduction& reduction, std::uint64_t steps, const Control* control,
                     Candidate& candidate) {
    annealer_.anneal(reduction, model_, steps, ++seed_, control, candidate.tree);
    candidate.effort = model_.predict(reduction, candidate.tree);
}

void Planner::search(const Reduction& reduction, const PlanOptions& options, const Control* control,
                     JoinTree& tree) {
    field_.clear();
    seed_ = 0;
    consider(reduction, tree);
    const bool portfolio = field_.front().effort > kPortfolioFrom;
    if (portfolio) {
        EliminationOrder order;
        for (std::uint64_t i = 0; i < 2 * kRestarts; ++i) {
            check(control);
            finder_.min_fill_lists(
                reduction, {.seed = i / 2, .weighted = i % 2 != 0, .control = control}, order);
            tree.build(reduction, order);
            consider(reduction, tree);
        }
        linear(reduction, tree);
        consider(reduction, tree);
    }
    const bool costly = field_.front().effort > kCostlyFrom;
    if (costly) {
        model_.set(reduction, kCostlyCosts);
        for (Candidate& candidate : field_)
            candidate.effort = model_.predict(reduction, candidate.tree);
        sort_field();
    } else {
        field_.resize(std::min(field_.size(), kFewCandidates));
    }
    const auto affordable = [&](std::uint64_t steps) {
        return static_cast<double>(steps) * kEffortPerStep <= field_.front().effort;
    };
    std::uint64_t steps = costly ? kFewestCostlySteps : kFewestSteps;
    for (; field_.size() > 1 && affordable(steps); steps *= 2) {
        for (Candidate& candidate : field_) anneal(reduction, steps, control, candidate);
        sort_field();
        field_.resize(field_.size() / 2);
    }
    const auto hopeful = [&] {
        if (!costly) return true;
        const JoinTree& best = field_.front().tree;
        const double less =
            std::pow(kGainOfTwiceTheSteps,
                     std::log2(static_cast<double>(kMostSteps) / static_cast<double>(steps)) + 1.0);
        return best.work <= options.max_work * less && best.memory <= options.max_memory * less;
    };
    for (; steps <= kMostSteps && affordable(steps) && hopeful(); steps *= 2)
        anneal(reduction, steps, control, field_.front());
    std::swap(tree, field_.front().tree);
    field_.clear();
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
