// How a long computation is stopped from outside: a flag, a deadline, a hook. Loops call
// check(control) every few milliseconds of work; with no control it costs one test of a pointer.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "words/errors.hpp"

namespace mineodds {

struct Control {
    using Clock = std::chrono::steady_clock;

    const std::atomic<bool>* stop = nullptr;  // set by another thread: throw Interrupted
    Clock::time_point deadline = Clock::time_point::max();
    // Called at each check, and may throw. Only for the thread that made it: what other threads
    // are given has no hook.
    std::function<void()> poll;

    void check() const {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
        if (deadline != Clock::time_point::max() && Clock::now() >= deadline)
            throw DeadlinePassed();
        if (poll) poll();
    }
};

inline void check(const Control* control) {
    if (control != nullptr) control->check();
}

}  // namespace mineodds
