// Depth-first search with forward checking for the configurations of a component, one at a time.
//
// Each clue keeps how many mines it still needs and how many open cells it has left. A value is
// tried only when it leaves every clue of its variable within reach (0 <= need <= open); a clue
// that then needs nothing, or all of its open cells, forces them, which may force more; a clue out
// of reach takes everything back to the last choice. Configurations come in lexicographic order of
// the values of the component's variables, in the order of their numbers, small values first.
//
// The search is iterative: choices and assignments stand in arrays as long as the network, so a
// chain of 100,000 clues needs no deep stack, and a node allocates nothing. Components do not
// touch each other's part of the arrays: each has its own suspended search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "enumeration/network.hpp"
#include "words/control.hpp"
#include "words/integers.hpp"

namespace mineodds {

// A variable whose values are tried one after the other.
struct Branch {
    VariableId variable;
    MineCount value;         // the value that is tried now
    MineCount highest;       // the last value to try
    std::uint32_t assigned;  // assignments of the component before this choice
};

inline constexpr double kUnlimitedNodes = std::numeric_limits<double>::infinity();

class Search {
  public:
    // Throws CostExceeded as soon as more than max_nodes values have been tried. The network and
    // the control must outlive the search.
    explicit Search(const ConstraintNetwork& network, double max_nodes = kUnlimitedNodes,
                    const Control* control = nullptr);

    // Moves to the component's next configuration; false when there is none left, and then all of
    // its variables are open again and the next call starts anew. `leave(depth, variables)` is
    // called whenever the search leaves a choice that it had carried out: its depth (0 for the
    // first), and the variables that the choice assigned, its own first.
    template <class Leave>
    bool next(ComponentId component, Leave&& leave);
    bool next(ComponentId component) {
        return next(component, [](std::size_t, std::span<const VariableId>) {});
    }

    // The value of each variable, -1 while it is open.
    std::span<const MineCount> value() const { return value_; }
    // The assigned variables of a component, oldest first; all of them at a configuration.
    std::span<const VariableId> assigned(ComponentId component) const {
        return {assigned_.data() + network_.first[component], progress_[component].assigned};
    }
    // Choices that stand, and the mines of the assigned variables.
    std::size_t depth(ComponentId component) const { return progress_[component].depth; }
    MineCount mines(ComponentId component) const { return progress_[component].mines; }
    double nodes() const { return static_cast<double>(nodes_); }
    double memory() const;  // bytes

  private:
    struct Clue {
        MineCount need;
        MineCount open;
        bool decided() const { return need == 0 || need == open; }
        bool possible() const { return need >= 0 && need <= open; }
    };
    struct Progress {
        std::uint32_t assigned = 0;
        std::uint32_t depth = 0;
        MineCount mines = 0;
        bool running = false;
    };

    VariableId first_open(ComponentId component) const;
    Branch range(VariableId variable, std::uint32_t assigned) const;
    bool assign(VariableId variable, MineCount value, Progress& progress, VariableId* assigned);
    bool carry_out(const Branch& choice, Progress& progress, VariableId* assigned);
    void take_back(std::uint32_t keep, Progress& progress, const VariableId* assigned);
    void count_node();

    const ConstraintNetwork& network_;
    double max_nodes_;
    const Control* control_;
    std::uint64_t nodes_ = 0;
    std::vector<Clue> clue_;
    std::vector<MineCount> value_;      // by variable
    std::vector<VariableId> assigned_;  // of component c from network.first[c] on
    std::vector<Branch> choice_;        // likewise
    std::vector<Progress> progress_;    // by component
    std::vector<std::uint32_t> queue_;  // decided clues that are not yet carried out
};

template <class Leave>
bool Search::next(ComponentId component, Leave&& leave) {
    Progress& progress = progress_[component];
    VariableId* const assigned = assigned_.data() + network_.first[component];
    Branch* const choices = choice_.data() + network_.first[component];
    bool choosing = !progress.running;  // choose for a new variable, or else change the last choice
    progress.running = true;
    while (true) {
        if (choosing) {
            const VariableId variable = first_open(component);
            if (variable == network_.first[component + 1]) return true;
            choices[progress.depth] = range(variable, progress.assigned);
            ++progress.depth;
        } else {
            if (progress.depth == 0) {
                progress.running = false;
                return false;
            }
            const std::uint32_t keep = choices[progress.depth - 1].assigned;
            leave(std::size_t{progress.depth - 1},
                  std::span<const VariableId>(assigned + keep, progress.assigned - keep));
            take_back(keep, progress, assigned);
        }
        Branch& choice = choices[progress.depth - 1];
        choosing = false;
        while (!choosing && choice.value < choice.highest) {
            count_node();
            ++choice.value;
            choosing = carry_out(choice, progress, assigned);
            if (!choosing) take_back(choice.assigned, progress, assigned);
        }
        if (!choosing) --progress.depth;
    }
}

}  // namespace mineodds
