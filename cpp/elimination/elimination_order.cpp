// Incremental min-fill; see elimination_order.hpp.
#include "elimination/elimination_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <queue>
#include <tuple>

namespace mineodds {
namespace {

constexpr std::uint32_t kCheckEvery = 4096;  // counters, between two looks at the clock

}  // namespace

void OrderFinder::min_fill(const Reduction& reduction, EliminationOrder& order,
                           const Control* control) {
    if (reduction.counter_count() <= 64) {
        min_fill_words(reduction, order);
    } else {
        min_fill_lists(reduction, {.control = control}, order);
    }
}

void OrderFinder::min_fill_words(const Reduction& reduction, EliminationOrder& order) {
    const std::size_t counters = reduction.counter_count();
    order.counter.clear();
    order.width = 0;
    auto& adjacent = adjacent_word_;
    adjacent.assign(counters, 0);
    for (VariableId v = 0; v < reduction.variable_count(); ++v) {
        std::uint64_t together = 0;
        for (const CounterId c : reduction.counters_of(v))
            if (c != reduction.free_counter) together |= std::uint64_t{1} << c;
        for (const CounterId c : reduction.counters_of(v)) adjacent[c] |= together;
    }
    fill_.resize(counters);
    for (std::size_t c = 0; c < counters; ++c) adjacent[c] &= ~(std::uint64_t{1} << c);
    const auto missing = [&](std::uint64_t of, std::size_t c) {  // of's members not adjacent to c
        return std::popcount(of & ~adjacent[c]);
    };
    for (std::size_t c = 0; c < counters; ++c) {
        std::int32_t twice =
            -std::popcount(adjacent[c]);  // each neighbour is not adjacent to itself
        for (std::uint64_t rest = adjacent[c]; rest != 0; rest &= rest - 1)
            twice += missing(adjacent[c], static_cast<std::size_t>(std::countr_zero(rest)));
        fill_[c] = twice / 2;
    }
    std::uint64_t alive = counters == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << counters) - 1;
    if (reduction.free_counter != kNone) alive &= ~(std::uint64_t{1} << reduction.free_counter);
    while (alive != 0) {
        auto best = static_cast<std::size_t>(std::countr_zero(alive));
        for (std::uint64_t rest = alive; rest != 0 && fill_[best] != 0; rest &= rest - 1) {
            const auto c = static_cast<std::size_t>(std::countr_zero(rest));
            if (fill_[c] < fill_[best]) best = c;
        }
        const std::uint64_t neighbours = adjacent[best];
        if (fill_[best] != 0) {
            for (std::uint64_t rest = neighbours; rest != 0; rest &= rest - 1) {
                const auto a = static_cast<std::size_t>(std::countr_zero(rest));
                for (std::uint64_t far = (rest & (rest - 1)) & ~adjacent[a]; far != 0;
                     far &= far - 1) {
                    const auto b = static_cast<std::size_t>(std::countr_zero(far));
                    const std::uint64_t common = adjacent[a] & adjacent[b];
                    for (std::uint64_t x = common; x != 0; x &= x - 1)
                        --fill_[static_cast<std::size_t>(std::countr_zero(x))];
                    fill_[a] += std::popcount(adjacent[a] & ~common);
                    fill_[b] += std::popcount(adjacent[b] & ~common);
                    adjacent[a] |= std::uint64_t{1} << b;
                    adjacent[b] |= std::uint64_t{1} << a;
                }
            }
        }
        const std::uint64_t self = std::uint64_t{1} << best;
        const int degree = std::popcount(neighbours);
        for (std::uint64_t rest = neighbours; rest != 0; rest &= rest - 1) {
            const auto a = static_cast<std::size_t>(std::countr_zero(rest));
            fill_[a] -= std::popcount(adjacent[a]) - degree;
            adjacent[a] &= ~self;
        }
        alive &= ~self;
        order.width = std::max(order.width, static_cast<std::uint32_t>(degree));
        order.counter.push_back(static_cast<CounterId>(best));
    }
}

