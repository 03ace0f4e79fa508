// Forward checking and the bookkeeping of the search; see search.hpp.
#include "enumeration/search.hpp"

#include <algorithm>

#include "words/errors.hpp"

namespace mineodds {
namespace {

constexpr std::uint64_t kNodesBetweenChecks = std::uint64_t{1} << 16;  // a few milliseconds

}  // namespace

Search::Search(const ConstraintNetwork& network, double max_nodes, const Control* control)
    : network_(network),
      max_nodes_(max_nodes),
      control_(control),
      value_(network.variable_count(), -1),
      assigned_(network.variable_count()),
      choice_(network.variable_count()),
      progress_(network.component_count()) {
    for (std::size_t clue = 0; clue < network.clue_count(); ++clue)
        clue_.push_back({network.need[clue], network.open[clue]});
    queue_.reserve(network.clue_count());
}

double Search::memory() const {
    const auto bytes = [](const auto& list) {
        return static_cast<double>(list.capacity() * sizeof(list[0]));
    };
    return bytes(clue_) + bytes(value_) + bytes(assigned_) + bytes(choice_) + bytes(progress_) +
           bytes(queue_);
}

// Variables before the last choice's are all assigned: each choice took the first open one.
VariableId Search::first_open(ComponentId component) const {
    const Progress& progress = progress_[component];
    VariableId variable = network_.first[component];
    const VariableId end = network_.first[component + 1];
    if (progress.depth != 0) variable = choice_[variable + progress.depth - 1].variable;
    while (variable != end && value_[variable] >= 0) ++variable;
    return variable;
}

// The values that leave every clue of the variable within reach; the first step of the search goes
// from one below the lowest to the lowest.
Branch Search::range(VariableId variable, std::uint32_t assigned) const {
    MineCount lowest = 0;
    MineCount highest = network_.size[variable];
    for (const std::uint32_t id : network_.clues[variable]) {
        const MineCount others = clue_[id].open - network_.size[variable];
        lowest = std::max(lowest, clue_[id].need - others);
        highest = std::min(highest, clue_[id].need);
    }
    return {variable, lowest - 1, highest, assigned};
}

// False when a clue of the variable is out of reach; the assignment stands all the same, to be
// taken back with the others.
bool Search::assign(VariableId variable, MineCount value, Progress& progress,
                    VariableId* assigned) {
    const MineCount size = network_.size[variable];
    value_[variable] = value;
    assigned[progress.assigned++] = variable;
    progress.mines += value;
    bool possible = true;
    for (const std::uint32_t id : network_.clues[variable]) {
        Clue& clue = clue_[id];
        const bool was_decided = clue.decided();  // then it is queued already
        clue.need -= value;
        clue.open -= size;
        possible = possible && clue.possible();
        if (!was_decided && clue.decided() && clue.open != 0) queue_.push_back(id);
    }
    return possible;
}

// Assigns the choice and everything that it forces. False: a clue is out of reach.
bool Search::carry_out(const Branch& choice, Progress& progress, VariableId* assigned) {
    queue_.clear();
    if (!assign(choice.variable, choice.value, progress, assigned)) return false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t id = queue_[i];
        const bool full = clue_[id].need != 0;
        for (const VariableId variable : network_.variables[id]) {
            if (value_[variable] >= 0) continue;
            if (!assign(variable, full ? network_.size[variable] : 0, progress, assigned))
                return false;
        }
    }
    return true;
}

void Search::take_back(std::uint32_t keep, Progress& progress, const VariableId* assigned) {
    while (progress.assigned > keep) {
        const VariableId variable = assigned[--progress.assigned];
        for (const std::uint32_t id : network_.clues[variable]) {
            clue_[id].need += value_[variable];
            clue_[id].open += network_.size[variable];
        }
        progress.mines -= value_[variable];
        value_[variable] = -1;
    }
}

void Search::count_node() {
    ++nodes_;
    if (nodes() > max_nodes_) throw CostExceeded(nodes(), network_.memory() + memory());
    if (nodes_ % kNodesBetweenChecks == 0) check(control_);
}

}  // namespace mineodds
