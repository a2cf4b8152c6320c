#include "model/runtime/run.h"

#include <algorithm>
#include <utility>

namespace oncecheck {

namespace {

// The names in the order of the enumerations.
constexpr const char* kMoveKinds[] = {
    "start", "statement",  "resume",      "load-row",    "end-load",     "spawn",  "read-progress",
    "plan",  "look-ahead", "write-ahead", "look-commit", "commit-batch", "crash",  "end-silently",
    "land",  "drop",       "purge",       "expire",      "send",         "resend", "report"};
constexpr const char* kMoveFaults[] = {"none", "lost-ack", "late", "task-retry", "redelivery"};
constexpr const char* kOutcomes[] = {"done", "failed", "skipped", "waits", "ends"};
constexpr const char* kPhases[] = {"whole", "begin", "inside", "commit"};

// True if a log that names its column so, or none at all, has a value for it.
bool names(const std::string& named, const std::string& column) { return named.empty() || named == column; }

}  // namespace

const char* to_string(MoveKind kind) { return kMoveKinds[static_cast<std::size_t>(kind)]; }
const char* to_string(MoveFault fault) { return kMoveFaults[static_cast<std::size_t>(fault)]; }
const char* to_string(RunOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }
const char* to_string(StatementPhase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

std::string id_text(const Pipeline& pipeline, const RunRecordEntry& record) {
    return pipeline.component(record.log).document.name + '-' + std::to_string(record.offset);
}

std::string key_text(const RunRecordEntry& record) { return 'k' + std::to_string(record.key); }
std::string version_text(const RunRecordEntry& record) { return std::to_string(record.version); }

RowValues record_values(const SchemaOfRun& schema, const RunRecordEntry& record) {
    const Records columns = schema.pipeline().component(record.log).document.records.value_or(Records{});
    RowValues values;
    for (const RunColumn& column : schema.columns()) {
        switch (column.role) {
            case ColumnRole::kId:
                if (names(columns.id, column.name)) {
                    values[column.name] = id_text(schema.pipeline(), record);
                }
                break;
            case ColumnRole::kKey:
                if (names(columns.key, column.name)) {
                    values[column.name] = key_text(record);
                }
                break;
            case ColumnRole::kVersion:
                if (names(columns.version, column.name)) {
                    values[column.name] = version_text(record);
                }
                break;
            case ColumnRole::kSum:
                values[column.name] = "1";
                break;
            case ColumnRole::kTopic:
            case ColumnRole::kPartition:
            case ColumnRole::kOffset:
            case ColumnRole::kTag:
            case ColumnRole::kClaim:
            case ColumnRole::kUnknown:
                break;
        }
    }
    return values;
}

std::vector<ComponentId> processes_of(const Pipeline& pipeline, const RunInputs& inputs) {
    std::vector<ComponentId> processes = inputs.processes;
    if (processes.empty()) {
        for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
            if (pipeline.component(id).type->role == Role::kProcess) {
                processes.push_back(id);
            }
        }
    }
    std::sort(processes.begin(), processes.end());
    return processes;
}

std::vector<RunRecordEntry> default_records(const Pipeline& pipeline, const RunInputs& inputs) {
    std::vector<ComponentId> logs;
    for (const ComponentId process : processes_of(pipeline, inputs)) {
        const Component& component = pipeline.component(process).document;
        for (const auto* connections : {&component.reads, &component.writes}) {
            for (const Connection& connection : *connections) {
                const auto log = pipeline.find(connection.object.text);
                if (log && pipeline.component(*log).type->protocol == Protocol::kLog &&
                    std::find(logs.begin(), logs.end(), *log) == logs.end()) {
                    logs.push_back(*log);
                }
            }
        }
    }
    std::sort(logs.begin(), logs.end());
    std::vector<RunRecordEntry> records;
    std::map<std::pair<std::string, int>, int> keys;  // (key space, number) -> key
    int number_of_log = 0;
    for (const ComponentId log : logs) {
        const Component& topic = pipeline.component(log).document;
        const bool shared = topic.records && !topic.records->key_space.empty();
        const std::string space = shared ? "space " + topic.records->key_space : "log " + topic.name;
        const bool repeats = !topic.records || topic.records->key_repeats != KeyRepeats::kNever;
        for (int offset = 0; offset < inputs.batches * inputs.rows; ++offset) {
            const int number = repeats && offset % inputs.rows == 0 ? 0 : 1 + offset;
            const int key = keys.emplace(std::pair{space, number}, static_cast<int>(keys.size())).first->second;
            records.push_back(
                {log, offset, offset % 2, offset / 2, key, offset * static_cast<int>(logs.size()) + number_of_log});
        }
        ++number_of_log;
    }
    return records;
}

}  // namespace oncecheck
