// See gibbs.hpp.
#include "approximation/gibbs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr std::size_t kLeastBlock = 2;
constexpr std::size_t kMostBlock = 14;          // variables
constexpr std::size_t kMostSteps = 20000;       // of listing the settings of one block
constexpr std::size_t kStepsPerVariable = 400;  // of annealing
constexpr double kHot = 1.0;
constexpr double kCold = 0.08;

}  // namespace

Gibbs::Gibbs(const Problem& problem, std::span<const ClassId> cell_class,
             std::vector<double> log_value, std::vector<double> log_weight, double density,
             std::uint64_t seed, std::uint64_t chain)
    : random_(seed, chain, Random::kLayoutStream),
      log_weight_(std::move(log_weight)),
      density_(density),
      log_value_(std::move(log_value)) {
    check(problem);
    if (log_weight_.size() != static_cast<std::size_t>(problem.cell_count) + 1)
        throw BadArgument("log_weight must have one entry more than there are cells");
    if (!cell_class.empty() && cell_class.size() != static_cast<std::size_t>(problem.cell_count))
        throw BadArgument("cell_class must have one entry for each cell");
    reduction_.cell_class = cell_class;
    consistent_ = reduce(problem, settled_, reduction_);
    reduction_.cell_class = {};  // the caller's
    if (!consistent_) return;
    const Reduction& r = reduction_;
    value_.assign(r.variable_count(), 0);
    seen_.assign(r.counter_count(), 0);
    in_block_.assign(r.variable_count(), false);
    is_reached_.assign(r.counter_count(), false);
    rest_.assign(r.counter_count(), 0);
    room_.assign(r.counter_count(), 0);
    start_.assign(r.counter_count() + 1, 0);
    for (const CounterId c : r.counter) ++start_[c + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    variable_.resize(r.counter.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    std::size_t values = 0;
    for (VariableId v = 0; v < r.variable_count(); ++v) {
        for (const CounterId c : r.counters_of(v)) variable_[next[c]++] = v;
        value_start_.push_back(values);
        values += r.size[v] + std::size_t{1};
    }
    if (log_value_.size() != values)
        throw BadArgument("log_value must have one entry for each value of each variable");
    const auto has_weight = [](double weight) { return std::isfinite(weight); };
    const auto first = std::ranges::find_if(log_weight_, has_weight);
    if (first == log_weight_.end()) {
        consistent_ = false;
        return;
    }
    least_ = static_cast<MineCount>(first - log_weight_.begin());
    most_ = static_cast<MineCount>(log_weight_.size()) - 1;
    while (!has_weight(log_weight_[static_cast<std::size_t>(most_)])) --most_;
}

void Gibbs::change(VariableId variable, MineCount by) {
    value_[variable] += by;
    mines_ += by;
    for (const CounterId c : reduction_.counters_of(variable)) seen_[c] += by;
}

MineCount Gibbs::missed(MineCount mines) const {
    return std::max({0, least_ - mines, mines - most_});
}

bool Gibbs::find(std::size_t tries, const Control* control) {
    if (!consistent_) return false;
    for (std::size_t i = 0; i < tries; ++i)
        if (anneal(control) && std::isfinite(log_weight_[static_cast<std::size_t>(mines_)]))
            return true;
    return false;
}

bool Gibbs::anneal(const Control* control) {
    const Reduction& r = reduction_;
    std::ranges::fill(value_, 0);
    std::ranges::fill(seen_, 0);
    mines_ = settled_.settled_mines;
    for (VariableId v = 0; v < r.variable_count(); ++v)
        for (std::uint32_t i = 0; i < r.size[v]; ++i)
            if (unit() < density_) change(v, 1);
    // Counters that are missed, in any order, and where each stands.
    std::vector<CounterId> wrong;
    std::vector<std::size_t> place(r.counter_count(), r.counter_count());
    const auto note = [&](CounterId c) {
        const bool is_wrong = seen_[c] != r.need[c];
        const bool listed = place[c] < wrong.size() && wrong[place[c]] == c;
        if (is_wrong && !listed) {
            place[c] = wrong.size();
            wrong.push_back(c);
        } else if (!is_wrong && listed) {
            wrong[place[c]] = wrong.back();
            place[wrong[place[c]]] = place[c];
            wrong.pop_back();
            place[c] = r.counter_count();
        }
    };
    for (CounterId c = 0; c < r.counter_count(); ++c) note(c);
    const auto energy_at = [&](VariableId v) {
        MineCount energy = 0;
        for (const CounterId c : r.counters_of(v)) energy += std::abs(seen_[c] - r.need[c]);
        return energy;
    };
    const auto step = [&](VariableId v, MineCount by) {
        change(v, by);
        for (const CounterId c : r.counters_of(v)) note(c);
    };
    const auto fits = [&](VariableId v, MineCount by) {
        return value_[v] + by >= 0 && value_[v] + by <= static_cast<MineCount>(r.size[v]);
    };
    const std::size_t variables = r.variable_count();
    const std::size_t steps = kStepsPerVariable * (variables + 10);
    double temperature = kHot;
    const double cooling = std::pow(kCold / kHot, 1.0 / static_cast<double>(steps));
    for (std::size_t i = 0; i < steps; ++i, temperature *= cooling) {
        if (wrong.empty() && missed(mines_) == 0) return true;
        if (variables == 0) return false;
        if ((i & 0xfff) == 0) check(control);
        // One mine more or less, or moved within a counter; mostly where something is missed.
        VariableId v = static_cast<VariableId>(random_.below(variables));
        VariableId other = kNone;
        if (r.counter_count() != 0 && (random_.next() & 3U) != 0) {
            const CounterId c = !wrong.empty() && (random_.next() & 3U) != 0
                                    ? wrong[random_.below(wrong.size())]
                                    : static_cast<CounterId>(random_.below(r.counter_count()));
            const auto list = variables_of(c);
            v = list[random_.below(list.size())];
            if ((random_.next() & 1U) != 0) other = list[random_.below(list.size())];
        } else if ((random_.next() & 1U) != 0) {
            other = static_cast<VariableId>(random_.below(variables));
        }
        const MineCount by = (random_.next() & 1U) != 0 ? 1 : -1;
        if (other == v) other = kNone;
        if (!fits(v, by) || (other != kNone && !fits(other, -by))) continue;
        const MineCount mines_before = missed(mines_);
        MineCount rise = -energy_at(v);
        step(v, by);
        rise += energy_at(v);
        if (other != kNone) {
            rise -= energy_at(other);
            step(other, -by);
            rise += energy_at(other);
        }
        rise += missed(mines_) - mines_before;
        if (rise > 0 && unit() >= std::exp(-rise / temperature)) {
            step(v, -by);
            if (other != kNone) step(other, by);
        }
    }
    return wrong.empty() && missed(mines_) == 0;
}

void Gibbs::grow(std::size_t size, CounterId centre) {
    const std::size_t end = block_.size() + size;
    std::vector<CounterId> frontier{centre};
    std::vector<CounterId> seen{centre};
    while (!frontier.empty() && block_.size() < end) {
        const std::size_t at = random_.below(frontier.size());
        const CounterId c = frontier[at];
        frontier[at] = frontier.back();
        frontier.pop_back();
        for (const VariableId v : variables_of(c)) {
            if (in_block_[v]) continue;
            if (block_.size() >= kMostBlock) return;
            in_block_[v] = true;
            block_.push_back(v);
            for (const CounterId near : reduction_.counters_of(v))
                if (std::ranges::find(seen, near) == seen.end()) {
                    seen.push_back(near);
                    frontier.push_back(near);
                }
        }
    }
}

void Gibbs::list_settings() {
    const Reduction& r = reduction_;
    const std::size_t size = block_.size();
    setting_.clear();
    setting_weight_.clear();
    MineCount placed = mines_;
    for (const VariableId v : block_) placed -= value_[v];
    std::vector<MineCount> now(size, -1);
    std::vector<double> weight(size + 1, 0.0);
    std::size_t depth = 0;
    std::size_t steps = 0;
    const auto put = [&](std::size_t i, MineCount by) {
        placed += by;
        for (const CounterId c : r.counters_of(block_[i])) rest_[c] -= by;
    };
    // Depth first; a variable's cells leave the room of its counters while it is set.
    const auto enter = [&](std::size_t i) {
        for (const CounterId c : r.counters_of(block_[i]))
            room_[c] -= static_cast<MineCount>(r.size[block_[i]]);
    };
    const auto leave = [&](std::size_t i) {
        for (const CounterId c : r.counters_of(block_[i]))
            room_[c] += static_cast<MineCount>(r.size[block_[i]]);
    };
    enter(0);
    while (true) {
        if (++steps > kMostSteps) {
            setting_weight_.clear();
            break;
        }
        const VariableId v = block_[depth];
        if (now[depth] >= 0) put(depth, -now[depth]);
        if (now[depth] == static_cast<MineCount>(r.size[v])) {
            now[depth] = -1;
            leave(depth);
            if (depth == 0) return;
            --depth;
            continue;
        }
        put(depth, ++now[depth]);
        bool possible = true;
        for (const CounterId c : r.counters_of(v))
            possible = possible && rest_[c] >= 0 && rest_[c] <= room_[c];
        if (!possible) continue;
        weight[depth + 1] =
            weight[depth] + log_value_[value_start_[v] + static_cast<std::size_t>(now[depth])];
        if (depth + 1 < size) {
            enter(++depth);
            continue;
        }
        const double of_total = log_weight_[static_cast<std::size_t>(placed)];
        if (std::isfinite(of_total)) {
            setting_.insert(setting_.end(), now.begin(), now.end());
            setting_weight_.push_back(weight[size] + of_total);
        }
    }
}

void Gibbs::move() {
    const Reduction& r = reduction_;
    block_.clear();
    const std::size_t size = kLeastBlock + random_.below(kMostBlock - kLeastBlock);
    const auto anywhere = [&] { return static_cast<CounterId>(random_.below(r.counter_count())); };
    if (random_.below(3) == 0) {
        grow((size + 1) / 2, anywhere());
        grow((size + 1) / 2, anywhere());
    } else {
        grow(size, anywhere());
    }
    reached_.clear();
    for (const VariableId v : block_)
        for (const CounterId c : r.counters_of(v)) {
            if (!is_reached_[c]) {
                is_reached_[c] = true;
                reached_.push_back(c);
                rest_[c] = r.need[c] - seen_[c];
                room_[c] = 0;
            }
            rest_[c] += value_[v];
            room_[c] += static_cast<MineCount>(r.size[v]);
        }
    list_settings();
    if (!setting_weight_.empty()) {
        const double largest = *std::ranges::max_element(setting_weight_);
        double total = 0.0;
        for (double& weight : setting_weight_) total += weight = std::exp(weight - largest);
        double chance = unit() * total;
        std::size_t chosen = 0;
        while (chosen + 1 < setting_weight_.size() && chance >= setting_weight_[chosen])
            chance -= setting_weight_[chosen++];
        for (std::size_t i = 0; i < block_.size(); ++i)
            change(block_[i], setting_[chosen * block_.size() + i] - value_[block_[i]]);
    }
    for (const VariableId v : block_) in_block_[v] = false;
    for (const CounterId c : reached_) is_reached_[c] = false;
}

void Gibbs::sweep() {
    if (reduction_.counter_count() == 0) return;
    const std::size_t moves = 2 * reduction_.variable_count() / kMostBlock + 1;
    for (std::size_t i = 0; i < moves; ++i) move();
}

}  // namespace mineodds
