// What the odds are made of: for each variable and each of its values, the weight of the
// configurations in which it has that value, in any coefficient type.
//
// One search. A configuration's weight is its own times what is given for its mine count; it is
// added to the choice that the search stands at. On leaving a choice, the weight found below it
// goes to every variable that it assigned and to the choice above: a node costs its own
// assignments, a configuration does not cost all of its variables.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "enumeration/accumulator.hpp"
#include "enumeration/configuration_weight.hpp"
#include "enumeration/network.hpp"
#include "enumeration/search.hpp"
#include "words/control.hpp"
#include "words/integers.hpp"

namespace mineodds {

// The mine counts of a component's configurations: least, and how many from there to the most.
struct MineRange {
    MineCount least;
    std::size_t length;
};

// The weight of the configurations in which a variable has a value, for every variable and value.
template <class Ring>
class Masses {
  public:
    using Value = typename Ring::Value;

    // Searches all components. weight[c][k]: what a configuration of component c with the k-th mine
    // count of its range weighs, its own weight apart.
    Masses(const Ring& ring, Value one, const ConstraintNetwork& network,
           const std::vector<MineRange>& range, const std::vector<std::vector<Value>>& weight,
           const Control* control)
        : ring_(ring), network_(network) {
        for (const MineCount size : network_.size) {
            start_.push_back(mass_.size());
            mass_.resize(mass_.size() + static_cast<std::size_t>(size) + 1);
        }
        below_.resize(network_.variable_count());
        Search search(network_, kUnlimitedNodes, control);
        ConfigurationWeight<Ring> own(ring, one, network_);
        for (ComponentId c = 0; c < network_.component_count(); ++c)
            add(search, own, c, weight[c], range[c].least);
    }

    // s times the weight of the configurations with a mine in one given cell of the variable, and
    // without one: a value m has it in C(s - 1, m - 1) = C(s, m) m/s of its C(s, m) placements.
    template <class FromInteger>
    std::pair<Value, Value> of(VariableId variable, FromInteger&& from_integer) const {
        const auto size = static_cast<std::size_t>(network_.size[variable]);
        Accumulator<Ring> mine, safe;
        for (std::size_t m = 0; m <= size; ++m) {
            const Value mass = mass_[start_[variable] + m].value();
            if (m != 0) mine.add(ring_, ring_.multiply(mass, from_integer(m)));
            if (m != size) safe.add(ring_, ring_.multiply(mass, from_integer(size - m)));
        }
        return {mine.value(), safe.value()};
    }

  private:
    void add(Search& search, ConfigurationWeight<Ring>& own, ComponentId component,
             const std::vector<Value>& weight, MineCount least) {
        const auto leave = [&](std::size_t depth, std::span<const VariableId> variables) {
            own.keep(search.assigned(component).size() - variables.size());
            const Value found = below_[depth].value();
            if (ring_.is_zero(found)) return;
            below_[depth] = {};
            for (const VariableId variable : variables) {
                const auto value = static_cast<std::size_t>(search.value()[variable]);
                mass_[start_[variable] + value].add(ring_, found);
            }
            if (depth != 0) below_[depth - 1].add(ring_, found);
        };
        while (search.next(component, leave)) {
            const Value& rest = weight[static_cast<std::size_t>(search.mines(component) - least)];
            if (ring_.is_zero(rest)) continue;
            below_[search.depth(component) - 1].add(
                ring_, ring_.multiply(own.of(search, component), rest));
        }
    }

    const Ring& ring_;
    const ConstraintNetwork& network_;
    std::vector<std::size_t> start_;  // by variable: where its values start in mass_
    std::vector<Accumulator<Ring>> mass_;
    std::vector<Accumulator<Ring>> below_;  // by depth: found below the choice that stands there
};

}  // namespace mineodds
