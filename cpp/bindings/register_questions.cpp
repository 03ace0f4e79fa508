// Questions to a problem: count tables for many queries at once, random layouts, all
// configurations.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/cell_weights.hpp"
#include "bindings/register.hpp"
#include "bindings/run.hpp"
#include "coefficients/outside_weights.hpp"
#include "elimination/count_tables.hpp"
#include "elimination/elimination.hpp"
#include "elimination/entailment.hpp"
#include "elimination/sampling.hpp"
#include "enumeration/configurations.hpp"
#include "play/random.hpp"
#include "problem/reduction.hpp"

namespace mineodds::bindings {
namespace {

// An iterator that lives in Python: threads take turns, Ctrl-C is noticed.
class Configurations {
  public:
    explicit Configurations(const Problem& problem) : iterator_(problem, &control_) {
        control_.poll = [] {
            const py::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        };
    }
    // Copies the next configuration to `cells`; false after the last. Without the interpreter's
    // lock: only the poll touches Python.
    bool next(std::vector<std::uint8_t>& cells) {
        const py::gil_scoped_release unlocked;
        const std::lock_guard<std::mutex> lock(turn_);
        const auto configuration = iterator_.next();
        if (configuration) cells.assign(configuration->begin(), configuration->end());
        return configuration.has_value();
    }

