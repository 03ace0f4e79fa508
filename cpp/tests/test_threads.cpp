// Threads: what may be shared is shared, and the answers do not depend on how many work. Under the
// thread sanitizer (preset tsan) these cases are the proof that nothing races.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "coefficients/primes.hpp"
#include "elimination/elimination.hpp"
#include "enumeration/enumeration.hpp"
#include "play/simulation.hpp"
#include "position/batch.hpp"
#include "tests/check.hpp"
#include "tests/grid.hpp"
#include "tests/problem_arrays.hpp"
#include "words/share_out.hpp"

namespace {

using namespace mineodds;
using testing::grid;
using testing::ProblemArrays;

constexpr std::size_t kThreads = 4;

// Boards in the middle of games: clues of random layouts, here and there one that is spoiled.
struct Boards {
    std::vector<std::int8_t> cells;
    std::vector<std::int64_t> mines;
};

Boards random_boards(const Neighbours& neighbours, std::size_t count) {
    const std::size_t size = neighbours.cell_count();
    Boards boards;
    for (std::uint64_t board = 0; board < count; ++board) {
        Random random(7, board, Random::kLayoutStream);
        std::vector<std::uint8_t> mine(size);
        for (auto& m : mine) m = random.below(5) == 0 ? 1 : 0;
        boards.mines.push_back(std::accumulate(mine.begin(), mine.end(), std::int64_t{0}));
        for (std::size_t i = 0; i < size; ++i) {
            int shown = 0;
            for (const CellId other : neighbours.table().of(static_cast<CellId>(i)))
                shown += mine[static_cast<std::size_t>(other)];
            const bool open = mine[i] == 0 && random.below(2) == 0;
            boards.cells.push_back(open ? static_cast<std::int8_t>(shown) : kHiddenCell);
        }
        if (board % 16 == 3) boards.cells[board * size] = 8;
        if (board % 16 == 5) boards.cells[board * size] = 100;
    }
    return boards;
}

struct Answers {
    std::vector<double> probability;
    std::vector<std::uint8_t> status;
};

Answers solve(const Boards& boards, const Neighbours& neighbours, std::size_t workers) {
    Answers answers{std::vector<double>(boards.cells.size()),
                    std::vector<std::uint8_t>(boards.mines.size())};
    const Batch batch{boards.cells, boards.mines, neighbours, 8, Budget{}, workers};
    solve_batch(batch, nullptr, answers.probability, answers.status);
    return answers;
}

bool same(const Answers& a, const Answers& b) {
    const auto equal = [](double x, double y) { return x == y || (x != x && y != y); };
    return a.status == b.status && std::ranges::equal(a.probability, b.probability, equal);
}

// Every third cell of a grid is a clue over the cells around it; a quarter of them are mines.
ProblemArrays grid_problem(const Neighbours& neighbours) {
    ProblemArrays problem;
    problem.cell_count = static_cast<CellId>(neighbours.cell_count());
    for (CellId i = 0; i < problem.cell_count; i += 3) {
        const auto around = neighbours.table().of(i);
        problem.clue_cell.insert(problem.clue_cell.end(), around.begin(), around.end());
        problem.end_clue(static_cast<MineCount>(around.size()) / 4);
    }
    return problem;
}

template <class Function>
void on_threads(Function&& function) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { function(t); });
    for (auto& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("threads: batches: any number of workers, also several batches at once") {
    const Neighbours neighbours = grid(9, 12);
    const Boards boards = random_boards(neighbours, 200);
    const Answers alone = solve(boards, neighbours, 1);
    CHECK(std::ranges::count(alone.status, std::uint8_t{0}) > 100);
    CHECK(same(solve(boards, neighbours, kThreads), alone));
    std::atomic<int> equal{0};
    on_threads([&](std::size_t) { equal += same(solve(boards, neighbours, 2), alone) ? 1 : 0; });
    CHECK(equal == static_cast<int>(kThreads));
}

TEST_CASE("threads: games: any number of workers") {
    const Neighbours neighbours = grid(9, 9);
    Simulation simulation;
    simulation.neighbours = neighbours.table();
    simulation.mines = 12;
    simulation.seed = 5;
    std::vector<std::uint8_t> alone(60), shared(60);
    const PlayCounts one = play_games(simulation, 0, alone, nullptr);
    simulation.workers = kThreads;
    const PlayCounts many = play_games(simulation, 0, shared, nullptr);
    CHECK(alone == shared);
    CHECK(one.wins == many.wins);
    CHECK(one.clicks == many.clicks);
    CHECK(one.solves == many.solves);
}

TEST_CASE("threads: one engine asked from many threads at once") {
    const ProblemArrays problem = grid_problem(grid(6, 5));
    Elimination elimination(problem.view(), Budget{}, nullptr);
    const Enumeration enumeration(problem.view(), 1e9);
    REQUIRE(elimination.consistent());
    const auto counts = elimination.mine_counts();
    TotalWeights weights;
    weights.weight.assign(counts, WideDouble{0.5, 1});
    weights.deep_share.assign(counts, 0.5);
    const std::vector<std::uint64_t> ones(counts, 1);
    const std::vector<double> mantissa(counts, 1.0);
    const std::vector<std::int64_t> exponent(counts, 0);
    const Evaluation expected = elimination.evaluate(weights, nullptr);
    const std::uint64_t prime = largest_primes(1).front();
    const ModularEvaluation residues = elimination.evaluate_modular(prime, ones, nullptr);
    std::atomic<int> right{0};
    on_threads([&](std::size_t t) {
        bool good = true;
        for (int i = 0; i < 5; ++i) {
            if ((t + static_cast<std::size_t>(i)) % 2 == 0) {
                good = good &&
                       elimination.evaluate(weights, nullptr).probability == expected.probability;
                good = good && enumeration.evaluate(mantissa, exponent, weights.deep_share)
                                       .probability.size() == expected.probability.size();
            } else {
                good = good &&
                       elimination.evaluate_modular(prime, ones, nullptr).mine == residues.mine;
                good = good && enumeration.evaluate_modular(prime, ones).mine == residues.mine;
            }
            good = good && elimination.possible_counts(nullptr).size() == counts;
        }
        right += good ? 1 : 0;
    });
    CHECK(right == static_cast<int>(kThreads));
}

TEST_CASE("threads: work shared out: every item once, whatever fails") {
    std::vector<int> done(1000);
    share_out(done.size(), kThreads, nullptr, [&](BlockQueue& queue, const Control*) {
        while (queue.take([&](std::size_t i) { ++done[i]; })) {
        }
    });
    CHECK(std::ranges::all_of(done, [](int times) { return times == 1; }));

    // One item fails: the others stop soon, and the caller gets the exception, once.
    std::atomic<int> tried{0};
    const auto fail = [&] {
        share_out(100000, kThreads, nullptr, [&](BlockQueue& queue, const Control* control) {
            while (queue.take([&](std::size_t i) {
                ++tried;
                check(control);
                if (i == 77) throw std::out_of_range("77");
            })) {
            }
        });
    };
    CHECK_THROWS_AS(fail(), std::out_of_range);
    CHECK(tried > 0);

    // All fail at once.
    const auto fail_everywhere = [&] {
        share_out(kThreads, kThreads, nullptr,
                  [&](BlockQueue&, const Control*) { throw std::domain_error("each"); });
    };
    CHECK_THROWS_AS(fail_everywhere(), std::domain_error);
}

TEST_CASE("threads: a stop is noticed while the caller waits for the others") {
    std::atomic<bool> stop{false};
    Control control;
    control.stop = &stop;
    const auto caller = std::this_thread::get_id();
    const auto wait = [&] {
        share_out(2, 2, &control, [&](BlockQueue&, const Control* own) {
            if (std::this_thread::get_id() == caller) {
                stop = true;  // and has no more work
                return;
            }
            for (;;) check(own);
        });
    };
    CHECK_THROWS_AS(wait(), Interrupted);
}

TEST_CASE("threads: a deadline and a stop reach every worker") {
    const Neighbours neighbours = grid(9, 12);
    const Boards boards = random_boards(neighbours, 64);
    Answers answers{std::vector<double>(boards.cells.size()),
                    std::vector<std::uint8_t>(boards.mines.size())};
    const Batch batch{boards.cells, boards.mines, neighbours, 8, Budget{}, kThreads};
    Control late;
    late.deadline = Control::Clock::now() - std::chrono::seconds(1);
    CHECK_THROWS_AS(solve_batch(batch, &late, answers.probability, answers.status), DeadlinePassed);
    std::atomic<bool> stop{true};
    Control stopped;
    stopped.stop = &stop;
    CHECK_THROWS_AS(solve_batch(batch, &stopped, answers.probability, answers.status), Interrupted);
}
