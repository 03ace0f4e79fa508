// The engine's steps in order, and the last step of each evaluation: totals and marginals. See
// inference.hpp.
#include "elimination/inference.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>

#include "coefficients/binomial.hpp"
#include "words/errors.hpp"

namespace mineodds {
namespace {

// Tables whose values stay within 2^+-this need no scale; and with weights that are no further
// apart, no product of values and a weight leaves the range of doubles.
constexpr double kSafeRange = 300.0;

// How many powers of two the weights are apart, with the tilt divided out.
double spread(const TotalWeights& weights) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t largest = std::numeric_limits<std::int64_t>::min();
    std::int64_t tilt = 0;
    for (const WideDouble& weight : weights.weight) {
        if (weight.mantissa != 0.0) {
            least = std::min(least, weight.exponent - tilt);
            largest = std::max(largest, weight.exponent - tilt);
        }
        tilt += weights.tilt;
    }
    return static_cast<double>(largest) - static_cast<double>(least);
}

WideDouble to_wide(const Doubles&, double a) {
    return Wide::make(a, 0);
}
WideDouble to_wide(const Wide&, WideDouble a) {
    return a;
}
double from_wide(const Doubles&, WideDouble a) {
    // Far below the smallest double ldexp gives 0 and raises the underflow flag, which RangeWatch
    // sees.
    const auto bounded = std::clamp<std::int64_t>(a.exponent, -100000, 100000);
    return std::ldexp(a.mantissa, static_cast<int>(bounded));
}
WideDouble from_wide(const Wide&, WideDouble a) {
    return a;
}

constexpr std::size_t kManyCounters = 4096;

// mine / (mine + safe): exactly 0 or 1 only when one side is empty, else strictly between.
double probability_of(WideDouble mine, WideDouble safe) {
    if (mine.mantissa == 0.0) return 0.0;
    if (safe.mantissa == 0.0) return 1.0;
    const WideDouble all = Wide().add(mine, safe);
    const std::int64_t shift = std::max<std::int64_t>(mine.exponent - all.exponent, -2000);
    const double ratio = std::ldexp(mine.mantissa / all.mantissa, static_cast<int>(shift));
    return std::clamp(ratio, std::numeric_limits<double>::denorm_min(), 1.0 - 0x1p-53);
}

double probability_of(double mine, double safe) {
    if (mine == 0.0) return 0.0;
    if (safe == 0.0) return 1.0;
    return std::clamp(mine / (mine + safe), std::numeric_limits<double>::denorm_min(),
                      1.0 - 0x1p-53);
}

}  // namespace

int tilt_for(std::int64_t mines, std::int64_t cells) {
    const double odds =
        (static_cast<double>(mines) + 0.5) / (static_cast<double>(cells - mines) + 0.5);
    return odds > 0.0 ? static_cast<int>(std::lround(std::log2(odds))) : 0;
}

bool Inference::prepare(const Budget& budget, const Control* control, const PlanOptions& options,
                        const MineWindow& window) {
    // Steps without checks of their own: milliseconds, but on boards of a million cells far more.
    const Control* const between = reduction.counter_count() > kManyCounters ? control : nullptr;
    check(between);
    PlanOptions within = options;
    within.max_work = budget.max_work;
    within.max_memory = budget.max_memory;
    planner_.plan(reduction, within, control, order, tree);
    check(between);
    if (reduction.free_counter != kNone) rooting_.hang_from_counted(reduction, tree);
    tree.assign_slots(reduction);
    tree.words = std::max(tree.words, options.mask_words);
    planner_.predict(reduction, tree);
    max_memory_ = budget.max_memory;
    if (tree.work > budget.max_work || tree.memory > budget.max_memory)
        throw CostExceeded(tree.work, tree.memory);
    SupportOptions how{.max_memory = budget.max_memory, .window = window, .control = control};
    if (options.semi_joins) how.semi_join_from = how.pair_tests_from = 0.0;
    builder_.build(reduction, tree, how, support);
    if (support.consistent) check_memory(memory());
    if (support.consistent) find_mine_counts();
    check(between);
    return support.consistent;
}

