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
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "position/board_solver.hpp"

using namespace mineodds;

namespace {

struct Position {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::int64_t mines = 0;
    std::vector<std::int8_t> cells;
};

// The number after "key": in a line of the corpus.
std::int64_t number(const std::string& line, const std::string& key) {
    const std::size_t at = line.find("\"" + key + "\":");
    return at == std::string::npos ? -1 : std::atoll(line.c_str() + at + key.size() + 3);
}

Position parse(const std::string& line) {
    Position position;
    position.rows = static_cast<std::size_t>(number(line, "rows"));
    position.cols = static_cast<std::size_t>(number(line, "cols"));
    position.mines = number(line, "mines");
    for (std::size_t at = line.find('[', line.find("\"board\"")); line[at] != ']'; ++at) {
        const char glyph = line[at];
        if (glyph == '#') position.cells.push_back(kHiddenCell);
        if (glyph == 'F') position.cells.push_back(kFlagCell);
        if (glyph == '.') position.cells.push_back(0);
        if (glyph >= '0' && glyph <= '8')
            position.cells.push_back(static_cast<std::int8_t>(glyph - '0'));
    }
    return position;
}

std::unique_ptr<Neighbours> rectangle(std::size_t rows, std::size_t cols) {
    std::vector<std::int32_t> start{0};
    std::vector<CellId> cell;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            for (std::size_t a = i == 0 ? 0 : i - 1; a <= std::min(i + 1, rows - 1); ++a)
                for (std::size_t b = j == 0 ? 0 : j - 1; b <= std::min(j + 1, cols - 1); ++b)
                    if (a != i || b != j) cell.push_back(static_cast<CellId>(a * cols + b));
            start.push_back(static_cast<std::int32_t>(cell.size()));
        }
    return std::make_unique<Neighbours>(std::move(start), std::move(cell));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_solve FILE [PASSES]\n");
        return 2;
    }
    const int passes = argc > 2 ? std::max(1, std::atoi(argv[2])) : 101;
    std::vector<Position> positions;
    std::ifstream file(argv[1]);
    for (std::string line; std::getline(file, line);) positions.push_back(parse(line));
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
