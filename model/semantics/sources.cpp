// Sources: what a statement reads from the batch or a staging object, and what of it does not belong to the batch.
#include "model/pipeline/steps.h"
#include "model/semantics/statements.h"

namespace oncecheck {

std::vector<StatementRunner::SourceRow> StatementRunner::source_rows(const Step& step, const Path& path,
                                                                     int only_record) {
    std::vector<SourceRow> rows;
    if (!step.source) {
        for (const int record : model_.batch_records(process(), *site_.context)) {
            if (only_record >= 0 && record != only_record) {
                continue;
            }
            rows.push_back({with_set(step, {record, {}}), !expired()});
        }
        return rows;
    }
    const ObjectInstance& source = model_.object(site_, *step.source);
    if (phase_ != Phase::kCommit) {
        note_hazards(step, source, path);
    }
    std::size_t ordinal = 0;
    for (const auto& [row, variable] : source.counts) {
        ++ordinal;
        if (!where_accepts(step, row)) {
            continue;
        }
        Expression count = path.get(variable);
        if (phase_ == Phase::kCommit) {
            count = path.get(buffer("row " + std::to_string(ordinal), source.cap));
        }
        rows.push_back({with_set(step, row), count});
    }
    return rows;
}

// The log has lost the records of the batch.
Expression StatementRunner::expired() const {
    const auto gone = process().gone.find(site_.context->batch);
    return gone == process().gone.end() ? falsity() : Expression::variable(gone->second);
}

// A step that reads the batch fails if the log has lost it and the source says so.
void StatementRunner::require_records(const Step& step, Path& path, Paths& ended) const {
    if (!step.source && !step.has_values && process().gap_fails) {
        fail_if(expired(), "the records of the batch have expired", path, ended);
    }
}

// The statement's snapshot: what the source holds goes into the buffers of the unit.
Paths StatementRunner::read_source(const Step& step, Path path) {
    Paths result;
    if (!step.source) {
        result.push_back(std::move(path));
        return result;
    }
    const ObjectInstance& source = model_.object(site_, *step.source);
    require_existing(source, path, result);
    note_hazards(step, source, path);
    std::size_t ordinal = 0;
    for (const auto& [row, variable] : source.counts) {
        ++ordinal;
        if (where_accepts(step, row)) {
            const VariableId seen = buffer("row " + std::to_string(ordinal), source.cap);
            path.set(seen, path.get(variable));
            if (source.reference.scope == ObjectScope::kStore) {
                note_unkept(variable, seen);
            }
        }
    }
    result.push_back(std::move(path));
    return result;
}

// Rows of a session or application are read by the client and sent on in a statement of their own.
bool StatementRunner::reads_in_store(const Step& step) const {
    return !step.source || model_.object(site_, *step.source).reference.scope == ObjectScope::kStore;
}

// `dedupe_by`: of the rows that are one to the target, the greatest. A merge groups them by the columns that it matches
// on. For others the version column compares versions of a key; any other column, or groups by the record's id, tell
// copies of one record.
void StatementRunner::keep_greatest(const Step& step, std::vector<SourceRow>& rows) const {
    if (step.dedupe_by.empty()) {
        return;
    }
    const auto column = model_.columns.record_columns.find(step.dedupe_by);
    const auto grouping = step.grouped_by.size() == 1 ? model_.columns.record_columns.find(step.grouped_by.front())
                                                      : model_.columns.record_columns.end();
    const bool of_copies = grouping != model_.columns.record_columns.end() && grouping->second == "id";
    const bool by_version = !of_copies && column != model_.columns.record_columns.end() && column->second == "version";
    const std::vector<SourceRow> before = rows;
    const std::vector<std::string> matched =
        step.verb == Verb::kMerge ? match_columns(step, model_.object(site_, step.target)) : std::vector<std::string>{};
    const auto group = [&](const SourceRow& row) {
        if (step.verb == Verb::kMerge) {
            return key(row.row, matched);
        }
        const Record& record = model_.universe.records[static_cast<std::size_t>(row.row.record)];
        return std::to_string(by_version ? record.key : row.row.record);
    };
    const auto version = [&](const SourceRow& row) {
        return model_.universe.records[static_cast<std::size_t>(row.row.record)].version;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<Expression> greater;
        for (std::size_t j = 0; j < before.size() && rows[i].row.record >= 0; ++j) {
            if (before[j].row.record >= 0 && i != j && group(before[j]) == group(before[i]) &&
                (version(before[j]) > version(before[i]) || (version(before[j]) == version(before[i]) && j < i))) {
                greater.push_back(some(before[j].count));
            }
        }
        rows[i].count = choose(conjunction({some(before[i].count), !disjunction(greater)}), truth(), falsity());
    }
}

bool StatementRunner::is_staging(const ObjectInstance& source) const {
    bool written = false;
    for_each_step(model_.pipeline->component(process().id).document.steps, [&](const Step& step) {
        written = written || (takes_in_records(step) && model_.identity_of(site_, step.target) == source.identity);
    });
    return written;
}

void StatementRunner::note_hazards(const Step& step, const ObjectInstance& source, const Path& path) {
    if (!is_staging(source) || site_.context == nullptr) {
        return;
    }
    const std::vector<int> batch = model_.batch_records(process(), *site_.context);
    std::vector<Expression> foreign;
    std::map<int, std::vector<Expression>> own;
    for (const int record : batch) {
        own[record];
    }
    for (const auto& [row, variable] : source.counts) {
        if (row.record < 0 || !where_accepts(step, row)) {
            continue;
        }
        const auto found = own.find(row.record);
        if (found != own.end()) {
            found->second.push_back(path.get(variable));
        } else {
            foreign.push_back(some(path.get(variable)));
        }
    }
    std::vector<Expression> missing;
    std::vector<Expression> doubled;
    for (const auto& [record, counts] : own) {
        std::vector<Expression> present;
        for (const Expression& count : counts) {
            present.push_back(some(count));
        }
        missing.push_back(!disjunction(present));
        doubled.push_back(twice(counts));
    }
    const bool skips_second = step.verb == Verb::kMerge && step.only == MergeOnly::kUnmatched &&
                              upserts(step, model_.object(site_, step.target));
    const bool keeps_single = !step.dedupe_by.empty() || skips_second ||
                              (step.verb == Verb::kInsert && step.on_conflict == OnConflict::kIgnore);
    const Expression guard = path.guard();
    hazards_.push_back({StagingFlaw::kForeign, conjunction({guard, disjunction(foreign)})});
    hazards_.push_back({StagingFlaw::kMissing, conjunction({guard, disjunction(missing)})});
    if (!keeps_single) {
        hazards_.push_back({StagingFlaw::kDoubled, conjunction({guard, disjunction(doubled)})});
    }
}

}  // namespace oncecheck
