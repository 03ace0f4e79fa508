// The core's exceptions as Python sees them; mineodds.errors turns them into the public ones.
#include <exception>

#include "bindings/register.hpp"
#include "words/errors.hpp"

namespace mineodds::bindings {

void register_errors(py::module_& module) {
    // Immortal on purpose: the translator below needs it as long as the interpreter lives.
    static const py::handle cost_exceeded =
        py::exception<CostExceeded>(module, "CostExceeded", PyExc_RuntimeError).release();
    py::register_local_exception<DeadlinePassed>(module, "DeadlinePassed", PyExc_TimeoutError);
    py::register_local_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const CostExceeded& e) {
            PyErr_SetObject(cost_exceeded.ptr(), py::make_tuple(e.work, e.memory).ptr());
        } catch (const BadArgument& e) {
            PyErr_SetString(PyExc_ValueError, e.what());
        } catch (const Interrupted&) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
}

}  // namespace mineodds::bindings
