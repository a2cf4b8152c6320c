#include "model/semantics/statements.h"

#include <algorithm>

#include "model/pipeline/steps.h"

namespace oncecheck {

const char* to_string(StagingFlaw flaw) {
    switch (flaw) {
        case StagingFlaw::kForeign:
            return "foreign rows";
        case StagingFlaw::kMissing:
            return "missing rows";
        case StagingFlaw::kDoubled:
            return "doubled rows";
    }
    return "";
}

std::vector<std::string> match_columns(const Step& step, const ObjectInstance& target) {
    if (!step.on.empty() || target.unique_keys.empty()) {
        return step.on;
    }
    return target.unique_keys.front();
}

RowClass claimed_row(const Step& step, const ObjectInstance& ledger, const Site& site) {
    RowClass row;
    for (std::size_t i = 0; i < step.key.size(); ++i) {
        const bool named = !ledger.unique_keys.empty() && i < ledger.unique_keys.front().size();
        row.tags.emplace(named ? ledger.unique_keys.front()[i] : "key " + std::to_string(i + 1),
                         column_value(step.key[i], site));
    }
    return row;
}

Paths StatementRunner::run(const Step& step, std::size_t index, Path path, int only_record) {
    prefix_ = prefix_.substr(0, prefix_.find('#')) + '#' + std::to_string(index);
    later_ = index > 0;
    switch (step.verb) {
        case Verb::kCreate:
            return create(step, std::move(path));
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kDelete:
            return erase(step, std::move(path));
        case Verb::kAppend:
        case Verb::kInsert:
            return put_rows(step, std::move(path), only_record);
        case Verb::kMerge:
            return merge(step, std::move(path));
        case Verb::kOverwrite:
            return overwrite(step, std::move(path));
        case Verb::kSwap:
            return swap(step, std::move(path));
        case Verb::kClaim:
            return claim(step, std::move(path));
        case Verb::kCount:
            return count(step, std::move(path));
        case Verb::kAcquire:
        case Verb::kCheck:
            return fence(step, std::move(path));
        case Verb::kCommitOffsets:
            return commit_offsets(step, std::move(path));
        case Verb::kLock:
        case Verb::kTransaction:
        case Verb::kBackground:
            break;
    }
    throw InternalError("a block or lock is no statement");
}

Paths StatementRunner::create(const Step& step, Path path) {
    const ObjectInstance& target = model_.object(site_, step.target);
    Paths result;
    if (phase_ == Phase::kRead) {
        return read_source(step, std::move(path));
    }
    const Expression exists = target.exists ? path.get(*target.exists) : truth();
    if (step.if_exists == IfExists::kFail) {
        fail_if(exists, "'" + target.identity + "' exists already", path, result);
    } else if (step.if_exists == IfExists::kKeep && !exists.is_constant(0)) {
        Path kept = path;
        kept.require(exists);
        result.push_back(std::move(kept));
        path.require(!exists);
    } else {
        clear(target, path);
    }
    if (target.exists) {
        path.set(*target.exists, truth());
    }
    if (!step.filled) {
        return with(std::move(result), std::move(path));
    }
    require_records(step, path, result);
    for (const SourceRow& row : source_rows(step, path, -1)) {
        add_row(path, result, target, row, OnConflict::kFail);
    }
    return with(std::move(result), std::move(path));
}

Paths StatementRunner::overwrite(const Step& step, Path path) {
    if (phase_ == Phase::kRead) {
        return read_source(step, std::move(path));
    }
    const ObjectInstance& target = model_.object(site_, step.target);
    Paths result;
    require_existing(target, path, result);
    require_source(step, path, result);
    require_records(step, path, result);
    const std::vector<SourceRow> rows = source_rows(step, path, -1);
    std::map<std::string, Expression> replaced;  // partition -> the source has rows of it
    for (const SourceRow& row : rows) {
        const std::string part = step.partition.empty() ? "" : key(row.row, {step.partition});
        Expression& found = replaced.emplace(part, falsity()).first->second;
        found = disjunction({found, some(row.count)});
    }
    for (const auto& [row, variable] : target.counts) {
        if (step.partition.empty()) {
            remove_rows(variable, truth(), path);
            continue;
        }
        const auto found = replaced.find(key(row, {step.partition}));
        if (found != replaced.end()) {
            remove_rows(variable, found->second, path);
        }
    }
    for (const SourceRow& row : rows) {
        add_row(path, result, target, row, OnConflict::kFail);
    }
    return with(std::move(result), std::move(path));
}

Paths StatementRunner::swap(const Step& step, Path path) {
    const ObjectInstance& left = model_.object(site_, step.target);
    const ObjectInstance& right = model_.object(site_, step.partner);
    Paths result;
    require_existing(left, path, result);
    require_existing(right, path, result);
    const Path before = path;
    for (const auto& [row, variable] : left.counts) {
        path.set(variable, before.get(right.counts.at(row)));
        path.set(right.counts.at(row), before.get(variable));
    }
    return with(std::move(result), std::move(path));
}

Paths StatementRunner::claim(const Step& step, Path path) {
    const ObjectInstance& ledger = model_.object(site_, step.target);
    Paths result;
    require_existing(ledger, path, result);
    const RowClass row = claimed_row(step, ledger, site_);
    const VariableId variable = ledger.counts.at(row);
    const bool checked_before = phase_ == Phase::kCommit && ledger.unique_keys.empty();
    if (phase_ == Phase::kCommit && snapshot_ && !checked_before) {
        fail_if(some(path.get(variable)), "the claim was taken after the snapshot", path, result);
    } else if (!checked_before) {
        const Expression claimed = some(path.get(variable));
        if (step.if_claimed == IfClaimed::kFail) {
            fail_if(claimed, "the claim is taken", path, result);
        } else {
            Path skipped = path;
            skipped.require(claimed);
            skipped.end(PathEnd::kSkipped, "the claim is taken: skips");
            result.push_back(std::move(skipped));
            path.require(!claimed);
        }
    }
    if (phase_ != Phase::kRead) {
        path.set(variable, add({path.get(variable), truth()}, ledger.cap));
    }
    return with(std::move(result), std::move(path));
}

Paths StatementRunner::count(const Step& step, Path path) {
    if (phase_ == Phase::kCommit) {
        return {std::move(path)};
    }
    const ObjectInstance& source = model_.object(site_, step.target);
    Paths result;
    require_existing(source, path, result);
    const std::vector<int> records = model_.batch_records(process(), *site_.context);
    std::vector<Expression> counts;
    for (const auto& [row, variable] : source.counts) {
        if (where_accepts(step, row)) {
            counts.push_back(path.get(variable));
        }
    }
    const Value expected = static_cast<Value>(records.size());
    const Expression sum = add(counts, std::max(source.cap, expected + 1));
    fail_if(!equal(sum, Expression::constant(expected)), "the row count is not that of the batch", path, result);
    return with(std::move(result), std::move(path));
}

Paths StatementRunner::fence(const Step& step, Path path) {
    const std::string name = model_.identity_of(site_, step.target);
    if (step.verb == Verb::kCheck) {
        Paths result;
        if (phase_ != Phase::kCommit || snapshot_) {
            fail_if(equals(execution_.holds.at(name), 0), "the fencing token is not valid any more", path, result);
        }
        return with(std::move(result), std::move(path));
    }
    for (const Execution* other : model_.executions()) {
        const auto held = other->holds.find(name);
        if (held != other->holds.end()) {
            path.set(held->second, falsity());
        }
    }
    path.set(execution_.holds.at(name), truth());
    return {std::move(path)};
}

Paths StatementRunner::commit_offsets(const Step& step, Path path) {
    Paths result;
    const VariableId mark = model_.progress_marks.at(model_.identity_of(site_, step.target) + '/' + process().name);
    if (step.if_unchanged) {
        fail_if(!equal(path.get(mark), Expression::constant(static_cast<Value>(site_.context->start))),
                "the stored position is not where this batch starts", path, result);
    }
    path.set(mark, Expression::constant(static_cast<Value>(site_.context->end)));
    return with(std::move(result), std::move(path));
}

RowClass StatementRunner::with_set(const Step& step, RowClass row) const {
    for (const auto& [column, value] : step.set) {
        if (model_.columns.relevant.contains(column)) {
            row.tags.insert_or_assign(column, column_value(value, site_));
        }
    }
    return row;
}

bool StatementRunner::where_accepts(const Step& step, const RowClass& row) const {
    return std::all_of(step.where.begin(), step.where.end(), [&](const auto& condition) {
        const auto tag = row.tags.find(condition.first);
        return tag != row.tags.end() && tag->second == column_value(condition.second, site_);
    });
}

void StatementRunner::require_existing(const ObjectInstance& object, Path& path, Paths& ended) const {
    if (object.exists) {
        fail_if(!path.get(*object.exists), "'" + object.identity + "' does not exist", path, ended);
    }
}

// At the commit of a unit that is split the client has read its views long ago.
void StatementRunner::require_source(const Step& step, Path& path, Paths& ended) const {
    if (step.source && (phase_ != Phase::kCommit || reads_in_store(step))) {
        require_existing(model_.object(site_, *step.source), path, ended);
    }
}

void StatementRunner::clear(const ObjectInstance& object, Path& path) const {
    for (const auto& [row, variable] : object.counts) {
        remove_rows(variable, truth(), path);
        const auto readers = model_.not_kept.find(variable);
        if (readers == model_.not_kept.end()) {
            continue;
        }
        for (const auto& [reader, seen] : readers->second) {
            if (reader != &execution_) {
                path.set(seen, Expression::constant(0));
            }
        }
    }
}

// The snapshot is older than the statement, which is the first of its transaction to use the table: until then another
// may truncate it.
void StatementRunner::note_unkept(VariableId rows, VariableId seen) {
    if (snapshot_ && later_ && phase_ == Phase::kRead) {
        model_.not_kept[rows].emplace(&execution_, seen);
    }
}

std::string StatementRunner::key(const RowClass& row, const std::vector<std::string>& columns) const {
    return key_of(row, columns, model_.columns, model_.universe.records, *model_.pipeline);
}

std::string StatementRunner::capability(const ObjectInstance& object, const std::string& name) const {
    if (object.reference.scope != ObjectScope::kStore) {
        return "";
    }
    return model_.pipeline->component(object.reference.store).settings.meaning(name);
}

VariableId StatementRunner::buffer(const std::string& what, Value largest) {
    const std::string name = prefix_ + '/' + what;
    const auto found = execution_.buffer.find(name);
    if (found != execution_.buffer.end()) {
        return found->second;
    }
    const VariableId variable = model_.add_variable("buffer " + name, largest, 0, false);
    execution_.buffer.emplace(name, variable);
    return variable;
}

}  // namespace oncecheck
