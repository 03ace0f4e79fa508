// See cell_weights.hpp.
#include "elimination/cell_weights.hpp"

#include "words/errors.hpp"

namespace mineodds {

void check(const CellWeights& weights, CellId cell_count) {
    const std::size_t cells = weights.cell_class.size();
    if (cells != static_cast<std::size_t>(cell_count))
        throw BadArgument("cell_class must have one entry for each cell");
    if (weights.start.empty() || weights.start.front() != 0 ||
        weights.start.back() != weights.weight.size())
        throw BadArgument("class_start must run from 0 to the number of weights");
    for (ClassId c = 0; c < weights.class_count(); ++c)
        if (weights.start[c] > weights.start[c + 1] || weights.start[c + 1] - weights.start[c] < 2)
            throw BadArgument("a class needs weights of at least 0 and 1 mine");
    for (const WideDouble weight : weights.weight)
        if (!(weight.mantissa > 0.0)) throw BadArgument("weights of cells must be positive");
    for (std::size_t i = 0; i < cells;) {
        const ClassId c = weights.cell_class[i];
        if (c >= weights.class_count()) throw BadArgument("cell_class names no class");
        for (std::uint32_t k = 0; k < weights.capacity(c); ++k, ++i)
            if (i >= cells || weights.cell_class[i] != c)
                throw BadArgument("cells of a class of capacity k must come k at a time");
    }
}

}  // namespace mineodds
