// Byte arrays and lists; see split.hpp.
#include "position/split.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mineodds {
namespace {

// Rounds on byte arrays before the queue takes over.
constexpr int kRounds = 4;

// In `marks`: an open cell counts 1, a known mine (or flag) 16, so that one sum counts both.
constexpr std::uint8_t kOpenMark = 1;
constexpr std::uint8_t kMineMark = 16;
// In `verdict` and `told`: what a clue says of its open cells, and that it has some.
constexpr std::uint8_t kSaysSafe = 1;  // bit 0
constexpr std::uint8_t kSaysMine = 2;  // bit 1
constexpr std::uint8_t kSays = kSaysSafe | kSaysMine;
constexpr std::uint8_t kHasOpen = 4;

// Cells with this value. Counted in bytes, 16 at a time, a block short enough for a byte at a time.
std::int32_t count_of(std::span<const std::int8_t> cells, std::int8_t value) {
    constexpr std::size_t kBlock = 240;
    std::int32_t total = 0;
    for (std::size_t begin = 0; begin < cells.size(); begin += kBlock) {
        std::uint8_t found = 0;
        for (const std::int8_t cell : cells.subspan(begin, std::min(kBlock, cells.size() - begin)))
            found = static_cast<std::uint8_t>(found + (cell == value));
        total += found;
    }
    return total;
}

// The indices of the bytes that have one of the bits, eight bytes at a time; returns how many.
// `out` has room for all.
std::size_t list_marked(const std::uint8_t* bytes, std::size_t count, std::uint8_t bits,
                        std::int32_t* out) {
    std::size_t found = 0;
    std::size_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; i + 8 <= count; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, 8);
            word &= bits * 0x0101010101010101U;
            while (word != 0) {
                const int byte = std::countr_zero(word) / 8;
                out[found++] = static_cast<std::int32_t>(i) + byte;
                word &= ~(std::uint64_t{255} << (8 * byte));
            }
        }
    }
    for (; i < count; ++i)
        if ((bytes[i] & bits) != 0) out[found++] = static_cast<std::int32_t>(i);
    return found;
}

}  // namespace

BoardStatus Splitter::split(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                            std::int8_t largest_clue, SettleState& settled, Split& split) {
    std::uint8_t bad = 0;
    for (const std::int8_t cell : cells)
        bad |= static_cast<std::uint8_t>((cell < kFlagCell) | (cell > largest_clue));
    if (bad != 0) return BoardStatus::bad_input;
    split.hidden = count_of(cells, kHiddenCell);
    split.flags = count_of(cells, kFlagCell);
    settled.start(cells.size());
    settled.clue.resize(cells.size());
    const bool possible = neighbours.has_shifts() ? settle_rounds(cells, neighbours, settled, split)
                                                  : walk_lists(cells, neighbours, settled, split);
    return possible ? BoardStatus::ok : BoardStatus::inconsistent;
}

void Splitter::list_clues(const std::uint8_t* verdict, std::size_t cells, SettleState& settled,
                          Split& split) {
    split.clue.resize(cells);
    split.clue.resize(list_marked(verdict, cells, kHasOpen, split.clue.data()));
    settled.reserve_queue(cells);
    settled.queued = list_marked(verdict, cells, kSays, settled.queue.data());
}

bool Splitter::walk_lists(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                          SettleState& settled, Split& split) {
    const NeighbourTable table = neighbours.table();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        settled.state[i] = cells[i] == kHiddenCell ? kOpen : kNotHidden;
        settled.clue[i] = cells[i] >= 0 ? ClueState{cells[i], 0} : kNoClue;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] >= 0) continue;
        const MineCount open = cells[i] == kHiddenCell ? 1 : 0;
        for (const CellId neighbour : table.of(static_cast<CellId>(i))) {
            auto& clue = settled.clue[static_cast<std::size_t>(neighbour)];
            clue.open += open;
            clue.need -= 1 - open;
        }
    }
    verdict_.resize(cells.size());
    bool wrong = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ClueState& clue = settled.clue[i];
        wrong |= clue.is_wrong();
        verdict_[i] = static_cast<std::uint8_t>((clue.open > 0 ? kHasOpen : 0) |
                                                (clue.is_ready() ? kSays : 0));
    }
    list_clues(verdict_.data(), cells.size(), settled, split);
    return !wrong;
}

