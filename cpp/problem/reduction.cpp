// Grouping by signature; the settling and list-making halves are templates in reduction.hpp.
//
// A cell's signature is the sum of a mixed 64-bit number per counter. Equal signatures only
// nominate: two cells are joined after their lists compare equal, so the result does not rest on
// chance.
#include "problem/reduction.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace mineodds {
namespace {

// The finaliser of SplitMix64 (Steele, Lea & Flood, Fast splittable pseudorandom number generators,
// 2014).
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

void start_variables(Reduction& r) {
    r.size.clear();
    r.variable_class.clear();
    r.counter.clear();
    r.counter_start.assign(1, 0);
    r.variable.resize(r.cell.size());
    r.scratch.signature.clear();
    r.scratch.hash.assign(std::bit_ceil(2 * r.cell.size() + 1), kNone);
}

// The variable with this signature for which `same` holds, or where in the hash it would stand.
template <class Same>
std::uint32_t& find_variable(Reduction& r, std::uint64_t signature, Same&& same) {
    const std::size_t last = r.scratch.hash.size() - 1;
    std::size_t bucket = static_cast<std::size_t>(signature) & last;
    for (;; bucket = (bucket + 1) & last) {
        std::uint32_t& variable = r.scratch.hash[bucket];
        if (variable == kNone || (r.scratch.signature[variable] == signature && same(variable)))
            return variable;
    }
}

void start_variable(Reduction& r, std::uint32_t& variable, std::uint64_t signature) {
    variable = static_cast<VariableId>(r.size.size());
    r.scratch.signature.push_back(signature);
    r.size.push_back(0);
}

// Variables in order of first appearance, from the bits of each cell. Fills `within`: a counter
// that lies in every variable of another covers all of its cells.
void join_equal_bits(Reduction& r) {
    start_variables(r);
    auto& within = r.scratch.within;
    within.assign(r.counter_count(), ~std::uint64_t{0});
    for (std::size_t i = 0; i < r.cell.size(); ++i) {
        std::uint64_t& bits = r.scratch.bits[static_cast<std::size_t>(r.cell[i])];
        const std::uint64_t signature = mix(bits);  // one to one: equal signatures, equal bits
        std::uint32_t& variable = find_variable(r, signature, [](VariableId) { return true; });
        if (variable == kNone) {
            start_variable(r, variable, signature);
            for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
                const auto counter = static_cast<CounterId>(std::countr_zero(rest));
                r.counter.push_back(counter);
                within[counter] &= bits;
            }
            r.counter_start.push_back(static_cast<std::uint32_t>(r.counter.size()));
        }
        bits = 0;
        ++r.size[variable];
        r.variable[i] = variable;
    }
}

// The same from the lists of each cell.
void join_equal_lists(Reduction& r) {
    auto& s = r.scratch;
    const bool alike = r.cell_class.empty();
    start_variables(r);
    for (std::size_t i = 0; i < r.cell.size(); ++i) {
        const ClassId own = alike ? 0 : r.cell_class[static_cast<std::size_t>(r.cell[i])];
        const std::span<const CounterId> list{s.list.data() + s.start[i],
                                              s.start[i + 1] - s.start[i]};
        std::uint64_t signature = alike ? 0 : mix(~std::uint64_t{own});
        for (const CounterId counter : list) signature += mix(counter);
        std::uint32_t& variable = find_variable(r, signature, [&](VariableId v) {
            return (alike || r.variable_class[v] == own) &&
                   std::ranges::equal(r.counters_of(v), list);
        });
        if (variable == kNone) {
            start_variable(r, variable, signature);
            if (!alike) r.variable_class.push_back(own);
            for (const CounterId counter : list) r.counter.push_back(counter);
            r.counter_start.push_back(static_cast<std::uint32_t>(r.counter.size()));
        }
        ++r.size[variable];
        r.variable[i] = variable;
    }
}

// The transposed lists: variables of each counter, ascending.
void list_variables(Reduction& r) {
    auto& start = r.scratch.variable_start;
    start.assign(r.counter_count() + 1, 0);
    for (const CounterId counter : r.counter) ++start[counter + 1];
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    r.scratch.counter_variable.resize(r.counter.size());
    r.scratch.next.assign(start.begin(), start.end() - 1);
    for (VariableId v = 0; v < r.variable_count(); ++v)
        for (const CounterId counter : r.counters_of(v))
            r.scratch.counter_variable[r.scratch.next[counter]++] = v;
}

