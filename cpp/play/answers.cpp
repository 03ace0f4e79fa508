// Trying answers, and classes of cells by hashed keys; see answers.hpp.
#include "play/answers.hpp"

#include <algorithm>
#include <cmath>

namespace mineodds {
namespace {

constexpr std::size_t kEmpty = static_cast<std::size_t>(-1);

std::size_t at(CellId cell) {
    return static_cast<std::size_t>(cell);
}

std::size_t hash_of(std::span<const std::uint32_t> key) {
    std::uint64_t hash = key.size();
    for (const std::uint32_t part : key) {
        hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

}  // namespace

MineCount undecided_around(const Position& position, CellId cell) {
    MineCount count = 0;
    for (const CellId other : position.neighbours().of(cell))
        count += position.state(other) == kOpen;
    return count;
}

Trial try_answer(const Position& before, WideDouble layouts, CellId cell, MineCount mines,
                 std::int64_t enough, Position& after, PositionSolver& solver,
                 const Control* control, Answer& answer) {
    if (mines > before.mines_left()) return Trial::impossible;
    MineCount known = 0;
    for (const CellId other : before.neighbours().of(cell)) known += before.state(other) == kMine;
    after.become(before);
    if (!after.open(cell, known + mines) || !after.settle()) return Trial::impossible;
    if (after.known_safe() >= enough) return Trial::enough;
    if (!solver.solve(after, control)) return Trial::impossible;
    const WideDouble count = solver.layouts();
    answer.mines = mines;
    answer.chance = std::ldexp(count.mantissa / layouts.mantissa,
                               static_cast<int>(count.exponent - layouts.exponent));
    answer.safe = after.known_safe() + solver.certain_safe();
    answer.certain = answer.safe - before.known_safe() + after.settled().settled_mines -
                     before.settled().settled_mines + solver.certain_mines();
    answer.won = after.hidden_safe() == 0;
    answer.least_risk = answer.won || answer.safe > 0 ? 0.0 : solver.least_probability();
    return Trial::solved;
}

void likely_first(MineCount most, double expected, std::vector<MineCount>& order) {
    order.clear();
    MineCount low = std::clamp(static_cast<MineCount>(expected), 0, most);
    MineCount high = low + 1;
    while (low >= 0 || high <= most) {
        const bool down = high > most || (low >= 0 && expected - low <= high - expected);
        order.push_back(down ? low-- : high++);
    }
}

double local_progress(const Position& before, std::span<const double> risk, CellId cell,
                      Position& after) {
    std::vector<double> chance{1.0};  // by the mines among the undecided cells seen so far
    MineCount known = 0;
    for (const CellId other : before.neighbours().of(cell)) {
        known += before.state(other) == kMine;
        if (before.state(other) != kOpen) continue;
        chance.push_back(0.0);
        for (std::size_t k = chance.size() - 1; k > 0; --k)
            chance[k] += risk[at(other)] * (chance[k - 1] - chance[k]);
        chance[0] -= risk[at(other)] * chance[0];
    }
    double progress = 0.0;
    for (std::size_t k = 0; k < chance.size(); ++k) {
        after.become(before);
        if (!after.open(cell, known + static_cast<MineCount>(k)) || !after.settle()) continue;
        if (after.known_safe() > 0) progress += chance[k];
    }
    return progress;
}

void CellClasses::start(const Position& position, const PositionSolver& solver) {
    position_ = &position;
    kind_.assign(position.neighbours().cell_count(), kNone);
    const auto frontier = solver.frontier();
    for (std::size_t i = 0; i < frontier.size(); ++i) kind_[at(frontier[i])] = solver.variable()[i];
    key_.clear();
    begin_.assign(1, 0);
    bucket_.assign(64, kEmpty);
}

std::size_t CellClasses::class_of(CellId cell) {
    const std::size_t begin = key_.size();
    key_.push_back(kind_of(cell));
    for (const CellId other : position_->neighbours().of(cell))
        if (position_->state(other) == kOpen) key_.push_back(kind_of(other));
    std::sort(key_.begin() + static_cast<std::ptrdiff_t>(begin) + 1, key_.end());
    const std::span<const std::uint32_t> key(key_.data() + begin, key_.size() - begin);
    std::size_t place = hash_of(key) & (bucket_.size() - 1);
    for (; bucket_[place] != kEmpty; place = (place + 1) & (bucket_.size() - 1)) {
        const std::size_t known = bucket_[place];
        const std::span<const std::uint32_t> other(key_.data() + begin_[known],
                                                   begin_[known + 1] - begin_[known]);
        if (!std::ranges::equal(key, other)) continue;
        key_.resize(begin);
        return known;
    }
    bucket_[place] = count();
    begin_.push_back(key_.size());
    if (2 * count() > bucket_.size()) grow();
    return count() - 1;
}

void CellClasses::grow() {
    bucket_.assign(2 * bucket_.size(), kEmpty);
    for (std::size_t known = 0; known < count(); ++known) {
        const std::span<const std::uint32_t> key(key_.data() + begin_[known],
                                                 begin_[known + 1] - begin_[known]);
        std::size_t place = hash_of(key) & (bucket_.size() - 1);
        while (bucket_[place] != kEmpty) place = (place + 1) & (bucket_.size() - 1);
        bucket_[place] = known;
    }
}

}  // namespace mineodds
