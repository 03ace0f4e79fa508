// Settling, grouping, splitting and ordering; see network.hpp.
#include "enumeration/network.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace mineodds {
namespace {

// The transposed lists: for each of `count` ids, which lists name it.
template <class From, class To>
Lists<To> transpose(const Lists<From>& lists, std::size_t count) {
    Lists<To> result;
    result.start.assign(count + 1, 0);
    for (const From id : lists.entry) ++result.start[static_cast<std::size_t>(id) + 1];
    std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
    result.entry.resize(lists.entry.size());
    std::vector<std::size_t> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t i = 0; i < lists.count(); ++i)
        for (const From id : lists[i])
            result.entry[next[static_cast<std::size_t>(id)]++] = static_cast<To>(i);
    return result;
}

// Clues that need no mine, or all of their open cells, settle these; each settled cell changes its
// other clues. Leaves in need and open what is left of each clue. False: a clue cannot be met.
bool settle(const Problem& problem, const Lists<ClueId>& clues_of_cell, ConstraintNetwork& network,
            std::vector<MineCount>& need, std::vector<MineCount>& open) {
    std::vector<ClueId> queue;
    for (std::size_t clue = 0; clue < problem.clue_count(); ++clue) {
        const auto id = static_cast<ClueId>(clue);
        need.push_back(problem.clue_need[clue]);
        open.push_back(static_cast<MineCount>(problem.cells_of(id).size()));
        if (need[clue] < 0 || need[clue] > open[clue]) return false;
        if (need[clue] == 0 || need[clue] == open[clue]) queue.push_back(id);
    }
    while (!queue.empty()) {
        const ClueId clue = queue.back();
        queue.pop_back();
        const MineCount value = need[static_cast<std::size_t>(clue)] == 0 ? 0 : 1;
        for (const CellId cell : problem.cells_of(clue)) {
            auto& settled = network.settled[static_cast<std::size_t>(cell)];
            if (settled >= 0) continue;
            settled = static_cast<std::int8_t>(value);
            network.settled_mines += value;
            for (const ClueId touched : clues_of_cell[static_cast<std::size_t>(cell)]) {
                auto& left = need[static_cast<std::size_t>(touched)];
                auto& cells = open[static_cast<std::size_t>(touched)];
                const bool was_decided = left == 0 || left == cells;  // then it is queued already
                left -= value;
                cells -= 1;
                if (left < 0 || left > cells) return false;
                if (!was_decided && (left == 0 || left == cells)) queue.push_back(touched);
            }
        }
    }
    return true;
}

// Open cells with their active clues, grouped by these: the groups as lists of cells.
struct Groups {
    Lists<CellId> cells;
    Lists<std::uint32_t> clues;  // renumbered: active clues only
};

Groups group(const Lists<ClueId>& clues_of_cell, const std::vector<std::int8_t>& settled,
             const std::vector<std::uint32_t>& active) {
    Lists<std::uint32_t> clues;
    std::vector<CellId> order;
    for (std::size_t cell = 0; cell < settled.size(); ++cell) {
        if (settled[cell] < 0) {
            order.push_back(static_cast<CellId>(cell));
            for (const ClueId clue : clues_of_cell[cell])
                if (active[static_cast<std::size_t>(clue)] != kNone)
                    clues.entry.push_back(active[static_cast<std::size_t>(clue)]);
        }
        clues.close();
    }
    const auto list = [&](CellId cell) { return clues[static_cast<std::size_t>(cell)]; };
    std::ranges::stable_sort(order, [&](CellId a, CellId b) {
        return std::ranges::lexicographical_compare(list(a), list(b));
    });
    Groups groups;
    for (std::size_t i = 0; i < order.size(); ++i) {
        groups.cells.entry.push_back(order[i]);
        if (i + 1 < order.size() && std::ranges::equal(list(order[i]), list(order[i + 1])))
            continue;
        groups.cells.close();
        const auto shared = list(order[i]);
        groups.clues.entry.insert(groups.clues.entry.end(), shared.begin(), shared.end());
        groups.clues.close();
    }
    return groups;
}

// Walks the components and numbers the groups in search order.
class Ordering {
  public:
    Ordering(const Groups& groups, std::size_t clue_count)
        : groups_(groups),
          groups_of_clue_(transpose<std::uint32_t, std::uint32_t>(groups.clues, clue_count)),
          placed_(groups.cells.count(), false),
          left_(clue_count),
          seen_(clue_count, 0) {
        for (std::size_t clue = 0; clue < clue_count; ++clue)
            left_[clue] = groups_of_clue_[clue].size();
    }

