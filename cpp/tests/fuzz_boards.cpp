// Fuzz target: boards of a few cells, on grids and on any other graph, against brute force over all
// placements of the mines: the fused kernel, and the position that opens cells one at a time.
// Numbers, flags, totals and values that mean nothing come as the bytes say.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "position/board_solver.hpp"
#include "position/position.hpp"
#include "tests/fuzz_support.hpp"

namespace {

using namespace mineodds;
using namespace mineodds::testing;

constexpr std::uint32_t kMostCells = 20;
constexpr std::size_t kMostHidden = 12;
constexpr std::int8_t kLargestClue = 8;

struct Board {
    Neighbours neighbours;
    std::vector<std::int8_t> cells;
    std::int64_t mines;
};

// Any graph, or a grid of some width with some of the eight directions.
Neighbours read_neighbours(std::int32_t cells, ByteReader& bytes) {
    const unsigned kind = bytes.byte();
    const unsigned directions = kind < 128 ? 255U : bytes.byte();
    const std::int32_t width = 1 + kind % 7;
    std::vector<std::int32_t> start{0};
    std::vector<CellId> list;
    std::vector<std::uint32_t> touches(static_cast<std::size_t>(cells));
    for (std::int32_t a = 0; a < cells; ++a)
        for (std::int32_t b = 0; b < a; ++b) {
            const std::int32_t rows = a / width - b / width;
            const std::int32_t cols = a % width - b % width;
            const bool near_by = rows <= 1 && std::abs(cols) <= 1;
            const auto way = static_cast<unsigned>(3 * rows + cols + 1);
            const bool touch =
                kind < 192 ? near_by && (directions >> way % 8 & 1U) != 0 : bytes.byte() % 8 == 0;
            if (!touch) continue;
            touches[static_cast<std::size_t>(a)] |= 1U << b;
            touches[static_cast<std::size_t>(b)] |= 1U << a;
        }
    for (std::uint32_t others : touches) {
        for (; others != 0; others &= others - 1) list.push_back(std::countr_zero(others));
        start.push_back(static_cast<std::int32_t>(list.size()));
    }
    return {std::move(start), std::move(list)};
}

Board read_board(ByteReader& bytes) {
    const auto cells = static_cast<std::int32_t>(1 + bytes.at_most(kMostCells - 1));
    const std::uint32_t layout = bytes.word() | bytes.word() << 16U;
    Board board{read_neighbours(cells, bytes), {}, 0};
    for (std::int32_t i = 0; i < cells; ++i) {
        board.mines += layout >> i & 1U;
        const unsigned choice = bytes.byte();
        const bool mine = (layout >> i & 1U) != 0;
        std::int8_t shown = 0;
        for (const CellId other : board.neighbours.table().of(i))
            shown =
                static_cast<std::int8_t>(shown + static_cast<std::int8_t>(layout >> other & 1U));
        std::int8_t value = kHiddenCell;
        if (choice < 100 && !mine) value = shown;
        if (choice >= 240 && mine) value = kFlagCell;
        if (choice == 239) value = static_cast<std::int8_t>(bytes.byte());
        board.cells.push_back(value);
    }
    const unsigned off = bytes.byte();
    if (off > 200) board.mines += static_cast<std::int64_t>(off % 8) - 4;
    return board;
}

struct Expected {
    BoardStatus status = BoardStatus::inconsistent;
    std::uint64_t layouts = 0;
    std::vector<std::uint64_t> with_mine;
};

Expected brute_force(const Board& board) {
    const std::size_t cells = board.cells.size();
    Expected result{BoardStatus::inconsistent, 0, std::vector<std::uint64_t>(cells)};
    if (board.mines < 0 || board.mines > static_cast<std::int64_t>(cells) ||
        std::ranges::any_of(board.cells,
                            [](std::int8_t c) { return c < kFlagCell || c > kLargestClue; })) {
        result.status = BoardStatus::bad_input;
        return result;
    }
    std::uint32_t flags = 0;
    std::vector<std::size_t> hidden;
    for (std::size_t i = 0; i < cells; ++i) {
        if (board.cells[i] == kFlagCell) flags |= 1U << i;
        if (board.cells[i] == kHiddenCell) hidden.push_back(i);
    }
    for (std::uint32_t placement = 0; placement < 1U << hidden.size(); ++placement) {
        std::uint32_t mines = flags;
        for (std::size_t h = 0; h < hidden.size(); ++h) mines |= (placement >> h & 1U) << hidden[h];
        bool holds = std::popcount(mines) == board.mines;
        for (std::size_t i = 0; i < cells && holds; ++i) {
            if (board.cells[i] < 0) continue;
            int count = 0;
            for (const CellId other : board.neighbours.table().of(static_cast<CellId>(i)))
                count += static_cast<int>(mines >> other & 1U);
            holds = count == board.cells[i];
        }
        if (!holds) continue;
        ++result.layouts;
        for (std::size_t i = 0; i < cells; ++i) result.with_mine[i] += mines >> i & 1U;
    }
    if (result.layouts != 0) result.status = BoardStatus::ok;
    return result;
}

void check_chance(double chance, std::uint64_t with_mine, std::uint64_t layouts) {
    expect(near(chance, static_cast<double>(with_mine) / static_cast<double>(layouts)), "chance");
    expect((chance == 1.0) == (with_mine == layouts), "certainty");
}

void compare_kernel(const Board& board, const Expected& expected) {
    static BoardSolver solver;  // used again, as in a batch
    std::vector<double> probability(board.cells.size());
    const BoardStatus status = solver.solve(board.cells, board.mines, board.neighbours,
                                            kLargestClue, Budget{}, nullptr, probability);
    expect(status == expected.status, "status");
    for (std::size_t i = 0; i < probability.size(); ++i) {
        const bool is_open = board.cells[i] >= 0;
        expect(std::isnan(probability[i]) == (status != BoardStatus::ok || is_open), "nan");
        if (status == BoardStatus::ok && !is_open)
            check_chance(probability[i], expected.with_mine[i], expected.layouts);
    }
}

// A position reads flags as hidden cells.
void compare_position(Board board) {
    std::ranges::replace(board.cells, kFlagCell, kHiddenCell);
    if (std::ranges::count(board.cells, kHiddenCell) > static_cast<std::ptrdiff_t>(kMostHidden))
        return;
    const Expected expected = brute_force(board);
    if (expected.status == BoardStatus::bad_input) return;
    Position position;
    static PositionSolver solver{Budget{}};
    const bool possible = position.load(board.neighbours.table(), board.mines, board.cells) &&
                          solver.solve(position, nullptr);
    expect(possible == (expected.status == BoardStatus::ok), "possible");
    if (!possible) return;
    const WideDouble layouts = solver.layouts();
    expect(near(std::ldexp(layouts.mantissa, static_cast<int>(layouts.exponent)),
                static_cast<double>(expected.layouts)),
           "layouts");
    std::vector<double> chance(board.cells.size(), solver.deep_probability());
    for (std::size_t i = 0; i < solver.frontier().size(); ++i)
        chance[static_cast<std::size_t>(solver.frontier()[i])] =
            solver.probability(solver.variable()[i]);
    for (std::size_t i = 0; i < chance.size(); ++i) {
        const std::int8_t state = position.state(static_cast<CellId>(i));
        expect((state == kNotHidden) == (board.cells[i] >= 0), "hidden");
        if (state == kSafe || state == kMine) chance[i] = state;
        if (state != kNotHidden) check_chance(chance[i], expected.with_mine[i], expected.layouts);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteReader bytes({data, size});
    const Board board = read_board(bytes);
    if (std::ranges::count(board.cells, kHiddenCell) > static_cast<std::ptrdiff_t>(kMostHidden))
        return 0;
    compare_kernel(board, brute_force(board));
    compare_position(board);
    return 0;
}
