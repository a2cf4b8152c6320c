// Deletes: rows that go, and rows that a delete of an open transaction has seen while others remove them.
#include "model/semantics/statements.h"

namespace oncecheck {

Paths StatementRunner::erase(const Step& step, Path path) {
    const ObjectInstance& target = model_.object(site_, step.target);
    Paths result;
    if (step.verb != Verb::kDrop || step.must_exist) {
        require_existing(target, path, result);
    }
    if (step.verb == Verb::kDelete) {
        return erase_rows(step, target, std::move(path), std::move(result));
    }
    if (phase_ == Phase::kRead) {  // takes its lock
        return with(std::move(result), std::move(path));
    }
    clear(target, path);  // truncate and drop respect no tags
    if (step.verb == Verb::kDrop && target.exists) {
        path.set(*target.exists, falsity());
    }
    return with(std::move(result), std::move(path));
}

// In a split unit a delete takes the rows that it sees when it runs; rows that come later stay.
Paths StatementRunner::erase_rows(const Step& step, const ObjectInstance& target, Path path, Paths result) {
    std::map<std::string, Expression> named;  // key -> some source row has it
    if (step.source && phase_ != Phase::kCommit) {
        require_existing(model_.object(site_, *step.source), path, result);
        for (const SourceRow& row : source_rows(step, path, -1)) {
            Expression& found = named.emplace(key(row.row, match_columns(step, target)), falsity()).first->second;
            found = disjunction({found, some(row.count)});
        }
    }
    Paths open{std::move(path)};
    std::size_t ordinal = 0;
    for (const auto& [row, variable] : target.counts) {
        ++ordinal;
        Expression affected = truth();
        if (step.source) {
            const auto found = named.find(key(row, match_columns(step, target)));
            affected = found == named.end() ? falsity() : found->second;
        } else if (!where_accepts(step, row)) {
            affected = falsity();
        }
        switch (phase_) {
            case Phase::kWhole:
                if (!affected.is_constant(0)) {
                    remove_rows(variable, affected, open.front());
                }
                break;
            case Phase::kRead:
                if (!affected.is_constant(0)) {
                    const Expression count = open.front().get(variable);
                    const VariableId seen = seen_rows(target, ordinal, variable);
                    open.front().set(seen, choose(affected, count, Expression::constant(0)));
                    note_unkept(variable, seen);
                }
                break;
            case Phase::kCommit:
                if (execution_.buffer.contains(seen_name(target, ordinal))) {
                    open = remove_seen(seen_rows(target, ordinal, variable), variable, target.cap, std::move(open),
                                       result);
                }
                break;
        }
    }
    std::move(open.begin(), open.end(), std::back_inserter(result));
    return result;
}

// All rows of the class go, also those that an open delete of someone else has seen.
void StatementRunner::remove_rows(VariableId rows, const Expression& affected, Path& path) const {
    path.set(rows, choose(affected, Expression::constant(0), path.get(rows)));
    const auto seen = model_.seen.find(rows);
    if (seen != model_.seen.end()) {
        for (const auto& [variable, when_gone] : seen->second) {
            const Expression before = path.get(variable);
            path.set(variable, choose(conjunction({affected, some(before)}), Expression::constant(when_gone), before));
        }
    }
}

// Others remove rows of shared objects only, and tell them by the object's name.
std::string StatementRunner::seen_name(const ObjectInstance& target, std::size_t ordinal) const {
    return prefix_ + "/seen " + (target.plane.empty() ? target.identity + ' ' : "") + std::to_string(ordinal);
}

VariableId StatementRunner::seen_rows(const ObjectInstance& target, std::size_t ordinal, VariableId rows) {
    const std::string name = seen_name(target, ordinal).substr(prefix_.size() + 1);
    const VariableId variable = buffer(name, target.cap + 1);
    model_.seen[rows].emplace(variable, snapshot_ ? target.cap + 1 : 0);
    return variable;
}

// Count minus what the delete has seen; what is left of a saturated count ("cap or more") is one of two values.
Paths StatementRunner::remove_seen(VariableId seen, VariableId rows, Value cap, Paths open, Paths& ended) {
    Paths result;
    for (Path& path : open) {
        const Expression count = path.get(rows);
        const Expression deleted = path.get(seen);
        fail_if(equal(deleted, Expression::constant(cap + 1)), "another transaction has deleted the same rows", path,
                ended);
        Expression left = count;
        for (Value before = 1; before <= cap; ++before) {
            for (Value gone = 1; gone <= cap; ++gone) {
                left = choose(conjunction({equal(count, Expression::constant(before)),
                                           equal(deleted, Expression::constant(gone))}),
                              Expression::constant(before > gone ? before - gone : 0), left);
            }
        }
        const auto others = model_.seen.find(rows);
        for (const auto& [other, when_gone] : others->second) {
            if (other != seen) {
                const Expression before = path.get(other);
                path.set(other,
                         choose(conjunction({some(deleted), some(before)}), Expression::constant(when_gone), before));
            }
        }
        if (cap > 1) {
            Path more = path;
            more.require(conjunction({equal(count, Expression::constant(cap)), some(deleted)}));
            more.set(rows, count);
            result.push_back(std::move(more));
        }
        path.set(rows, left);
        result.push_back(std::move(path));
    }
    return result;
}

}  // namespace oncecheck
