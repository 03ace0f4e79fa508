// Fuzz target: on any small problem, what both engines say is what brute force says; counts and
// weights exactly, odds to the last digits, certainty exactly.
#include <cmath>
#include <cstdint>
#include <vector>

#include "coefficients/primes.hpp"
#include "elimination/elimination.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/fuzz_support.hpp"
#include "tests/small_problem.hpp"

namespace {

using namespace mineodds;
using namespace mineodds::testing;

struct Weights {
    std::vector<double> weight;
    std::vector<std::int64_t> exponent;
    std::vector<double> deep_share;
};

Evaluation evaluate(Elimination& engine, const Weights& weights) {
    TotalWeights total;
    for (const double weight : weights.weight) total.weight.push_back({weight, 0});
    total.deep_share = weights.deep_share;
    return engine.evaluate(total, nullptr);
}

Evaluation evaluate(const Enumeration& engine, const Weights& weights) {
    return engine.evaluate(weights.weight, weights.exponent, weights.deep_share);
}

template <class Engine>
void compare(const SmallProblem& problem, const BruteForce& expected, Engine&& engine) {
    std::uint64_t configurations = 0;
    for (const auto count : expected.count) configurations += count;
    expect(engine.consistent() == (configurations > 0), "consistent");
    if (!engine.consistent()) return;

    const auto least = static_cast<std::size_t>(engine.least_mines());
    const auto most = static_cast<std::size_t>(engine.most_mines());
    expect(expected.count[least] > 0 && expected.count[most] > 0, "range of mines");
    Weights weights;
    std::vector<std::uint64_t> modular_weight;
    for (std::size_t k = least; k <= most; ++k) {
        weights.weight.push_back(problem.weight[k]);
        weights.exponent.push_back(0);
        weights.deep_share.push_back(0.5);
        modular_weight.push_back(static_cast<std::uint64_t>(problem.weight[k]));
    }
    const std::uint64_t prime = largest_primes(1).front();
    const ModularEvaluation modular = engine.evaluate_modular(prime, modular_weight, nullptr);
    const Evaluation odds = evaluate(engine, weights);

    std::uint64_t counted = 0;
    for (std::size_t k = 0; k < modular.count.size(); ++k) {
        expect(modular.count[k] == expected.count[least + k], "count");
        counted += modular.count[k];
    }
    expect(counted == configurations, "range of mines");
    expect(modular.total == static_cast<std::uint64_t>(expected.total), "total, modular");
    expect(near(std::ldexp(odds.total, static_cast<int>(odds.total_exponent)), expected.total),
           "total");
    for (std::size_t v = 0; v < expected.mine.size(); ++v) {
        expect(modular.mine[v] == static_cast<std::uint64_t>(expected.mine[v]), "mine, modular");
        if (expected.total == 0.0) continue;
        const double probability = odds.probability[v];
        expect(near(probability, expected.mine[v] / expected.total), "probability");
        expect((probability == 1.0) == (expected.mine[v] == expected.total), "certainty");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto problem = problem_from_bytes({data, size});
    const auto expected = brute_force(problem);
    compare(problem, expected, Elimination(problem.view(), Budget{}, nullptr));
    compare(problem, expected, Enumeration(problem.view(), 1e9));
    return 0;
}