  private:
    Control control_;
    ConfigurationIterator iterator_;
    std::mutex turn_;
};

// Polynomials one after the other, number i being start[i] .. start[i + 1].
std::vector<OutsideWeights::Polynomial> polynomials_of(const Array<std::int32_t>& start,
                                                       const Array<double>& mantissa,
                                                       const Array<std::int64_t>& exponent) {
    const auto starts = to_span(start, "factor_start");
    const auto mantissas = to_span(mantissa, "factor");
    const auto exponents = to_span(exponent, "factor_exponent");
    if (starts.empty() || starts.front() != 0 || !std::ranges::is_sorted(starts) ||
        static_cast<std::size_t>(starts.back()) != mantissas.size() ||
        mantissas.size() != exponents.size())
        throw BadArgument("factor_start must rise from 0 to the size of factor");
    std::vector<OutsideWeights::Polynomial> result(starts.size() - 1);
    for (std::size_t i = 0; i < result.size(); ++i)
        for (auto k = static_cast<std::size_t>(starts[i]);
             k < static_cast<std::size_t>(starts[i + 1]); ++k)
            result[i].push_back(Wide::make(mantissas[k], exponents[k]));
    return result;
}

template <class Item>
ListsView<Item> lists_of(const Array<std::int32_t>& start, const Array<Item>& item,
                         const char* name) {
    return {to_span(start, name), to_span(item, name)};
}

}  // namespace

void register_questions(py::module_& module) {
    module.def(
        "count_tables",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need, const Array<std::int32_t>& part_of_cell,
           const Array<std::int32_t>& part_start, const Array<std::int32_t>& part,
           const Array<std::int32_t>& safe_start, const Array<CellId>& safe,
           const Array<std::int32_t>& mine_start, const Array<CellId>& mine,
           const Array<std::int32_t>& asked_start, const Array<CellId>& asked, std::uint64_t prime,
           double max_work, double max_memory, const Array<std::int32_t>& cell_class,
           const Array<std::int32_t>& class_start, const Array<double>& class_weight,
           const Array<std::int64_t>& class_exponent, const Array<std::uint64_t>& class_residue,
           double deadline) -> py::tuple {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            const CountQueries queries{
                lists_of(part_start, part, "part"), lists_of(safe_start, safe, "safe"),
                lists_of(mine_start, mine, "mine"), lists_of(asked_start, asked, "asked")};
            const auto parts = to_span(part_of_cell, "part_of_cell");
            const Budget budget{max_work, max_memory};
            CellWeights weights;
            std::optional<CountTableMaker> made;
            if (class_start.size() != 0) {
                weights = cell_weights_of(cell_class, class_start, class_weight, class_exponent);
                weights.residue = to_vector(class_residue, "class_residue");
                if (prime != 0 && weights.residue.size() != weights.weight.size())
                    throw BadArgument("class_residue must be as long as class_weight");
                made.emplace(problem, parts, weights, budget);
            } else {
                made.emplace(problem, parts, budget);
            }
            CountTableMaker& maker = *made;
            if (prime != 0) {
                const auto tables = run(deadline, [&](const Control* control) {
                    return maker.count_modular(queries, prime, control);
                });
                return py::make_tuple(to_array(tables.start), to_array(tables.least),
                                      to_array(tables.count), py::array_t<std::int64_t>(0),
                                      tables.products);
            }
            const auto tables = run(
                deadline, [&](const Control* control) { return maker.count(queries, control); });
            const auto size = static_cast<py::ssize_t>(tables.count.size());
            py::array_t<double> mantissa(size);
            py::array_t<std::int64_t> exponent(size);
            for (std::size_t i = 0; i < tables.count.size(); ++i) {
                mantissa.mutable_data()[i] = tables.count[i].mantissa;
                exponent.mutable_data()[i] = tables.count[i].exponent;
            }
            return py::make_tuple(to_array(tables.start), to_array(tables.least), mantissa,
                                  exponent, tables.products);
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        py::kw_only(), py::arg("part_of_cell"), py::arg("part_start"), py::arg("part"),
        py::arg("safe_start"), py::arg("safe"), py::arg("mine_start"), py::arg("mine"),
        py::arg("asked_start"), py::arg("asked"), py::arg("prime") = 0, py::arg("max_work"),
        py::arg("max_memory"), py::arg("cell_class") = Array<std::int32_t>(0),
        py::arg("class_start") = Array<std::int32_t>(0), py::arg("class_weight") = Array<double>(0),
        py::arg("class_exponent") = Array<std::int64_t>(0),
        py::arg("class_residue") = Array<std::uint64_t>(0), py::arg("deadline") = kNoDeadline);

    module.def(
        "outside_weights",
        [](const Array<std::int32_t>& factor_start, const Array<double>& factor,
           const Array<std::int64_t>& factor_exponent, const Array<double>& total,
           const Array<std::int64_t>& total_exponent, const Array<std::int32_t>& choice_start,
           const Array<std::int32_t>& choice, double max_work, double deadline) {
            auto factors = polynomials_of(factor_start, factor, factor_exponent);
            const auto totals = weights_of(total, total_exponent, total, 0).weight;
            const auto lists = lists_of(choice_start, choice, "choice");
            if (lists.start.empty() || lists.start.front() != 0 ||
                !std::ranges::is_sorted(lists.start) ||
                static_cast<std::size_t>(lists.start.back()) != lists.item.size())
                throw BadArgument("choice_start must rise from 0 to the size of choice");
            std::vector<std::vector<std::size_t>> choices(lists.count());
            for (std::size_t i = 0; i < choices.size(); ++i)
                for (const std::int32_t position : lists[i])
                    choices[i].push_back(static_cast<std::size_t>(position));
            const auto outside = run(deadline, [&](const Control* control) {
                OutsideWeights weights(std::move(factors), totals, max_work, control);
                return weights.without(choices);
            });
            std::vector<std::int64_t> start(1, 0);
            for (const auto& weights : outside)
                start.push_back(start.back() + static_cast<std::int64_t>(weights.size()));
            py::array_t<double> mantissa(static_cast<py::ssize_t>(start.back()));
            py::array_t<std::int64_t> exponent(static_cast<py::ssize_t>(start.back()));
            py::ssize_t at = 0;
            for (const auto& weights : outside)
                for (const WideDouble& value : weights) {
                    mantissa.mutable_data()[at] = value.mantissa;
                    exponent.mutable_data()[at++] = value.exponent;
                }
            return py::make_tuple(to_array(start), mantissa, exponent);
        },
        py::arg("factor_start"), py::arg("factor"), py::arg("factor_exponent"), py::kw_only(),
        py::arg("total"), py::arg("total_exponent"), py::arg("choice_start"), py::arg("choice"),
        py::arg("max_work"), py::arg("deadline") = kNoDeadline,
        "By choice of factors: what all others weigh, by the mines on those. (start, mantissa, "
        "exponent), one list a choice.");

    module.def(
        "sample_layouts",
        [](const Elimination& engine, const Array<double>& weight,
           const Array<std::int64_t>& weight_exponent, const Array<std::int32_t>& deep_start,
           const Array<std::int32_t>& deep_mines, const Array<double>& deep_chance,
           const Array<CellId>& frontier, const Array<CellId>& deep, py::ssize_t cells,
           py::ssize_t layouts, std::uint64_t seed, bool greatest, double deadline) {
            SamplingWeights weights{weights_of(weight, weight_exponent, weight, 0).weight,
                                    to_span(deep_start, "deep_start"),
                                    to_span(deep_mines, "deep_mines"),
                                    to_span(deep_chance, "deep_chance")};
            const auto frontier_cells = to_span(frontier, "frontier");
            const auto deep_cells = to_span(deep, "deep");
            if (frontier_cells.size() != engine.settled().size())
                throw BadArgument("frontier must have one place for each cell of the problem");
            for (const auto places : {frontier_cells, deep_cells})
                for (const CellId place : places)
                    if (place < 0 || place >= cells)
                        throw BadArgument("frontier and deep must be places among the cells");
            if (layouts < 0) throw BadArgument("the number of layouts must not be negative");
            py::array_t<std::uint8_t> result({layouts, cells});
            std::uint8_t* const out = result.mutable_data();
            const auto row = static_cast<std::size_t>(cells);
            std::fill_n(out, static_cast<std::size_t>(layouts) * row, std::uint8_t{0});
            run(deadline, [&](const Control* control) {
                Sampler sampler(engine, weights, static_cast<CellId>(deep_cells.size()), control,
                                greatest);
                for (std::size_t i = 0; i < static_cast<std::size_t>(layouts); ++i) {
                    // A stream a layout: the first layouts are the same however many are drawn.
                    Random random(seed, i, Random::kLayoutStream);
                    sampler.draw(random, frontier_cells, deep_cells, {out + i * row, row});
                    check(control);
                }
            });
            return result;
        },
        py::arg("engine"), py::arg("weight"), py::arg("weight_exponent"), py::arg("deep_start"),
        py::arg("deep_mines"), py::arg("deep_chance"), py::arg("frontier"), py::arg("deep"),
        py::arg("cells"), py::arg("layouts"), py::arg("seed"), py::arg("greatest") = false,
        py::arg("deadline") = kNoDeadline);

    module.def(
        "allowed",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need, const Array<std::int32_t>& set_start,
           const Array<ClueId>& set_clue, CellId cell, bool mine, const Array<MineCount>& totals,
           double max_work, double max_memory) {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            const auto sets = lists_of(set_start, set_clue, "set");
            if (sets.start.empty() || !std::ranges::is_sorted(sets.start) ||
                sets.start.front() != 0 ||
                static_cast<std::size_t>(sets.start.back()) != sets.item.size())
                throw BadArgument("set_start must rise from 0 to the size of set_clue");
            const auto possible = to_span(totals, "totals");
            py::array_t<bool> result(static_cast<py::ssize_t>(sets.count()));
            bool* const out = result.mutable_data();
            run(kNoDeadline, [&](const Control* control) {
                Entailment entailment(problem, Budget{max_work, max_memory});
                for (std::size_t i = 0; i < sets.count(); ++i) {
                    out[i] = entailment.allows(sets[i], cell, mine ? 1 : 0, possible, control);
                    check(control);
                }
            });
            return result;
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        py::kw_only(), py::arg("set_start"), py::arg("set_clue"), py::arg("cell"), py::arg("mine"),
        py::arg("totals"), py::arg("max_work"), py::arg("max_memory"));

    module.def(
        "settle",
        [](CellId cell_count, const Array<std::int32_t>& clue_start, const Array<CellId>& clue_cell,
           const Array<MineCount>& clue_need) -> py::object {
            const Problem problem = problem_of(cell_count, clue_start, clue_cell, clue_need);
            check(problem);
            SettleState settled;
            Reduction reduction;
            if (!reduce(problem, settled, reduction)) return py::none();
            return to_array(settled.state);
        },
        py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"), py::arg("clue_need"),
        "What complete and full clues settle, one after the other: int8 by cell, 0 safe, 1 a mine, "
        "-1 open. None when the clues contradict each other.");

    py::class_<Configurations>(module, "Configurations",
                               "All configurations of a problem, one after the other.")
        .def(py::init([](CellId cell_count, const Array<std::int32_t>& clue_start,
                         const Array<CellId>& clue_cell, const Array<MineCount>& clue_need) {
                 return std::make_unique<Configurations>(
                     problem_of(cell_count, clue_start, clue_cell, clue_need));
             }),
             py::arg("cell_count"), py::arg("clue_start"), py::arg("clue_cell"),
             py::arg("clue_need"))
        .def("next", [](Configurations& self) -> py::object {
            std::vector<std::uint8_t> cells;
            if (!self.next(cells)) return py::none();
            py::array_t<bool> array(static_cast<py::ssize_t>(cells.size()));
            std::copy(cells.begin(), cells.end(), array.mutable_data());
            return py::object(std::move(array));
        });
}

}  // namespace mineodds::bindings
