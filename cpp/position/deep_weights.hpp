// How many layouts the deep cells have: binomial weights C(D, j) over a range of j, up to a common
// factor.
//
// The ratio recurrence C(D, j + 1) / C(D, j) = (D - j) / (j + 1) is carried outward from the
// largest term, where errors matter most and grow from; differences of log-gamma lose four digits
// more. Wide values: a range of j can span any power of two.
#pragma once

#include <cstdint>

#include "elimination/inference.hpp"

namespace mineodds {

// Weights when `deep_cells` cells share `mines` mines with a frontier that holds least + k of them,
// k = 0..counts - 1: C(deep_cells, mines - least - k), zero where no such placement exists; the
// largest is 1. False: all are zero.
bool deep_weights(std::int64_t deep_cells, std::int64_t mines, std::int64_t least,
                  std::size_t counts, TotalWeights& weights);

}  // namespace mineodds
