// Play without Python: positions kept up to date agree with the fused kernel, games keep their
// rules, simulations do not depend on threads.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <vector>

#include "play/simulation.hpp"
#include "position/board_solver.hpp"
#include "tests/check.hpp"
#include "tests/grid.hpp"
#include "tests/near.hpp"

namespace {

using namespace mineodds;
using testing::grid;

Simulation simulation_on(const Neighbours& neighbours, std::int64_t mines, PolicyKind kind) {
    Simulation simulation;
    simulation.neighbours = neighbours.table();
    simulation.mines = mines;
    simulation.start = 0;
    simulation.seed = 7;
    simulation.policy.kind = kind;
    return simulation;
}

}  // namespace

TEST_CASE("a position kept up to date agrees with the fused kernel") {
    const Neighbours neighbours = grid(7, 9);
    BoardSolver kernel;
    PositionSolver solver{Budget{}};
    for (std::uint64_t index = 0; index < 60; ++index) {
        Game game(neighbours.table(), 12, FirstClick::safe);
        game.restart(3, index);
        Random random(4, index, 0);
        Position position;
        position.reset(neighbours.table(), 12);
        std::size_t seen = 0;
        while (game.state() == GameState::playing) {
            // A random cell that is no mine, as if the player were lucky.
            const auto cell = static_cast<CellId>(random.below(63));
            if (game.laid() && game.layout()[static_cast<std::size_t>(cell)] != 0) continue;
            if (!game.open(cell)) continue;
            for (; seen < game.opened().size(); ++seen) {
                const CellId opened = game.opened()[seen];
                REQUIRE(position.open(opened, game.cells()[static_cast<std::size_t>(opened)]));
            }
            REQUIRE(position.settle());
            REQUIRE(solver.solve(position, nullptr));
            std::vector<double> expected(63);
            REQUIRE(kernel.solve(game.cells(), 12, neighbours, 8, Budget{}, nullptr, expected) ==
                    BoardStatus::ok);
            std::vector<double> found(63, solver.deep_probability());
            for (std::size_t i = 0; i < solver.frontier().size(); ++i)
                found[static_cast<std::size_t>(solver.frontier()[i])] =
                    solver.probability(solver.variable()[i]);
            for (CellId i = 0; i < 63; ++i) {
                const double kernel_says = expected[static_cast<std::size_t>(i)];
                const std::int8_t state = position.state(i);
                CHECK((state == kNotHidden) == std::isnan(kernel_says));
                if (state == kSafe) CHECK(kernel_says == 0.0);
                if (state == kMine) CHECK(kernel_says == 1.0);
                if (state == kOpen)
                    CHECK(testing::near(found[static_cast<std::size_t>(i)], kernel_says));
            }
        }
    }
}

TEST_CASE("chances of the answers add up to the chance to be safe") {
    const Neighbours neighbours = grid(5, 6);
    Position position;
    std::vector<std::int8_t> cells(30, kHiddenCell);
    cells[0] = 1;
    cells[14] = 2;
    REQUIRE(position.load(neighbours.table(), 7, cells));
    PositionSolver solver{Budget{}};
    PositionSolver after_solver{Budget{}};
    REQUIRE(solver.solve(position, nullptr));
    std::vector<double> risk(30, solver.deep_probability());
    for (std::size_t i = 0; i < solver.frontier().size(); ++i)
        risk[static_cast<std::size_t>(solver.frontier()[i])] =
            solver.probability(solver.variable()[i]);
    for (CellId cell = 0; cell < 30; ++cell) {
        if (position.state(cell) != kOpen) continue;
        double safe = 0.0;
        Position after;
        Answer answer;
        for (MineCount mines = 0; mines <= undecided_around(position, cell); ++mines)
            if (try_answer(position, solver.layouts(), cell, mines, kNeverEnough, after,
                           after_solver, nullptr, answer) == Trial::solved)
                safe += answer.chance;
        CHECK(std::abs(safe + risk[static_cast<std::size_t>(cell)] - 1.0) < 1e-12);
    }
}

TEST_CASE("likely numbers come first, each once") {
    std::vector<MineCount> order;
    likely_first(4, 1.2, order);
    CHECK((order == std::vector<MineCount>{1, 2, 0, 3, 4}));
    likely_first(0, 0.0, order);
    CHECK((order == std::vector<MineCount>{0}));
}

TEST_CASE("undo takes back every step, the first click included") {
    const Neighbours neighbours = grid(6, 6);
    Game game(neighbours.table(), 6, FirstClick::opening);
    game.restart(1, 2);
    CHECK(game.flag(35));
    CHECK(game.open(0));
    CHECK(game.cells()[0] == 0);
    CHECK(game.undo());
    CHECK(!game.laid());
    CHECK(game.undo());
    CHECK(!game.undo());
    for (const std::int8_t cell : game.cells()) CHECK(cell == kHiddenCell);
    CHECK_THROWS_AS(Game(neighbours.table(), 37, FirstClick::any), BadArgument);
    Game full(neighbours.table(), 34, FirstClick::opening);
    CHECK_THROWS_AS(full.open(7), BadArgument);
    CHECK(!full.laid());
}

TEST_CASE("counts do not depend on threads or on how the games are divided") {
    const Neighbours neighbours = grid(9, 9);
    for (const PolicyKind kind : {PolicyKind::safest, PolicyKind::pseq, PolicyKind::survival}) {
        Simulation simulation = simulation_on(neighbours, 14, kind);
        std::vector<std::uint8_t> one(200);
        const PlayCounts all = play_games(simulation, 0, one, nullptr);
        simulation.workers = 3;
        std::vector<std::uint8_t> first(120);
        std::vector<std::uint8_t> second(80);
        PlayCounts parts = play_games(simulation, 0, first, nullptr);
        parts.add(play_games(simulation, 120, second, nullptr));
        first.insert(first.end(), second.begin(), second.end());
        CHECK(first == one);
        CHECK(parts.wins == all.wins);
        CHECK(parts.guesses == all.guesses);
        CHECK(parts.solves == all.solves);
        CHECK(parts.losses_by_guess == all.losses_by_guess);
    }
}

TEST_CASE("a stopped simulation throws on every thread") {
    const Neighbours neighbours = grid(16, 30);
    Simulation simulation = simulation_on(neighbours, 99, PolicyKind::safest);
    simulation.workers = 2;
    const std::atomic<bool> stop{true};
    Control control;
    control.stop = &stop;
    std::vector<std::uint8_t> won(100000);
    CHECK_THROWS_AS(play_games(simulation, 0, won, &control), Interrupted);
}
