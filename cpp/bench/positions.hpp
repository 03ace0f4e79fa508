// Positions of a corpus file, for programs that time the core without Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "position/board_solver.hpp"

namespace mineodds::bench {

struct Position {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::int64_t mines = 0;
    std::vector<std::int8_t> cells;
};

// The number after "key": in a line of the corpus.
inline std::int64_t number(const std::string& line, const std::string& key) {
    const std::size_t at = line.find("\"" + key + "\":");
    return at == std::string::npos ? -1 : std::atoll(line.c_str() + at + key.size() + 3);
}

inline Position parse(const std::string& line) {
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

inline std::unique_ptr<Neighbours> rectangle(std::size_t rows, std::size_t cols) {
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

// One position a line of the file.
inline std::vector<Position> read_positions(const char* path) {
    std::vector<Position> positions;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) positions.push_back(parse(line));
    return positions;
}

}  // namespace mineodds::bench
