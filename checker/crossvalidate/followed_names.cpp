// Names that a store cuts. To the model a placeholder that is cut, even in part, says nothing; in a run what is left of
// it may still tell two objects apart.
#include "checker/crossvalidate/followed_run.h"
#include "model/pipeline/naming.h"

namespace oncecheck {

namespace {

NameValues values_of(const RunAttempt& attempt, const ResolvedSettings& settings) {
    NameValues values;
    values.query = attempt.query;
    values.batch = std::to_string(attempt.batch);
    values.start_offset = std::to_string(attempt.start);
    values.end_offset = std::to_string(attempt.end);
    values.attempt = attempt.attempt;
    values.moment = std::to_string(attempt.moment);
    values.settings = &settings;
    return values;
}

}  // namespace

// The run uses another object than before under what is one name to the model.
bool FollowedRun::tells_cut_names_apart() {
    if (read_->place.unit < 0 || event_->attempt < 0) {
        return false;
    }
    const Step* step = follower_.units_.all()[static_cast<std::size_t>(read_->place.unit)].step;
    if (read_->place.statement >= 0) {
        step = &step->body[static_cast<std::size_t>(read_->place.statement)];
    }
    const RunAttempt& attempt = run_.attempts[static_cast<std::size_t>(event_->attempt)];
    const NameValues values = values_of(attempt, model_.pipeline->component(attempt.process).settings);
    const auto is_another = [&](const Template& name, const std::string& in_store) {
        std::vector<Problem> ignored;
        const ObjectReference object = resolve_object(*model_.pipeline, name, ignored);
        if (in_store.empty() || object.scope != ObjectScope::kStore) {
            return false;
        }
        const RenderedName rendered = render(object.name, naming_rules(*model_.pipeline, object), values);
        if (rendered.dropped.empty()) {
            return false;
        }
        return cut_names_.emplace(std::pair(object.store, rendered.text), in_store).first->second != in_store;
    };
    return is_another(step->target, event_->target) || (step->source && is_another(*step->source, event_->source));
}

}  // namespace oncecheck
