// Fuzz target: on problems too large for brute force, elimination says what enumeration says:
// ranges, possible counts, residues, odds to the last digits and certainty exactly, under weights
// whose exponents are far outside of what a double holds.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "coefficients/primes.hpp"
#include "elimination/elimination.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/fuzz_support.hpp"
#include "tests/problem_arrays.hpp"
#include "words/errors.hpp"

namespace {

using namespace mineodds;
using namespace mineodds::testing;

constexpr std::uint32_t kMostCells = 72;
constexpr std::size_t kMostClues = 48;
constexpr double kMostNodes = 10000.0;

// Every cell of a problem is in some clue: the others are deep cells, and none of the engines'.
void leave_out_untouched(ProblemArrays& problem) {
    std::vector<CellId> number(static_cast<std::size_t>(problem.cell_count), -1);
    for (const CellId cell : problem.clue_cell) number[static_cast<std::size_t>(cell)] = 0;
    problem.cell_count = 0;
    for (CellId& cell : number)
        if (cell == 0) cell = problem.cell_count++;
    for (CellId& cell : problem.clue_cell) cell = number[static_cast<std::size_t>(cell)];
}

// The cells are a strip of some width; a clue is a set of the eight cells around one of them (as on
// a board) or any run of cells. Most needs are those of one layout.
ProblemArrays read_problem(ByteReader& bytes) {
    ProblemArrays problem;
    problem.cell_count = static_cast<CellId>(1 + bytes.at_most(kMostCells - 1));
    const auto width = static_cast<CellId>(1 + bytes.byte() % 12);
    const unsigned density = bytes.byte();
    std::vector<MineCount> layout;
    for (CellId v = 0; v < problem.cell_count; ++v)
        layout.push_back(static_cast<MineCount>(bytes.byte() < density));
    while (!bytes.empty() && problem.clue_need.size() < kMostClues) {
        const auto middle = static_cast<CellId>(bytes.byte() % problem.cell_count);
        const unsigned chosen = bytes.byte();
        const unsigned kind = bytes.byte();
        const CellId around[8] = {-width - 1, -width,    -width + 1, -1,
                                  1,          width - 1, width,      width + 1};
        std::vector<CellId> cells;
        for (unsigned i = 0; i < 8; ++i) {
            const CellId cell = middle + (kind < 240 ? around[i] : static_cast<CellId>(i));
            if ((chosen >> i & 1U) != 0 && cell >= 0 && cell < problem.cell_count)
                cells.push_back(cell);
        }
        if (kind >= 250)  // a clue over very many cells
            for (CellId cell = middle + 8; cell < problem.cell_count; ++cell) cells.push_back(cell);
        std::ranges::sort(cells);
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        MineCount need = 0;
        for (const CellId cell : cells) need += layout[static_cast<std::size_t>(cell)];
        if (kind % 32 == 31) need += static_cast<MineCount>(kind / 32) - 3;
        problem.clue_cell.insert(problem.clue_cell.end(), cells.begin(), cells.end());
        problem.end_clue(need);
    }
    leave_out_untouched(problem);
    return problem;
}

struct Weights {
    std::vector<double> weight;
    std::vector<std::int64_t> exponent;
    std::vector<double> deep_share;
    std::vector<std::uint64_t> modular;
};

// Weights from a multiplier that walks through all sizes: some zero, most not, and any powers of
// two between 2^-6000 and 2^6000.
Weights read_weights(std::size_t count, ByteReader& bytes) {
    Weights result;
    std::uint64_t state = bytes.word() * 0x9e3779b97f4a7c15U + 1;
    const auto next = [&] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return state >> 33U;
    };
    const auto spread = static_cast<std::int64_t>(next() % 3);
    const std::int64_t reach = spread == 0 ? 0 : spread == 1 ? 300 : 6000;
    for (std::size_t k = 0; k < count; ++k) {
        const auto choice = next();
        const double mantissa =
            choice % 8 == 0 ? 0.0 : 1.0 + static_cast<double>(choice % 1000) / 64;
        result.weight.push_back(mantissa);
        result.exponent.push_back(
            mantissa == 0.0 ? 0 : static_cast<std::int64_t>(next()) % (reach + 1) - reach / 2);
        result.deep_share.push_back(static_cast<double>(next() % 5) / 4.0);
        result.modular.push_back(next());
    }
    return result;
}

void compare(const Evaluation& left, const Evaluation& right) {
    expect((left.total == 0.0) == (right.total == 0.0), "whether any total fits");
    if (left.total == 0.0) return;
    // Both are in [1/2, 1), so exponents may differ by one at a border.
    const auto gap = static_cast<double>(left.total_exponent - right.total_exponent);
    expect(std::abs(gap) <= 1.0 && near(left.total * std::exp2(gap), right.total), "total");
    const auto same = [](double a, double b) {
        return near(a, b) && (a == 0.0) == (b == 0.0) && (a == 1.0) == (b == 1.0);
    };
    expect(same(left.deep_probability, right.deep_probability), "chance in deep cells");
    for (std::size_t v = 0; v < left.probability.size(); ++v)
        expect(same(left.probability[v], right.probability[v]), "chance");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteReader bytes({data, size});
    const std::uint32_t choice = bytes.word();
    ByteReader weight_bytes({data, size});
    const ProblemArrays problem = read_problem(bytes);
    try {
        const Enumeration enumeration(problem.view(), kMostNodes);
        Elimination elimination(problem.view(), Budget{1e8, 1e9}, nullptr);
        expect(elimination.consistent() == enumeration.consistent(), "consistent");
        if (!enumeration.consistent()) return 0;
        expect(elimination.settled() == enumeration.settled(), "what is settled");
        expect(elimination.least_mines() == enumeration.least_mines(), "least mines");
        expect(elimination.most_mines() == enumeration.most_mines(), "most mines");
        const auto& possible = enumeration.possible();
        expect(std::ranges::equal(elimination.possible_counts(nullptr), possible,
                                  [](bool a, std::uint8_t b) { return a == (b != 0); }),
               "possible counts");

        const Weights weights = read_weights(possible.size(), weight_bytes);
        TotalWeights total;
        for (std::size_t k = 0; k < possible.size(); ++k)
            total.weight.push_back(Wide::make(weights.weight[k], weights.exponent[k]));
        total.deep_share = weights.deep_share;
        total.tilt = static_cast<int>(choice % 41) - 20;
        compare(elimination.evaluate(total, nullptr),
                enumeration.evaluate(weights.weight, weights.exponent, weights.deep_share));

        const std::uint64_t prime = largest_primes(1 + choice % 3).back();
        const auto left = elimination.evaluate_modular(prime, weights.modular, nullptr);
        const auto right = enumeration.evaluate_modular(prime, weights.modular);
        expect(left.count == right.count, "counts, modular");
        expect(left.total == right.total, "total, modular");
        expect(left.mine == right.mine, "mine, modular");
    } catch (const CostExceeded&) {
        // Too much for one of the engines: nothing to compare.
    }
    return 0;
}
