#include "model/pipeline/column_checks.h"

#include <algorithm>
#include <set>
#include <string>

#include "model/document/problems.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

using Columns = std::set<std::string>;

Columns as_set(const std::vector<std::string>& columns) { return {columns.begin(), columns.end()}; }

std::string listed(const Columns& columns) {
    std::string text;
    for (const std::string& column : columns) {
        text += (text.empty() ? "" : ", ") + column;
    }
    return '(' + text + ')';
}

std::vector<const Program*> programs_of(const Component& component) {
    return {&component.on_start, &component.steps, &component.on_error};
}

// The columns that some step of the document fills with values.
Columns filled_columns(const Pipeline& pipeline) {
    Columns filled;
    for (const PipelineComponent& component : pipeline.components) {
        for (const Program* program : programs_of(component.document)) {
            for_each_step(*program, [&](const Step& step) {
                for (const auto& [column, unused] : step.set) {
                    filled.insert(column);
                }
            });
        }
    }
    return filled;
}

class ColumnChecker {
  public:
    ColumnChecker(const Pipeline& pipeline, std::vector<Problem>& problems)
        : pipeline_(pipeline), filled_(filled_columns(pipeline)), problems_(problems) {}

    void check(const Component& process) {
        process_ = &process;
        for (const Program* program : programs_of(process)) {
            for_each_step(*program, [&](const Step& step) {
                check_where(step);
                check_version(step);
                check_deduplication(step);
                check_swap(step);
                if (!step.sql.empty() && targets_object(step)) {
                    check_statement(step);
                }
            });
        }
    }

  private:
    void add(const char* code, const Step& step, std::string message, std::string expected, std::string hint = "") {
        add_problem(problems_, {code, step.position, std::move(message), std::move(expected), std::move(hint)});
    }

    // What the logs that the process reads call their columns.
    Columns named(std::string Records::*column) const {
        Columns names;
        for (const Connection& connection : process_->reads) {
            const auto log = pipeline_.find(connection.object.text);
            if (log && pipeline_.component(*log).document.records) {
                names.insert((*pipeline_.component(*log).document.records).*column);
            }
        }
        names.erase("");
        return names;
    }

    void check_where(const Step& step) {
        if (takes_in_records(step) && !step.source && !step.where.empty()) {
            add("where-without-source", step,
                "this condition is on '" + step.where.begin()->first +
                    "', and the rows of the batch have no such column: "
                    "only steps fill it",
                "`where` on rows that are read from an object",
                "name the object with `from` or `using`, or leave `where` out; a filter of the batch is no step");
        }
        for (const auto& [column, value] : step.where) {
            if (!filled_.contains(column)) {
                add("unknown-column", step, "this condition is on '" + column + "', which no step fills",
                    "a column that a step sets to a value", "say `set` where the rows are written");
            }
        }
    }

    void check_version(const Step& step) {
        const Columns versions = named(&Records::version);
        if (!step.newer_by.empty() && !versions.contains(step.newer_by)) {
            add("unknown-column", step, "'" + step.newer_by + "' is not the version of the records",
                "the `version` that the log names in its `records`");
        }
        if (step.grouped_by.empty()) {
            return;
        }
        const Columns groups = as_set(step.grouped_by);
        const Columns keys = named(&Records::key);
        const bool of_copies = groups.size() == 1 && named(&Records::id).contains(*groups.begin());
        const bool of_keys = groups.size() == 1 && keys.contains(*groups.begin()) && versions.contains(step.dedupe_by);
        if (!of_copies && !of_keys) {
            add("unknown-column", step,
                "the rows are grouped by " + listed(groups) + " and ordered by '" + step.dedupe_by +
                    "', which is neither one row of each record nor the newest of each key",
                "groups by the `id`, or by the `key` and ordered by the `version`, that the log names in its "
                "`records`");
        }
    }

    // Of rows that are one to the target the greatest stays; which one that is must be known.
    void check_deduplication(const Step& step) {
        if (step.dedupe_by.empty() || !step.grouped_by.empty() || named(&Records::version).contains(step.dedupe_by)) {
            return;
        }
        if (step.verb != Verb::kMerge) {
            if (named(&Records::key).contains(step.dedupe_by)) {
                add("dedupe-order", step, "of the rows of a key '" + step.dedupe_by + "' leaves any one",
                    "the `version` that the log names in its `records`, or its `id`");
            }
            return;
        }
        std::vector<Problem> ignored;
        const DeclaredObject* const declared =
            declaration_of(pipeline_, resolve_object(pipeline_, step.target, ignored));
        const Columns matched = as_set(!step.on.empty() || declared == nullptr ? step.on : declared->primary_key);
        const Columns ids = named(&Records::id);
        const bool of_copies =
            std::any_of(matched.begin(), matched.end(),
                        [&](const std::string& column) { return ids.contains(column); }) ||
            (matched.contains("topic") && matched.contains("partition") && matched.contains("offset"));
        if (!of_copies) {
            add("dedupe-order", step,
                "of the rows of a key the one with the greatest '" + step.dedupe_by +
                    "' stays, and which that is no log says",
                "the `version` that the log names in its `records`", "name the column there, if it orders the records");
        }
    }

