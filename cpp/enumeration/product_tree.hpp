// Joins the components: the product of their count polynomials, and what each component sees of
// the others.
//
// The components are the leaves of a balanced binary tree whose nodes hold the product of the
// leaves below. Downwards the same tree turns weights by total mine count into weights for each
// leaf by its own mine count: a child sees its parent's weights, summed over the mines of its
// sibling. That is every leaf's derivative of the total in one pass (Darwiche, A differential
// approach to inference, 2003). For a product of K coefficients this takes about K^2
// multiplications and K log C memory, where prefix and suffix products would hold K C.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "enumeration/accumulator.hpp"
#include "words/control.hpp"

namespace mineodds {

template <class Ring>
class ProductTree {
  public:
    using Value = typename Ring::Value;
    using Polynomial = std::vector<Value>;

    // No leaf may be empty. Node 1 is the root, node i has the children 2i and 2i + 1, and the
    // leaves come last; with any number of leaves each is below the root exactly once.
    ProductTree(const Ring& ring, Value one, std::vector<Polynomial> leaves,
                const Control* control = nullptr)
        : ring_(ring), leaf_count_(leaves.size()), node_(2 * leaves.size()) {
        if (leaf_count_ == 0) node_.resize(2, Polynomial{one});
        for (std::size_t i = 0; i < leaf_count_; ++i) node_[leaf_count_ + i] = std::move(leaves[i]);
        for (std::size_t i = leaf_count_; i-- > 1;)
            node_[i] = multiply(node_[2 * i], node_[2 * i + 1], control);
    }

    const Polynomial& product() const { return node_[1]; }

    // For each leaf, the weight of its coefficients: total = sum over k of leaf[k] * result[k].
    std::vector<Polynomial> distribute(std::span<const Value> weight,
                                       const Control* control = nullptr) const {
        std::vector<Polynomial> seen(node_.size());
        seen[1].assign(weight.begin(), weight.end());
        for (std::size_t i = 1; i < leaf_count_; ++i) {
            seen[2 * i] = correlate(seen[i], node_[2 * i + 1], control);
            seen[2 * i + 1] = correlate(seen[i], node_[2 * i], control);
            Polynomial().swap(seen[i]);
        }
        seen.erase(seen.begin(), seen.end() - static_cast<std::ptrdiff_t>(leaf_count_));
        return seen;
    }

  private:
    static constexpr std::size_t kRowsBetweenChecks = 64;

    Polynomial multiply(const Polynomial& a, const Polynomial& b, const Control* control) const {
        std::vector<Accumulator<Ring>> sum(a.size() + b.size() - 1);
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (i % kRowsBetweenChecks == 0) check(control);
            if (ring_.is_zero(a[i])) continue;
            for (std::size_t j = 0; j < b.size(); ++j)
                sum[i + j].add(ring_, ring_.multiply(a[i], b[j]));
        }
        Polynomial result;
        result.reserve(sum.size());
        for (const auto& coefficient : sum) result.push_back(coefficient.value());
        return result;
    }

    // result[i] = sum over j of weight[i + j] * sibling[j].
    Polynomial correlate(const Polynomial& weight, const Polynomial& sibling,
                         const Control* control) const {
        Polynomial result(weight.size() - sibling.size() + 1);
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (i % kRowsBetweenChecks == 0) check(control);
            Accumulator<Ring> sum;
            for (std::size_t j = 0; j < sibling.size(); ++j)
                sum.add(ring_, ring_.multiply(weight[i + j], sibling[j]));
            result[i] = sum.value();
        }
        return result;
    }

    Ring ring_;
    std::size_t leaf_count_;
    std::vector<Polynomial> node_;
};

}  // namespace mineodds