void OrderFinder::list_neighbours(const Reduction& reduction, const Control* control) {
    const std::size_t counters = reduction.counter_count();
    if (adjacent_.size() < counters) adjacent_.resize(counters);
    mark_.assign(counters, 0);
    stamp_ = 0;
    for (CounterId c = 0; c < counters; ++c) adjacent_[c].clear();
    for (VariableId v = 0; v < reduction.variable_count(); ++v)
        for (const CounterId c : reduction.counters_of(v))
            for (const CounterId other : reduction.counters_of(v))
                if (c != other && c != reduction.free_counter && other != reduction.free_counter)
                    adjacent_[c].push_back(other);
    for (CounterId c = 0; c < counters; ++c) {
        if (c % kCheckEvery == kCheckEvery - 1) check(control);
        std::ranges::sort(adjacent_[c]);
        auto& list = adjacent_[c];
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

void OrderFinder::min_fill_lists(const Reduction& reduction, const OrderOptions& options,
                                 EliminationOrder& order) {
    const std::size_t counters = reduction.counter_count();
    order.counter.clear();
    order.width = 0;
    list_neighbours(reduction, options.control);
    weight_.assign(counters, 1.0);
    if (options.weighted)
        for (std::size_t c = 0; c < counters; ++c) weight_[c] = std::log2(reduction.need[c] + 1.0);
    const auto mark = [&](CounterId c) {
        ++stamp_;
        for (const CounterId other : adjacent_[c]) mark_[other] = stamp_;
    };
    auto& cost = cost_;
    cost.assign(counters, 0.0);
    for (CounterId c = 0; c < counters; ++c) {
        if (c % kCheckEvery == kCheckEvery - 1) check(options.control);
        mark(c);
        for (const CounterId a : adjacent_[c]) {
            double present = weight_[a];
            for (const CounterId b : adjacent_[a])
                if (mark_[b] == stamp_) present += weight_[b];
            double all = 0.0;
            for (const CounterId b : adjacent_[c]) all += weight_[b];
            cost[c] += weight_[a] * (all - present) / 2;
        }
    }
    std::uint64_t random = options.seed;
    std::vector<std::uint64_t> tie(counters);
    for (std::size_t c = 0; c < counters; ++c) {
        random = random * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX generator
        tie[c] = options.seed == 0 ? c : random >> 20;
    }
    using Candidate = std::tuple<double, std::uint64_t, CounterId>;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    for (CounterId c = 0; c < counters; ++c)
        if (c != reduction.free_counter) queue.emplace(cost[c], tie[c], c);
    std::vector<std::uint8_t> gone(counters, 0);
    std::vector<CounterId> changed;
    std::vector<CounterId> common;
    while (!queue.empty()) {
        const auto [least, tie_of_best, best] = queue.top();
        queue.pop();
        if (gone[best] || least != cost[best]) continue;
        if (order.counter.size() % kCheckEvery == kCheckEvery - 1) check(options.control);
        const auto& neighbours = adjacent_[best];
        changed.clear();
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            const CounterId a = neighbours[i];
            mark(a);
            for (std::size_t j = i + 1; j < neighbours.size(); ++j) {
                const CounterId b = neighbours[j];
                if (mark_[b] == stamp_) continue;
                common.clear();
                double unshared_b = 0.0;
                double unshared_a = 0.0;
                for (const CounterId x : adjacent_[b]) {
                    if (mark_[x] == stamp_) {
                        common.push_back(x);
                    } else {
                        unshared_b += weight_[x];
                    }
                }
                for (const CounterId x : adjacent_[a]) unshared_a += weight_[x];
                for (const CounterId x : common) {
                    unshared_a -= weight_[x];
                    cost[x] -= weight_[a] * weight_[b];
                    changed.push_back(x);
                }
                cost[a] += weight_[b] * unshared_a;
                cost[b] += weight_[a] * unshared_b;
                adjacent_[a].push_back(b);
                adjacent_[b].push_back(a);
                mark_[b] = stamp_;
            }
        }
        mark(best);
        mark_[best] = stamp_;
        for (const CounterId a : neighbours) {
            // Now that the neighbours are joined, a's neighbours that are not best's are those not
            // adjacent to best.
            double outside = 0.0;
            for (const CounterId x : adjacent_[a])
                if (mark_[x] != stamp_) outside += weight_[x];
            cost[a] -= weight_[best] * outside;
            std::erase(adjacent_[a], best);
            changed.push_back(a);
        }
        gone[best] = 1;
        std::ranges::sort(changed);
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        for (const CounterId x : changed)
            if (!gone[x]) queue.emplace(cost[x], tie[x], x);
        order.width = std::max(order.width, static_cast<std::uint32_t>(neighbours.size()));
        order.counter.push_back(best);
    }
}

}  // namespace mineodds
