#include "model/runtime/judge.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/pipeline/graph.h"
#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"
#include "model/runtime/judged_rows.h"

namespace oncecheck {

namespace {

class Judge {
  public:
    Judge(const Pipeline& pipeline, Runtime& runtime, bool drained)
        : pipeline_(pipeline), runtime_(runtime), run_(runtime.record()), drained_(drained) {}

    std::vector<RunViolation> judge() {
        for (requirement_ = 0; requirement_ < pipeline_.requirements.size(); ++requirement_) {
            switch (pipeline_.requirements[requirement_].kind) {
                case RequirementKind::kExactlyOnce:
                    judge_progress_to_target();
                    judge_target({"loss", "duplicate", "stale"});
                    break;
                case RequirementKind::kNoLoss:
                    judge_target({"loss"});
                    break;
                case RequirementKind::kNoDuplicate:
                    judge_target({"duplicate"});
                    break;
                case RequirementKind::kNoStale:
                    judge_target({"stale"});
                    break;
                case RequirementKind::kIsolatedStaging:
                    judge_staging();
                    break;
                case RequirementKind::kProgress:
                    judge_progress(pipeline_.requirements[requirement_].processes);
                    break;
            }
        }
        return std::move(violations_);
    }

  private:
    [[nodiscard]] const ResolvedRequirement& requirement() const { return pipeline_.requirements[requirement_]; }

    void add(const std::string& flaw, const std::string& message) {
        const bool known = std::any_of(violations_.begin(), violations_.end(), [&](const RunViolation& one) {
            return one.requirement == requirement_ && one.flaw == flaw;
        });
        if (!known) {
            violations_.push_back({requirement_, flaw, message});
        }
    }

    [[nodiscard]] JudgedTarget target() { return target_now(pipeline_, runtime_, requirement().object); }

    [[nodiscard]] bool takes_part(const std::vector<ComponentId>& processes) const {
        return std::any_of(processes.begin(), processes.end(), [&](ComponentId process) {
            const auto& all = run_.inputs.processes;
            return std::find(all.begin(), all.end(), process) != all.end();
        });
    }

    void judge_target(const std::set<std::string>& flaws) {
        if (requirement().object.scope != ObjectScope::kStore ||
            pipeline_.component(requirement().object.store).type->protocol != Protocol::kTables) {
            return;
        }
        const JudgedTarget judged = target();
        if (!judged.judged || !takes_part(judged.writers)) {
            return;
        }
        std::map<std::string, std::string> first;  // of each flaw, its message
        const JudgedRows rows(pipeline_, runtime_, judged);
        for (const RowFlaw& found : rows.flaws(counted_records(pipeline_, runtime_, requirement().from.value()),
                                               [](const CountedRecord&) { return true; })) {
            first.emplace(found.flaw, found.message);
        }
        for (const auto& [flaw, message] : first) {
            const bool lasts = flaw == "duplicate" && !judged.loses_rows;
            if (flaws.count(flaw) != 0 && (lasts || run_.standing.complete)) {
                add(flaw, message);
            }
        }
    }

    void judge_progress_to_target() {
        if (requirement().object.scope == ObjectScope::kStore) {
            judge_progress(target().writers);
        }
    }

    void judge_progress(const std::vector<ComponentId>& processes) {
        if (!drained_ || run_.standing.complete) {
            return;
        }
        for (const ComponentId process : processes) {
            const auto& behind = run_.standing.behind;
            if (std::find(behind.begin(), behind.end(), process) != behind.end()) {
                add("stuck", pipeline_.component(process).document.name + " does not get to the end of what it reads");
            }
        }
    }

    void judge_staging() {
        const std::vector<ComponentId>& processes = requirement().processes;
        for (const RunEvent& event : run_.events) {
            if (std::find(processes.begin(), processes.end(), event.move.process) == processes.end()) {
                continue;
            }
            for (const SourceContent& took : event.took) {
                if (is_staging(event.move.process, took.where)) {
                    judge_source(took);
                }
            }
        }
    }

    // The source of the step is an object that a step of the same program fills.
    [[nodiscard]] bool is_staging(ComponentId process, const SourcePosition& apply) const {
        const std::vector<ObjectUse> uses = object_uses(pipeline_, process);
        return std::any_of(uses.begin(), uses.end(), [&](const ObjectUse& source) {
            return source.is_source && source.step->position == apply &&
                   std::any_of(uses.begin(), uses.end(), [&](const ObjectUse& filled) {
                       return !filled.is_source && takes_in_records(*filled.step) &&
                              can_be_equal(pipeline_, process, source.object, process, filled.object);
                   });
        });
    }

    void judge_source(const SourceContent& took) {
        const auto name = [&](int record) {
            return id_text(pipeline_, run_.inputs.records.at(static_cast<std::size_t>(record)));
        };
        const std::string at = to_string(took.where);
        for (const auto& [record, times] : took.rows) {
            if (std::find(took.batch.begin(), took.batch.end(), record) == took.batch.end()) {
                add("foreign rows", at + " took " + name(record) + ", which is not of its batch");
            } else if (times > 1) {
                add("doubled rows", at + " took " + name(record) + ' ' + std::to_string(times) + " times");
            }
        }
        for (const int record : took.batch) {
            if (took.rows.count(record) == 0) {
                add("missing rows", at + " did not find " + name(record));
            }
        }
    }

    const Pipeline& pipeline_;
    Runtime& runtime_;
    const RunRecord& run_;
    bool drained_;
    std::size_t requirement_ = 0;
    std::vector<RunViolation> violations_;
};

}  // namespace

std::vector<RunViolation> judge(const Pipeline& pipeline, Runtime& runtime, bool drained) {
    return Judge(pipeline, runtime, drained).judge();
}

}  // namespace oncecheck
