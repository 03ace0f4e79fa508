// Candidates, figures and the filter of ties; see policy.hpp.
#include "play/policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace mineodds {
namespace {

constexpr double kTie = 1e-9;
constexpr double kCancelled = 1e-4;
constexpr double kNotComputed = std::numeric_limits<double>::quiet_NaN();

std::size_t at(CellId cell) {
    return static_cast<std::size_t>(cell);
}

bool is_equal(double a, double b) {
    return std::abs(a - b) <= kTie * std::max(std::abs(a), std::abs(b));
}

double bits(double p) {
    return p > 0.0 ? -p * std::log2(p) : 0.0;
}

}  // namespace

Policy::Policy(const PolicyOptions& options, const Budget& budget)
    : options_(options), solver_(budget), after_solver_(budget), survival_(budget) {}

std::uint64_t Policy::solves() const {
    return solver_.solves() + after_solver_.solves() + survival_.solves();
}

bool Policy::infer(Position& position, const Control* control) {
    if (!solver_.solve(position, control)) return false;
    const std::size_t cells = position.neighbours().cell_count();
    risk_.assign(cells, solver_.deep_probability());
    const auto frontier = solver_.frontier();
    for (std::size_t i = 0; i < frontier.size(); ++i)
        risk_[at(frontier[i])] = solver_.probability(solver_.variable()[i]);
    if (solver_.certain_safe() + solver_.certain_mines() == 0) return true;
    for (CellId cell = 0; cell < static_cast<CellId>(cells); ++cell) {
        if (position.state(cell) != kOpen) continue;
        if (risk_[at(cell)] == 0.0) position.decide(cell, kSafe);
        if (risk_[at(cell)] == 1.0) position.decide(cell, kMine);
    }
    return position.settle();
}

void Policy::find_candidates(const Position& position, Choice& choice) {
    choice.candidates.clear();
    choice.certain = position.known_safe() > 0;
    choice.score = 1.0;
    double limit = std::numeric_limits<double>::infinity();
    const bool all = options_.kind == PolicyKind::balanced || options_.kind == PolicyKind::survival;
    const bool tolerant = options_.kind == PolicyKind::minimax ||
                          options_.kind == PolicyKind::information ||
                          options_.kind == PolicyKind::progress;
    if (!all) limit = solver_.least_probability() + (tolerant ? options_.tolerance : 0.0);
    const auto cells = static_cast<CellId>(position.neighbours().cell_count());
    for (CellId cell = 0; cell < cells; ++cell) {
        const std::int8_t state = position.state(cell);
        if (choice.certain ? state != kSafe : state != kOpen) continue;
        const double risk = choice.certain ? 0.0 : risk_[at(cell)];
        if (!choice.certain && risk > limit && !is_equal(risk, limit)) continue;
        choice.candidates.push_back({cell, risk, {kNotComputed, kNotComputed, kNotComputed}});
    }
}

const Policy::Figures& Policy::figures_of(const Position& position, const Candidate& candidate,
                                          const Control* control) {
    const std::size_t index = classes_.class_of(candidate.cell);
    if (figures_.size() <= index) figures_.resize(index + 1);
    Figures& f = figures_[index];
    if (f.known) return f;
    f.known = true;
    f.fewest_certain = std::numeric_limits<double>::infinity();
    double safe = 0.0;
    const MineCount most = undecided_around(position, candidate.cell);
    Answer answer;
    for (MineCount mines = 0; mines <= most; ++mines) {
        if (try_answer(position, solver_.layouts(), candidate.cell, mines, kNeverEnough, after_,
                       after_solver_, control, answer) != Trial::solved)
            continue;
        safe += answer.chance;
        if (answer.safe > 0) f.progress += answer.chance;
        f.expected_safe += answer.chance * static_cast<double>(answer.safe);
        f.expected_certain += answer.chance * static_cast<double>(answer.certain);
        f.fewest_certain = std::min(f.fewest_certain, static_cast<double>(answer.certain));
        f.information += bits(answer.chance);
    }
    // Of the number alone, given that the cell is safe: H = log2(s) + sum of bits over s.
    f.number_entropy = std::max(0.0, std::log2(safe) + f.information / safe);
    f.information += bits(candidate.probability);
    return f;
}

