#include "model/runtime/judge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/runtime/row_record.h"
#include "model/runtime/target_key.h"

namespace oncecheck {

namespace {

using Values = std::vector<std::string>;

// What a requirement counts: records, each with the place in a log that counts as its own. Of a log that is every
// entry; of a producer every record that it has reported as sent, wherever it is.
struct CountedRecord {
    int record = 0;
    std::optional<RecordIndex::Coordinates> at;  // empty: any
};

// The rows of a target, compared with what a requirement counts.
class TargetJudge {
  public:
    TargetJudge(const Pipeline& pipeline, Runtime& runtime, const JudgedTarget& target,
                std::vector<CountedRecord> counted)
        : pipeline_(pipeline),
          runtime_(runtime),
          run_(runtime.record()),
          target_(target),
          counted_(std::move(counted)) {}

    void add_row(const std::vector<SqlValue>& values) {
        RowValues row;
        for (std::size_t column = 0; column < values.size(); ++column) {
            row[run_.columns.at(column)] = values[column];
        }
        rows_.push_back(std::move(row));
    }

    // flaw -> the first example of it
    [[nodiscard]] std::map<std::string, std::string> flaws() const {
        std::map<std::string, std::string> found;
        if (target_.key.empty()) {
            judge_appended(found);
        } else if (target_.sum.empty()) {
            judge_keyed(found);
        } else {
            judge_sums(found);
        }
        return found;
    }

  private:
    [[nodiscard]] const RunRecordEntry& entry(int record) const {
        return run_.inputs.records.at(static_cast<std::size_t>(record));
    }
    [[nodiscard]] std::string name_of(int record) const { return id_text(pipeline_, entry(record)); }

    [[nodiscard]] RowValues values_of(const CountedRecord& counted) const {
        RowValues values = record_values(runtime_.stores().schema(), entry(counted.record));
        const RecordIndex::Coordinates at = counted.at.value_or(RecordIndex::Coordinates{
            pipeline_.component(entry(counted.record).log).document.name,
            std::to_string(entry(counted.record).partition), std::to_string(entry(counted.record).partition_offset)});
        values["topic"] = at[0];
        values["partition"] = at[1];
        values["offset"] = at[2];
        return values;
    }

    [[nodiscard]] static Values select(const RowValues& row, const std::vector<std::string>& columns) {
        Values values;
        for (const std::string& column : columns) {
            const auto found = row.find(column);
            values.push_back(found == row.end() ? "" : found->second.value_or(""));
        }
        return values;
    }

    [[nodiscard]] static RecordIndex::Coordinates coordinates_of(const RowValues& row) {
        const Values values = select(row, {"topic", "partition", "offset"});
        return {values[0], values[1], values[2]};
    }

    // -1: none of the run.
    [[nodiscard]] int record_in(const RowValues& row) const {
        const RecordIndex::Coordinates at = coordinates_of(row);
        const int record = runtime_.index().find(at[0], at[1], at[2]);
        return record >= 0 ? record : record_by_columns(pipeline_, runtime_.record().inputs.records, row);
    }

    void judge_appended(std::map<std::string, std::string>& found) const {
        for (const CountedRecord& counted : counted_) {
            const auto times = std::count_if(rows_.begin(), rows_.end(), [&](const RowValues& row) {
                return counted.at ? coordinates_of(row) == *counted.at : record_in(row) == counted.record;
            });
            if (times == 0) {
                found.emplace("loss", name_of(counted.record) + " is not there");
            } else if (times > 1) {
                found.emplace("duplicate", name_of(counted.record) + " is there " + std::to_string(times) + " times");
            }
        }
    }

    // The counted records of each key, newest first.
    [[nodiscard]] std::map<Values, std::vector<int>> by_key() const {
        std::map<Values, std::vector<int>> groups;
        for (const CountedRecord& counted : counted_) {
            groups[select(values_of(counted), target_.key)].push_back(counted.record);
        }
        for (auto& [unused, records] : groups) {
            std::sort(records.begin(), records.end(),
                      [&](int left, int right) { return entry(left).version > entry(right).version; });
            records.erase(std::unique(records.begin(), records.end()), records.end());
        }
        return groups;
    }

