// The kernel alone, without Python: solves every position of a corpus file again and again.
//
//   bench_solve FILE [PASSES]      (FILE: one JSON object a line, with rows, cols, mines, board)
//
// Positions are taken in turn, as a batch would; prints the median over passes of the CPU time per
// position, the table-entry products, and a checksum of the answers: the sum of all probabilities
// is the sum of all mines. Under callgrind with PASSES 1 it counts instructions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/positions.hpp"
#include "position/board_solver.hpp"

using namespace mineodds;
using namespace mineodds::bench;

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_solve FILE [PASSES]\n");
        return 2;
    }
    const int passes = argc > 2 ? std::max(1, std::atoi(argv[2])) : 101;
    const std::vector<Position> positions = read_positions(argv[1]);
    if (positions.empty()) {
        std::fprintf(stderr, "%s holds no positions\n", argv[1]);
        return 2;
    }
    std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Neighbours>> tables;
    for (const Position& p : positions) {
        auto& table = tables[{p.rows, p.cols}];
        if (!table) table = rectangle(p.rows, p.cols);
    }
    BoardSolver solver;
    // Reached through a pointer that the compiler cannot see through: inlined into main, which runs
    // once, the kernel would be compiled for size.
    BoardStatus (BoardSolver::* volatile solve)(
        std::span<const std::int8_t>, std::int64_t, const Neighbours&, std::int8_t, const Budget&,
        const Control*, std::span<double>) = &BoardSolver::solve;
    std::vector<double> seconds;
    std::uint64_t products = 0;
    double mass = 0.0;
    std::int64_t mines = 0;
    std::vector<double> probability;
    for (int pass = 0; pass < passes; ++pass) {
        const std::clock_t start = std::clock();
        for (const Position& p : positions) {
            probability.resize(p.cells.size());
            const auto& table = *tables.at({p.rows, p.cols});
            if ((solver.*solve)(p.cells, p.mines, table, 8, Budget{}, nullptr, probability) !=
                BoardStatus::ok) {
                std::fprintf(stderr, "a position was not solved\n");
                return 1;
            }
            if (pass != 0) continue;
            products += solver.inference().support.products;
            mines += p.mines;
            for (const double chance : probability)
                if (!std::isnan(chance)) mass += chance;
        }
        seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(seconds);
    std::printf("positions %zu, products %llu, median %.2f us a position\n", positions.size(),
                static_cast<unsigned long long>(products),
                1e6 * seconds[seconds.size() / 2] / static_cast<double>(positions.size()));
    if (std::abs(mass - static_cast<double>(mines)) > 1e-9 * static_cast<double>(mines)) {
        std::fprintf(stderr, "wrong: the probabilities sum to %.12g, the mines to %lld\n", mass,
                     static_cast<long long>(mines));
        return 1;
    }
    return 0;
}