double Policy::progress_of(const Position& position, const Candidate& candidate, double best,
                           const Control* control) {
    const std::size_t index = classes_.class_of(candidate.cell);
    if (figures_.size() <= index) figures_.resize(index + 1);
    if (figures_[index].known) return figures_[index].progress;
    double expected = 0.0;
    for (const CellId other : position.neighbours().of(candidate.cell))
        if (position.state(other) == kOpen) expected += risk_[at(other)];
    likely_first(undecided_around(position, candidate.cell), expected, numbers_);
    const double safe = 1.0 - candidate.probability;
    double bound = safe;
    Answer answer;
    for (const MineCount mines : numbers_) {
        if (bound < best && !is_equal(bound, best)) return bound;
        if (try_answer(position, solver_.layouts(), candidate.cell, mines, 1, after_, after_solver_,
                       control, answer) == Trial::solved &&
            answer.safe == 0)
            bound -= answer.chance;
    }
    // What is left of a difference of nearly equal numbers has few digits: sum it up instead.
    if (bound < kCancelled * safe) return figures_of(position, candidate, control).progress;
    return bound;
}

std::size_t Policy::figure_count() const {
    switch (options_.kind) {
        case PolicyKind::safest:
            return options_.ties == Ties::first || options_.ties == Ties::random ? 0 : 1;
        case PolicyKind::minimax:
            return 2;
        case PolicyKind::pseq:
            return 3;
        default:
            return 1;
    }
}

double Policy::figure(const Position& position, const Candidate& candidate, std::size_t which,
                      const Control* control) {
    if (options_.kind == PolicyKind::safest && options_.ties == Ties::corner)
        return -static_cast<double>(position.neighbours().of(candidate.cell).size());
    if (options_.kind == PolicyKind::safest && options_.ties == Ties::local)
        return local_progress(position, risk_, candidate.cell, after_);
    const Figures& f = figures_of(position, candidate, control);
    switch (options_.kind) {
        case PolicyKind::safest:
            return options_.ties == Ties::information ? f.information : f.progress;
        case PolicyKind::minimax:
            return which == 0 ? f.fewest_certain : f.expected_certain;
        case PolicyKind::information:
            return f.information;
        case PolicyKind::balanced:
            return options_.safety * (1.0 - candidate.probability) +
                   (1.0 - options_.safety) * f.information / std::log2(10.0);
        case PolicyKind::progress:
            return f.progress;
        default:  // pseq
            return which == 0 ? f.progress : which == 1 ? f.expected_safe : f.number_entropy;
    }
}

bool Policy::is_progress(std::size_t which) const {
    return which == 0 &&
           (options_.kind == PolicyKind::progress || options_.kind == PolicyKind::pseq ||
            (options_.kind == PolicyKind::safest && options_.ties == Ties::progress));
}

bool Policy::same_class() const {
    return std::ranges::all_of(alive_,
                               [&](std::size_t i) { return class_[i] == class_[alive_[0]]; });
}

