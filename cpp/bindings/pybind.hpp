// The one door to pybind11: every file of this folder includes this header, no other file of the
// core does (the layering test checks it). Conversions that several register_*.cpp files share
// belong here too, so that all of them convert alike.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace mineodds::bindings {

namespace py = pybind11;

}  // namespace mineodds::bindings
