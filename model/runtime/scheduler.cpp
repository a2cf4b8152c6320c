#include "model/runtime/scheduler.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace oncecheck {

namespace {

constexpr double kStays[] = {0, 0.8, 0.97};
// How often the environment moves while a process could.
constexpr double kEnvironmentRates[] = {0.15, 0.02};

using FaultKind = std::tuple<MoveKind, MoveFault, bool>;

FaultKind kind_of(const Move& move) { return {move.kind, move.fault, move.in_flight}; }

bool same_actor(const Move& left, const Move& right) {
    return left.process == right.process && left.incarnation == right.incarnation && left.thread == right.thread;
}

}  // namespace

Scheduler::Scheduler(const Schedule& schedule, Observer observer)
    : schedule_(schedule), observer_(std::move(observer)), random_(schedule.seed) {
    stays_ = kStays[random_.below(std::size(kStays))];
    environment_rate_ = kEnvironmentRates[random_.below(std::size(kEnvironmentRates))];
}

bool Scheduler::chance(double probability) {
    constexpr std::uint64_t kSteps = 1U << 20U;
    return static_cast<double>(random_.below(kSteps)) < probability * static_cast<double>(kSteps);
}

const Move* Scheduler::any_of_kind(const std::vector<const Move*>& moves) {
    std::vector<FaultKind> kinds;
    for (const Move* move : moves) {
        if (std::find(kinds.begin(), kinds.end(), kind_of(*move)) == kinds.end()) {
            kinds.push_back(kind_of(*move));
        }
    }
    const FaultKind kind = kinds[random_.below(kinds.size())];
    std::vector<const Move*> chosen;
    std::copy_if(moves.begin(), moves.end(), std::back_inserter(chosen),
                 [&](const Move* move) { return kind_of(*move) == kind; });
    return chosen[random_.below(chosen.size())];
}

const Move* Scheduler::any_step(const std::vector<const Move*>& steps) {
    std::vector<const Move*> own;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(own),
                 [&](const Move* step) { return same_actor(*step, last_); });
    const bool stays = !own.empty() && chance(stays_);
    const std::vector<const Move*>& among = stays ? own : steps;
    const Move* chosen = among[random_.below(among.size())];
    last_ = *chosen;
    return chosen;
}

const Move* Scheduler::pick(const Runtime& runtime, bool faults) {
    std::vector<const Move*> steps;
    std::vector<const Move*> environment;
    std::vector<const Move*> faulty;
    for (const Move& move : runtime.moves()) {
        switch (runtime.nature(move)) {
            case Runtime::MoveNature::kStep:
                steps.push_back(&move);
                break;
            case Runtime::MoveNature::kEnvironment:
                environment.push_back(&move);
                break;
            case Runtime::MoveNature::kFault:
                faulty.push_back(&move);
                break;
        }
    }
    if (faults && !faulty.empty() && faults_ < schedule_.most_faults && chance(schedule_.fault_rate)) {
        ++faults_;
        return any_of_kind(faulty);
    }
    // Whoever only waits goes on when the environment has moved.
    const bool idle =
        std::all_of(steps.begin(), steps.end(), [](const Move* step) { return step->kind == MoveKind::kResume; });
    if (!environment.empty() && (idle || chance(environment_rate_))) {
        return environment[random_.below(environment.size())];
    }
    return steps.empty() ? nullptr : any_step(steps);
}

bool Scheduler::run_with_faults(Runtime& runtime) { return run(runtime, true); }
bool Scheduler::drain(Runtime& runtime) { return run(runtime, false); }

bool Scheduler::run(Runtime& runtime, bool faults) {
    starts_.clear();
    RunStanding standing = runtime.standing();
    for (int moves = 0; moves < schedule_.most_moves && !standing.complete && !has_restarted_in_vain(standing);
         ++moves) {
        const Move* picked = pick(runtime, faults);
        if (picked == nullptr) {
            break;
        }
        const Move move = *picked;
        if (observer_) {
            observer_(move);
        }
        const std::span<const RunEvent> events = runtime.perform(move);
        if (move.kind == MoveKind::kStart) {
            ++starts_[move.process];
        } else if (move.kind == MoveKind::kCommitBatch && events.front().outcome == RunOutcome::kDone) {
            starts_.erase(move.process);
        }
        standing = runtime.standing();
    }
    return standing.complete;
}

bool Scheduler::has_restarted_in_vain(const RunStanding& standing) const {
    return schedule_.most_restarts > 0 && !standing.behind.empty() &&
           std::all_of(standing.behind.begin(), standing.behind.end(), [&](ComponentId process) {
               const auto starts = starts_.find(process);
               return starts != starts_.end() && starts->second > schedule_.most_restarts;
           });
}

}  // namespace oncecheck
