// Whole games played by a policy, and what is counted of them.
//
// Every count is an integer, and every game depends on (seed, its index) alone: the counts of a
// range of games are the same however it is divided among threads or machines, and ranges add up.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "play/game.hpp"
#include "play/policy.hpp"

namespace mineodds {

inline constexpr std::size_t kRiskBins = 20;   // of guesses, by their chance of a mine: 5 % each
inline constexpr std::size_t kGuessBins = 32;  // of lost games, by the guess that lost them

struct PlayCounts {
    std::uint64_t games = 0;
    std::uint64_t wins = 0;
    std::uint64_t lost_at_first_click = 0;
    std::uint64_t guesses = 0;  // opened cells with 0 < P(mine), after the first click
    std::uint64_t clicks = 0;   // first clicks, guesses and certain cells; flood fill is free
    std::uint64_t solves = 0;   // inferences
    std::array<std::uint64_t, kRiskBins> guesses_by_risk{};
    std::array<std::uint64_t, kRiskBins> losses_by_risk{};
    std::array<std::uint64_t, kGuessBins> losses_by_guess{};  // 1st, 2nd, ...; the last: and later

    void add(const PlayCounts& other);
};

struct Simulation {
    NeighbourTable neighbours;
    std::int64_t mines = 0;
    FirstClick first_click = FirstClick::safe;
    CellId start = kNoCell;  // the first click; kNoCell: the policy's choice
    std::uint64_t seed = 0;
    PolicyOptions policy;
    Budget budget;
    std::size_t workers = 1;  // threads, this one included
};

// Plays games first, first + 1, ... won: one entry a game, 1 if it was won. Throws BadArgument when
// no layout fits the first click, Interrupted, DeadlinePassed, CostExceeded.
PlayCounts play_games(const Simulation& simulation, std::uint64_t first,
                      std::span<std::uint8_t> won, const Control* control);

}  // namespace mineodds
