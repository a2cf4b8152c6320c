// What is said of a run that could not be followed.
#include "checker/crossvalidate/followed_run.h"
#include "model/transition/evaluator.h"

namespace oncecheck {

std::string FollowedRun::describe(const RunEvent& event) const {
    std::string text = model_.pipeline->component(event.move.process).document.name;
    text += event.move.incarnation < 0 ? "" : ", incarnation " + std::to_string(event.move.incarnation);
    text += event.move.thread < 0 ? "" : ", thread " + std::to_string(event.move.thread);
    text += std::string(": ") + to_string(event.move.kind) + ", " + to_string(event.outcome);
    for (const std::string& sql : event.sql) {
        text += "; " + sql;
    }
    return text + (event.message.empty() ? "" : " (" + event.message + ')');
}

// The values that are not as at the start, and what the pipeline can do next.
std::string FollowedRun::describe(const Hypothesis& hypothesis) const {
    const TransitionSystem& system = follower_.hop_.system;
    const State& state = follower_.pool_.at(hypothesis.state);
    std::string text;
    for (std::size_t variable = 0; variable < state.size(); ++variable) {
        if (state[variable] != system.variables[variable].initial) {
            text +=
                (text.empty() ? "" : ", ") + system.variables[variable].name + " = " + std::to_string(state[variable]);
        }
    }
    for (const Action& action : system.actions) {
        if (action.kind != ActionKind::kFault && enabled(action, state)) {
            text +=
                "; can: " + action.label.process + '/' + std::to_string(action.label.slot) + ' ' + action.label.text;
        }
    }
    return text;
}

FollowResult FollowedRun::outside(std::size_t event) const {
    FollowResult result;
    result.event = event;
    result.result = Followed::kOutsideUniverse;
    result.reason = outside_;
    return result;
}

FollowResult FollowedRun::lost(std::size_t event, const Hypotheses& before, const Hypotheses& moved) {
    constexpr std::size_t kShown = 3;
    if (!outside_.empty()) {
        return outside(event);
    }
    FollowResult result;
    result.event = event;
    result.result = Followed::kLeftModel;
    result.reason = "event " + std::to_string(event) + " is no step of the model: " + describe(*event_);
    if (!moved.empty()) {
        const Hypothesis& first = *moved.begin();
        result.reason +=
            "; afterwards " + contents_->difference(follower_.pool_.at(first.state), first, early_units(first))
                                  .value_or("nothing differs");
    }
    for (const Hypothesis& hypothesis : before) {
        if (result.before.size() < kShown) {
            result.before.push_back(describe(hypothesis));
        }
    }
    return result;
}

}  // namespace oncecheck
