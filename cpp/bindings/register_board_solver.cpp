// The fused kernel: _core.Neighbours and _core.odds_batch.
#include <algorithm>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "position/batch.hpp"
#include "position/neighbours.hpp"

namespace mineodds::bindings {
namespace {

std::int8_t checked_clue(int largest_clue) {
    if (largest_clue < 0 || largest_clue > 127) throw BadArgument("largest_clue must be 0 to 127");
    return static_cast<std::int8_t>(largest_clue);
}

py::array_t<double> array_like(const py::array& array) {
    return py::array_t<double>(
        std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()));
}

}  // namespace

void register_board_solver(py::module_& module) {
    py::class_<Neighbours>(module, "Neighbours",
                           "A neighbour table, checked and made ready for odds_batch.")
        .def(py::init([](const Array<std::int32_t>& start, const Array<CellId>& cell) {
                 return Neighbours(to_vector(start, "start"), to_vector(cell, "cell"));
             }),
             py::arg("start"), py::arg("cell"))
        .def_property_readonly("largest_degree", &Neighbours::largest_degree);
    module.def(
        "odds",
        [](const Array<std::int8_t>& cells, std::int64_t mines, const Neighbours& neighbours,
           double max_work, double max_memory, int largest_clue, double deadline) {
            if (static_cast<std::size_t>(cells.size()) != neighbours.cell_count())
                throw BadArgument("cells must hold one board of the neighbour table");
            const std::int64_t one[] = {mines};
            const Batch batch{.cells = {cells.data(), neighbours.cell_count()},
                              .mines = one,
                              .neighbours = neighbours,
                              .largest_clue = checked_clue(largest_clue),
                              .budget = {max_work, max_memory}};
            py::array_t<double> probability = array_like(cells);
            std::uint8_t status[1];
            const std::span<double> out(probability.mutable_data(), batch.cells.size());
            run(deadline,
                [&](const Control* control) { solve_batch(batch, control, out, status); });
            return py::make_tuple(probability, status[0]);
        },
        py::arg("cells"), py::arg("mines"), py::arg("neighbours"), py::kw_only(),
        py::arg("max_work"), py::arg("max_memory"), py::arg("largest_clue") = 8,
        py::arg("deadline") = kNoDeadline, "One board of any shape -> (probability, status).");
    module.def(
        "odds_batch",
        [](const Array<std::int8_t>& cells, const Array<std::int64_t>& mines,
           const Neighbours& neighbours, double max_work, double max_memory, std::size_t workers,
           int largest_clue, double deadline) {
            const auto boards = static_cast<std::size_t>(mines.size());
            const std::size_t per_board = neighbours.cell_count();
            if (mines.ndim() != 1) throw BadArgument("mines must have one dimension");
            if (cells.ndim() < 2 || static_cast<std::size_t>(cells.shape(0)) != boards ||
                static_cast<std::size_t>(cells.size()) != boards * per_board)
                throw BadArgument(
                    "cells must hold one board of the neighbour table for each entry of mines");
            const Batch batch{.cells = {cells.data(), boards * per_board},
                              .mines = {mines.data(), boards},
                              .neighbours = neighbours,
                              .largest_clue = checked_clue(largest_clue),
                              .budget = {max_work, max_memory},
                              .workers = workers};
            py::array_t<double> probability = array_like(cells);
            py::array_t<std::uint8_t> status(mines.size());
            const std::span<double> out(probability.mutable_data(), batch.cells.size());
            const std::span<std::uint8_t> outcome(status.mutable_data(), boards);
            run(deadline,
                [&](const Control* control) { solve_batch(batch, control, out, outcome); });
            return py::make_tuple(probability, status);
        },
        py::arg("cells"), py::arg("mines"), py::arg("neighbours"), py::kw_only(),
        py::arg("max_work"), py::arg("max_memory"), py::arg("workers") = 1,
        py::arg("largest_clue") = 8, py::arg("deadline") = kNoDeadline,
        "Boards of any shape (n, ...) with as many cells as the table -> (probability, status).");
}

}  // namespace mineodds::bindings
