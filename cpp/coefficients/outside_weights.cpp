// See outside_weights.hpp.
#include "coefficients/outside_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "words/errors.hpp"

namespace mineodds {
namespace {

// Products of two coefficients within this many powers of two of the largest are normal doubles.
constexpr std::int64_t kRange = 480;
constexpr std::size_t kRowsBetweenChecks = 64;

}  // namespace

OutsideWeights::Factor OutsideWeights::factor_of(Polynomial polynomial) {
    Factor result{std::move(polynomial), {}, 0};
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (const WideDouble& value : result.wide) {
        if (value.mantissa == 0.0) continue;
        least = std::min(least, value.exponent);
        most = std::max(most, value.exponent);
    }
    if (least > most || most - least > kRange) return result;
    result.exponent = most;
    for (const WideDouble& value : result.wide)
        result.scaled.push_back(
            value.mantissa == 0.0
                ? 0.0
                : std::ldexp(value.mantissa, static_cast<int>(value.exponent - most)));
    return result;
}

OutsideWeights::OutsideWeights(std::vector<Polynomial> factor, Polynomial total, double max_work,
                               const Control* control)
    : leaf_count_(factor.size()), max_work_(max_work), control_(control), node_(2 * factor.size()) {
    std::size_t degree = 0;
    for (const Polynomial& f : factor) {
        if (f.empty()) throw BadArgument("a factor must have a coefficient");
        degree += f.size() - 1;
    }
    if (total.size() != degree + 1)
        throw BadArgument("total must have one weight more than the sum of the factors' degrees");
    total_ = factor_of(std::move(total));
    for (std::size_t i = 0; i < leaf_count_; ++i)
        node_[leaf_count_ + i] = factor_of(std::move(factor[i]));
    for (std::size_t i = leaf_count_; i-- > 1;)
        node_[i] = factor_of(multiply(node_[2 * i], node_[2 * i + 1]));
}

void OutsideWeights::spend(std::size_t rows, std::size_t columns) {
    products_ += static_cast<double>(rows) * static_cast<double>(columns);
    if (products_ > max_work_) throw CostExceeded(products_, 0.0);
}

OutsideWeights::Polynomial OutsideWeights::multiply(const Factor& a, const Factor& b) {
    spend(a.wide.size(), b.wide.size());
    Polynomial result(a.wide.size() + b.wide.size() - 1);
    if (!a.scaled.empty() && !b.scaled.empty()) {
        std::vector<double> sum(result.size(), 0.0);
        for (std::size_t i = 0; i < a.scaled.size(); ++i) {
            if (i % kRowsBetweenChecks == 0) check(control_);
            for (std::size_t j = 0; j < b.scaled.size(); ++j)
                sum[i + j] += a.scaled[i] * b.scaled[j];
        }
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = Wide::make(sum[i], a.exponent + b.exponent);
        return result;
    }
    const Wide ring;
    for (std::size_t i = 0; i < a.wide.size(); ++i) {
        if (i % kRowsBetweenChecks == 0) check(control_);
        for (std::size_t j = 0; j < b.wide.size(); ++j)
            result[i + j] = ring.add(result[i + j], ring.multiply(a.wide[i], b.wide[j]));
    }
    return result;
}

// result[i] = sum over j of weight[i + j] * factor[j]. Weights are often those of one total only.
OutsideWeights::Polynomial OutsideWeights::correlate(const Factor& weight, const Factor& factor) {
    Polynomial result(weight.wide.size() - factor.wide.size() + 1);
    spend(result.size(), factor.wide.size());
    const auto each = [&](auto&& add) {
        for (std::size_t k = 0; k < weight.wide.size(); ++k) {
            if (k % kRowsBetweenChecks == 0) check(control_);
            if (weight.wide[k].mantissa == 0.0) continue;
            const std::size_t first = k < result.size() ? 0 : k - result.size() + 1;
            const std::size_t last = std::min(k, factor.wide.size() - 1);
            for (std::size_t j = first; j <= last; ++j) add(k - j, k, j);
        }
    };
    if (!weight.scaled.empty() && !factor.scaled.empty()) {
        std::vector<double> sum(result.size(), 0.0);
        each([&](std::size_t i, std::size_t k, std::size_t j) {
            sum[i] += weight.scaled[k] * factor.scaled[j];
        });
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = Wide::make(sum[i], weight.exponent + factor.exponent);
        return result;
    }
    const Wide ring;
    each([&](std::size_t i, std::size_t k, std::size_t j) {
        result[i] = ring.add(result[i], ring.multiply(weight.wide[k], factor.wide[j]));
    });
    return result;
}

std::vector<std::size_t> OutsideWeights::subtrees_without(
    const std::vector<std::size_t>& choice) const {
    std::vector<std::size_t> result;
    std::size_t begin = leaf_count_;
    for (std::size_t i = 0; i <= choice.size(); ++i) {
        const std::size_t end = i < choice.size() ? leaf_count_ + choice[i] : 2 * leaf_count_;
        for (std::size_t low = begin, high = end; low < high; low /= 2, high /= 2) {
            if (low % 2 != 0) result.push_back(low++);
            if (high % 2 != 0) result.push_back(--high);
        }
        begin = end + 1;
    }
    // Largest first; the order of choices that share subtrees is then the order of the lists.
    std::ranges::sort(result, [&](std::size_t a, std::size_t b) {
        return std::pair(node_[b].wide.size(), a) < std::pair(node_[a].wide.size(), b);
    });
    return result;
}

std::vector<OutsideWeights::Polynomial> OutsideWeights::without(
    std::span<const std::vector<std::size_t>> choices) {
    std::vector<std::vector<std::size_t>> subtrees;
    for (const std::vector<std::size_t>& choice : choices) {
        for (std::size_t i = 0; i < choice.size(); ++i)
            if (choice[i] >= leaf_count_ || (i > 0 && choice[i] <= choice[i - 1]))
                throw BadArgument("factors that are left out must rise");
        subtrees.push_back(subtrees_without(choice));
    }
    std::vector<std::size_t> order(choices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order,
                      [&](std::size_t a, std::size_t b) { return subtrees[a] < subtrees[b]; });
    std::vector<Polynomial> result(choices.size());
    std::vector<std::size_t> path;  // of subtrees taken, and what is left after each
    std::vector<Factor> left{total_};
    for (const std::size_t choice : order) {
        const std::vector<std::size_t>& wanted = subtrees[choice];
        const auto [end, other] = std::ranges::mismatch(path, wanted);
        path.erase(end, path.end());
        left.resize(path.size() + 1);
        for (std::size_t i = path.size(); i < wanted.size(); ++i) {
            left.push_back(factor_of(correlate(left.back(), node_[wanted[i]])));
            path.push_back(wanted[i]);
        }
        result[choice] = left.back().wide;
    }
    return result;
}

}  // namespace mineodds
