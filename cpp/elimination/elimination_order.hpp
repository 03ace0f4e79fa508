// Min-fill elimination order of the clue graph (Rose 1970; Kjaerulff 1990; Koller & Friedman
// 2009, 9.4.3.2).
//
// Counters are adjacent when a variable lies in both. Eliminating a counter joins its neighbours to
// one another; the next counter is the one that adds the fewest edges (its fill), ties broken by
// the smaller number, or at random. The fill of every counter is kept up to date as edges come and
// counters go, never recomputed from scratch: an added edge (a, b) takes 1 from the fill of each
// common neighbour and adds to the fill of a and b their neighbours that are not shared.
//
// Graphs of at most 64 counters, which are nearly all real positions, use one machine word a
// neighbourhood; larger ones use adjacency lists and a heap. Both give the same order. The free
// counter is left out: it never closes.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/reduction.hpp"
#include "words/buffer.hpp"
#include "words/control.hpp"
#include "words/integers.hpp"

namespace mineodds {

struct EliminationOrder {
    Buffer<CounterId> counter;  // first eliminated first
    std::uint32_t width = 0;    // induced width: most neighbours of a counter when it is eliminated
};

// How ties are broken and what a fill edge costs, for restarts on costly boards (plan_search.hpp).
struct OrderOptions {
    std::uint64_t seed = 0;  // 0: the smaller number first; else at random
    // A fill edge (a, b) costs log2(need_a + 1) * log2(need_b + 1) rather than 1.
    bool weighted = false;
    const Control* control = nullptr;  // looked at every few thousand counters
};

class OrderFinder {
  public:
    // The plain order, by whichever representation fits.
    void min_fill(const Reduction& reduction, EliminationOrder& order,
                  const Control* control = nullptr);
    // The general one, on adjacency lists; the plain options give the same order as min_fill.
    void min_fill_lists(const Reduction& reduction, const OrderOptions& options,
                        EliminationOrder& order);

  private:
    void min_fill_words(const Reduction& reduction, EliminationOrder& order);
    void list_neighbours(const Reduction& reduction, const Control* control);

    Buffer<std::uint64_t> adjacent_word_;
    Buffer<std::int32_t> fill_;
    std::vector<std::vector<CounterId>> adjacent_;
    std::vector<double> cost_, weight_;
    std::vector<std::uint32_t> mark_;
    std::uint32_t stamp_ = 0;
};

}  // namespace mineodds