    // The groups in search order; `first` receives where each component starts.
    std::vector<std::uint32_t> run(std::vector<VariableId>& first) {
        for (std::uint32_t group = 0; group < placed_.size(); ++group) {
            if (placed_[group]) continue;
            const auto clues = groups_.clues[group];
            if (clues.empty()) {
                place(group);
            } else {
                order_component(far_end(far_end(clues[0])));
            }
            first.push_back(static_cast<VariableId>(order_.size()));
        }
        return std::move(order_);
    }

  private:
    // The last clue that breadth-first search reaches.
    std::uint32_t far_end(std::uint32_t start) {
        ++round_;
        walk_.assign(1, start);
        seen_[start] = round_;
        for (std::size_t i = 0; i < walk_.size(); ++i)
            for (const std::uint32_t group : groups_of_clue_[walk_[i]])
                for (const std::uint32_t clue : groups_.clues[group]) {
                    if (seen_[clue] == round_) continue;
                    seen_[clue] = round_;
                    walk_.push_back(clue);
                }
        return walk_.back();
    }

    void order_component(std::uint32_t start) {
        touched_.emplace(left_[start], start);
        while (!touched_.empty()) {
            const auto [left, clue] = touched_.top();
            touched_.pop();
            if (left != left_[clue]) continue;  // touched again since; a newer entry is queued
            for (const std::uint32_t group : groups_of_clue_[clue])
                if (!placed_[group]) place(group);
        }
    }

    void place(std::uint32_t group) {
        placed_[group] = true;
        order_.push_back(group);
        for (const std::uint32_t clue : groups_.clues[group])
            if (--left_[clue] != 0) touched_.emplace(left_[clue], clue);
    }

    using Touched = std::pair<std::size_t, std::uint32_t>;  // variables left, clue

    const Groups& groups_;
    Lists<std::uint32_t> groups_of_clue_;
    std::vector<bool> placed_;         // by group
    std::vector<std::size_t> left_;    // by clue: groups that are not placed
    std::vector<std::uint32_t> seen_;  // by clue: the last round that reached it
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> walk_;
    std::vector<std::uint32_t> order_;
    std::priority_queue<Touched, std::vector<Touched>, std::greater<>> touched_;
};

}  // namespace

MineCount ConstraintNetwork::cell_count(ComponentId component) const {
    return std::accumulate(size.begin() + first[component], size.begin() + first[component + 1],
                           MineCount{0});
}

double ConstraintNetwork::memory() const {
    const auto bytes = [](const auto& list) {
        return static_cast<double>(list.size() * sizeof(list[0]));
    };
    return bytes(settled) + bytes(size) + bytes(need) + bytes(open) + bytes(first) +
           bytes(cells.start) + bytes(cells.entry) + bytes(clues.start) + bytes(clues.entry) +
           bytes(variables.start) + bytes(variables.entry);
}

ConstraintNetwork make_network(const Problem& problem) {
    ConstraintNetwork network;
    const auto cell_count = static_cast<std::size_t>(problem.cell_count);
    network.settled.assign(cell_count, -1);
    Lists<CellId> cells_of_clue;
    cells_of_clue.start.assign(problem.clue_start.begin(), problem.clue_start.end());
    cells_of_clue.entry.assign(problem.clue_cell.begin(), problem.clue_cell.end());
    const auto clues_of_cell = transpose<CellId, ClueId>(cells_of_clue, cell_count);

    std::vector<MineCount> need, open;
    network.consistent = settle(problem, clues_of_cell, network, need, open);
    if (!network.consistent) return network;

    std::vector<std::uint32_t> active(problem.clue_count(), kNone);
    for (std::size_t clue = 0; clue < problem.clue_count(); ++clue) {
        if (open[clue] == 0) continue;
        active[clue] = static_cast<std::uint32_t>(network.need.size());
        network.need.push_back(need[clue]);
        network.open.push_back(open[clue]);
    }
    const Groups groups = group(clues_of_cell, network.settled, active);
    for (const std::uint32_t id : Ordering(groups, network.clue_count()).run(network.first)) {
        const auto cells = groups.cells[id];
        const auto clues = groups.clues[id];
        network.size.push_back(static_cast<MineCount>(cells.size()));
        network.cells.entry.insert(network.cells.entry.end(), cells.begin(), cells.end());
        network.cells.close();
        network.clues.entry.insert(network.clues.entry.end(), clues.begin(), clues.end());
        network.clues.close();
    }
    network.variables = transpose<std::uint32_t, VariableId>(network.clues, network.clue_count());
    return network;
}

}  // namespace mineodds
