// Fuzz target: arrays that mean nothing. Every entrance to the core that takes arrays either works
// or throws BadArgument (or CostExceeded, for what is too big); the sanitizers watch that nothing
// outside the arrays is read.
#include <cstdint>
#include <vector>

#include "elimination/count_tables.hpp"
#include "elimination/elimination.hpp"
#include "elimination/entailment.hpp"
#include "enumeration/configurations.hpp"
#include "enumeration/enumeration.hpp"
#include "position/neighbours.hpp"
#include "tests/fuzz_support.hpp"
#include "words/errors.hpp"

namespace {

using namespace mineodds;
using namespace mineodds::testing;

// Mostly small numbers, now and then one of the extremes.
std::int32_t read_number(ByteReader& bytes) {
    const unsigned choice = bytes.byte();
    if (choice < 200) return static_cast<std::int32_t>(choice % 16);
    if (choice < 230) return -static_cast<std::int32_t>(choice % 4);
    const std::int32_t extremes[] = {INT32_MAX, INT32_MIN, INT32_MAX - 1, 1 << 20};
    return extremes[choice % 4];
}

std::vector<std::int32_t> read_list(ByteReader& bytes) {
    std::vector<std::int32_t> list(bytes.byte() % 12U);
    const bool rising = bytes.byte() % 4 != 0;
    for (std::int32_t& number : list) number = read_number(bytes);
    if (rising && !list.empty()) {  // else hardly any list of starts would be one
        std::int32_t sum = 0;
        for (std::int32_t& number : list) {
            const std::int32_t step = number;
            number = sum;
            if (step > 0 && step < 4) sum += step;
        }
    }
    return list;
}

template <class Function>
void survive(Function&& function) {
    try {
        function();
    } catch (const BadArgument&) {
    } catch (const CostExceeded&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteReader bytes({data, size});
    const auto start = read_list(bytes);
    auto cell = read_list(bytes);
    auto need = read_list(bytes);
    const auto free_cells = read_list(bytes);
    const auto part = read_list(bytes);
    const auto other_start = read_list(bytes);
    const auto other_cell = read_list(bytes);
    if (!start.empty() && start.back() >= 0 && start.back() < 64 && bytes.byte() % 4 != 0) {
        cell.resize(static_cast<std::size_t>(start.back()));  // lengths that fit
        need.resize(start.size() - 1);
    }
    const auto cells = static_cast<CellId>(read_number(bytes) % 1000);
    const Problem problem{cells, start, cell, need};
    const Budget budget{1e5, 1e8};
    survive([&] { Elimination(problem, budget, nullptr, free_cells); });
    survive([&] { Elimination(problem, budget, nullptr).possible_counts(nullptr); });
    survive([&] { Enumeration(problem, 1e4); });
    survive([&] {
        ConfigurationIterator iterator(problem);
        for (int i = 0; i < 20 && iterator.next(); ++i) {
        }
    });
    survive([&] { Neighbours(start, cell); });
    survive([&] {
        const ListsView<CellId> lists{start, cell}, others{other_start, other_cell};
        CountTableMaker(problem, part, budget)
            .count({others, lists, others, {other_start, free_cells}}, nullptr);
    });
    survive([&] {
        Entailment(problem, budget)
            .allows(other_cell, read_number(bytes), read_number(bytes), free_cells, nullptr);
    });
    return 0;
}
