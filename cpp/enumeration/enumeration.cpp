// Counting, weighing and the answers; see enumeration.hpp.
#include "enumeration/enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "coefficients/modular.hpp"
#include "enumeration/accumulator.hpp"
#include "enumeration/configuration_weight.hpp"
#include "enumeration/masses.hpp"
#include "enumeration/search.hpp"
#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLargestExponent = std::int64_t{1} << 60;  // sums of a few stay in range
constexpr std::uint64_t kLargestModulus = std::uint64_t{1} << 61;

const WideDouble kWideOne = Wide::make(1.0, 0);

// The configurations of a component by mine count, 0 up to all of its cells.
template <class Ring>
std::vector<typename Ring::Value> count_component(const Ring& ring,
                                                  ConfigurationWeight<Ring>& weight, Search& search,
                                                  ComponentId component, MineCount cells) {
    std::vector<Accumulator<Ring>> sum(static_cast<std::size_t>(cells) + 1);
    const auto leave = [&](std::size_t, std::span<const VariableId> variables) {
        weight.keep(search.assigned(component).size() - variables.size());
    };
    while (search.next(component, leave)) {
        sum[static_cast<std::size_t>(search.mines(component))].add(ring,
                                                                   weight.of(search, component));
    }
    std::vector<typename Ring::Value> count;
    count.reserve(sum.size());
    for (const auto& coefficient : sum) count.push_back(coefficient.value());
    return count;
}

// P = mine / (mine + safe): 0.0 and 1.0 only when a mass is empty.
double probability_of(WideDouble mine, WideDouble safe) {
    if (mine.mantissa == 0.0) return 0.0;
    if (safe.mantissa == 0.0) return 1.0;
    constexpr double below_one = 1.0 - std::numeric_limits<double>::epsilon() / 2;
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    const WideDouble sum = Wide().add(mine, safe);
    const std::int64_t exponent = std::max<std::int64_t>(mine.exponent - sum.exponent, -2000);
    const double value = std::ldexp(mine.mantissa / sum.mantissa, static_cast<int>(exponent));
    return std::clamp(value, smallest, below_one);
}

Modular::Value inverse(const Modular& ring, std::uint64_t number) {
    // Fermat: number^(prime - 2).
    Modular::Value result = ring.from_integer(1);
    Modular::Value square = ring.from_integer(number);
    for (std::uint64_t power = ring.prime() - 2; power != 0; power >>= 1) {
        if ((power & 1) != 0) result = ring.multiply(result, square);
        square = ring.multiply(square, square);
    }
    return result;
}

void require_length(std::size_t length, std::size_t wanted, const char* name) {
    if (length != wanted)
        throw BadArgument(std::string(name) + " has " + std::to_string(length) +
                          " entries, but there are " + std::to_string(wanted) + " mine counts");
}

}  // namespace

Enumeration::Enumeration(const Problem& problem, double max_work, const Control* control)
    : counts_(Wide(), kWideOne, {}) {
    check(problem);
    network_ = make_network(problem);
    if (!network_.consistent) return;
    const Wide ring;
    Search search(network_, max_work, control);
    ConfigurationWeight<Wide> weight(ring, kWideOne, network_);
    std::vector<std::vector<WideDouble>> counts;
    MineCount least_mines = network_.settled_mines;
    const auto occurs = [&](WideDouble count) { return !ring.is_zero(count); };
    for (ComponentId c = 0; c < network_.component_count(); ++c) {
        auto count = count_component(ring, weight, search, c, network_.cell_count(c));
        work_ = search.nodes();
        const auto least = std::ranges::find_if(count, occurs);
        if (least == count.end()) return;
        while (!occurs(count.back())) count.pop_back();
        range_.push_back({static_cast<MineCount>(least - count.begin()),
                          static_cast<std::size_t>(count.end() - least)});
        count.erase(count.begin(), least);
        least_mines += range_.back().least;
        counts.push_back(std::move(count));
    }
    counts_ = ProductTree<Wide>(ring, kWideOne, std::move(counts), control);
    least_mines_ = least_mines;
    possible_.clear();
    for (const WideDouble count : counts_.product()) possible_.push_back(occurs(count) ? 1 : 0);
}

// The components' count polynomials in another ring.
template <class Ring>
ProductTree<Ring> Enumeration::count(const Ring& ring, typename Ring::Value one,
                                     const Control* control) const {
    Search search(network_, kUnlimitedNodes, control);
    ConfigurationWeight<Ring> weight(ring, one, network_);
    std::vector<std::vector<typename Ring::Value>> counts;
    for (ComponentId c = 0; c < network_.component_count(); ++c) {
        auto count = count_component(ring, weight, search, c, network_.cell_count(c));
        count.erase(count.begin(), count.begin() + range_[c].least);
        count.resize(range_[c].length);
        counts.push_back(std::move(count));
    }
    return ProductTree<Ring>(ring, one, std::move(counts), control);
}

