// Threads take the next block of boards from a shared counter; see batch.hpp.
#include "position/batch.hpp"

#include "words/share_out.hpp"

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
    const std::size_t cells = batch.neighbours.cell_count();
    share_out(
        batch.mines.size(), batch.workers, control, [&](BlockQueue& queue, const Control* own) {
            BoardSolver& solver = solver_of_this_thread();
            const auto solve_one = [&](std::size_t i) {
                status[i] = static_cast<std::uint8_t>(solver.solve(
                    batch.cells.subspan(i * cells, cells), batch.mines[i], batch.neighbours,
                    batch.largest_clue, batch.budget, own, probability.subspan(i * cells, cells)));
                check(own);
            };
            while (queue.take(solve_one)) {
            }
            if (solver.inference().memory() > kKeepBelow) solver = BoardSolver();
        });
}

}  // namespace mineodds