void Inference::check_memory(double bytes) const {
    if (bytes > max_memory_) throw CostExceeded(static_cast<double>(support.products), bytes);
}

void Inference::find_mine_counts() {
    least_mines_ = 0;
    mine_counts_ = 1;
    if (tree.node.empty()) return;
    MineCount most = 0;
    least_mines_ = support.entry[support.root_begin()].low;
    for (EntryId e = support.root_begin(); e < support.root_end(); ++e) {
        const Entry& root = support.entry[e];
        least_mines_ = std::min(least_mines_, root.low);
        most = std::max(most, root.low + static_cast<MineCount>(root.length) - 1);
    }
    mine_counts_ = static_cast<std::size_t>(most - least_mines_ + 1);
}

template <class Ring>
void Inference::find_root_counts(const Ring& ring, Evaluator<Ring>& evaluator) const {
    auto& count = evaluator.root_count;
    count.assign(mine_counts_, ring.zero());
    for (EntryId e = support.root_begin(); e < support.root_end(); ++e) {
        const Entry& root = support.entry[e];
        auto* const target = count.data() + (root.low - least_mines_);
        for (std::uint32_t k = 0; k < root.length; ++k)
            target[k] = ring.add(target[k], evaluator.value[root.offset + k]);
    }
}

double Inference::memory() const {
    return support.bytes() + 2.0 * sizeof(double) * static_cast<double>(support.coefficients);
}

template <class Ring>
void Inference::evaluate_in(const Ring& ring, Evaluator<Ring>& evaluator,
                            const TotalWeights& weights, bool scaling, const Control* control,
                            Marginals& result) {
    using Value = typename Ring::Value;
    const std::size_t counts = mine_counts();

    // Weights with the tilt divided out, over the largest of them.
    const auto untilted = [&](std::size_t k) {
        WideDouble weight = weights.weight[k];
        weight.exponent -= weights.tilt * (least_mines() + static_cast<std::int64_t>(k));
        return weight;
    };
    std::int64_t largest = std::numeric_limits<std::int32_t>::min();  // no weight is that small
    for (std::size_t k = 0; k < counts; ++k)
        if (weights.weight[k].mantissa != 0.0) largest = std::max(largest, untilted(k).exponent);
    auto& root_adjoint = evaluator.root_adjoint;
    root_adjoint.assign(counts, ring.zero());
    for (std::size_t k = 0; k < counts; ++k) {
        WideDouble weight = untilted(k);
        if (weight.mantissa == 0.0) continue;
        weight.exponent -= largest;
        root_adjoint[k] = from_wide(ring, weight);
    }

    const Value one = from_wide(ring, Wide::make(1.0, 0));
    Value total = ring.zero();
    Value deep_mine = ring.zero();
    Value deep_safe = ring.zero();
    const auto count_total = [&](Value configurations, std::size_t k) {
        const Value mass = ring.multiply(configurations, root_adjoint[k]);
        total = ring.add(total, mass);
        const double share = weights.deep_share[k];
        deep_mine = ring.add(deep_mine, ring.multiply(mass, ring.from_double(share)));
        deep_safe = ring.add(deep_safe, ring.multiply(mass, ring.from_double(1.0 - share)));
    };
    result.probability.assign(reduction.variable_count(), 0.0);  // no total fits: all of them
    std::int64_t exponent = largest;
    if (tree.node.empty()) {
        count_total(one, 0);
    } else {
        const Value tilt = from_wide(ring, Wide::make(1.0, weights.tilt));
        evaluator.collect(ring, one, tilt, reduction, tree, support, scaling, control);
        find_root_counts(ring, evaluator);
        for (std::size_t k = 0; k < counts; ++k) count_total(evaluator.root_count[k], k);
        exponent += evaluator.root_exponent;
        if (!ring.is_zero(total)) {
            evaluator.distribute(ring, tree, support, scaling, control, least_mines_);
            for (NodeId n = 0; n < tree.node.size(); ++n) {
                if (!tree.node[n].is_leaf()) continue;
                const VariableId variable = tree.node[n].right;
                const std::uint32_t size = reduction.size[variable];
                Value mine = ring.zero();
                Value safe = ring.zero();
                for (EntryId e = support.node_entry[n]; e < support.node_entry[n + 1]; ++e) {
                    const Entry& entry = support.entry[e];
                    if constexpr (std::same_as<Ring, Wide>) {
                        if (evaluator.polynomials != nullptr) {
                            const auto [with, without] = evaluator.polynomials->mine_and_safe(
                                reduction, variable, entry.low);
                            const Value adjoint = evaluator.adjoint[entry.offset];
                            mine = ring.add(mine, ring.multiply(with, adjoint));
                            safe = ring.add(safe, ring.multiply(without, adjoint));
                            continue;
                        }
                    }
                    const Value mass = ring.multiply(evaluator.value[entry.offset],
                                                     evaluator.adjoint[entry.offset]);
                    mine = ring.add(mine, ring.multiply(mass, ring.from_double(entry.low)));
                    safe = ring.add(
                        safe, ring.multiply(
                                  mass, ring.from_double(static_cast<double>(size) - entry.low)));
                }
                result.probability[variable] = probability_of(mine, safe);
            }
        }
    }
    result.total = to_wide(ring, total);
    if (result.total.mantissa != 0.0) result.total.exponent += exponent;
    result.deep_probability = probability_of(deep_mine, deep_safe);
}

