// _core.Evaluation, which both engines return.
#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "problem/result.hpp"

namespace mineodds::bindings {

void register_results(py::module_& module) {
    py::class_<Evaluation>(module, "Evaluation",
                           "Weighted total and the chance of a mine in each cell.")
        .def_readonly("total", &Evaluation::total)
        .def_readonly("total_exponent", &Evaluation::total_exponent)
        .def_property_readonly("probability",
                               [](const Evaluation& self) { return to_array(self.probability); })
        .def_readonly("deep_probability", &Evaluation::deep_probability);
}

}  // namespace mineodds::bindings
