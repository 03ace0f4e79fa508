// Which cell to open when none is certainly safe: the policies of the field.
//
// A policy is a chain of figures. The cells within the tolerance of the least risk are the
// candidates; of them those with the best first figure stay (figures within 1e-9 relative are
// equal), of those the ones with the best next figure, and at last the first in row-major order.
//   safest       least risk; ties by an option: fewest neighbours (corner), the figure of a policy
//                below (information, progress), progress that needs no inference to see (local:
//                answers.hpp), nothing (first), or at random
//   minimax      fewest cells that become certain in the worst answer; then their expected number
//   information  entropy in bits of what opening shows, {mine, 0, 1, ...}; flood fill not followed
//   balanced     safety * (1 - risk) + (1 - safety) * information / log2(10), over all cells
//   progress     chance that the cell is safe and some certain safe cell follows
//   pseq         least risk, progress, expected certain safe cells, entropy of the number shown (Tu
//                et al., Exploring efficient strategies for Minesweeper, AAAI-17 workshop)
//   survival     the chance of surviving the next clicks (survival.hpp), over all cells
// Figures that cannot change the choice are not computed, unless all are asked for.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "play/answers.hpp"
#include "play/random.hpp"
#include "play/survival.hpp"

namespace mineodds {

enum class PolicyKind : std::uint8_t {
    safest = 0,
    minimax = 1,
    information = 2,
    balanced = 3,
    progress = 4,
    pseq = 5,
    survival = 6
};
enum class Ties : std::uint8_t {
    corner = 0,
    information = 1,
    progress = 2,
    first = 3,
    random = 4,
    local = 5
};

struct PolicyOptions {
    PolicyKind kind = PolicyKind::pseq;
    Ties ties = Ties::local;  // safest
    double tolerance = 0.0;   // minimax, information, progress: risk above the least, absolute
    double safety = 0.5;      // balanced
    int depth = 2;            // survival
};

inline constexpr std::size_t kMostFigures = 3;

struct Candidate {
    CellId cell;
    double probability;                         // of a mine
    std::array<double, kMostFigures> figure{};  // in the policy's order; nan where not needed
};

struct Choice {
    CellId cell = -1;
    double probability = 0.0;
    bool certain = false;  // the candidates are all certain safe cells
    double score = 1.0;    // the chance to be safe (safest, pseq), or the policy's first figure
    std::vector<Candidate> candidates;
};

class Policy {
  public:
    Policy(const PolicyOptions& options, const Budget& budget);

    // Infers what the position says and decides in it every cell that is certain. False: no layout.
    bool infer(Position& position, const Control* control);
    // Chooses, after infer(). all_figures: of every candidate. `random` may be null unless ties are
    // broken by it.
    void choose(const Position& position, bool all_figures, Random* random, const Control* control,
                Choice& choice);

    const PolicyOptions& options() const { return options_; }
    std::uint64_t solves() const;

  private:
    struct Figures {
        bool known = false;
        double progress = 0.0;
        double expected_safe = 0.0;
        double number_entropy = 0.0;
        double information = 0.0;
        double fewest_certain = 0.0;
        double expected_certain = 0.0;
    };

    void find_candidates(const Position& position, Choice& choice);
    void choose_by_survival(const Position& position, bool all_figures, const Control* control,
                            Choice& choice);
    const Figures& figures_of(const Position& position, const Candidate& candidate,
                              const Control* control);
    double figure(const Position& position, const Candidate& candidate, std::size_t which,
                  const Control* control);
    // The figure "progress", or, if that is clearly below `best`, some bound below it.
    double progress_of(const Position& position, const Candidate& candidate, double best,
                       const Control* control);
    bool is_progress(std::size_t which) const;
    void keep_best(const Position& position, bool all_figures, std::size_t which,
                   const Control* control, Choice& choice);
    std::size_t figure_count() const;
    bool same_class() const;

    PolicyOptions options_;
    PositionSolver solver_;
    Position after_;
    PositionSolver after_solver_;
    CellClasses classes_;
    std::vector<Figures> figures_;    // by class
    std::vector<double> risk_;        // by cell
    std::vector<std::size_t> alive_;  // candidates that no figure has ruled out
    std::vector<std::size_t> class_;  // by candidate
    std::vector<std::pair<MineCount, std::size_t>> order_;
    std::vector<double> of_class_;
    std::vector<MineCount> numbers_;
    Survival survival_;
};

}  // namespace mineodds
