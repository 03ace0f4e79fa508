// Estimates where exact answers cost too much: chains of Gibbs sampling, and what is left of a
// problem once it is reduced.
#include <algorithm>
#include <vector>

#include "approximation/gibbs.hpp"
#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"

namespace mineodds::bindings {
namespace {

std::vector<std::int32_t> variable_of_cell(const Reduction& r, std::size_t cells) {
    std::vector<std::int32_t> variable(cells, -1);
    for (std::size_t i = 0; i < r.cell.size(); ++i)
        variable[static_cast<std::size_t>(r.cell[i])] = static_cast<std::int32_t>(r.variable[i]);
    return variable;
}

}  // namespace

void register_approximation(py::module_& module) {
    module.def(
        "reduced",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need) -> py::object {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            SettleState settled;
            Reduction r;
            check(problem);
            if (!reduce(problem, settled, r)) return py::none();
            const std::vector<std::int32_t> size(r.size.begin(), r.size.end());
            const std::vector<std::int32_t> start(r.counter_start.begin(), r.counter_start.end());
            const std::vector<std::int32_t> counter(r.counter.begin(), r.counter.end());
            return py::make_tuple(
                to_array(settled.state), to_array(variable_of_cell(r, settled.state.size())),
                to_array(size), to_array(start), to_array(counter), to_array(r.need));
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        "(settled, variable, size, counter_start, counter, need), or None for a contradiction.");
    module.def(
        "gibbs",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need, const Array<double>& log_weight, double density,
           const Array<double>& deep_share, std::uint64_t seed, std::uint64_t chain,
           std::size_t tries, std::size_t warm_up, std::size_t batches, std::size_t batch,
           double deadline) -> py::object {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            const auto share = to_span(deep_share, "deep_share");
            if (share.size() != static_cast<std::size_t>(cell_count) + 1)
                throw BadArgument("deep_share must have one entry more than there are cells");
            Gibbs gibbs(problem, to_vector(log_weight, "log_weight"), density, seed, chain);
            const Reduction& r = gibbs.reduction();
            const std::size_t columns = r.variable_count() + 1;
            std::vector<double> sum(batches * columns, 0.0);
            std::vector<double> squares(batches * columns, 0.0);
            const bool found = run(deadline, [&](const Control* control) {
                if (!gibbs.find(tries, control)) return false;
                for (std::size_t i = 0; i < warm_up; ++i) {
                    gibbs.sweep();
                    check(control);
                }
                for (std::size_t i = 0; i < batches * batch; ++i) {
                    gibbs.sweep();
                    check(control);
                    double* const to = sum.data() + i / batch * columns;
                    double* const squared = squares.data() + i / batch * columns;
                    const auto add = [&](std::size_t column, double x) {
                        to[column] += x;
                        squared[column] += x * x;
                    };
                    for (std::size_t v = 0; v + 1 < columns; ++v)
                        add(v, static_cast<double>(gibbs.value()[v]) / r.size[v]);
                    add(columns - 1, share[static_cast<std::size_t>(gibbs.mines())]);
                }
                return true;
            });
            if (!found) return py::none();
            const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(batches),
                                                 static_cast<py::ssize_t>(columns)};
            return py::make_tuple(py::array_t<double>(shape, sum.data()),
                                  py::array_t<double>(shape, squares.data()));
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        py::kw_only(), py::arg("log_weight"), py::arg("density"), py::arg("deep_share"),
        py::arg("seed"), py::arg("chain"), py::arg("tries"), py::arg("warm_up"), py::arg("batches"),
        py::arg("batch"), py::arg("deadline") = kNoDeadline,
        "One chain: sums and sums of squares of each variable's share of mines (and of the deep "
        "cells') by batch of sweeps; None when no first configuration was found.");
}

}  // namespace mineodds::bindings
