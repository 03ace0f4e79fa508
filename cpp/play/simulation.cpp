// One game after another, on several threads; see simulation.hpp.
#include "play/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>

#include "position/split.hpp"
#include "words/errors.hpp"
#include "words/share_out.hpp"

namespace mineodds {
namespace {

// Simple fractions like 1/20 lie on the edge of two bins: rounding must not decide.
constexpr double kEdge = 1e-9;

// Plays the games of one thread, with everything it needs kept between them.
class Player {
  public:
    explicit Player(const Simulation& simulation)
        : simulation_(simulation),
          game_(simulation.neighbours, simulation.mines, simulation.first_click),
          policy_(simulation.policy, simulation.budget) {}

    bool play(std::uint64_t index, const Control* control) {
        random_ = Random(simulation_.seed, index, Random::kTieStream);
        game_.restart(simulation_.seed, index);
        position_.reset(simulation_.neighbours, simulation_.mines);
        seen_ = 0;
        ++counts.games;
        if (game_.state() == GameState::playing) {
            click(simulation_.start != kNoCell ? simulation_.start : first_choice(control));
            if (game_.state() == GameState::lost) ++counts.lost_at_first_click;
        }
        for (std::size_t guess = 0; game_.state() == GameState::playing;)
            if (!open_safe_cells()) guess += think(guess, control);
        const bool won = game_.state() == GameState::won;
        counts.wins += won;
        return won;
    }
    void finish() { counts.solves = policy_.solves(); }

    PlayCounts counts;

  private:
    // What the rules of the first click say is not news to the policy: it sees the numbers only.
    CellId first_choice(const Control* control) {
        const bool random = simulation_.policy.kind == PolicyKind::safest &&
                            simulation_.policy.ties == Ties::random;
        if (first_choice_ == kNoCell || random) {
            // Its inferences are not counted: how often it is asked depends on the threads.
            Policy policy(simulation_.policy, simulation_.budget);
            policy.infer(position_, control);
            policy.choose(position_, false, &random_, control, choice_);
            first_choice_ = choice_.cell;
            position_.reset(simulation_.neighbours, simulation_.mines);
        }
        return first_choice_;
    }
    void click(CellId cell) {
        ++counts.clicks;
        game_.open(cell);
    }
    // Tells the position what was opened, and opens what complete and full clues say is safe.
    bool open_safe_cells() {
        const auto opened = game_.opened();
        for (; seen_ < opened.size(); ++seen_)
            position_.open(opened[seen_], game_.cells()[static_cast<std::size_t>(opened[seen_])]);
        position_.settle();
        if (position_.known_safe() == 0) return false;
        const auto& state = position_.settled().state;
        const auto cells = game_.cells();
        for (auto place = state.begin();
             (place = std::find(place, state.end(), kSafe)) != state.end(); ++place) {
            const auto cell = place - state.begin();
            if (cells[static_cast<std::size_t>(cell)] == kHiddenCell)
                click(static_cast<CellId>(cell));
        }
        return true;
    }
    // Infers, and guesses when nothing is certain. Returns the number of guesses: 0 or 1.
    std::size_t think(std::size_t guesses_before, const Control* control) {
        check(control);
        [[maybe_unused]] const bool possible = policy_.infer(position_, control);
        assert(possible);  // the game's own layout is one
        if (position_.known_safe() > 0) return 0;
        policy_.choose(position_, false, &random_, control, choice_);
        click(choice_.cell);
        ++counts.guesses;
        const auto bin = std::min(
            kRiskBins - 1,
            static_cast<std::size_t>(choice_.probability * static_cast<double>(kRiskBins) + kEdge));
        ++counts.guesses_by_risk[bin];
        if (game_.state() == GameState::lost) {
            ++counts.losses_by_risk[bin];
            ++counts.losses_by_guess[std::min(guesses_before, kGuessBins - 1)];
        }
        return 1;
    }

    const Simulation& simulation_;
    Game game_;
    Position position_;
    Policy policy_;
    Random random_{0, 0, 0};
    Choice choice_;
    CellId first_choice_ = kNoCell;
    std::size_t seen_ = 0;  // opened cells that the position knows
};

}  // namespace

void PlayCounts::add(const PlayCounts& other) {
    games += other.games;
    wins += other.wins;
    lost_at_first_click += other.lost_at_first_click;
    guesses += other.guesses;
    clicks += other.clicks;
    solves += other.solves;
    const auto add_all = [](auto& to, const auto& from) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    };
    add_all(guesses_by_risk, other.guesses_by_risk);
    add_all(losses_by_risk, other.losses_by_risk);
    add_all(losses_by_guess, other.losses_by_guess);
}

PlayCounts play_games(const Simulation& simulation, std::uint64_t first,
                      std::span<std::uint8_t> won, const Control* control) {
    PlayCounts counts;
    std::mutex mutex;
    share_out(won.size(), simulation.workers, control, [&](BlockQueue& queue, const Control* own) {
        Player player(simulation);
        const auto play_one = [&](std::size_t i) {
            check(own);
            won[i] = player.play(first + i, own) ? 1 : 0;
        };
        while (queue.take(play_one)) {
        }
        player.finish();
        const std::lock_guard<std::mutex> lock(mutex);
        counts.add(player.counts);
    });
    return counts;
}

}  // namespace mineodds
