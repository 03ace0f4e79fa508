// The fused kernel: _core.odds_batch.
#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "position/batch.hpp"

namespace mineodds::bindings {

void register_board_solver(py::module_& module) {
    module.def(
        "odds_batch",
        [](const Array<std::int8_t>& cells, const Array<std::int64_t>& mines,
           const Array<std::int32_t>& neighbour_start, const Array<CellId>& neighbour_cell,
           double max_work, double max_memory, std::size_t workers, int largest_clue,
           double deadline) {
            if (cells.ndim() != 2)
                throw BadArgument("cells must have two dimensions: boards and cells");
            Batch batch;
            batch.cells = {cells.data(), static_cast<std::size_t>(cells.size())};
            batch.mines = to_span(mines, "mines");
            batch.neighbours = {to_span(neighbour_start, "neighbour_start"),
                                to_span(neighbour_cell, "neighbour_cell")};
            if (cells.shape(0) != mines.shape(0))
                throw BadArgument("mines must have one entry for each board");
            if (neighbour_start.size() != cells.shape(1) + 1)
                throw BadArgument(
                    "neighbour_start must have one entry more than a board has cells");
            if (largest_clue < 0 || largest_clue > 127)
                throw BadArgument("largest_clue must be 0 to 127");
            batch.largest_clue = static_cast<std::int8_t>(largest_clue);
            batch.budget = {max_work, max_memory};
            batch.workers = workers;
            py::array_t<double> probability({cells.shape(0), cells.shape(1)});
            py::array_t<std::uint8_t> status(cells.shape(0));
            const std::span<double> out(probability.mutable_data(), batch.cells.size());
            const std::span<std::uint8_t> outcome(status.mutable_data(), batch.mines.size());
            run(deadline,
                [&](const Control* control) { solve_batch(batch, control, out, outcome); });
            return py::make_tuple(probability, status);
        },
        py::arg("cells"), py::arg("mines"), py::arg("neighbour_start"), py::arg("neighbour_cell"),
        py::kw_only(), py::arg("max_work"), py::arg("max_memory"), py::arg("workers") = 1,
        py::arg("largest_clue") = 8, py::arg("deadline") = kNoDeadline);
}

}  // namespace mineodds::bindings
