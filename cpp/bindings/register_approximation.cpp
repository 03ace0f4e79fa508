// Estimates where exact answers cost too much: chains of Gibbs sampling, and what is left of a
// problem once it is reduced.
#include <algorithm>
#include <vector>

#include "approximation/gibbs.hpp"
#include "bindings/arrays.hpp"
#include "bindings/cell_weights.hpp"
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

template <class T>
py::array_t<T> to_rows(const std::vector<T>& values, std::size_t rows) {
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows),
                                         static_cast<py::ssize_t>(values.size() / rows)};
    return py::array_t<T>(shape, values.data());
}

}  // namespace

void register_approximation(py::module_& module) {
    module.def(
        "reduced",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need, const Array<std::int32_t>& cell_class) -> py::object {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            SettleState settled;
            Reduction r;
            check(problem);
            const std::vector<ClassId> classes = classes_of(cell_class);
            if (!classes.empty() && classes.size() != static_cast<std::size_t>(cell_count))
                throw BadArgument("cell_class must have one entry for each cell");
            r.cell_class = classes;
            if (!reduce(problem, settled, r)) return py::none();
            const std::vector<std::int32_t> size(r.size.begin(), r.size.end());
            const std::vector<std::int32_t> start(r.counter_start.begin(), r.counter_start.end());
            const std::vector<std::int32_t> counter(r.counter.begin(), r.counter.end());
            return py::make_tuple(
                to_array(settled.state), to_array(variable_of_cell(r, settled.state.size())),
                to_array(size), to_array(start), to_array(counter), to_array(r.need));
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        py::arg("cell_class") = Array<std::int32_t>(0),
        "(settled, variable, size, counter_start, counter, need), or None for a contradiction.");
    module.def(
        "gibbs",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need, const Array<std::int32_t>& cell_class,
           const Array<double>& log_value, const Array<double>& value_share,
           const Array<double>& log_weight, double density, std::uint64_t seed, std::uint64_t chain,
           std::size_t tries, std::size_t warm_up, std::size_t batches, std::size_t batch,
           double deadline) -> py::object {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            const auto share = to_span(value_share, "value_share");
            if (share.size() != to_span(log_value, "log_value").size())
                throw BadArgument("value_share must be as long as log_value");
            const std::vector<ClassId> classes = classes_of(cell_class);
            Gibbs gibbs(problem, classes, to_vector(log_value, "log_value"),
                        to_vector(log_weight, "log_weight"), density, seed, chain);
            if (batches == 0 || batch == 0) throw BadArgument("a chain needs draws");
            const std::size_t variables = gibbs.reduction().variable_count();
            const std::size_t counts = static_cast<std::size_t>(cell_count) + 1;
            std::vector<double> sum(batches * variables, 0.0);
            std::vector<double> squares(batches * variables, 0.0);
            std::vector<std::int64_t> seen(batches * counts, 0);
            const bool found = run(deadline, [&](const Control* control) {
                if (!gibbs.find(tries, control)) return false;
                for (std::size_t i = 0; i < warm_up; ++i) {
                    gibbs.sweep();
                    check(control);
                }
                for (std::size_t i = 0; i < batches * batch; ++i) {
                    gibbs.sweep();
                    check(control);
                    const std::size_t row = i / batch;
                    for (std::size_t v = 0; v < variables; ++v) {
                        const double x = share[gibbs.place(static_cast<VariableId>(v))];
                        sum[row * variables + v] += x;
                        squares[row * variables + v] += x * x;
                    }
                    ++seen[row * counts + static_cast<std::size_t>(gibbs.mines())];
                }
                return true;
            });
            if (!found) return py::none();
            return py::make_tuple(to_rows(sum, batches), to_rows(squares, batches),
                                  to_rows(seen, batches));
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        py::kw_only(), py::arg("cell_class"), py::arg("log_value"), py::arg("value_share"),
        py::arg("log_weight"), py::arg("density"), py::arg("seed"), py::arg("chain"),
        py::arg("tries"), py::arg("warm_up"), py::arg("batches"), py::arg("batch"),
        py::arg("deadline") = kNoDeadline,
        "One chain, by batch of sweeps: sums and sums of squares of what value_share says of each "
        "variable's value, and how often the cells held 0, 1, ... mines; None when no first "
        "configuration was found.");
}

}  // namespace mineodds::bindings
