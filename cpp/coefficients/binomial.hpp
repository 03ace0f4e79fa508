// C(n, 0), ..., C(n, most) in any coefficient type: the weight of m mines in a variable of n cells.
//
// The multiplicative recurrence C(n, m + 1) = C(n, m) (n - m) / (m + 1) needs a division; in a ring
// of integers modulo a prime above n the division is exact too, but a row of Pascal's triangle
// needs none and n is small (at most 8 on a rectangle, a vertex degree on any graph).
#pragma once

#include <cstddef>
#include <vector>

namespace mineodds {

// Pascal's rule in the ring: row[m] = C(n, m) for m = 0..most. `one` is the ring's 1. Cost n * most
// additions.
template <class Ring>
void binomial_row(const Ring& ring, typename Ring::Value one, std::size_t n, std::size_t most,
                  std::vector<typename Ring::Value>& row) {
    row.assign(most + 1, ring.zero());
    row[0] = one;
    for (std::size_t i = 1; i <= n; ++i)
        for (std::size_t m = i < most ? i : most; m >= 1; --m)
            row[m] = ring.add(row[m], row[m - 1]);
}

}  // namespace mineodds
