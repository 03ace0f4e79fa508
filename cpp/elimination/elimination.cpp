// From variables back to cells; the work is inference.hpp's.
#include "elimination/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

void check_prime(std::uint64_t prime) {
    if (prime < 3 || prime % 2 == 0 || prime >= std::uint64_t{1} << 61)
        throw BadArgument("the modulus must be an odd prime below 2**61");
}

void check_cells(const Problem& problem, std::span<const CellId> cells) {
    std::vector<bool> seen(static_cast<std::size_t>(problem.cell_count), false);
    for (const CellId cell : cells) {
        if (cell < 0 || cell >= problem.cell_count || seen[static_cast<std::size_t>(cell)])
            throw BadArgument("free_cells must be distinct cells of the problem");
        seen[static_cast<std::size_t>(cell)] = true;
    }
}

}  // namespace

Elimination::Elimination(const Problem& problem, const Budget& budget, const Control* control,
                         std::span<const CellId> free_cells, const PlanOptions& options)
    : free_cells_(free_cells.size()) {
    check(problem);
    check_cells(problem, free_cells);
    consistent_ = reduce(problem, inference_.settled, inference_.reduction, free_cells) &&
                  inference_.prepare(budget, control, options);
    for (const CellId cell : free_cells)
        free_mines_ += inference_.settled.state[static_cast<std::size_t>(cell)] == kMine;
}

Elimination::Elimination(const Problem& problem, CellWeights weights, const Budget& budget,
                         const Control* control)
    : weights_(std::move(weights)), free_cells_(0) {
    check(problem);
    check(weights_, problem.cell_count);
    inference_.weights_of_cells = &weights_;
    inference_.reduction.cell_class = weights_.cell_class;
    consistent_ = reduce(problem, inference_.settled, inference_.reduction) &&
                  inference_.prepare(budget, control);
}

MineCount Elimination::least_mines() const {
    return consistent_ ? inference_.settled.settled_mines + inference_.least_mines() : 0;
}

MineCount Elimination::most_mines() const {
    return consistent_ ? least_mines() + static_cast<MineCount>(inference_.mine_counts()) - 1 : 0;
}

std::vector<bool> Elimination::possible_counts(const Control* control) {
    const Inference::CountTable table = count_table(control);
    std::vector<bool> possible(mine_counts(), false);
    for (std::size_t i = 0; i < table.count.size(); ++i)
        if (table.count[i].mantissa != 0.0) possible[i % possible.size()] = true;
    return possible;
}

template <class T>
std::vector<T> Elimination::place_rows(const std::vector<T>& open_rows) const {
    std::vector<T> rows(table_rows() * mine_counts());
    std::copy(open_rows.begin(), open_rows.end(),
              rows.begin() + static_cast<std::ptrdiff_t>(free_mines_ * mine_counts()));
    return rows;
}

Inference::CountTable Elimination::count_table(const Control* control) {
    if (!consistent_) return {table_rows(), std::vector<WideDouble>(table_rows())};
    const std::lock_guard<std::mutex> lock(turn_);
    return {table_rows(), place_rows(inference_.count_table(control).count)};
}

std::vector<std::uint64_t> Elimination::count_table_modular(std::uint64_t prime,
                                                            const Control* control) {
    if (!consistent_) return std::vector<std::uint64_t>(table_rows());
    check_prime(prime);
    const std::lock_guard<std::mutex> lock(turn_);
    return place_rows(inference_.count_table_modular(prime, control));
}

std::vector<std::int32_t> Elimination::variable_of_cell() const {
    std::vector<std::int32_t> variable(inference_.settled.state.size(), -1);
    const Reduction& r = inference_.reduction;
    for (std::size_t i = 0; i < r.cell.size(); ++i)
        variable[static_cast<std::size_t>(r.cell[i])] = static_cast<std::int32_t>(r.variable[i]);
    return variable;
}

template <class T>
std::vector<T> Elimination::spread(std::span<const T> by_variable, T safe, T mine) const {
    const auto& state = inference_.settled.state;
    std::vector<T> by_cell(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) by_cell[i] = state[i] == kMine ? mine : safe;
    const Reduction& r = inference_.reduction;
    for (std::size_t i = 0; i < r.cell.size(); ++i)
        by_cell[static_cast<std::size_t>(r.cell[i])] = by_variable[r.variable[i]];
    return by_cell;
}

Evaluation Elimination::evaluate(const TotalWeights& weights, const Control* control) {
    if (!consistent_)
        throw BadArgument("the clues contradict each other: there is nothing to evaluate");
    if (weights.weight.size() != inference_.mine_counts() ||
        weights.deep_share.size() != weights.weight.size())
        throw BadArgument("weight and deep_share must have one entry for each mine count");
    const std::lock_guard<std::mutex> lock(turn_);
    Marginals marginals;
    // Settled mines are not in the tables: the tilt counts the open cells' mines only.
    inference_.evaluate(weights, control, marginals);
    return {marginals.total.mantissa, marginals.total.exponent,
            spread<double>(marginals.probability, 0.0, 1.0), marginals.deep_probability};
}

ModularEvaluation Elimination::evaluate_modular(std::uint64_t prime,
                                                const std::vector<std::uint64_t>& weight,
                                                const Control* control,
                                                std::vector<std::uint64_t> class_residue) {
    if (!consistent_)
        throw BadArgument("the clues contradict each other: there is nothing to evaluate");
    check_prime(prime);
    if (class_residue.size() != weights_.weight.size())
        throw BadArgument("class_residue must be as long as class_weight");
    if (weight.size() != inference_.mine_counts())
        throw BadArgument("weight must have one entry for each mine count");
    const std::lock_guard<std::mutex> lock(turn_);
    weights_.residue = std::move(class_residue);
    Inference::Residues residues;
    inference_.evaluate_modular(prime, weight, control, residues);
    return {residues.count, residues.total,
            spread<std::uint64_t>(residues.mine, 0, residues.total)};
}

std::string Elimination::describe() const {
    std::ostringstream text;
    const JoinTree& tree = inference_.tree;
    const Reduction& r = inference_.reduction;
    text << "variables " << r.variable_count() << ", counters " << r.counter_count() << ", width "
         << tree.width << ", mask words " << tree.words << "\n"
         << "predicted: work " << tree.work << " products, largest table " << tree.peak_entries
         << " entries\n"
         << "found: " << inference_.support.products << " products, "
         << inference_.support.pair.size() << " of them live, " << inference_.support.entry.size()
         << " entries, " << inference_.support.coefficients << " coefficients\n";
    for (NodeId n = 0; n < tree.node.size(); ++n) {
        const JoinNode& node = tree.node[n];
        text << n << ": ";
        if (node.is_leaf()) {
            text << "variable " << node.right << " of " << r.size[node.right] << " cells";
        } else {
            text << node.left << " x " << node.right;
        }
        text << ", open {";
        for (const ScopeEntry& open : tree.scope_of(node))
            text << " " << r.clue[open.counter] << "@" << tree.slot[open.counter].word << "."
                 << static_cast<int>(tree.slot[open.counter].shift);
        text << " }";
        if (node.closing_begin != node.closing_end) {
            text << ", closes {";
            for (const CounterId c : tree.closing_of(node)) text << " " << r.clue[c];
            text << " }";
        }
        text << ", entries " << node.entries << ", products " << node.products << "\n";
    }
    return text.str();
}

}  // namespace mineodds
