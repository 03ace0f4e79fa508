// The extension module mineodds._core: a table of contents. Each register_* function stands in a
// file of its own name and binds one part of the core; no mathematics here. The module keeps no
// mutable global state, so it does not need the interpreter's lock.
#include "bindings/pybind.hpp"
#include "bindings/register.hpp"

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
    module.doc() = "The compiled core of mineodds; use the package mineodds instead.";
    module.attr("__version__") = MINEODDS_VERSION;
    mineodds::bindings::register_errors(module);
    mineodds::bindings::register_results(module);
    mineodds::bindings::register_elimination(module);
    mineodds::bindings::register_enumeration(module);
    mineodds::bindings::register_board_solver(module);
    mineodds::bindings::register_play(module);
    mineodds::bindings::register_questions(module);
    mineodds::bindings::register_approximation(module);
}
