// What module.cpp lists: one function a file.
#pragma once

#include "bindings/pybind.hpp"

namespace mineodds::bindings {

void register_errors(py::module_& module);
void register_results(py::module_& module);
void register_elimination(py::module_& module);
void register_enumeration(py::module_& module);
void register_board_solver(py::module_& module);
void register_play(py::module_& module);
void register_questions(py::module_& module);
void register_approximation(py::module_& module);

}  // namespace mineodds::bindings
