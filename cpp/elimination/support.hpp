// What is possible at all: the entries of every table of a join tree, their degrees, and which
// pairs of them multiply.
//
// The evaluation of a join tree does the same additions and multiplications for every coefficient
// type. They are found once, as keys only (factor.hpp), and written down without masks: entries
// with the range of mines of their polynomial, and pairs (left, right, out) meaning out += left *
// right, children before parents. Collect runs the list forwards, distribute backwards. Entries
// from which the root cannot be reached are dead; on costly boards a backward pass (a semi-join)
// drops them and their pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "words/integers.hpp"

namespace mineodds {

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
    std::vector<Entry> entry;
    std::vector<EntryPair> pair;
    std::vector<EntryId> node_entry;       // entries of node n: node_entry[n] .. node_entry[n + 1]
    std::vector<std::uint64_t> node_pair;  // pairs that make node n, likewise
    std::uint64_t coefficients = 0;        // of all entries
    std::uint64_t products = 0;            // pairs found before dead ones were dropped
    std::vector<MineCount> root_value;     // by entry of the root: the free counter's value, or 0
    bool consistent = true;                // false: no configuration at all

    // First entry of the root: one in all, or one a value of the free counter.
    EntryId root_begin() const { return node_entry[node_entry.size() - 2]; }
    EntryId root_end() const { return node_entry.back(); }

    // Finds the degrees of all entries from the pairs and lays out the coefficients. Linear.
    void find_degrees();
    // Drops the entries that no root entry is made of, and their pairs. Linear.
    void drop_dead();

    std::vector<EntryId> scratch;
};

}  // namespace mineodds
