// The enumeration engine: _core.Enumeration, with the results of Elimination.
#include <algorithm>
#include <memory>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "enumeration/enumeration.hpp"

namespace mineodds::bindings {

void register_enumeration(py::module_& module) {
    py::class_<Enumeration>(module, "Enumeration",
                            "Depth-first enumeration of one problem, component by component.")
        .def(py::init([](CellId cell_count, const Array<std::int32_t>& clue_start,
                         const Array<CellId>& clue_cell, const Array<MineCount>& clue_need,
                         double max_work, double deadline) {
                 const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
                 return run(deadline, [&](const Control* control) {
                     return std::make_unique<Enumeration>(problem, max_work, control);
                 });
             }),
             py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"),
             py::arg("clue_need"), py::kw_only(), py::arg("max_work"),
             py::arg("deadline") = kNoDeadline)
        .def_property_readonly("consistent", &Enumeration::consistent)
        .def_property_readonly("least_mines", &Enumeration::least_mines)
        .def_property_readonly("most_mines", &Enumeration::most_mines)
        .def_property_readonly(
            "possible",
            [](const Enumeration& self) {
                const auto& possible = self.possible();
                py::array_t<bool> array(static_cast<py::ssize_t>(possible.size()));
                std::copy(possible.begin(), possible.end(), array.mutable_data());
                return array;
            })
        .def_property_readonly("work", &Enumeration::work)
        .def(
            "evaluate",
            [](const Enumeration& self, const Array<double>& weight,
               const Array<std::int64_t>& weight_exponent, const Array<double>& deep_share,
               double deadline) {
                const auto weights = to_span(weight, "weight");
                const auto exponents = to_span(weight_exponent, "weight_exponent");
                const auto shares = to_span(deep_share, "deep_share");
                return run(deadline, [&](const Control* control) {
                    return self.evaluate(weights, exponents, shares, control);
                });
            },
            py::arg("weight"), py::arg("weight_exponent"), py::arg("deep_share"),
            py::arg("deadline") = kNoDeadline)
        .def(
            "evaluate_modular",
            [](const Enumeration& self, std::uint64_t prime, const Array<std::uint64_t>& weight,
               double deadline) {
                const auto weights = to_span(weight, "weight");
                return as_tuple(run(deadline, [&](const Control* control) {
                    return self.evaluate_modular(prime, weights, control);
                }));
            },
            py::arg("prime"), py::arg("weight"), py::arg("deadline") = kNoDeadline);
}

}  // namespace mineodds::bindings
