// The elimination engine: _core.Elimination, and the results that both engines give.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/cell_weights.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "coefficients/primes.hpp"
#include "elimination/elimination.hpp"
#include "words/errors.hpp"

namespace mineodds::bindings {
namespace {

std::vector<py::ssize_t> table_shape(const Elimination& engine) {
    return {static_cast<py::ssize_t>(engine.table_rows()),
            static_cast<py::ssize_t>(engine.mine_counts())};
}

PlanKind plan_kind(const std::string& name) {
    if (name == "best") return PlanKind::best;
    if (name == "min-fill") return PlanKind::min_fill;
    if (name == "linear") return PlanKind::linear;
    if (name == "annealed") return PlanKind::annealed;
    throw BadArgument("plan must be best, min-fill, linear or annealed, not " + name);
}

}  // namespace

void register_elimination(py::module_& module) {
    py::class_<Elimination>(
        module, "Elimination",
        "Bucket elimination on one problem: plan and support now, evaluations when asked for.")
        .def(py::init([](CellId cell_count, const Array<std::int32_t>& clue_start,
                         const Array<CellId>& clue_cell, const Array<MineCount>& clue_need,
                         double max_work, double max_memory, const Array<CellId>& free_cells,
                         const Array<std::int32_t>& cell_class,
                         const Array<std::int32_t>& class_start, const Array<double>& class_weight,
                         const Array<std::int64_t>& class_exponent, double deadline,
                         const std::string& plan, std::uint32_t mask_words, bool semi_joins) {
                 const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
                 const auto free = to_span(free_cells, "free_cells");
                 const PlanOptions options{plan_kind(plan), mask_words, semi_joins};
                 if (class_start.size() != 0) {
                     if (!free.empty())
                         throw BadArgument("free_cells and classes of cells exclude each other");
                     CellWeights weights =
                         cell_weights_of(cell_class, class_start, class_weight, class_exponent);
                     return run(deadline, [&](const Control* control) {
                         return std::make_unique<Elimination>(
                             problem, std::move(weights), Budget{max_work, max_memory}, control);
                     });
                 }
                 return run(deadline, [&](const Control* control) {
                     return std::make_unique<Elimination>(problem, Budget{max_work, max_memory},
                                                          control, free, options);
                 });
             }),
             py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"),
             py::arg("clue_need"), py::kw_only(), py::arg("max_work"), py::arg("max_memory"),
             py::arg("free_cells") = Array<CellId>(0),
             py::arg("cell_class") = Array<std::int32_t>(0),
             py::arg("class_start") = Array<std::int32_t>(0),
             py::arg("class_weight") = Array<double>(0),
             py::arg("class_exponent") = Array<std::int64_t>(0), py::arg("deadline") = kNoDeadline,
             py::arg("plan") = "best", py::arg("mask_words") = 0, py::arg("semi_joins") = false)
        .def_property_readonly("consistent", &Elimination::consistent)
        .def_property_readonly("least_mines", &Elimination::least_mines)
        .def_property_readonly("most_mines", &Elimination::most_mines)
        .def_property_readonly(
            "possible",
            [](Elimination& self) {
                const std::vector<bool> possible = run(kNoDeadline, [&](const Control* control) {
                    return self.possible_counts(control);
                });
                py::array_t<bool> array(static_cast<py::ssize_t>(possible.size()));
                std::copy(possible.begin(), possible.end(), array.mutable_data());
                return array;
            })
        .def_property_readonly("settled",
                               [](const Elimination& self) { return to_array(self.settled()); })
        .def_property_readonly(
            "variable", [](const Elimination& self) { return to_array(self.variable_of_cell()); })
        .def_property_readonly(
            "variable_size",
            [](const Elimination& self) {
                const auto& size = self.inference().reduction.size;
                return to_array(std::vector<std::int32_t>(size.begin(), size.end()));
            })
        .def_property_readonly("order",
                               [](const Elimination& self) {
                                   std::vector<std::int32_t> order;
                                   for (const CounterId c : self.inference().order.counter)
                                       order.push_back(self.inference().reduction.clue[c]);
                                   return to_array(order);
                               })
        .def_property_readonly("width",
                               [](const Elimination& self) { return self.inference().tree.width; })
        .def_property_readonly("work",
                               [](const Elimination& self) { return self.inference().tree.work; })
        .def_property_readonly(
            "products", [](const Elimination& self) { return self.inference().support.products; })
        .def_property_readonly("memory",
                               [](const Elimination& self) {
                                   return static_cast<std::uint64_t>(self.inference().memory());
                               })
        .def("describe", &Elimination::describe)
        .def(
            "count_table",
            [](Elimination& self, double deadline) {
                const auto table = run(
                    deadline, [&](const Control* control) { return self.count_table(control); });
                const auto shape = table_shape(self);
                py::array_t<double> mantissa(shape);
                py::array_t<std::int64_t> exponent(shape);
                for (std::size_t i = 0; i < table.count.size(); ++i) {
                    mantissa.mutable_data()[i] = table.count[i].mantissa;
                    exponent.mutable_data()[i] = table.count[i].exponent;
                }
                return py::make_tuple(mantissa, exponent);
            },
            py::arg("deadline") = kNoDeadline)
        .def(
            "count_table_modular",
            [](Elimination& self, std::uint64_t prime, double deadline) {
                const auto table = run(deadline, [&](const Control* control) {
                    return self.count_table_modular(prime, control);
                });
                return py::array_t<std::uint64_t>(table_shape(self), table.data());
            },
            py::arg("prime"), py::arg("deadline") = kNoDeadline)
        .def(
            "evaluate",
            [](Elimination& self, const Array<double>& weight,
               const Array<std::int64_t>& weight_exponent, const Array<double>& deep_share,
               int tilt, double deadline) {
                const TotalWeights weights = weights_of(weight, weight_exponent, deep_share, tilt);
                return run(deadline,
                           [&](const Control* control) { return self.evaluate(weights, control); });
            },
            py::arg("weight"), py::arg("weight_exponent"), py::arg("deep_share"),
            py::arg("tilt") = 0, py::arg("deadline") = kNoDeadline)
        .def(
            "evaluate_modular",
            [](Elimination& self, std::uint64_t prime, const Array<std::uint64_t>& weight,
               const Array<std::uint64_t>& class_residue, double deadline) {
                const auto weights = to_vector(weight, "weight");
                auto residues = to_vector(class_residue, "class_residue");
                return as_tuple(run(deadline, [&](const Control* control) {
                    return self.evaluate_modular(prime, weights, control, std::move(residues));
                }));
            },
            py::arg("prime"), py::arg("weight"), py::arg("class_residue") = Array<std::uint64_t>(0),
            py::arg("deadline") = kNoDeadline);
    module.def("primes", &largest_primes, py::arg("n"),
               "The n largest primes below 2**61, largest first.");
}

}  // namespace mineodds::bindings
