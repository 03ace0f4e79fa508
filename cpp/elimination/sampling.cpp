// Preparing the walk, and its choices; see sampling.hpp.
#include "elimination/sampling.hpp"

#include <cmath>

#include "words/errors.hpp"

namespace mineodds {

double Sampler::ratio(WideDouble a, WideDouble whole) {
    if (a.mantissa == 0.0) return 0.0;
    const std::int64_t shift = std::max<std::int64_t>(a.exponent - whole.exponent, -2000);
    return std::ldexp(a.mantissa / whole.mantissa, static_cast<int>(shift));
}

Sampler::Sampler(const Elimination& engine, const SamplingWeights& weights, CellId deep_cells,
                 const Control* control, bool greatest)
    : inference_(engine.inference()), weights_(weights) {
    if (!engine.consistent())
        throw BadArgument("the clues contradict each other: there is nothing to draw");
    const std::size_t counts = inference_.mine_counts();
    if (weights.weight.size() != counts || weights.deep_start.size() != counts + 1 ||
        weights.deep_mines.size() != weights.deep_chance.size() ||
        static_cast<std::size_t>(weights.deep_start.back()) != weights.deep_mines.size())
        throw BadArgument("weight and deep_start must fit the mine counts, deep_mines deep_chance");
    for (std::size_t k = 0; k < counts; ++k)
        if (weights.weight[k].mantissa != 0.0 && weights.deep_start[k] >= weights.deep_start[k + 1])
            throw BadArgument("a mine count with a weight needs a number of deep mines");
    for (const std::int32_t mines : weights.deep_mines)
        if (mines < 0 || mines > deep_cells)
            throw BadArgument("deep_mines must be from 0 to the number of deep cells");

    const Reduction& reduction = inference_.reduction;
    const JoinTree& tree = inference_.tree;
    const Support& support = inference_.support;
    const Wide ring;
    const WideDouble one = Wide::make(1.0, 0);
    if (greatest && !engine.has_weights())
        throw BadArgument("the most likely configuration is asked of cells with classes");
    const auto add = [&](WideDouble a, WideDouble b) {
        return greatest ? greatest_ring_.add(a, b) : ring.add(a, b);
    };
    root_.assign(counts, WideDouble{});
    if (tree.node.empty()) {
        root_[0] = one;
    } else {
        if (greatest) {
            greatest_.emplace(greatest_ring_, one, *inference_.weights_of_cells);
            Evaluator<Greatest> evaluator;
            evaluator.polynomials = &*greatest_;
            evaluator.collect(greatest_ring_, one, one, reduction, tree, support, false, control);
            evaluator_.value = std::move(evaluator.value);
        } else {
            if (engine.has_weights()) {
                polynomials_.emplace(ring_, one, *inference_.weights_of_cells);
                evaluator_.polynomials = &*polynomials_;
            }
            evaluator_.collect(ring, one, one, reduction, tree, support, false, control);
        }
        for (EntryId e = support.root_begin(); e < support.root_end(); ++e) {
            const Entry& root = support.entry[e];
            for (std::uint32_t k = 0; k < root.length; ++k) {
                WideDouble& sum =
                    root_[static_cast<std::uint32_t>(root.low - inference_.least_mines()) + k];
                sum = add(sum, evaluator_.value[root.offset + k]);
            }
        }
    }
    WideDouble total;
    for (std::size_t k = 0; k < counts; ++k)
        total = add(total, ring.multiply(root_[k], weights.weight[k]));
    if (total.mantissa == 0.0) throw BadArgument("no total fits: there is nothing to draw");
    for (std::size_t k = 0; k < counts; ++k)
        total_chance_.push_back(ratio(ring.multiply(root_[k], weights.weight[k]), total));

    variable_.assign(support.entry.size(), kNone);
    if (!tree.node.empty()) {
        for (NodeId n = 0; n < tree.node.size(); ++n)
            if (tree.node[n].is_leaf())
                std::fill(variable_.begin() + support.node_entry[n],
                          variable_.begin() + support.node_entry[n + 1], tree.node[n].right);
        pair_start_.assign(support.entry.size() + 1, 0);
        for (const EntryPair& p : support.pair) ++pair_start_[p.out + 1];
        std::partial_sum(pair_start_.begin(), pair_start_.end(), pair_start_.begin());
        std::vector<std::uint64_t> next(pair_start_.begin(), pair_start_.end() - 1);
        pair_.resize(support.pair.size());
        for (std::size_t k = 0; k < support.pair.size(); ++k)
            pair_[next[support.pair[k].out]++] = k;
    }

    const auto& state = inference_.settled.state;
    for (std::size_t cell = 0; cell < state.size(); ++cell)
        if (state[cell] == kMine) settled_mines_.push_back(static_cast<CellId>(cell));
    cells_start_.assign(1, 0);
    for (const std::uint32_t size : reduction.size)
        cells_start_.push_back(cells_start_.back() + size);
    cells_.resize(reduction.cell.size());
    std::vector<std::uint32_t> next(cells_start_.begin(), cells_start_.end() - 1);
    for (std::size_t i = 0; i < reduction.cell.size(); ++i)
        cells_[next[reduction.variable[i]]++] = reduction.cell[i];
    deep_.resize(static_cast<std::size_t>(deep_cells));
    std::iota(deep_.begin(), deep_.end(), 0);
}

std::uint32_t Sampler::choose_mines(VariableId variable, std::uint32_t cells, std::uint32_t mines,
                                    double chance) {
    const auto choose = [&](auto& polynomials) {
        const ClassId c = inference_.reduction.variable_class[variable];
        const auto own = polynomials.cell(c);
        const auto& others = polynomials.power(c, cells - 1);
        const WideDouble whole = polynomials.power(c, cells)[mines];
        Choice choice(chance, greatest_.has_value());
        std::uint32_t chosen = 0;
        for (std::uint32_t j = 0; j < own.size() && j <= mines; ++j)
            if (mines - j < others.size() &&
                choice.takes(ratio(ring_.multiply(own[j], others[mines - j]), whole)))
                chosen = j;
        return chosen;
    };
    return greatest_ ? choose(*greatest_) : choose(*polynomials_);
}

// In each choice the last possible one stands in when rounding leaves a remainder.
std::size_t Sampler::choose_total(double chance) const {
    Choice choice(chance, greatest_.has_value());
    std::size_t chosen = 0;
    for (std::size_t k = 0; k < total_chance_.size(); ++k)
        if (choice.takes(total_chance_[k])) chosen = k;
    return chosen;
}

Sampler::Part Sampler::choose_root(std::size_t total, double chance) const {
    const Support& support = inference_.support;
    const MineCount mines = inference_.least_mines() + static_cast<MineCount>(total);
    Choice choice(chance, greatest_.has_value());
    Part chosen{support.root_begin(), 0};
    for (EntryId e = support.root_begin(); e < support.root_end(); ++e) {
        const Entry& root = support.entry[e];
        if (mines < root.low || mines >= root.low + static_cast<MineCount>(root.length)) continue;
        const auto index = static_cast<std::uint32_t>(mines - root.low);
        if (choice.takes(ratio(evaluator_.value[root.offset + index], root_[total])))
            chosen = {e, index};
    }
    return chosen;
}

Sampler::PairChoice Sampler::choose_pair(Part part, double chance) const {
    const Support& support = inference_.support;
    const Entry& out = support.entry[part.entry];
    const WideDouble whole = evaluator_.value[out.offset + part.index];
    const Wide ring;
    Choice choice(chance, greatest_.has_value());
    PairChoice chosen{};
    for (std::uint64_t p = pair_start_[part.entry]; p < pair_start_[part.entry + 1]; ++p) {
        const EntryPair& pair = support.pair[pair_[p]];
        const Entry& left = support.entry[pair.left];
        const Entry& right = support.entry[pair.right];
        // Left's coefficient i and right's coefficient rest - i have as many mines as out's.
        const std::int64_t rest = std::int64_t{out.low} + part.index - left.low - right.low;
        const std::int64_t from = std::max<std::int64_t>(0, rest - right.length + 1);
        const std::int64_t to = std::min<std::int64_t>(rest, std::int64_t{left.length} - 1);
        for (std::int64_t i = from; i <= to; ++i) {
            const auto l = static_cast<std::uint32_t>(i);
            const auto r = static_cast<std::uint32_t>(rest - i);
            const double share = ratio(ring.multiply(evaluator_.value[left.offset + l],
                                                     evaluator_.value[right.offset + r]),
                                       whole);
            if (choice.takes(share)) chosen = {{pair.left, l}, {pair.right, r}};
            if (choice.done()) return chosen;
        }
    }
    return chosen;
}

}  // namespace mineodds