void Policy::keep_best(const Position& position, bool all_figures, std::size_t which,
                       const Control* control, Choice& choice) {
    double best = -std::numeric_limits<double>::infinity();
    const auto value_of = [&](std::size_t i) -> double& {
        return choice.candidates[i].figure[which];
    };
    if (all_figures) {
        for (std::size_t i = 0; i < choice.candidates.size(); ++i)
            value_of(i) = figure(position, choice.candidates[i], which, control);
    } else if (options_.kind == PolicyKind::safest && options_.ties == Ties::corner) {
        for (const std::size_t i : alive_)
            value_of(i) = figure(position, choice.candidates[i], which, control);
    } else {
        // Once a class. The fewer cells around one, the likelier it shows little: good ones first.
        const bool bounded = is_progress(which);
        order_.clear();
        of_class_.assign(classes_.count(), kNotComputed);
        for (const std::size_t i : alive_) {
            double& value = of_class_[class_[i]];
            if (!std::isnan(value)) continue;
            value = 0.0;
            order_.emplace_back(undecided_around(position, choice.candidates[i].cell), i);
        }
        if (bounded) std::ranges::sort(order_);
        for (const auto& [around, i] : order_) {
            double& value = of_class_[class_[i]];
            value = bounded ? progress_of(position, choice.candidates[i], best, control)
                            : figure(position, choice.candidates[i], which, control);
            best = std::max(best, value);
        }
        for (const std::size_t i : alive_) value_of(i) = of_class_[class_[i]];
    }
    for (const std::size_t i : alive_) best = std::max(best, value_of(i));
    std::erase_if(
        alive_, [&](std::size_t i) { return value_of(i) < best && !is_equal(value_of(i), best); });
}

void Policy::choose(const Position& position, bool all_figures, Random* random,
                    const Control* control, Choice& choice) {
    find_candidates(position, choice);
    if (!choice.certain && options_.kind == PolicyKind::survival) {
        choose_by_survival(position, all_figures, control, choice);
        return;
    }
    std::size_t chosen = 0;
    // How many neighbours a cell has is no matter of its class.
    const bool by_class = options_.kind != PolicyKind::safest || options_.ties != Ties::corner;
    if (!choice.certain) {
        classes_.start(position, solver_);
        figures_.clear();
        alive_.resize(choice.candidates.size());
        std::iota(alive_.begin(), alive_.end(), std::size_t{0});
        class_.clear();
        for (const Candidate& candidate : choice.candidates)
            class_.push_back(by_class ? classes_.class_of(candidate.cell) : class_.size());
        for (std::size_t which = 0; which < figure_count(); ++which) {
            if (!all_figures && (alive_.size() == 1 || same_class())) break;
            keep_best(position, all_figures, which, control, choice);
        }
        chosen = alive_.front();
        if (options_.kind == PolicyKind::safest && options_.ties == Ties::random)
            chosen = alive_[static_cast<std::size_t>(random->below(alive_.size()))];
    }
    const Candidate& best = choice.candidates[chosen];
    choice.cell = best.cell;
    choice.probability = best.probability;
    if (choice.certain) return;
    const bool by_risk = options_.kind == PolicyKind::safest || options_.kind == PolicyKind::pseq;
    choice.score = by_risk ? 1.0 - best.probability : best.figure[0];
}

void Policy::choose_by_survival(const Position& position, bool all_figures, const Control* control,
                                Choice& choice) {
    survival_.start(position, solver_, options_.depth);
    // Of equal risks those with few cells around first: they are the better ones.
    std::vector<std::tuple<double, MineCount, std::size_t>> order;
    for (std::size_t i = 0; i < choice.candidates.size(); ++i)
        order.emplace_back(choice.candidates[i].probability,
                           undecided_around(position, choice.candidates[i].cell), i);
    std::ranges::sort(order);
    double best = 0.0;
    for (const auto& [risk, around, i] : order) {
        Candidate& candidate = choice.candidates[i];
        const double floor = all_figures ? 0.0 : best;
        if (1.0 - risk < floor && !is_equal(1.0 - risk, floor)) break;
        candidate.figure[0] = survival_.value(candidate.cell, risk, floor, control);
        best = std::max(best, candidate.figure[0]);
    }
    for (const Candidate& candidate : choice.candidates) {
        if (!(candidate.figure[0] >= best) && !is_equal(candidate.figure[0], best)) continue;
        choice.cell = candidate.cell;
        choice.probability = candidate.probability;
        choice.score = candidate.figure[0];
        break;
    }
}

}  // namespace mineodds
