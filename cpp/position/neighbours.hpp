// A neighbour table made ready for the kernel: checked once, and seen as a few shifts.
//
// On a grid nearly every cell has its neighbours at the same distances in memory (for 8 neighbours:
// +-1, +-cols, +-cols+-1). Sums over neighbours are then sums of shifted byte arrays, 16 cells at a
// time, with a mask per shift for the cells at an edge. Any table has such shifts; when they are
// too many (a graph without order) the kernel works along the lists instead. Built once per
// topology.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/incidence.hpp"
#include "words/integers.hpp"

namespace mineodds {

class Neighbours {
  public:
    // Throws BadArgument unless the arrays are a symmetric table without repeats or loops, each
    // list ascending.
    Neighbours(std::vector<std::int32_t> start, std::vector<CellId> cell);

    NeighbourTable table() const { return {start_, cell_}; }
    std::size_t cell_count() const { return start_.size() - 1; }
    std::size_t largest_degree() const { return largest_degree_; }
    // The shifts are usable: few, and no cell has more neighbours than half a byte can count.
    bool has_shifts() const { return !shift_.empty(); }

    // Arrays for shifted sums: cells with `padding()` readable bytes before and after, all zero
    // there.
    std::size_t padding() const { return padding_; }
    // sum[i] = sum of x over the neighbours of i; either[i] = all their bits. x points at cell 0 of
    // a padded array; the results may not overlap it. Only with has_shifts().
    void sum(const std::uint8_t* x, std::uint8_t* result) const;
    void either(const std::uint8_t* x, std::uint8_t* result) const;

  private:
    void find_shifts();

    std::vector<std::int32_t> start_;
    std::vector<CellId> cell_;
    std::size_t largest_degree_ = 0;
    std::size_t padding_ = 0;
    std::vector<std::ptrdiff_t> shift_;
    std::vector<std::vector<std::uint8_t>>
        valid_;  // by shift and cell: 255 where the cell has that neighbour, else 0
};

}  // namespace mineodds
