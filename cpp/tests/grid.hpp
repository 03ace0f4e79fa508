// The neighbour table of a rectangle, for tests of whole boards.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "position/neighbours.hpp"

namespace mineodds::testing {

inline Neighbours grid(CellId rows, CellId cols) {
    std::vector<std::int32_t> start{0};
    std::vector<CellId> cell;
    for (CellId r = 0; r < rows; ++r)
        for (CellId c = 0; c < cols; ++c) {
            for (CellId a = r - 1; a <= r + 1; ++a)
                for (CellId b = c - 1; b <= c + 1; ++b)
                    if ((a != r || b != c) && a >= 0 && b >= 0 && a < rows && b < cols)
                        cell.push_back(a * cols + b);
            start.push_back(static_cast<std::int32_t>(cell.size()));
        }
    return {std::move(start), std::move(cell)};
}

}  // namespace mineodds::testing
