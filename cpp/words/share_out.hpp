// Independent items on several threads: whoever is free takes the next block.
//
// The first failure stops all of them and is thrown to the caller. The caller's thread works too,
// with the caller's control, and looks at it while it waits for the others; those get its deadline
// but not its hook, which belongs to the thread that made it. When the system refuses a thread, the
// rest do its work.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "words/control.hpp"

namespace mineodds {

// The caller's thread, when it has no work left, looks at its control this often.
inline constexpr std::chrono::milliseconds kWaitBetweenChecks{20};

class BlockQueue {
  public:
    BlockQueue(std::size_t items, std::size_t block) : items_(items), block_(block) {}

    // Calls use(i) for the items of the next block; false when none was left.
    template <class Use>
    bool take(Use&& use) {
        const std::size_t begin = next_.fetch_add(block_);
        if (begin >= items_) return false;
        for (std::size_t i = begin; i < std::min(begin + block_, items_); ++i) use(i);
        return true;
    }
    void empty() { next_.store(items_); }

  private:
    std::size_t items_;
    std::size_t block_;
    std::atomic<std::size_t> next_{0};
};

// Runs work(queue, control) once on each of `workers` threads (at least one, at most one an item);
// it takes blocks until none is left.
template <class Work>
void share_out(std::size_t items, std::size_t workers, const Control* control, Work&& work) {
    check(control);
    const std::size_t threads =
        std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(items, 1));
    BlockQueue queue(items, std::clamp<std::size_t>(items / (16 * threads), 1, 64));
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::size_t working = 0;  // threads other than the caller's
    std::mutex mutex;         // of the two above
    std::condition_variable done;
    const auto fail = [&] {  // in a catch block
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
        stop.store(true);
        queue.empty();
    };
    const auto guarded = [&](const Control* own) {
        try {
            work(queue, own);
        } catch (...) {
            fail();
        }
    };
    Control others;
    others.stop = &stop;
    if (control != nullptr) others.deadline = control->deadline;
    const auto work_and_leave = [&] {
        guarded(&others);
        const std::lock_guard<std::mutex> lock(mutex);
        if (--working == 0) done.notify_one();
    };
    std::vector<std::thread> pool;
    pool.reserve(threads - 1);
    working = threads - 1;
    try {
        while (pool.size() + 1 < threads) pool.emplace_back(work_and_leave);
    } catch (const std::system_error&) {  // fewer threads give the same result
        const std::lock_guard<std::mutex> lock(mutex);
        working -= threads - 1 - pool.size();
    }
    guarded(control);
    const auto all_left = [&] {
        std::unique_lock<std::mutex> lock(mutex);
        return done.wait_for(lock, kWaitBetweenChecks, [&] { return working == 0; });
    };
    while (!all_left()) {
        try {
            check(control);
        } catch (...) {
            fail();
        }
    }
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mineodds
