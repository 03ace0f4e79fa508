// Play: _core.Game, _core.choose and _core.play_games.
#include <limits>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "play/simulation.hpp"
#include "position/neighbours.hpp"

namespace mineodds::bindings {
namespace {

CellId checked_cell(const Game& game, CellId cell) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= game.cells().size())
        throw BadArgument("cell must be from 0 to the number of cells - 1");
    return cell;
}

template <class T, std::size_t Size>
py::array_t<T> to_array(const std::array<T, Size>& values) {
    return py::array_t<T>(static_cast<py::ssize_t>(Size), values.data());
}

py::dict as_dict(const PlayCounts& counts) {
    py::dict result;
    result["games"] = counts.games;
    result["wins"] = counts.wins;
    result["lost_at_first_click"] = counts.lost_at_first_click;
    result["guesses"] = counts.guesses;
    result["clicks"] = counts.clicks;
    result["solves"] = counts.solves;
    result["guesses_by_risk"] = to_array(counts.guesses_by_risk);
    result["losses_by_risk"] = to_array(counts.losses_by_risk);
    result["losses_by_guess"] = to_array(counts.losses_by_guess);
    return result;
}

template <class Enum>
Enum checked_enum(int value, Enum last, const char* name) {
    if (value < 0 || value > static_cast<int>(last))
        throw BadArgument(std::string(name) + " is out of range");
    return static_cast<Enum>(value);
}

void register_game(py::module_& module) {
    py::class_<Game>(module, "Game", "One game; cells are numbered row by row. Not for threads.")
        .def(py::init([](const Neighbours& neighbours, std::int64_t mines, int first_click,
                         std::uint64_t seed, std::uint64_t index) {
                 Game game(neighbours.table(), mines,
                           checked_enum(first_click, FirstClick::opening, "first_click"));
                 game.restart(seed, index);
                 return game;
             }),
             py::keep_alive<1, 2>(), py::arg("neighbours"), py::arg("mines"),
             py::arg("first_click"), py::arg("seed"), py::arg("index"))
        .def(
            "open", [](Game& self, CellId cell) { return self.open(checked_cell(self, cell)); },
            py::arg("cell"))
        .def(
            "flag", [](Game& self, CellId cell) { return self.flag(checked_cell(self, cell)); },
            py::arg("cell"))
        .def(
            "chord", [](Game& self, CellId cell) { return self.chord(checked_cell(self, cell)); },
            py::arg("cell"))
        .def("undo", &Game::undo)
        .def_property_readonly("state",
                               [](const Game& self) { return static_cast<int>(self.state()); })
        .def_property_readonly("exploded", &Game::exploded)
        .def_property_readonly("laid", &Game::laid)
        .def_property_readonly("cells",
                               [](const Game& self) {
                                   const auto cells = self.cells();
                                   return py::array_t<std::int8_t>(
                                       static_cast<py::ssize_t>(cells.size()), cells.data());
                               })
        .def_property_readonly("opened",
                               [](const Game& self) {
                                   const auto opened = self.opened();
                                   return py::array_t<CellId>(
                                       static_cast<py::ssize_t>(opened.size()), opened.data());
                               })
        .def_property_readonly("layout", [](const Game& self) {
            if (!self.laid()) throw BadArgument("mines are laid at the first click");
            py::array_t<bool> mines(static_cast<py::ssize_t>(self.layout().size()));
            for (std::size_t i = 0; i < self.layout().size(); ++i)
                mines.mutable_data()[i] = self.layout()[i] != 0;
            return mines;
        });
}

}  // namespace

