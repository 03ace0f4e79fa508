// Conversions that the register_*.cpp files share: NumPy arrays to spans and vectors, results to
// arrays.
//
// Python normalises arrays first (dtype, contiguity); here shapes are checked and the core gets
// spans.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "bindings/pybind.hpp"
#include "elimination/inference.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"
#include "words/errors.hpp"

namespace mineodds::bindings {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

inline constexpr double kNoDeadline = std::numeric_limits<double>::infinity();

template <class T>
std::span<const T> to_span(const Array<T>& array, const char* name) {
    if (array.ndim() != 1) throw BadArgument(std::string(name) + " must have one dimension");
    return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class T>
std::vector<T> to_vector(const Array<T>& array, const char* name) {
    const auto span = to_span(array, name);
    return {span.begin(), span.end()};
}

// A copy of a std::vector or a Buffer.
template <class Values>
auto to_array(const Values& values) {
    return py::array_t<typename Values::value_type>(static_cast<py::ssize_t>(values.size()),
                                                    values.data());
}

inline Problem problem_of(CellId cell_count, const Array<std::int32_t>& clue_start,
                          const Array<CellId>& clue_cell, const Array<MineCount>& clue_need) {
    return {cell_count, to_span(clue_start, "clue_start"), to_span(clue_cell, "clue_cell"),
            to_span(clue_need, "clue_need")};
}

inline TotalWeights weights_of(const Array<double>& weight, const Array<std::int64_t>& exponent,
                               const Array<double>& deep_share, int tilt) {
    if (weight.size() != exponent.size())
        throw BadArgument("weight and weight_exponent must have the same length");
    const auto mantissas = to_span(weight, "weight");
    const auto exponents = to_span(exponent, "weight_exponent");
    TotalWeights weights;
    for (std::size_t k = 0; k < mantissas.size(); ++k)
        weights.weight.push_back(Wide::make(mantissas[k], exponents[k]));
    weights.deep_share = to_vector(deep_share, "deep_share");
    weights.tilt = tilt;
    return weights;
}

inline py::tuple as_tuple(const ModularEvaluation& result) {
    return py::make_tuple(to_array(result.count), result.total, to_array(result.mine));
}

}  // namespace mineodds::bindings
