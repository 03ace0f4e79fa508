// Expectimax with bounds; see survival.hpp.
#include "play/survival.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace mineodds {
namespace {

// Policies treat figures within 1e-9 of the best as equal, so only what is clearly worse is given
// up.
constexpr double kClearly = 1.0 - 4e-9;

double loss_of(const Answer& answer) {  // at least, over the clicks after it
    return answer.chance * answer.least_risk;
}

}  // namespace

void Survival::start(const Position& position, const PositionSolver& solver, int depth) {
    depth_ = depth;
    while (levels_.size() <= static_cast<std::size_t>(depth))
        levels_.push_back(std::make_unique<Level>(budget_));
    levels_[0]->position = &position;
    levels_[0]->solver = &solver;
    path_.clear();
    known_.clear();
    enter(0);
}

std::uint64_t Survival::solves() const {
    std::uint64_t all = 0;
    for (const auto& level : levels_) all += level->own_solver.solves();
    return all;
}

void Survival::enter(std::size_t level) {
    Level& here = *levels_[level];
    here.classes.start(*here.position, *here.solver);
    here.losses.clear();
    here.risk.assign(here.position->neighbours().cell_count(), here.solver->deep_probability());
    const auto frontier = here.solver->frontier();
    for (std::size_t i = 0; i < frontier.size(); ++i)
        here.risk[static_cast<std::size_t>(frontier[i])] =
            here.solver->probability(here.solver->variable()[i]);
}

// depth: clicks that follow this one.
Trial Survival::try_number(std::size_t level, CellId cell, MineCount mines, int depth,
                           bool use_known, const Control* control, Answer& answer) {
    Level& here = *levels_[level];
    Level& next = *levels_[level + 1];
    const auto run = [&] {
        return try_answer(*here.position, here.solver->layouts(), cell, mines, depth, next.own,
                          next.own_solver, control, answer);
    };
    if (!use_known || level == 0) return run();
    MineCount number = mines;
    for (const CellId other : here.position->neighbours().of(cell))
        number += here.position->state(other) == kMine;
    auto clicks = path_;
    clicks.emplace_back(cell, number);
    std::ranges::sort(clicks);
    std::u32string key;
    for (const auto& [clicked, shown] : clicks) {
        key.push_back(static_cast<char32_t>(clicked));
        key.push_back(static_cast<char32_t>(shown));
    }
    const auto [found, fresh] = known_.try_emplace(std::move(key));
    Known& known = found->second;
    if (fresh) {
        known.trial = run();
        if (known.trial == Trial::solved) {
            known.answer = answer;
            known.layouts = next.own_solver.layouts();
        }
        return known.trial;
    }
    if (known.trial != Trial::solved) return known.trial;
    answer = known.answer;
    answer.mines = mines;
    const WideDouble before = here.solver->layouts();
    answer.chance = std::ldexp(known.layouts.mantissa / before.mantissa,
                               static_cast<int>(known.layouts.exponent - before.exponent));
    return Trial::solved;
}

// Up to the point where the value is certainly below `least`; then `known` stays false.
const Survival::Losses& Survival::losses(std::size_t level, CellId cell, double risk, int depth,
                                         double least, const Control* control) {
    Level& here = *levels_[level];
    const std::size_t index = here.classes.class_of(cell);
    if (here.losses.size() <= index) here.losses.resize(index + 1);
    Losses& found = here.losses[index];
    if (found.known || (!found.answers.empty() && found.bound < least)) return found;
    found.bound = 1.0 - risk;
    found.answers.clear();
    double expected = 0.0;
    for (const CellId other : here.position->neighbours().of(cell))
        if (here.position->state(other) == kOpen)
            expected += here.risk[static_cast<std::size_t>(other)];
    likely_first(undecided_around(*here.position, cell), expected, numbers_);
    Answer answer;
    for (const MineCount mines : numbers_) {
        if (found.bound < least) return found;
        const Trial trial = try_number(level, cell, mines, depth - 1, true, control, answer);
        if (trial != Trial::solved || answer.won || answer.safe >= depth - 1) continue;
        found.answers.push_back(answer);
        found.bound -= loss_of(answer);
    }
    found.known = true;
    return found;
}

double Survival::value(CellId cell, double risk, double floor, const Control* control) {
    return expand(0, cell, risk, depth_, floor, control);
}

double Survival::best(std::size_t level, int depth, double floor, const Control* control) {
    const Level& here = *levels_[level];
    const Position& position = *here.position;
    std::vector<std::tuple<double, MineCount, CellId>> order;  // few neighbours first: good ones
    const auto cells = static_cast<CellId>(position.neighbours().cell_count());
    for (CellId cell = 0; cell < cells; ++cell) {
        const double risk =
            position.state(cell) == kSafe ? 0.0 : here.risk[static_cast<std::size_t>(cell)];
        if (position.state(cell) != kSafe && position.state(cell) != kOpen) continue;
        if (1.0 - risk >= floor * kClearly)
            order.emplace_back(risk, undecided_around(position, cell), cell);
        // A certain safe cell is as good a first click as any.
        if (risk != 0.0) continue;
        order.front() = order.back();
        order.resize(1);
        break;
    }
    std::ranges::sort(order);
    double result = 0.0;
    for (const auto& [risk, around, cell] : order) {
        if (1.0 - risk < std::max(floor, result) * kClearly) break;
        result =
            std::max(result, expand(level, cell, risk, depth, std::max(floor, result), control));
    }
    return result;
}

double Survival::expand(std::size_t level, CellId cell, double risk, int depth, double floor,
                        const Control* control) {
    if (depth <= 1) return 1.0 - risk;
    const double least = floor * kClearly;
    const Losses& first = losses(level, cell, risk, depth, least, control);
    if (depth == 2 || !first.known || first.bound < least) return first.bound;
    const std::vector<Answer> answers = first.answers;
    double bound = first.bound;
    const Position& position = *levels_[level]->position;
    for (const Answer& found : answers) {
        if (bound < least) return bound;
        Answer answer;
        if (try_number(level, cell, found.mines, depth - 1, false, control, answer) !=
            Trial::solved)
            continue;
        MineCount number = found.mines;
        for (const CellId other : position.neighbours().of(cell))
            number += position.state(other) == kMine;
        path_.emplace_back(cell, number);
        enter(level + 1);
        const double held = found.chance - loss_of(found);
        const double needed = std::max(0.0, (least - (bound - held)) / found.chance);
        const double value = best(level + 1, depth - 1, needed, control);
        path_.pop_back();
        bound += found.chance * value - held;
    }
    return bound;
}

}  // namespace mineodds