void register_play(py::module_& module) {
    register_game(module);
    py::class_<PolicyOptions>(module, "PolicyOptions", "A policy and its options, by number.")
        .def(py::init([](int kind, int ties, double tolerance, double safety, int depth) {
                 return PolicyOptions{checked_enum(kind, PolicyKind::survival, "kind"),
                                      checked_enum(ties, Ties::local, "ties"), tolerance, safety,
                                      depth};
             }),
             py::arg("kind"), py::arg("ties") = static_cast<int>(Ties::local),
             py::arg("tolerance") = 0.0, py::arg("safety") = 0.5, py::arg("depth") = 2);
    module.def(
        "choose",
        [](const Array<std::int8_t>& cells, std::int64_t mines, const Neighbours& neighbours,
           const PolicyOptions& options, std::uint64_t seed, double max_work, double max_memory,
           double deadline) -> py::object {
            if (static_cast<std::size_t>(cells.size()) != neighbours.cell_count())
                throw BadArgument("cells must hold one board of the neighbour table");
            const std::span<const std::int8_t> view(cells.data(), neighbours.cell_count());
            Choice choice;
            const bool possible = run(deadline, [&](const Control* control) {
                Position position;
                Policy policy(options, {max_work, max_memory});
                Random random(seed, 0, Random::kTieStream);
                if (!position.load(neighbours.table(), mines, view)) return false;
                if (!policy.infer(position, control)) return false;
                if (position.hidden_safe() > 0)
                    policy.choose(position, true, &random, control, choice);
                return true;
            });
            if (!possible) return py::none();
            std::vector<CellId> cell;
            std::vector<double> probability;
            std::vector<double> figure;
            for (const Candidate& candidate : choice.candidates) {
                cell.push_back(candidate.cell);
                probability.push_back(candidate.probability);
                figure.insert(figure.end(), candidate.figure.begin(), candidate.figure.end());
            }
            const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(cell.size()),
                                                 static_cast<py::ssize_t>(kMostFigures)};
            return py::make_tuple(choice.cell, choice.probability, choice.certain, choice.score,
                                  bindings::to_array(cell), bindings::to_array(probability),
                                  py::array_t<double>(shape, figure.data()));
        },
        py::arg("cells"), py::arg("mines"), py::arg("neighbours"), py::arg("options"),
        py::kw_only(), py::arg("seed") = 0, py::arg("max_work"), py::arg("max_memory"),
        py::arg("deadline") = kNoDeadline,
        "The policy's move: (cell, probability, certain, score, candidates, their probabilities, "
        "their figures); cell -1 when no safe cell is hidden; None when no layout fits. Flags are "
        "read as hidden.");
    module.def(
        "play_games",
        [](const Neighbours& neighbours, std::int64_t mines, int first_click, CellId start,
           std::uint64_t seed, const PolicyOptions& options, std::uint64_t first, std::size_t games,
           std::size_t workers, double max_work, double max_memory, double deadline) {
            if (start < kNoCell || start >= static_cast<CellId>(neighbours.cell_count()))
                throw BadArgument("start must be a cell, or -1");
            const Simulation simulation{
                .neighbours = neighbours.table(),
                .mines = mines,
                .first_click = checked_enum(first_click, FirstClick::opening, "first_click"),
                .start = start,
                .seed = seed,
                .policy = options,
                .budget = {max_work, max_memory},
                .workers = workers};
            py::array_t<std::uint8_t> won(static_cast<py::ssize_t>(games));
            const std::span<std::uint8_t> out(won.mutable_data(), games);
            const PlayCounts counts = run(deadline, [&](const Control* control) {
                return play_games(simulation, first, out, control);
            });
            return py::make_tuple(as_dict(counts), won);
        },
        py::arg("neighbours"), py::arg("mines"), py::arg("first_click"), py::arg("start"),
        py::arg("seed"), py::arg("options"), py::kw_only(), py::arg("first"), py::arg("games"),
        py::arg("workers") = 1, py::arg("max_work"), py::arg("max_memory"),
        py::arg("deadline") = kNoDeadline,
        "Games first, first + 1, ... -> (counts, one uint8 a game: 1 if it was won).");
}

}  // namespace mineodds::bindings