    [[nodiscard]] std::vector<const RowValues*> rows_with(const Values& key) const {
        std::vector<const RowValues*> found;
        for (const RowValues& row : rows_) {
            if (select(row, target_.key) == key) {
                found.push_back(&row);
            }
        }
        return found;
    }

    void judge_keyed(std::map<std::string, std::string>& found) const {
        for (const auto& [key, records] : by_key()) {
            const std::vector<const RowValues*> rows = rows_with(key);
            const int newest = records.front();
            if (rows.empty()) {
                found.emplace("loss", "the key of " + name_of(newest) + " is not there");
                continue;
            }
            if (rows.size() > 1) {
                found.emplace("duplicate",
                              "the key of " + name_of(newest) + " is there " + std::to_string(rows.size()) + " times");
            }
            const bool old = std::all_of(rows.begin(), rows.end(), [&](const RowValues* row) {
                const int record = record_in(*row);
                return record >= 0 && entry(record).version < entry(newest).version;
            });
            if (old) {
                found.emplace("stale", "the row of " + name_of(newest) + "'s key is that of " +
                                           name_of(record_in(*rows.front())));
            }
        }
    }

    void judge_sums(std::map<std::string, std::string>& found) const {
        for (const auto& [key, records] : by_key()) {
            int sum = 0;
            const std::vector<const RowValues*> rows = rows_with(key);
            for (const RowValues* row : rows) {
                const std::string text = select(*row, {target_.sum}).front();
                sum += text.empty() ? 0 : std::stoi(text);
            }
            const int wanted = static_cast<int>(records.size());
            const std::string message = "the key of " + name_of(records.front()) + " adds up to " +
                                        std::to_string(sum) + ", not " + std::to_string(wanted);
            if (sum > wanted || rows.size() > 1) {
                found.emplace("duplicate", message);
            } else if (sum < wanted) {
                found.emplace("loss", message);
            }
        }
    }

    const Pipeline& pipeline_;
    Runtime& runtime_;
    const RunRecord& run_;
    const JudgedTarget& target_;
    std::vector<CountedRecord> counted_;
    std::vector<RowValues> rows_;
};

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

    [[nodiscard]] JudgedTarget target() {
        std::vector<std::string> names;
        const ObjectReference& object = requirement().object;
        for (const ObjectContent& content : runtime_.content()) {
            if (content.place.scope == ObjectScope::kStore && content.place.store == object.store) {
                names.push_back(content.name);
            }
        }
        return judged_target(pipeline_, runtime_.stores().schema(), object, names);
    }

    [[nodiscard]] std::vector<CountedRecord> counted() const {
        const ComponentId from = requirement().from.value();
        std::vector<CountedRecord> counted;
        if (pipeline_.component(from).type->protocol == Protocol::kLog) {
            for (const auto& [at, record] : runtime_.index().all()) {
                if (at[0] == pipeline_.component(from).document.name) {
                    counted.push_back({record, at});
                }
            }
            return counted;
        }
        for (const RunEvent& event : run_.events) {
            if (event.move.kind == MoveKind::kReport && event.move.process == from &&
                event.outcome == RunOutcome::kDone) {
                counted.push_back({event.move.record, std::nullopt});
            }
        }
        return counted;
    }

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
        TargetJudge rows(pipeline_, runtime_, judged, counted());
        for (const ObjectContent& content : runtime_.content()) {
            if (content.place.scope == ObjectScope::kStore && content.place.store == judged.store &&
                std::find(judged.names.begin(), judged.names.end(), content.name) != judged.names.end()) {
                for (const std::vector<SqlValue>& row : content.rows) {
                    rows.add_row(row);
                }
            }
        }
        for (const auto& [flaw, message] : rows.flaws()) {
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
                judge_source(took);
            }
        }
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
