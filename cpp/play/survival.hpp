// Look-ahead: the greatest chance of surviving the next d clicks, by exact expectimax.
//
// V_0 = 1, and V_d is the greatest over the cells of the sum over answers k of P(safe, shows k)
// times V_(d-1) after it; certain clicks count as clicks; a won position is 1. Flood fill is not
// followed. Three facts keep it small. With as many certain safe cells as clicks the value is 1,
// and with fewer any of them may be clicked first: a certain click only brings news. A cell's value
// is at most its chance to be safe, and at most what is reached so far plus the mass that remains,
// so most cells are given up early. Cells of one class (answers.hpp) have equal V_2. Positions
// reached by the same clicks in another order are solved once, under their full list of clicks.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "play/answers.hpp"

namespace mineodds {

class Survival {
  public:
    explicit Survival(const Budget& budget) : budget_(budget) {}

    // Starts at a solved position without certain safe cells.
    void start(const Position& position, const PositionSolver& solver, int depth);
    // The value of opening `cell`, of chance `risk` to be a mine; or, if that is below `floor`, any
    // number below floor (NaN is never returned).
    double value(CellId cell, double risk, double floor, const Control* control);
    std::uint64_t solves() const;

  private:
    // The answers after which the next clicks are not certainly survived. Of an answer after which
    // they are, not even the chance is needed: the value is the chance to be safe less the losses.
    struct Losses {
        bool known = false;
        double bound = 0.0;  // on the value of the cell
        std::vector<Answer> answers;
    };
    struct Level {
        explicit Level(const Budget& budget) : own_solver(budget) {}
        Position own;
        PositionSolver own_solver;
        const Position* position = &own;
        const PositionSolver* solver = &own_solver;
        CellClasses classes;
        std::vector<Losses> losses;  // by class
        std::vector<double> risk;    // by cell
    };

    double best(std::size_t level, int depth, double floor, const Control* control);
    double expand(std::size_t level, CellId cell, double risk, int depth, double floor,
                  const Control* control);
    Trial try_number(std::size_t level, CellId cell, MineCount mines, int depth, bool use_known,
                     const Control* control, Answer& answer);
    const Losses& losses(std::size_t level, CellId cell, double risk, int depth, double least,
                         const Control* control);
    void enter(std::size_t level);

    Budget budget_;
    int depth_ = 2;
    // levels_[i]: after i clicks. Held by pointer: a level stays where it is when deeper ones come.
    std::vector<std::unique_ptr<Level>> levels_;
    std::vector<std::pair<CellId, MineCount>> path_;  // the clicks so far and the numbers shown
    struct Known {
        Trial trial = Trial::impossible;
        Answer answer;
        WideDouble layouts;
    };
    std::unordered_map<std::u32string, Known> known_;
    std::vector<MineCount> numbers_;
};

}  // namespace mineodds