bool Splitter::settle_rounds(std::span<const std::int8_t> cells, const Neighbours& neighbours,
                             SettleState& settled, Split& split) {
    const std::size_t count = cells.size();
    counted_.resize(count);
    told_.resize(count);
    const std::size_t padding = neighbours.padding();
    marks_.assign(count + 2 * padding, 0);
    verdict_.assign(count + 2 * padding, 0);
    std::uint8_t* const marks = marks_.data() + padding;
    std::uint8_t* const verdict = verdict_.data() + padding;
    std::uint8_t* const counted = counted_.data();
    std::uint8_t* const told = told_.data();
    std::int8_t* const state = settled.state.data();
    auto* const fate = reinterpret_cast<std::uint8_t*>(state);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int8_t cell = cells[i];
        marks[i] = static_cast<std::uint8_t>(cell == kHiddenCell ? kOpenMark
                                             : cell == kFlagCell ? kMineMark
                                                                 : 0);
        state[i] = cell == kHiddenCell ? kOpen : kNotHidden;
    }
    for (int round = 0;; ++round) {
        neighbours.sum(marks, counted);
        std::uint8_t wrong = 0;
        std::uint8_t any = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto open = static_cast<std::int8_t>(counted[i] & 15);
            const auto need = static_cast<std::int8_t>(cells[i] - (counted[i] >> 4));
            const bool is_clue = cells[i] >= 0;
            const bool active = is_clue & (open != 0);
            wrong |= static_cast<std::uint8_t>(is_clue & ((need < 0) | (need > open)));
            const auto says =
                static_cast<std::uint8_t>(((active & (need == 0)) ? kSaysSafe : 0) |
                                          ((active & (need == open)) ? kSaysMine : 0));
            verdict[i] = static_cast<std::uint8_t>(says | active * kHasOpen);
            any |= says;
        }
        if (wrong != 0) return false;
        if (any == 0 || round == kRounds) break;
        neighbours.either(verdict, told);
        for (std::size_t i = 0; i < count; ++i) {
            // Arithmetic on bytes, so that 16 cells go in one instruction: all bits set where the
            // name holds.
            const auto open = static_cast<std::uint8_t>(-(marks[i] & kOpenMark));
            const auto say = static_cast<std::uint8_t>(told[i] & open & kSays);
            const auto mine = static_cast<std::uint8_t>(-(say >> 1));
            const auto settles = static_cast<std::uint8_t>(mine | -(say & kSaysSafe));
            wrong |= static_cast<std::uint8_t>((say >> 1) & say);
            marks[i] = static_cast<std::uint8_t>((marks[i] & ~settles) | (mine & kMineMark));
            fate[i] = static_cast<std::uint8_t>((fate[i] & ~settles) | (mine & 1));
        }
        if (wrong != 0) return false;
    }
    settled.settled_mines = count_of(settled.state, kMine);
    settled.settled_cells = settled.settled_mines + count_of(settled.state, kSafe);
    list_clues(verdict, count, settled, split);
    const auto clue_of = [&](std::size_t i) {
        return ClueState{cells[i] - (counted[i] >> 4), counted[i] & 15};
    };
    if (settled.queued == 0) {  // nothing is left to settle: nobody asks what the others are
        for (const ClueId clue : split.clue)
            settled.clue[static_cast<std::size_t>(clue)] = clue_of(static_cast<std::size_t>(clue));
    } else {
        for (std::size_t i = 0; i < count; ++i)
            settled.clue[i] = cells[i] >= 0 ? clue_of(i) : kNoClue;
    }
    return true;
}

}  // namespace mineodds
