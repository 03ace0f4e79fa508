// What part of a solve is planning: order, join tree, search over plans.
//
//   bench_planning FILE [LEAST]    (FILE: one JSON object a line, with rows, cols, mines, board)
//
// For every position that takes LEAST milliseconds or more (10): its table-entry products, the CPU
// time of planning and of the whole, each the least of five, and the part that planning is. The
// goal is a quarter at most, except where annealing pays for itself.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "bench/positions.hpp"
#include "elimination/plan_search.hpp"
#include "position/board_solver.hpp"

using namespace mineodds;
using namespace mineodds::bench;

namespace {

template <class Work>
double least_milliseconds(const Work& work) {
    double least = 1e300;
    for (int i = 0; i < 5; ++i) {
        const std::clock_t start = std::clock();
        work();
        least = std::min(least, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_planning FILE [LEAST]\n");
        return 2;
    }
    const double least = argc > 2 ? std::atof(argv[2]) : 10.0;
    std::size_t index = 0;
    for (const Position& p : read_positions(argv[1])) {
        ++index;
        const auto table = rectangle(p.rows, p.cols);
        BoardSolver solver;
        std::vector<double> probability(p.cells.size());
        const double whole = least_milliseconds([&] {
            if (solver.solve(p.cells, p.mines, *table, 8, Budget{}, nullptr, probability) !=
                BoardStatus::ok)
                std::fprintf(stderr, "a position was not solved\n");
        });
        if (whole < least) continue;
        Planner planner;
        EliminationOrder order;
        JoinTree tree;
        const double planning = least_milliseconds([&] {
            planner.plan(solver.inference().reduction, PlanOptions{}, nullptr, order, tree);
        });
        std::printf("position %zu (%zux%zu): %llu products, planning %.2f ms of %.2f ms, %.0f %%\n",
                    index, p.rows, p.cols,
                    static_cast<unsigned long long>(solver.inference().support.products), planning,
                    whole, 100.0 * planning / whole);
    }
    return 0;
}
