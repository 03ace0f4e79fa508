// The elimination engine: from a reduced problem to counts and marginals.
//
// One object holds every working array of the steps below and is used again and again by its
// thread: after the first few positions nothing is allocated.
//   reduction (problem/reduction.hpp) -> order -> join tree -> support -> collect, distribute
// Everything up to the support depends on the position only; evaluations over different
// coefficients share it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coefficients/doubles.hpp"
#include "coefficients/modular.hpp"
#include "coefficients/wide.hpp"
#include "elimination/cell_weights.hpp"
#include "elimination/elimination_order.hpp"
#include "elimination/evaluation.hpp"
#include "elimination/factor.hpp"
#include "elimination/join_tree.hpp"
#include "elimination/plan_search.hpp"
#include "elimination/rooting.hpp"
#include "elimination/support.hpp"
#include "problem/reduction.hpp"
#include "words/buffer.hpp"
#include "words/control.hpp"

namespace mineodds {

struct Budget {
    double max_work = 1e9;             // table-entry products
    double max_memory = 2147483648.0;  // bytes
};

// How many layouts the deep cells have when the open frontier cells hold least_mines() + k mines:
// weight[k]; and what part of the deep cells are mines then: deep_share[k] (1 and 0 only when all
// or none are).
struct TotalWeights {
    std::vector<WideDouble> weight;
    std::vector<double> deep_share;
    int tilt = 0;  // every mine is counted as 2^tilt inside, about the odds M / (cells - M), to
                   // keep doubles in range
};

// The power of two nearest to the odds of a mine when `mines` are left in `cells` cells.
int tilt_for(std::int64_t mines, std::int64_t cells);

// Marginals of one position. Probabilities are exactly 0.0 or 1.0 only when certain.
struct Marginals {
    WideDouble total;            // weighted number of configurations; zero when no total fits
    Buffer<double> probability;  // by variable, of one of its cells
    double deep_probability = 0.0;
};

class Inference {
  public:
    SettleState settled;
    Reduction reduction;
    EliminationOrder order;
    JoinTree tree;
    Support support;
    // Where cells are not all alike (with reduction.cell_class set before reducing); not owned.
    // What is modular takes their residues.
    const CellWeights* weights_of_cells = nullptr;

    // Plans and finds the support of `reduction`. False: no configuration. Throws CostExceeded when
    // the predicted cost is over the budget, before memory is taken. With a window, only the mine
    // counts within it are evaluated: least_mines() and mine_counts() may keep to it, and false
    // also means that no configuration lies within it.
    bool prepare(const Budget& budget, const Control* control, const PlanOptions& options = {},
                 const MineWindow& window = {});
    // Mines of the open frontier cells (settled ones not counted): least, and how many counts there
    // are from it on.
    MineCount least_mines() const { return least_mines_; }
    std::size_t mine_counts() const { return mine_counts_; }

    // Float64 marginals; relative error below 1e-12.
    void evaluate(const TotalWeights& weights, const Control* control, Marginals& result);
    // Exact residues modulo a prime below 2^61: configurations by mine count, and with the weights
    // the total and for each variable the mass with a mine in one given cell.
    struct Residues {
        std::vector<std::uint64_t> count;
        std::uint64_t total = 0;
        std::vector<std::uint64_t> mine;
    };
    void evaluate_modular(std::uint64_t prime, const std::vector<std::uint64_t>& weight,
                          const Control* control, Residues& result);
    // The joint table of the free counter and the mine count: row j, column k holds the
    // configurations with j mines among the free counter's cells and least_mines() + k in all. One
    // row without a free counter.
    struct CountTable {
        std::size_t rows = 1;
        std::vector<WideDouble> count;
    };
    CountTable count_table(const Control* control);
    // The same modulo a prime.
    std::size_t table_rows() const;
    std::vector<std::uint64_t> count_table_modular(std::uint64_t prime, const Control* control);
    // Bytes that an evaluation in doubles takes, from the support.
    double memory() const;

  private:
    template <class Ring>
    void evaluate_in(const Ring& ring, Evaluator<Ring>& evaluator, const TotalWeights& weights,
                     bool scaling, const Control* control, Marginals& result);

    // The count polynomial of the frontier, from least_mines() on, into the evaluator.
    template <class Ring>
    void find_root_counts(const Ring& ring, Evaluator<Ring>& evaluator) const;

    template <class Ring>
    std::vector<typename Ring::Value> fill_table(const Ring& ring, Evaluator<Ring>& evaluator,
                                                 typename Ring::Value one, std::size_t rows,
                                                 const Control* control);
    void find_mine_counts();
    void check_memory(double bytes) const;

    double max_memory_ = 0.0;
    MineCount least_mines_ = 0;
    std::size_t mine_counts_ = 1;
    Planner planner_;
    Rooting rooting_;
    SupportBuilder builder_;
    Evaluator<Doubles> doubles_;
    Evaluator<Wide> wide_;
    Evaluator<Modular> modular_;
};

}  // namespace mineodds
