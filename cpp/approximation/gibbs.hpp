// Random configurations by Gibbs sampling in blocks, for problems too wide to eliminate.
//
// A chain walks through configurations that agree with all clues. A move takes a few variables
// around some clues (blocked Gibbs: Jensen, Kong & Kjaerulff, Blocking Gibbs sampling in very large
// probabilistic expert systems, 1995), lists every way to set them while all others stay, and draws
// one in proportion to its weight. Every third block has two centres far apart, so that mines can
// move between places even where the total leaves no slack. Which block is taken, and when a list
// is given up as too long, depends on what does not move alone: the stationary distribution is
// exact. Nothing guarantees that the moves connect all configurations, or how fast: this is an
// estimate.
//
// A first configuration is found by simulated annealing on the number of mines by which the clues
// and the total are missed. That can fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "play/random.hpp"
#include "problem/problem.hpp"
#include "problem/reduction.hpp"
#include "words/control.hpp"

namespace mineodds {

class Gibbs {
  public:
    // cell_class: by cell, as in a Reduction; empty where cells are all alike. log_value: for one
    // variable after the other the natural logarithms of the weights of its values 0 .. size.
    // log_weight[k]: that of k mines in the problem's cells, minus infinity for none, for k = 0 ..
    // cell_count. density: the share of mines to begin with. Throws BadArgument for other sizes.
    Gibbs(const Problem& problem, std::span<const ClassId> cell_class,
          std::vector<double> log_value, std::vector<double> log_weight, double density,
          std::uint64_t seed, std::uint64_t chain);

    bool consistent() const { return consistent_; }  // no contradiction was seen
    // Looks for a first configuration, `tries` times. False: none was found.
    bool find(std::size_t tries, const Control* control);
    // About as many moves as renew every variable once.
    void sweep();
    // Where the chain stands: by variable, and mines in all.
    std::span<const MineCount> value() const { return value_; }
    // The place of a variable's value among all values of all variables, as in log_value.
    std::size_t place(VariableId v) const {
        return value_start_[v] + static_cast<std::size_t>(value_[v]);
    }
    MineCount mines() const { return mines_; }
    const Reduction& reduction() const { return reduction_; }
    const SettleState& settled() const { return settled_; }

  private:
    bool anneal(const Control* control);
    MineCount missed(MineCount mines) const;
    void move();
    void grow(std::size_t size, CounterId centre);
    void list_settings();
    void change(VariableId variable, MineCount by);
    double unit() { return static_cast<double>(random_.next() >> 11U) * 0x1p-53; }
    std::span<const VariableId> variables_of(CounterId c) const {
        return {variable_.data() + start_[c], start_[c + 1] - start_[c]};
    }

    Random random_;
    SettleState settled_;
    Reduction reduction_;
    bool consistent_;
    std::vector<double> log_weight_;
    double density_;
    std::vector<double> log_value_;
    std::vector<std::size_t> value_start_;  // by variable: where its weights begin
    std::vector<std::uint32_t> start_;      // variables of counter c: variable_[start_[c] ..
    std::vector<VariableId> variable_;
    std::vector<MineCount> value_;    // by variable
    std::vector<MineCount> seen_;     // by counter
    MineCount mines_ = 0;             // in all cells, settled ones too
    MineCount least_ = 0, most_ = 0;  // mines with a weight

    // Of one move: the block, and the settings of its variables one after the other.
    std::vector<VariableId> block_;
    std::vector<bool> in_block_;  // by variable
    std::vector<CounterId> reached_;
    std::vector<bool> is_reached_;        // by counter
    std::vector<MineCount> rest_, room_;  // by counter: mines to place, and cells, in the block
    std::vector<MineCount> setting_;
    std::vector<double> setting_weight_;
};

}  // namespace mineodds
