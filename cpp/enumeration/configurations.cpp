// The odometer; see configurations.hpp.
#include "enumeration/configurations.hpp"

#include <algorithm>

namespace mineodds {
namespace {

ConstraintNetwork checked_network(const Problem& problem) {
    check(problem);
    return make_network(problem);
}

}  // namespace

ConfigurationIterator::ConfigurationIterator(const Problem& problem, const Control* control)
    : network_(checked_network(problem)),
      search_(network_, kUnlimitedNodes, control),
      placement_(network_.cells.entry.size(), 0),
      cell_(network_.settled),
      ended_(!network_.consistent) {}

std::optional<std::span<const std::int8_t>> ConfigurationIterator::next() {
    if (ended_) return std::nullopt;
    if (!started_ || !next_placement()) {
        ended_ = !next_values();
        if (ended_) return std::nullopt;
    }
    return std::span<const std::int8_t>(cell_);
}

// Turns the placements within the variables. False, and all of them back at their first, after the
// last.
bool ConfigurationIterator::next_placement() {
    for (auto v = static_cast<VariableId>(network_.variable_count()); v-- > 0;) {
        const MineCount mines = search_.value()[v];
        if (mines == 0 || mines == network_.size[v]) continue;
        const auto begin =
            placement_.begin() + static_cast<std::ptrdiff_t>(network_.cells.start[v]);
        const bool turned = std::next_permutation(begin, begin + network_.size[v]);
        write(v);
        if (turned) return true;
    }
    return false;
}

// Turns the components. False after the last configuration.
bool ConfigurationIterator::next_values() {
    const auto count = static_cast<ComponentId>(network_.component_count());
    if (started_ && count == 0) return false;  // nothing is open: there is one configuration
    ComponentId component = started_ ? count - 1 : 0;
    bool turns_anew = !started_;  // its search starts from the beginning
    started_ = true;
    while (component < count) {
        if (search_.next(component)) {
            place_first(component);
            ++component;
            turns_anew = true;
        } else {
            if (turns_anew || component == 0) return false;  // without a configuration, or all done
            --component;
            turns_anew = false;
        }
    }
    return true;
}

// The first placement of the values of each variable: its mines in its last cells.
void ConfigurationIterator::place_first(ComponentId component) {
    for (VariableId v = network_.first[component]; v < network_.first[component + 1]; ++v) {
        const auto begin =
            placement_.begin() + static_cast<std::ptrdiff_t>(network_.cells.start[v]);
        const MineCount safe = network_.size[v] - search_.value()[v];
        std::fill(begin, begin + safe, std::int8_t{0});
        std::fill(begin + safe, begin + network_.size[v], std::int8_t{1});
        write(v);
    }
}

void ConfigurationIterator::write(VariableId variable) {
    const auto cells = network_.cells[variable];
    const std::size_t start = network_.cells.start[variable];
    for (std::size_t i = 0; i < cells.size(); ++i)
        cell_[static_cast<std::size_t>(cells[i])] = placement_[start + i];
}

}  // namespace mineodds
