// All configurations of a problem, cell by cell, one at a time: no list is held, and the next one
// is found when it is asked for.
//
// Order. The components are the digits of an odometer, the last one turning fastest; the values of
// a component's variables come in the order of its search (search.hpp). For given values, the
// placements of the mines within each variable turn faster still: lexicographic in the cells of a
// variable, ascending, with the last variable fastest. The same problem always gives the same
// order.
//
// Layouts need nothing more: one further clue over all hidden cells, deep ones included, that needs
// all mines left makes every configuration a layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "enumeration/network.hpp"
#include "enumeration/search.hpp"
#include "problem/problem.hpp"
#include "words/control.hpp"

namespace mineodds {

class ConfigurationIterator {
  public:
    // Keeps no view of the problem. Throws BadArgument when the arrays do not form one. The control
    // must outlive the iterator.
    explicit ConfigurationIterator(const Problem& problem, const Control* control = nullptr);
    ConfigurationIterator(const ConfigurationIterator&) = delete;  // the search views the network
    ConfigurationIterator& operator=(const ConfigurationIterator&) = delete;

    // The next configuration, 1 for a mine and 0 for none by cell, valid until the next call; none
    // after the last. Between two configurations lie the nodes of the search, which can be many.
    std::optional<std::span<const std::int8_t>> next();

  private:
    bool next_placement();
    bool next_values();
    void place_first(ComponentId component);
    void write(VariableId variable);

    ConstraintNetwork network_;
    Search search_;
    std::vector<std::int8_t> placement_;  // as network_.cells.entry: a mine in that cell?
    std::vector<std::int8_t> cell_;       // by cell
    bool started_ = false;
    bool ended_ = false;
};

}  // namespace mineodds
