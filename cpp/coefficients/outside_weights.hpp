// What lies outside of some factors of a product of polynomials, for many choices of the factors.
//
// Everything on a board that a question does not touch is a factor: a component's count
// polynomial, a deep cell's weights of 0, 1, ... mines. With m mines on the factors that are left
// out, all the others together weigh  sum over r of product[r] * total[m + r].
//
// The factors are the leaves of a balanced tree of products. The subtrees without a factor that is
// left out are taken from the weights of the totals one after the other, largest first, and each
// shortens what is left (the transposed products of Bostan, Lecerf & Schost, Tellegen's principle
// into practice, 2003). Choices that lie near each other begin with the same subtrees: in sorted
// order they share that work. No term is ever divided or subtracted, so nothing is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coefficients/wide.hpp"
#include "words/control.hpp"

namespace mineodds {

class OutsideWeights {
  public:
    using Polynomial = std::vector<WideDouble>;

    // factor: none empty. total[m]: the weight of m mines in all, m = 0 .. the sum of the degrees.
    // Throws BadArgument, and CostExceeded where the products would be over max_work.
    OutsideWeights(std::vector<Polynomial> factor, Polynomial total, double max_work,
                   const Control* control);

    // For each choice (positions of factors, rising, each once) entries m = 0 .. the sum of their
    // degrees. Throws BadArgument, CostExceeded.
    std::vector<Polynomial> without(std::span<const std::vector<std::size_t>> choices);
    // Of coefficients, so far.
    double products() const { return products_; }

  private:
    // A polynomial, and its coefficients over 2^exponent as doubles, empty where they have not the
    // range.
    struct Factor {
        Polynomial wide;
        std::vector<double> scaled;
        std::int64_t exponent = 0;
    };

    static Factor factor_of(Polynomial polynomial);
    void spend(std::size_t rows, std::size_t columns);
    Polynomial multiply(const Factor& a, const Factor& b);
    Polynomial correlate(const Factor& weight, const Factor& factor);
    std::vector<std::size_t> subtrees_without(const std::vector<std::size_t>& choice) const;

    std::size_t leaf_count_;
    double max_work_;
    double products_ = 0.0;
    const Control* control_;
    Factor total_;
    std::vector<Factor> node_;  // 1 is the root, i has the children 2i and 2i + 1, leaves come last
};

}  // namespace mineodds
