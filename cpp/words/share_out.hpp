// Independent items on several threads: whoever is free takes the next block.
//
// The first failure stops all of them and is thrown to the caller. The caller's thread works too,
// with the caller's control; the others get its deadline but not its hook, which belongs to the
// thread that made it. When the system refuses a thread, the rest do its work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "words/control.hpp"

namespace mineodds {

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
    const std::size_t threads =
        std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(items, 1));
    BlockQueue queue(items, std::clamp<std::size_t>(items / (16 * threads), 1, 64));
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto guarded = [&](const Control* own) {
        try {
            work(queue, own);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex);
            if (!failure) failure = std::current_exception();
            stop.store(true);
            queue.empty();
        }
    };
    Control others;
    others.stop = &stop;
    if (control != nullptr) others.deadline = control->deadline;
    std::vector<std::thread> pool;
    pool.reserve(threads - 1);
    try {
        while (pool.size() + 1 < threads) pool.emplace_back(guarded, &others);
    } catch (const std::system_error&) {
        // Fewer threads give the same result.
    }
    guarded(control);
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mineodds