// Finds counters over the same cells as an earlier one; `next` becomes the counter that each is
// kept as. False: two of them need different numbers of mines. `first_same(second)` is the first
// such counter, or `second`.
template <class FirstSame>
bool find_repeated(Reduction& r, bool& any, FirstSame&& first_same) {
    auto& keep = r.scratch.next;
    keep.resize(r.counter_count());
    std::iota(keep.begin(), keep.end(), 0U);
    for (CounterId second = 1; second < r.counter_count(); ++second) {
        if (second == r.free_counter) continue;  // a question, not a clue
        const CounterId first = first_same(second);
        if (first == second) continue;
        if (r.need[first] != r.need[second]) return false;
        keep[second] = keep[first];
        any = true;
    }
    return true;
}

bool find_repeated_bits(Reduction& r, bool& any) {
    return find_repeated(r, any, [&](CounterId second) {
        std::uint64_t covering = r.scratch.within[second] & ((std::uint64_t{1} << second) - 1);
        for (; covering != 0; covering &= covering - 1) {
            const auto first = static_cast<CounterId>(std::countr_zero(covering));
            if (r.open[first] == r.open[second]) return first;
        }
        return second;
    });
}

// Two counters over the same variables both appear in the list of their first variable, so only
// counters that share it are compared.
bool find_repeated_lists(Reduction& r, bool& any) {
    list_variables(r);
    const auto variables_of = [&](CounterId c) {
        const auto& start = r.scratch.variable_start;
        return std::span(r.scratch.counter_variable).subspan(start[c], start[c + 1] - start[c]);
    };
    return find_repeated(r, any, [&](CounterId second) {
        const auto variables = variables_of(second);
        for (const CounterId first : r.counters_of(variables[0])) {
            if (first >= second) break;
            if (r.open[first] == r.open[second] &&
                std::ranges::equal(variables_of(first), variables))
                return first;
        }
        return second;
    });
}

void drop_repeated_counters(Reduction& r) {
    auto& s = r.scratch;
    s.place.resize(s.next.size());
    const bool free = r.free_counter != kNone;  // if so, the last
    std::uint32_t kept = 0;
    for (CounterId counter = 0; counter < s.next.size(); ++counter) {
        if (s.next[counter] != counter) {
            s.place[counter] = kNone;
            continue;
        }
        r.need[kept] = r.need[counter];
        r.open[kept] = r.open[counter];
        r.clue[kept] = r.clue[counter];
        s.place[counter] = kept++;
    }
    if (free) r.free_counter = kept - 1;
    r.need.resize(kept);
    r.open.resize(kept);
    r.clue.resize(kept);
    std::uint32_t write = 0;
    std::uint32_t read = 0;
    for (VariableId v = 0; v < r.variable_count(); ++v) {
        for (; read < r.counter_start[v + 1]; ++read) {
            r.counter[write] = s.place[r.counter[read]];
            write += r.counter[write] != kNone ? 1 : 0;
        }
        r.counter_start[v + 1] = write;
    }
    r.counter.resize(write);
}

}  // namespace

namespace detail {

bool group_bits(Reduction& r) {
    join_equal_bits(r);
    bool any = false;
    if (!find_repeated_bits(r, any)) return false;
    if (any) drop_repeated_counters(r);
    return true;
}

bool group_lists(Reduction& r) {
    join_equal_lists(r);
    bool any = false;
    if (!find_repeated_lists(r, any)) return false;
    if (any) drop_repeated_counters(r);
    return true;
}

}  // namespace detail

bool reduce(const Problem& problem, SettleState& state, Reduction& reduction,
            std::span<const CellId> free_cells) {
    const ProblemIncidence incidence(problem);
    state.start(static_cast<std::size_t>(problem.cell_count));
    std::ranges::fill(state.state, kOpen);
    state.clue.clear();
    state.reserve_queue(problem.clue_count());
    std::vector<ClueId> clues(problem.clue_count());
    std::iota(clues.begin(), clues.end(), 0);
    for (const ClueId clue : clues) {
        const ClueState start{problem.clue_need[static_cast<std::size_t>(clue)],
                              static_cast<MineCount>(problem.cells_of(clue).size())};
        if (start.is_wrong()) return false;
        if (start.is_ready()) state.queue[state.queued++] = clue;
        state.clue.push_back(start);
    }
    return settle(incidence, state) && group(incidence, state, clues, reduction, free_cells);
}

}  // namespace mineodds
