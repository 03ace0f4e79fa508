// Threads take the next block of boards from a shared counter; see batch.hpp.
#include "position/batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mineodds {
namespace {

constexpr double kKeepBelow = 64e6;  // bytes of working arrays that a thread may keep

// Working arrays stay with their thread, so that solving one board after another allocates nothing.
BoardSolver& solver_of_this_thread() {
    static thread_local BoardSolver solver;
    return solver;
}

}  // namespace

void solve_batch(const Batch& batch, const Control* control, std::span<double> probability,
                 std::span<std::uint8_t> status) {
    const std::size_t boards = batch.mines.size();
    const std::size_t cells = batch.neighbours.cell_count();
    const std::size_t threads =
        std::clamp<std::size_t>(batch.workers, 1, std::max<std::size_t>(boards, 1));
    const std::size_t block = std::clamp<std::size_t>(boards / (8 * threads), 1, 64);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&](const Control* own) {
        try {
            BoardSolver& solver = solver_of_this_thread();
            for (std::size_t begin; (begin = next.fetch_add(block)) < boards;)
                for (std::size_t i = begin; i < std::min(begin + block, boards); ++i) {
                    status[i] = static_cast<std::uint8_t>(
                        solver.solve(batch.cells.subspan(i * cells, cells), batch.mines[i],
                                     batch.neighbours, batch.largest_clue, batch.budget, own,
                                     probability.subspan(i * cells, cells)));
                    check(own);
                }
            if (solver.inference().memory() > kKeepBelow) solver = BoardSolver();
        } catch (...) {
            const std::lock_guard<std::mutex> lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            stop.store(true);
        }
    };
    Control others;  // the caller's hook belongs to the calling thread
    others.stop = &stop;
    if (control != nullptr) others.deadline = control->deadline;
    std::vector<std::thread> pool;
    for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(work, &others);
    work(control);
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mineodds
