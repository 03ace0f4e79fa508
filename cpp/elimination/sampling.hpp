// Layouts drawn at random, each exactly as likely as its weight says.
//
// Collect leaves in every entry of the support the weight of all configurations below it, so a
// configuration can be drawn from the root down: first how many mines there are in all, in
// proportion to the root's coefficients times the weights of the deep cells; then at each entry one
// of the pairs that it is a sum of, in proportion to its share. At a leaf the value of a variable
// is known, and its mines are a uniform subset of its cells, as are those of the deep cells.
// (Backward sampling as in Koller & Friedman, Probabilistic Graphical Models, 2009, 12.1 and
// exercise 10.4; no sample is ever rejected.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "coefficients/wide.hpp"
#include "elimination/elimination.hpp"
#include "elimination/evaluation.hpp"
#include "words/control.hpp"

namespace mineodds {

// What the mines of the frontier leave to the deep cells. With least_mines() + k mines there, the
// deep cells' layouts weigh weight[k] in all, and hold deep_mines[i] mines with the chance
// deep_chance[i], for i = deep_start[k] .. deep_start[k + 1]; the chances of one k sum to 1.
struct SamplingWeights {
    std::vector<WideDouble> weight;
    std::span<const std::int32_t> deep_start;
    std::span<const std::int32_t> deep_mines;
    std::span<const double> deep_chance;
};

class Sampler {
  public:
    // Throws BadArgument when nothing can be drawn. The engine must outlive the sampler.
    // `greatest`: draw shows the most likely configuration instead, for cells with classes.
    Sampler(const Elimination& engine, const SamplingWeights& weights, CellId deep_cells,
            const Control* control, bool greatest = false);

    // Counts the mines in their places (several cells can share one) among the frontier cells (all
    // cells of the problem) and the deep cells, which hold 0 before. Random has next() with 64
    // random bits and below(bound).
    template <class Random>
    void draw(Random& random, std::span<const CellId> frontier, std::span<const CellId> deep,
              std::span<std::uint8_t> layout);

  private:
    struct Part {  // an entry, and the coefficient that was chosen
        EntryId entry;
        std::uint32_t index;
    };
    using PairChoice = std::pair<Part, Part>;

    std::size_t choose_total(double chance) const;
    Part choose_root(std::size_t total, double chance) const;
    PairChoice choose_pair(Part part, double chance) const;
    // How many of the mines lie in the first of some cells of a variable.
    std::uint32_t choose_mines(VariableId variable, std::uint32_t cells, std::uint32_t mines,
                               double chance);
    // The part whose share of the whole holds the chance (the greatest, for the most likely
    // configuration); parts are offered one after the other.
    class Choice {
      public:
        Choice(double chance, bool greatest) : chance_(chance), greatest_(greatest) {}
        // Whether the part is chosen for now.
        bool takes(double share) {
            if (share <= 0.0 || done_) return false;
            if (greatest_) {
                if (share <= best_) return false;
                best_ = share;
                return true;
            }
            done_ = chance_ < share;
            chance_ -= share;
            return true;
        }
        bool done() const { return done_; }

      private:
        double chance_;
        bool greatest_;
        double best_ = 0.0;
        bool done_ = false;
    };
    // a / whole for parts of a whole.
    static double ratio(WideDouble a, WideDouble whole);

    template <class Random>
    static double unit(Random& random) {
        return static_cast<double>(random.next() >> 11U) * 0x1p-53;
    }
    // Moves `count` cells, uniformly chosen, to the front.
    template <class Random>
    static void shuffle_front(Random& random, std::span<CellId> cells, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            std::swap(cells[i],
                      cells[i + static_cast<std::size_t>(random.below(cells.size() - i))]);
    }

    const Inference& inference_;
    SamplingWeights weights_;
    Wide ring_;
    Evaluator<Wide> evaluator_;
    std::optional<ClassPolynomials<Wide>> polynomials_;  // where cells are not all alike
    Greatest greatest_ring_;
    std::optional<ClassPolynomials<Greatest>> greatest_;  // instead, for the most likely one
    std::vector<double> total_chance_;                    // by mine count
    std::vector<WideDouble> root_;                        // by mine count: all entries of the root
    std::vector<std::uint64_t> pair_start_;  // by entry: the pairs that it is a sum of ...
    std::vector<std::uint64_t> pair_;        // ... in this list
    std::vector<VariableId> variable_;       // by entry: of a leaf, else kNone
    std::vector<CellId> settled_mines_;
    std::vector<std::uint32_t> cells_start_;  // by variable: its cells ...
    std::vector<CellId> cells_;               // ... in this list, in any order
    std::vector<CellId> deep_;                // the deep cells' numbers, in any order
    std::vector<Part> todo_;
};

template <class Random>
void Sampler::draw(Random& random, std::span<const CellId> frontier, std::span<const CellId> deep,
                   std::span<std::uint8_t> layout) {
    const auto put = [&](std::span<const CellId> places, CellId cell) {
        ++layout[static_cast<std::size_t>(places[static_cast<std::size_t>(cell)])];
    };
    // The same draws give the same layout, whatever was drawn before.
    std::ranges::sort(deep_);
    for (std::size_t v = 0; v + 1 < cells_start_.size(); ++v)
        std::sort(cells_.begin() + cells_start_[v], cells_.begin() + cells_start_[v + 1]);
    for (const CellId cell : settled_mines_) put(frontier, cell);
    const std::size_t total = choose_total(unit(random));
    if (!inference_.tree.node.empty()) todo_.assign(1, choose_root(total, unit(random)));
    while (!todo_.empty()) {
        const Part part = todo_.back();
        todo_.pop_back();
        const VariableId variable = variable_[part.entry];
        if (variable == kNone) {
            const auto [left, right] = choose_pair(part, unit(random));
            todo_.push_back(left);
            todo_.push_back(right);
            continue;
        }
        const auto mines = static_cast<std::size_t>(inference_.support.entry[part.entry].low);
        const std::span<CellId> cells(cells_.data() + cells_start_[variable],
                                      cells_start_[variable + 1] - cells_start_[variable]);
        if (polynomials_ || greatest_) {
            const std::uint32_t capacity = inference_.weights_of_cells->capacity(
                inference_.reduction.variable_class[variable]);
            auto left = static_cast<std::uint32_t>(mines);
            for (auto n = static_cast<std::uint32_t>(cells.size()) / capacity; n > 0; --n) {
                const std::uint32_t here = choose_mines(variable, n, left, unit(random));
                for (std::uint32_t j = 0; j < here; ++j)
                    put(frontier, cells[cells.size() - std::size_t{n} * capacity]);
                left -= here;
            }
            continue;
        }
        shuffle_front(random, cells, mines);
        for (const CellId cell : cells.first(mines)) put(frontier, cell);
    }
    auto choice = static_cast<std::size_t>(weights_.deep_start[total]);
    const auto last = static_cast<std::size_t>(weights_.deep_start[total + 1]) - 1;
    if (choice < last) {
        double chance = unit(random);
        while (choice < last && chance >= weights_.deep_chance[choice])
            chance -= weights_.deep_chance[choice++];
    }
    const auto mines = static_cast<std::size_t>(weights_.deep_mines[choice]);
    shuffle_front(random, std::span(deep_), mines);
    for (std::size_t i = 0; i < mines; ++i) put(deep, deep_[i]);
}

}  // namespace mineodds
