// Weights of cells that are not all alike, from arrays of Python.
#pragma once

#include <cstdint>
#include <vector>

#include "bindings/arrays.hpp"
#include "elimination/cell_weights.hpp"
#include "words/errors.hpp"

namespace mineodds::bindings {

inline std::vector<ClassId> classes_of(const Array<std::int32_t>& cell_class) {
    std::vector<ClassId> result;
    for (const std::int32_t c : to_span(cell_class, "cell_class")) {
        if (c < 0) throw BadArgument("classes are numbered from 0");
        result.push_back(static_cast<ClassId>(c));
    }
    return result;
}

inline CellWeights cell_weights_of(const Array<std::int32_t>& cell_class,
                                   const Array<std::int32_t>& class_start,
                                   const Array<double>& class_weight,
                                   const Array<std::int64_t>& class_exponent) {
    CellWeights result;
    result.cell_class = classes_of(cell_class);
    result.start.clear();
    for (const std::int32_t begin : to_span(class_start, "class_start")) {
        if (begin < 0) throw BadArgument("class_start must rise from 0");
        result.start.push_back(static_cast<std::uint32_t>(begin));
    }
    const auto mantissa = to_span(class_weight, "class_weight");
    const auto exponent = to_span(class_exponent, "class_exponent");
    if (mantissa.size() != exponent.size())
        throw BadArgument("class_weight and class_exponent must be equally long");
    for (std::size_t i = 0; i < mantissa.size(); ++i)
        result.weight.push_back(Wide::make(mantissa[i], exponent[i]));
    return result;
}

}  // namespace mineodds::bindings
