// All configurations one at a time: their order, an end at once where there is none, and layouts of
// a whole board.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "enumeration/configurations.hpp"
#include "enumeration/enumeration.hpp"
#include "tests/check.hpp"
#include "tests/enumeration_problems.hpp"
#include "tests/small_problem.hpp"

using namespace mineodds;
using namespace mineodds::testing;

namespace {

// All of them, as texts of 0 and 1.
std::vector<std::string> list(const SmallProblem& problem) {
    ConfigurationIterator configurations(problem.view());
    std::vector<std::string> texts;
    while (const auto configuration = configurations.next()) {
        texts.emplace_back();
        for (const std::int8_t mine : *configuration) texts.back() += mine != 0 ? '1' : '0';
    }
    return texts;
}

TEST_CASE("configurations come in the order that is promised") {
    // Two components; the later one turns faster.
    CHECK(list(problem_of(5, {{0, 1}, {2, 3, 4}}, {1, 2})) ==
          std::vector<std::string>{"01011", "01101", "01110", "10011", "10101", "10110"});
    // Two variables, {0, 1} and {2, 3}, and a single cell: values ascend, and for the same values
    // the later variable turns faster.
    CHECK(list(problem_of(5, {{0, 1, 2, 3}, {2, 3, 4}}, {2, 1})) ==
          std::vector<std::string>{"01010", "01100", "10010", "10100", "11001"});
    CHECK(list(problem_of(2, {{0, 1}}, {2})) == std::vector<std::string>{"11"});
}

TEST_CASE("an impossible component ends the listing at once") {
    // 2^30 configurations of pairs, then three cells of which any two hold exactly one mine.
    std::vector<std::vector<CellId>> clues;
    for (CellId i = 0; i < 30; ++i) clues.push_back({2 * i, 2 * i + 1});
    clues.insert(clues.end(), {{60, 61}, {61, 62}, {60, 62}});
    const SmallProblem problem = problem_of(63, clues, std::vector<MineCount>(33, 1));
    CHECK(list(problem).empty());
    CHECK_FALSE(Enumeration(problem.view(), 1000).consistent());
}

TEST_CASE("with the total as a clue, configurations are layouts") {
    const std::vector<std::string> board{"#2###", "#####", "112##", "00###", "000##"};
    constexpr int rows = 5, cols = 5;
    const auto at = [&](int row, int col) {
        return board[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
    };
    std::vector<CellId> index(rows * cols, -1);
    std::vector<CellId> hidden;
    for (int place = 0; place < rows * cols; ++place) {
        if (at(place / cols, place % cols) != '#') continue;
        index[static_cast<std::size_t>(place)] = static_cast<CellId>(hidden.size());
        hidden.push_back(index[static_cast<std::size_t>(place)]);
    }
    std::vector<std::vector<CellId>> clues{hidden};
    std::vector<MineCount> needs{5};
    for (int place = 0; place < rows * cols; ++place) {
        const int row = place / cols, col = place % cols;
        if (at(row, col) == '#') continue;
        needs.push_back(at(row, col) - '0');
        clues.emplace_back();
        for (int r = std::max(row - 1, 0); r <= std::min(row + 1, rows - 1); ++r)
            for (int c = std::max(col - 1, 0); c <= std::min(col + 1, cols - 1); ++c)
                if (at(r, c) == '#')
                    clues.back().push_back(index[static_cast<std::size_t>(r * cols + c)]);
    }
    const auto layouts = list(problem_of(static_cast<CellId>(hidden.size()), clues, needs));
    const auto thirty_sixths = [&](int row, int col) {
        std::size_t mines = 0;
        for (const auto& layout : layouts)
            mines += layout[static_cast<std::size_t>(
                         index[static_cast<std::size_t>(row * cols + col)])] == '1';
        CHECK(36 * mines % layouts.size() == 0);
        return 36 * mines / layouts.size();
    };
    REQUIRE(!layouts.empty());
    for (const auto& layout : layouts) CHECK(std::ranges::count(layout, '1') == 5);
    CHECK(thirty_sixths(0, 0) == 18);
    CHECK(thirty_sixths(0, 2) == 18);
    CHECK(thirty_sixths(1, 0) == 6);
    CHECK(thirty_sixths(1, 1) == 30);
    CHECK(thirty_sixths(1, 2) == 0);
    CHECK(thirty_sixths(1, 3) == 21);
    CHECK(thirty_sixths(2, 3) == 21);
    CHECK(thirty_sixths(3, 2) == 0);
    CHECK(thirty_sixths(3, 3) == 0);
    CHECK(thirty_sixths(4, 3) == 0);
    for (const auto& [row, col] : {std::pair{0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}})
        CHECK(thirty_sixths(row, col) == 11);
}

}  // namespace
