// Cells that are not all alike: weights of 0, 1, ... mines in a cell, by its class.
//
// A class of capacity k stands for cells that hold up to k mines, weight[j] for j of them. Such a
// cell is k cells of the problem with the same clues, numbered one after the other: a clue counts
// their mines as it counts any. What differs is the weight of m mines in a variable, which is no
// binomial coefficient but a coefficient of (weight[0] + weight[1] z + ...)^n for n cells of one
// class. Only cells of one class are joined into a variable. The weights must be positive: what is
// possible at all then depends on the clues alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "coefficients/modular.hpp"
#include "coefficients/wide.hpp"
#include "problem/reduction.hpp"
#include "words/integers.hpp"

namespace mineodds {

struct CellWeights {
    std::vector<ClassId> cell_class;      // by cell of the problem
    std::vector<std::uint32_t> start{0};  // by class: its weights are start[c] .. start[c + 1] in
    std::vector<WideDouble> weight;       // this list ...
    std::vector<std::uint64_t> residue;   // ... and in this one, modulo the prime at hand

    std::size_t class_count() const { return start.size() - 1; }
    std::uint32_t capacity(ClassId c) const { return start[c + 1] - start[c] - 1; }
};

// Throws BadArgument unless every cell has a class, classes have at least weights for 0 and 1 mine,
// all positive, and cells of a class of capacity k come k at a time.
void check(const CellWeights& weights, CellId cell_count);

// Polynomials of variables, made once an evaluation.
template <class Ring>
class ClassPolynomials {
  public:
    using Value = typename Ring::Value;
    using Polynomial = std::vector<Value>;

    ClassPolynomials(const Ring& ring, Value one, const CellWeights& weights)
        : ring_(ring), one_(one), weights_(weights) {}

    // The weights of 0, 1, ... mines in one cell.
    Polynomial cell(ClassId c) const {
        Polynomial result;
        for (std::uint32_t j = weights_.start[c]; j < weights_.start[c + 1]; ++j) {
            if constexpr (requires { ring_.from_integer(std::uint64_t{}); }) {
                result.push_back(ring_.from_integer(weights_.residue[j]));
            } else {
                result.push_back(weights_.weight[j]);
            }
        }
        return result;
    }
    // Of n cells of one class.
    const Polynomial& power(ClassId c, std::uint32_t n) {
        const auto known = power_.find({c, n});
        if (known != power_.end()) return known->second;
        Polynomial result(1, one_);
        if (n == 1) {
            result = cell(c);
        } else if (n > 1) {
            result = multiply(power(c, n / 2), power(c, n - n / 2));
        }
        return power_.emplace(std::pair(c, n), std::move(result)).first->second;
    }
    const Polynomial& of(const Reduction& r, VariableId v) {
        return power(r.variable_class[v], cells_of(r, v));
    }
    // The weights of m mines in a variable, split by what one of its cells holds.
    std::pair<Value, Value> mine_and_safe(const Reduction& r, VariableId v, MineCount m) {
        const ClassId c = r.variable_class[v];
        const Polynomial own = cell(c);
        const Polynomial& others = power(c, cells_of(r, v) - 1);
        const auto mines = static_cast<std::size_t>(m);
        Value mine = ring_.zero();
        for (std::size_t j = 1; j < own.size() && j <= mines; ++j)
            if (mines - j < others.size())
                mine = ring_.add(mine, ring_.multiply(own[j], others[mines - j]));
        const Value safe =
            mines < others.size() ? ring_.multiply(own[0], others[mines]) : ring_.zero();
        return {mine, safe};
    }
    // What is settled weighs the same in every configuration.
    Value settled(std::span<const std::int8_t> state) {
        std::vector<std::uint32_t> count(2 * weights_.class_count(), 0);
        for (std::size_t i = 0; i < state.size(); ++i)
            if (state[i] == kSafe || state[i] == kMine)
                ++count[2 * weights_.cell_class[i] + static_cast<std::size_t>(state[i])];
        Value result = one_;
        for (std::size_t i = 0; i < count.size(); ++i) {
            const auto c = static_cast<ClassId>(i / 2);
            const Polynomial own = cell(c);
            for (std::uint32_t n = count[i] / weights_.capacity(c); n > 0; --n)
                result = ring_.multiply(result, i % 2 == 0 ? own.front() : own.back());
        }
        return result;
    }

  private:
    std::uint32_t cells_of(const Reduction& r, VariableId v) const {
        return r.size[v] / weights_.capacity(r.variable_class[v]);
    }
    Polynomial multiply(const Polynomial& a, const Polynomial& b) const {
        Polynomial result(a.size() + b.size() - 1, ring_.zero());
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; j < b.size(); ++j)
                result[i + j] = ring_.add(result[i + j], ring_.multiply(a[i], b[j]));
        return result;
    }

    const Ring& ring_;
    Value one_;
    const CellWeights& weights_;
    std::map<std::pair<ClassId, std::uint32_t>, Polynomial> power_;
};

}  // namespace mineodds
