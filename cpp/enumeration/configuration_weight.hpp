// The weight of a configuration, the product of C(s, m) over its variables, in any coefficient
// type. Neighbouring configurations share most of their assignments: the products over the first
// assigned variables are kept, and only those after the last change are multiplied anew.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "coefficients/binomial.hpp"
#include "enumeration/network.hpp"
#include "enumeration/search.hpp"

namespace mineodds {

template <class Ring>
class ConfigurationWeight {
  public:
    using Value = typename Ring::Value;

    ConfigurationWeight(const Ring& ring, Value one, const ConstraintNetwork& network)
        : ring_(ring) {
        std::map<MineCount, std::size_t> row_of_size;
        std::vector<Value> row;
        std::size_t longest = 0;
        for (const MineCount size : network.size) {
            const auto [place, is_new] = row_of_size.emplace(size, binomial_.size());
            if (is_new) {
                const auto cells = static_cast<std::size_t>(size);
                binomial_row(ring, one, cells, cells, row);
                binomial_.insert(binomial_.end(), row.begin(), row.end());
            }
            row_.push_back(place->second);
        }
        for (ComponentId c = 0; c < network.component_count(); ++c)
            longest = std::max<std::size_t>(longest, network.first[c + 1] - network.first[c]);
        product_.assign(longest + 1, one);
    }

    // Of the configuration that the search stands at.
    Value of(const Search& search, ComponentId component) {
        const auto assigned = search.assigned(component);
        for (; known_ < assigned.size(); ++known_) {
            const VariableId variable = assigned[known_];
            const auto value = static_cast<std::size_t>(search.value()[variable]);
            product_[known_ + 1] =
                ring_.multiply(product_[known_], binomial_[row_[variable] + value]);
        }
        return product_[known_];
    }

    // Only the first `count` assignments still stand.
    void keep(std::size_t count) { known_ = std::min(known_, count); }

  private:
    const Ring& ring_;
    std::vector<Value> binomial_;   // C(s, 0..s) for each size s that occurs
    std::vector<std::size_t> row_;  // by variable: where its row starts
    std::vector<Value> product_;    // over the first assigned variables
    std::size_t known_ = 0;
};

}  // namespace mineodds