    // Renaming tables exchanges their keys as well.
    void check_swap(const Step& step) {
        if (step.verb != Verb::kSwap) {
            return;
        }
        std::vector<Problem> ignored;
        const std::set<Columns> left = declared_keys(resolve_object(pipeline_, step.target, ignored));
        const std::set<Columns> right = declared_keys(resolve_object(pipeline_, step.partner, ignored));
        if (left != right) {
            add("swapped-keys", step,
                "'" + step.target.text + "' and '" + step.partner.text +
                    "' have different unique keys, and a swap exchanges them",
                "the same keys for both under `tables` of the store",
                "declare them alike, or replace the swap by `overwrite`");
        }
    }

    // The unique keys that the store enforces, as the document declares them.
    std::set<Columns> declared_keys(const ObjectReference& object) const {
        std::set<Columns> keys;
        const DeclaredObject* const declared = declaration_of(pipeline_, object);
        if (declared == nullptr || pipeline_.component(object.store).settings.meaning("enforces_keys") != "yes") {
            return keys;
        }
        if (!declared->primary_key.empty()) {
            keys.insert(as_set(declared->primary_key));
        }
        for (const std::vector<std::string>& key : declared->unique) {
            keys.insert(as_set(key));
        }
        return keys;
    }

    void check_statement(const Step& step) {
        std::vector<Problem> ignored;
        const ObjectReference object = resolve_object(pipeline_, step.target, ignored);
        const bool in_store = object.scope == ObjectScope::kStore;
        const std::set<Columns> keys = in_store ? declared_keys(object) : std::set<Columns>{};
        const Columns matched = as_set(step.on);
        const bool merges = step.verb == Verb::kMerge;
        if (merges && !step.upsert && in_store &&
            pipeline_.component(object.store).settings.meaning("merge") != "statement") {
            add("no-merge", step, "this store has no statement MERGE", "a version that has it, or ON CONFLICT");
        }
        if (merges && step.upsert && !keys.contains(matched)) {
            add("no-unique-key", step, "ON CONFLICT needs a unique key " + listed(matched) + ", and none is declared",
                "the key under `tables` of the store");
        }
        if (!merges && !matched.empty() && step.on_conflict == OnConflict::kIgnore &&
            keys != std::set<Columns>{matched}) {
            add("no-unique-key", step,
                "ON CONFLICT is about the key " + listed(matched) + ", which is not the one key declared",
                "that key, and no other, under `tables` of the store");
        }
        if (step.verb == Verb::kCreate && in_store) {
            check_created(step, keys);
        }
        check_filled(step, keys);
    }

    void check_created(const Step& step, const std::set<Columns>& declared) {
        std::set<Columns> made;
        for (const std::vector<std::string>& key : step.keys) {
            made.insert(as_set(key));
        }
        for (const Columns& key : made) {
            if (!declared.contains(key)) {
                add("undeclared-key", step, "this table gets a unique key " + listed(key) + ", and none is declared",
                    "the same keys under `tables` of the store");
            }
        }
        for (const Columns& key : declared) {
            if (!made.contains(key)) {
                add("undeclared-key", step, "this table does not get the key " + listed(key) + " that is declared",
                    "the same keys as under `tables` of the store");
            }
        }
    }

    // Rows without their key, or without what later conditions compare, would be others than the model's.
    void check_filled(const Step& step, const std::set<Columns>& keys) {
        if (!takes_in_records(step) && !step.has_values) {
            return;
        }
        Columns given = as_set(step.columns.value_or(std::vector<std::string>{}));
        for (const auto& [column, unused] : step.set) {
            given.insert(column);
        }
        if (!step.columns && !step.has_values) {
            return;
        }
        Columns looked_at = compared_columns(step.target);
        for (const Columns& key : keys) {
            looked_at.insert(key.begin(), key.end());
        }
        for (const std::string& column : looked_at) {
            if (!given.contains(column)) {
                add("column-not-filled", step,
                    "this statement does not fill the column '" + column + "', which is a key or is compared",
                    "the column, unchanged from the source or a constant");
            }
        }
    }

    // The columns of the object that steps of the process compare.
    Columns compared_columns(const Template& object) const {
        Columns compared;
        for (const Program* program : programs_of(*process_)) {
            for_each_step(*program, [&](const Step& step) {
                const bool is_source = step.source && *step.source == object;
                const bool is_target = step.target == object;
                if (is_source || is_target) {
                    compared.insert(step.on.begin(), step.on.end());
                    compared.insert(step.newer_by);
                }
                if (is_source || (is_target && step.verb == Verb::kDelete && !step.source)) {
                    for (const auto& [column, unused] : step.where) {
                        compared.insert(column);
                    }
                }
                if (is_source) {
                    compared.insert(step.grouped_by.begin(), step.grouped_by.end());
                    compared.insert(step.dedupe_by);
                }
            });
        }
        compared.erase("");
        return compared;
    }

    const Pipeline& pipeline_;
    const Columns filled_;
    std::vector<Problem>& problems_;
    const Component* process_ = nullptr;
};

}  // namespace

void check_columns(const Pipeline& pipeline, std::vector<Problem>& problems) {
    ColumnChecker checker(pipeline, problems);
    for (const PipelineComponent& component : pipeline.components) {
        checker.check(component.document);
    }
}

}  // namespace oncecheck
