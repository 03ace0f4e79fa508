// Running the core from Python: the interpreter's lock is released, and Ctrl-C is noticed within 50
// ms.
#pragma once

#include <chrono>
#include <utility>

#include "bindings/pybind.hpp"
#include "words/control.hpp"

namespace mineodds::bindings {

// Deadlines further away, about 30 years, are none: the clock counts nanoseconds in 64 bits.
inline constexpr double kLongestDeadline = 1e9;

// Calls function(const Control*) without the lock. Safe because the core touches no Python object;
// the poll takes the lock back, from the calling thread only, to let a pending signal raise.
// deadline: seconds from now; infinite for none.
template <class Function>
auto run(double deadline, Function&& function) {
    using Clock = Control::Clock;
    static constexpr auto interval = std::chrono::milliseconds(50);
    Control control;
    auto next = Clock::now() + interval;
    if (deadline < kLongestDeadline) {
        control.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(deadline));
    }
    control.poll = [&next] {
        const auto now = Clock::now();
        if (now < next) return;
        next = now + interval;
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    };
    const py::gil_scoped_release unlocked;
    return std::forward<Function>(function)(static_cast<const Control*>(&control));
}

}  // namespace mineodds::bindings
