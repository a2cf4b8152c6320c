// Seeded schedules: which of the moves that can happen happens next. A run is a function of its inputs and of the seed.
//
//   faulty part:  a fault with probability `fault_rate`, else a step or what the environment may do; until complete
//   drain:        no faults any more, until complete, or until `most_moves` or `most_restarts` say that it never will
//   be
//
// Kinds of faults are drawn before their instances, so that a kind with many instances does not push out the others.
// Each run draws a temper: how often the one who has moved moves again (a laggard that sleeps through whole batches
// needs that; so do two that mix at every step), and how readily the environment moves (a statement in flight shall be
// able to outlive batches).
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "model/runtime/identities.h"
#include "model/runtime/runtime.h"

namespace oncecheck {

struct Schedule {
    std::uint64_t seed = 0;
    double fault_rate = 0.05;  // of the moves, where faults are possible
    int most_faults = 6;
    int most_moves = 400;  // of the faulty part, and again of the drain
    // Starts of each query that is behind, in a row and without a batch that it commits; then nothing else is to be
    // expected of the part. 0: as many as `most_moves` leave room for.
    int most_restarts = 0;
};

class Scheduler {
  public:
    // Told of every move before it is made.
    using Observer = std::function<void(const Move& next)>;

    explicit Scheduler(const Schedule& schedule, Observer observer = {});

    // Makes moves until the run is complete or has taken `most_moves`. True: complete.
    bool run_with_faults(Runtime& runtime);
    // Goes on without faults. True: complete. False: after so many moves without one the run is taken to be stuck.
    bool drain(Runtime& runtime);

    // The next move; null if nothing can happen. What it picks depends only on the seed and on the moves so far.
    [[nodiscard]] const Move* pick(const Runtime& runtime, bool faults);
    [[nodiscard]] int faults() const { return faults_; }

  private:
    bool run(Runtime& runtime, bool faults);
    [[nodiscard]] bool has_restarted_in_vain(const RunStanding& standing) const;
    [[nodiscard]] bool chance(double probability);
    [[nodiscard]] const Move* any_of_kind(const std::vector<const Move*>& moves);
    [[nodiscard]] const Move* any_step(const std::vector<const Move*>& steps);

    Schedule schedule_;
    Observer observer_;
    SplitMix random_;
    double stays_ = 0;
    double environment_rate_ = 0;
    Move last_;  // the last step
    int faults_ = 0;
    std::map<ComponentId, int> starts_;  // of a query, since it has committed a batch
};

}  // namespace oncecheck