void Inference::evaluate(const TotalWeights& weights, const Control* control, Marginals& result) {
    if (weights_of_cells != nullptr) {
        const Wide ring;
        ClassPolynomials<Wide> polynomials(ring, Wide::make(1.0, 0), *weights_of_cells);
        wide_.polynomials = &polynomials;
        evaluate_in(ring, wide_, weights, false, control, result);
        wide_.polynomials = nullptr;
        return;
    }
    const double per_cell = 1.0 + 2.0 * std::abs(weights.tilt);
    const double range = per_cell * static_cast<double>(reduction.cell.size());
    if (range <= kSafeRange && spread(weights) <= kSafeRange) {
        evaluate_in(Doubles{}, doubles_, weights, false, control, result);
        return;
    }
    const RangeWatch watch;
    evaluate_in(Doubles{}, doubles_, weights, range > kSafeRange, control, result);
    if (!watch.lost()) return;
    check_memory(memory() + 2.0 * sizeof(WideDouble) * static_cast<double>(support.coefficients));
    evaluate_in(Wide{}, wide_, weights, false, control, result);
}

void Inference::evaluate_modular(std::uint64_t prime, const std::vector<std::uint64_t>& weight,
                                 const Control* control, Residues& result) {
    const Modular ring(prime);
    const Modular::Value one = ring.from_integer(1);
    const std::size_t counts = mine_counts();
    auto& root_adjoint = modular_.root_adjoint;
    root_adjoint.resize(counts);
    for (std::size_t k = 0; k < counts; ++k) root_adjoint[k] = ring.from_integer(weight[k]);
    result.count.assign(counts, 0);
    result.mine.assign(reduction.variable_count(), 0);
    std::optional<ClassPolynomials<Modular>> polynomials;
    Modular::Value settled_weight = one;
    if (weights_of_cells != nullptr) {
        polynomials.emplace(ring, one, *weights_of_cells);
        settled_weight = polynomials->settled(settled.state);
        for (auto& root : root_adjoint) root = ring.multiply(root, settled_weight);
    }
    if (tree.node.empty()) {
        result.count[0] = ring.to_integer(settled_weight);
        result.total = ring.to_integer(root_adjoint[0]);
        return;
    }
    modular_.polynomials = polynomials ? &*polynomials : nullptr;
    modular_.collect(ring, one, one, reduction, tree, support, false, control);
    modular_.polynomials = nullptr;
    find_root_counts(ring, modular_);
    const auto& configurations = modular_.root_count;
    Modular::Value total = ring.zero();
    for (std::size_t k = 0; k < counts; ++k) {
        result.count[k] = ring.to_integer(ring.multiply(configurations[k], settled_weight));
        total = ring.add(total, ring.multiply(configurations[k], root_adjoint[k]));
    }
    result.total = ring.to_integer(total);
    modular_.distribute(ring, tree, support, false, control, least_mines_);
    std::vector<std::vector<Modular::Value>> with_mine(
        1);  // by size: C(size - 1, m), for one cell known to be a mine
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        if (!tree.node[n].is_leaf()) continue;
        const VariableId variable = tree.node[n].right;
        const std::uint32_t size = reduction.size[variable];
        if (with_mine.size() <= size) with_mine.resize(size + 1);
        if (!polynomials && with_mine[size].empty())
            binomial_row(ring, one, size - 1, size - 1, with_mine[size]);
        Modular::Value mine = ring.zero();
        for (EntryId e = support.node_entry[n]; e < support.node_entry[n + 1]; ++e) {
            const Entry& entry = support.entry[e];
            if (entry.low == 0) continue;
            const Modular::Value weight_with_mine =
                polynomials ? polynomials->mine_and_safe(reduction, variable, entry.low).first
                            : with_mine[size][static_cast<std::size_t>(entry.low) - 1];
            mine = ring.add(mine, ring.multiply(weight_with_mine, modular_.adjoint[entry.offset]));
        }
        result.mine[variable] = ring.to_integer(mine);
    }
}

