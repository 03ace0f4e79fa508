// Expectimax with bounds; see survival.hpp.
#include "play/survival.hpp"

#include <algorithm>
#include <cmath>

namespace mineodds {
namespace {

// Policies treat figures within 1e-9 of the best as equal, so only what is clearly worse is given
// up.
constexpr double kClearly = 1.0 - 4e-9;

double bound_of(const Answer& answer) {  // on the value after it, reached with one click left
    return 1.0 - answer.least_risk;
}

bool is_settled(const Answer& answer, int depth) {  // its bound is the value
    return answer.won || depth <= 1 || answer.safe >= depth;
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
    here.answers.clear();
}

bool Survival::try_number(std::size_t level, CellId cell, MineCount mines, bool known_will_do,
                          const Control* control, Answer& answer) {
    Level& here = *levels_[level];
    Level& next = *levels_[level + 1];
    const auto run = [&] {
        return try_answer(*here.position, here.solver->layouts(), cell, mines, next.own,
                          next.own_solver, control, answer);
    };
    if (!known_will_do || level == 0) return run();
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
        known.possible = run();
        known.answer = answer;
        if (known.possible) known.layouts = next.own_solver.layouts();
        return known.possible;
    }
    if (!known.possible) return false;
    answer = known.answer;
    answer.mines = mines;
    const WideDouble before = here.solver->layouts();
    answer.chance = std::ldexp(known.layouts.mantissa / before.mantissa,
                               static_cast<int>(known.layouts.exponent - before.exponent));
    return true;
}

const std::vector<Answer>& Survival::answers(std::size_t level, CellId cell,
                                             const Control* control) {
    Level& here = *levels_[level];
    const std::size_t index = here.classes.class_of(cell);
    if (here.answers.size() <= index) here.answers.resize(index + 1);
    auto& list = here.answers[index];
    if (!list.empty()) return list;
    const MineCount most = undecided_around(*here.position, cell);
    Answer answer;
    for (MineCount mines = 0; mines <= most; ++mines)
        if (try_number(level, cell, mines, true, control, answer)) list.push_back(answer);
    return list;
}

double Survival::value(CellId cell, double risk, double floor, const Control* control) {
    return expand(0, cell, risk, depth_, floor, control);
}

double Survival::best(std::size_t level, int depth, double floor, const Control* control) {
    const Level& here = *levels_[level];
    const Position& position = *here.position;
    const PositionSolver& solver = *here.solver;
    std::vector<std::pair<double, CellId>> order;
    const auto cells = static_cast<CellId>(position.neighbours().cell_count());
    std::vector<double> chance(static_cast<std::size_t>(cells), solver.deep_probability());
    const auto frontier = solver.frontier();
    for (std::size_t i = 0; i < frontier.size(); ++i)
        chance[static_cast<std::size_t>(frontier[i])] = solver.probability(solver.variable()[i]);
    for (CellId cell = 0; cell < cells; ++cell) {
        if (position.state(cell) == kSafe) order.emplace_back(0.0, cell);
        if (position.state(cell) == kOpen)
            order.emplace_back(chance[static_cast<std::size_t>(cell)], cell);
    }
    std::ranges::sort(order);
    // A certain safe cell is as good a first click as any.
    if (order.front().first == 0.0) order.resize(1);
    double result = 0.0;
    for (const auto& [risk, cell] : order) {
        if (1.0 - risk < std::max(floor, result) * kClearly) break;
        result =
            std::max(result, expand(level, cell, risk, depth, std::max(floor, result), control));
    }
    return result;
}

double Survival::expand(std::size_t level, CellId cell, double risk, int depth, double floor,
                        const Control* control) {
    Level& here = *levels_[level];
    if (depth <= 1) return 1.0 - risk;
    const double least = floor * kClearly;
    if (depth == 2) {
        const std::size_t index = here.classes.class_of(cell);
        const bool asked = index < here.answers.size() && !here.answers[index].empty();
        if (!asked) {
            // Number by number, so that a hopeless cell is given up before all are tried.
            std::vector<Answer> list;
            double reached = 0.0;
            double left = 1.0 - risk;
            const MineCount most = undecided_around(*here.position, cell);
            Answer answer;
            for (MineCount mines = 0; mines <= most; ++mines) {
                if (reached + left < least) return reached + left;
                if (!try_number(level, cell, mines, true, control, answer)) continue;
                list.push_back(answer);
                reached += answer.chance * bound_of(answer);
                left -= answer.chance;
            }
            if (here.answers.size() <= index) here.answers.resize(index + 1);
            here.answers[index] = std::move(list);
            return reached;
        }
    }
    const std::vector<Answer> list = answers(level, cell, control);
    double bound = 0.0;
    for (const Answer& answer : list) bound += answer.chance * bound_of(answer);
    if (depth == 2) return bound;
    for (const Answer& found : list) {
        if (bound < least) return bound;
        if (is_settled(found, depth - 1)) continue;
        const double held = found.chance * bound_of(found);
        Answer answer;
        if (!try_number(level, cell, found.mines, false, control, answer)) continue;
        MineCount number = found.mines;
        for (const CellId other : here.position->neighbours().of(cell))
            number += here.position->state(other) == kMine;
        path_.emplace_back(cell, number);
        enter(level + 1);
        const double needed = std::max(0.0, (least - (bound - held)) / found.chance);
        const double value = best(level + 1, depth - 1, needed, control);
        path_.pop_back();
        bound += found.chance * value - held;
    }
    return bound;
}

}  // namespace mineodds