Evaluation Enumeration::evaluate(std::span<const double> weight,
                                 std::span<const std::int64_t> weight_exponent,
                                 std::span<const double> deep_share, const Control* control) const {
    require_length(weight.size(), possible_.size(), "weight");
    require_length(weight_exponent.size(), possible_.size(), "weight_exponent");
    require_length(deep_share.size(), possible_.size(), "deep_share");
    const Wide ring;
    std::vector<WideDouble> root(possible_.size());
    Accumulator<Wide> total, deep_mine, deep_safe;
    for (std::size_t k = 0; k < root.size(); ++k) {
        if (!(weight[k] >= 0.0 && std::isfinite(weight[k])))
            throw BadArgument("weight must be finite and not negative, but entry " +
                              std::to_string(k) + " is " + std::to_string(weight[k]));
        if (weight_exponent[k] > kLargestExponent || weight_exponent[k] < -kLargestExponent)
            throw BadArgument("weight_exponent must lie within 2^60 of 0, but entry " +
                              std::to_string(k) + " is " + std::to_string(weight_exponent[k]));
        if (weight[k] == 0.0 || possible_[k] == 0) continue;
        if (!(deep_share[k] >= 0.0 && deep_share[k] <= 1.0))
            throw BadArgument("deep_share must lie between 0 and 1, but entry " +
                              std::to_string(k) + " is " + std::to_string(deep_share[k]));
        root[k] = Wide::make(weight[k], weight_exponent[k]);
        const WideDouble mass = ring.multiply(counts_.product()[k], root[k]);
        total.add(ring, mass);
        deep_mine.add(ring, ring.multiply(mass, Wide::make(deep_share[k], 0)));
        deep_safe.add(ring, ring.multiply(mass, Wide::make(1.0 - deep_share[k], 0)));
    }
    Evaluation result;
    result.probability.assign(network_.settled.size(), kNaN);
    result.deep_probability = kNaN;
    if (!consistent() || ring.is_zero(total.value())) return result;
    result.total = total.value().mantissa;
    result.total_exponent = total.value().exponent;
    result.deep_probability = probability_of(deep_mine.value(), deep_safe.value());

    const Masses<Wide> masses(ring, kWideOne, network_, range_, counts_.distribute(root, control),
                              control);
    for (std::size_t cell = 0; cell < network_.settled.size(); ++cell)
        if (network_.settled[cell] >= 0) result.probability[cell] = network_.settled[cell];
    for (VariableId v = 0; v < network_.variable_count(); ++v) {
        const auto [mine, safe] =
            masses.of(v, [](std::size_t n) { return Wide::make(static_cast<double>(n), 0); });
        const double probability = probability_of(mine, safe);
        for (const CellId cell : network_.cells[v])
            result.probability[static_cast<std::size_t>(cell)] = probability;
    }
    return result;
}

ModularEvaluation Enumeration::evaluate_modular(std::uint64_t prime,
                                                std::span<const std::uint64_t> weight,
                                                const Control* control) const {
    require_length(weight.size(), possible_.size(), "weight");
    if (prime % 2 == 0 || prime < 3 || prime >= kLargestModulus)
        throw BadArgument("the modulus must be an odd prime below 2^61, not " +
                          std::to_string(prime));
    for (const MineCount size : network_.size)
        if (static_cast<std::uint64_t>(size) >= prime)
            throw BadArgument("the modulus must be larger than " + std::to_string(size) +
                              ", the cells of a variable, not " + std::to_string(prime));
    const Modular ring(prime);
    const auto from_integer = [&](std::uint64_t n) { return ring.from_integer(n); };
    ModularEvaluation result;
    result.count.assign(possible_.size(), 0);
    result.mine.assign(network_.settled.size(), 0);
    if (!consistent()) return result;

    const auto counts = count(ring, from_integer(1), control);
    std::vector<Modular::Value> root;
    Accumulator<Modular> total;
    for (std::size_t k = 0; k < weight.size(); ++k) {
        root.push_back(from_integer(weight[k]));
        total.add(ring, ring.multiply(counts.product()[k], root[k]));
        result.count[k] = ring.to_integer(counts.product()[k]);
    }
    result.total = ring.to_integer(total.value());

    const Masses<Modular> masses(ring, from_integer(1), network_, range_,
                                 counts.distribute(root, control), control);
    for (std::size_t cell = 0; cell < network_.settled.size(); ++cell)
        if (network_.settled[cell] == 1) result.mine[cell] = result.total;
    for (VariableId v = 0; v < network_.variable_count(); ++v) {
        const auto share = inverse(ring, static_cast<std::uint64_t>(network_.size[v]));
        const auto mine = ring.multiply(masses.of(v, from_integer).first, share);
        for (const CellId cell : network_.cells[v])
            result.mine[static_cast<std::size_t>(cell)] = ring.to_integer(mine);
    }
    return result;
}

}  // namespace mineodds