template <class Ring>
std::vector<typename Ring::Value> Inference::fill_table(const Ring& ring,
                                                        Evaluator<Ring>& evaluator,
                                                        typename Ring::Value one, std::size_t rows,
                                                        const Control* control) {
    std::vector<typename Ring::Value> table(rows * mine_counts_, ring.zero());
    std::optional<ClassPolynomials<Ring>> polynomials;
    if (weights_of_cells != nullptr) polynomials.emplace(ring, one, *weights_of_cells);
    const auto scale = [&] {
        if (!polynomials) return;
        const auto factor = polynomials->settled(settled.state);
        for (auto& count : table) count = ring.multiply(count, factor);
    };
    if (tree.node.empty()) {
        table[0] = one;
        scale();
        return table;
    }
    evaluator.polynomials = polynomials ? &*polynomials : nullptr;
    evaluator.collect(ring, one, one, reduction, tree, support, false, control);
    evaluator.polynomials = nullptr;
    for (EntryId e = support.root_begin(); e < support.root_end(); ++e) {
        const Entry& root = support.entry[e];
        const auto row = static_cast<std::size_t>(support.root_value[e - support.root_begin()]);
        for (std::uint32_t k = 0; k < root.length; ++k)
            table[row * mine_counts_ + static_cast<std::uint32_t>(root.low - least_mines_) + k] =
                evaluator.value[root.offset + k];
    }
    scale();
    return table;
}

std::size_t Inference::table_rows() const {
    return reduction.free_counter == kNone
               ? 1
               : static_cast<std::size_t>(reduction.need[reduction.free_counter]) + 1;
}

Inference::CountTable Inference::count_table(const Control* control) {
    return {table_rows(), fill_table(Wide{}, wide_, Wide::make(1.0, 0), table_rows(), control)};
}

std::vector<std::uint64_t> Inference::count_table_modular(std::uint64_t prime,
                                                          const Control* control) {
    const Modular ring(prime);
    std::vector<std::uint64_t> table =
        fill_table(ring, modular_, ring.from_integer(1), table_rows(), control);
    for (std::uint64_t& count : table) count = ring.to_integer(count);
    return table;
}

}  // namespace mineodds
