// What is possible at all: the entries of every table of a join tree, their degrees, and which
// pairs of them multiply.
//
// The evaluation of a join tree does the same additions and multiplications for every coefficient
// type. They are found once, as keys only (factor.hpp), and written down without masks: entries
// with the range of mines of their polynomial, and pairs (left, right, out) meaning out += left *
// right, children before parents. Collect runs the list forwards, distribute backwards. Entries
// from which the root cannot be reached are dead, and so are degrees from which no total of the
// board can be; on costly boards a backward pass (a semi-join) drops them and their pairs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "words/buffer.hpp"
#include "words/control.hpp"
#include "words/integers.hpp"

namespace mineodds {

// Mines in all that the rest of the board leaves for the open frontier cells: with D deep cells and
// M mines left, M - D to M. Coefficients that no root coefficient within it is made of are not
// kept.
struct MineWindow {
    std::int64_t least = std::numeric_limits<std::int64_t>::min() / 2;
    std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
};

// Predicted pairs from which the tables are made by semi_join.hpp.
inline constexpr double kSemiJoinFrom = 0x1p18;

struct SupportOptions {
    double max_memory = 2147483648.0;  // bytes that the evaluation may take in all
    MineWindow window{};
    std::uint64_t drop_dead_from = 512;  // pairs from which the backward pass pays
    double semi_join_from = kSemiJoinFrom;
    double pair_tests_from = 1024.0;   // there: predicted entries from which outside.hpp tests them
    const Control* control = nullptr;  // may be null: neither deadline nor interruption
};

struct Entry {
    std::uint64_t offset;  // of its first coefficient among all coefficients
    MineCount low;  // least mines of the polynomial; for a leaf's entry, the value of the variable
    std::uint32_t length;  // coefficients: low .. low + length - 1, some perhaps zero
};

struct EntryPair {
    EntryId left;
    EntryId right;
    EntryId out;
};

struct Support {
    Buffer<Entry> entry;
    Buffer<EntryPair> pair;
    Buffer<EntryId> node_entry;       // entries of node n: node_entry[n] .. node_entry[n + 1]
    Buffer<std::uint64_t> node_pair;  // pairs that make node n, likewise
    std::uint64_t coefficients = 0;   // of all entries
    std::uint64_t products = 0;       // pairs found before dead ones were dropped
    Buffer<MineCount> root_value;     // by entry of the root: the free counter's value, or 0
    bool consistent = true;           // false: no configuration at all
    bool trimmed = false;  // some products of coefficients fall outside the coefficients kept

    // First entry of the root: one in all, or one a value of the free counter.
    EntryId root_begin() const { return node_entry[node_entry.size() - 2]; }
    EntryId root_end() const { return node_entry.back(); }

    // What is left to do once all tables are built: counts, dead entries, degrees.
    void finish(const SupportOptions& options);
    // Bytes of the entries and pairs so far.
    double bytes() const {
        return static_cast<double>(pair.size()) * sizeof(EntryPair) +
               static_cast<double>(entry.size()) * sizeof(Entry);
    }

  private:
    // Degrees of all entries from the pairs, children before parents: `low` and, in `length`, the
    // highest. Linear.
    void find_degrees();
    // Drops the entries and the degrees that no root coefficient within the window is made of, and
    // the pairs of such entries. Linear.
    void drop_dead(const MineWindow& window);
    void lay_out();

    struct Degrees {
        MineCount low;
        MineCount high;
    };
    std::vector<Degrees> useful_;
    std::vector<EntryId> place_;
};

}  // namespace mineodds
