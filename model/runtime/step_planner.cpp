#include "model/runtime/step_planner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/pipeline/steps.h"
#include "model/runtime/bookkeeping.h"
#include "model/runtime/deployed_sql.h"
#include "model/runtime/statement_sql.h"

namespace oncecheck {

namespace {

using Planned = StepPlan::Planned;
using Reading = StepPlan::Reading;

// A name that a swap needs for a moment.
constexpr const char* kSwapName = "oncecheck_swap";

// Progress under a bare name is a consumer group's, which outlives sessions.
RunObject target_of(const StepContext& context, const Step& step) {
    RunObject target = context.schema->object(context.process, step.target, context.values, context.session);
    if (step.verb == Verb::kCommitOffsets && target.place.scope == ObjectScope::kSession) {
        target.place = progress_place();
    }
    return target;
}

// Adds the object's table if it exists from the start and has not been made when the stores were opened.
void add_existing(const SchemaOfRun& schema, const RunObject& object, std::vector<TableDefinition>& tables) {
    if (!object.from_start) {
        return;
    }
    if (object.place.scope == ObjectScope::kStore) {
        const std::vector<TableDefinition>& made = schema.tables_at_start(object.place.store);
        if (std::any_of(made.begin(), made.end(),
                        [&](const TableDefinition& table) { return table.name == object.name; })) {
            return;
        }
    }
    tables.push_back(schema.definition(object));
}

class StepPlanner {
  public:
    StepPlanner(const StepContext& context, const Step& step)
        : context_(context),
          step_(step),
          target_(target_of(context, step)),
          style_{context.schema, &context.values, context.schema->dialect(target_.place)} {}

    StepStatements plan() {
        const bool in_place = !step_.source || object(*step_.source).place == target_.place;
        if (const std::optional<std::string> deployed = deployed_statement(style_, step_, context_.rows);
            deployed && in_place) {
            add_deployed(*deployed);
            return std::move(result_);
        }
        switch (step_.verb) {
            case Verb::kCreate:
                create();
                break;
            case Verb::kTruncate:
                add(is_postgresql() ? "TRUNCATE " + target_.written : "DELETE FROM " + target_.written);
                break;
            case Verb::kDrop:
                add((step_.must_exist ? "DROP TABLE " : "DROP TABLE IF EXISTS ") + target_.written);
                break;
            case Verb::kAppend:
            case Verb::kInsert:
                insert();
                break;
            case Verb::kMerge:
                merge();
                break;
            case Verb::kDelete:
                add_with_source([style = style_, step = &step_, target = target_.written, on = match_columns()](
                                    const SourceRows& source) { return delete_sql(style, *step, target, source, on); });
                break;
            case Verb::kOverwrite:
                overwrite();
                break;
            case Verb::kSwap:
                swap();
                break;
            case Verb::kClaim:
                claim();
                break;
            case Verb::kCount:
                count();
                break;
            case Verb::kLock:
                add(lock_sql());
                break;
            case Verb::kAcquire:
                acquire();
                break;
            case Verb::kCheck:
                check();
                break;
            case Verb::kCommitOffsets:
                commit_offsets();
                break;
            case Verb::kTransaction:
            case Verb::kBackground:
                throw InternalError("a block of steps is no step");
        }
        return std::move(result_);
    }

  private:
    using SourceSql = std::function<std::string(const SourceRows&)>;

    bool is_postgresql() const { return style_.dialect == Dialect::kPostgresql; }

    RunObject object(const Template& name) const {
        return context_.schema->object(context_.process, name, context_.values, context_.session);
    }

    std::vector<TableDefinition> existing(const std::vector<const RunObject*>& objects) const {
        std::vector<TableDefinition> tables;
        for (const RunObject* named : objects) {
            add_existing(*context_.schema, *named, tables);
        }
        return tables;
    }

    SqlStatement statement(std::string sql) const {
        const bool names_target = targets_object(step_);
        return {target_.place, std::move(sql), names_target ? existing({&target_}) : std::vector<TableDefinition>{},
                step_.position};
    }

    Planned& add(std::string sql, Reading reading = Reading::kNothing, std::string expected = "") {
        result_.statements.push_back({statement(std::move(sql)), reading, std::move(expected), {}});
        return result_.statements.back();
    }

    // A statement that takes rows from the step's source. A source in another place is read first.
    void add_with_source(const SourceSql& sql, Reading reading = Reading::kNothing) {
        if (!step_.source) {
            add(sql({"", step_.has_values ? std::vector<RowValues>{} : context_.rows}), reading);
            return;
        }
        const RunObject source = object(*step_.source);
        if (source.place == target_.place) {
            add(sql({source.written, {}}), reading).statement.existing = existing({&target_, &source});
            return;
        }
        if (result_.reads_first == 0) {
            Planned look;
            look.statement = {source.place, "SELECT * FROM " + source.written, existing({&source}), step_.position};
            look.reading = Reading::kKeepRows;
            result_.statements.insert(result_.statements.begin(), std::move(look));
            result_.reads_first = 1;
        }
        add("", reading).late = [sql](const std::vector<RowValues>& kept) { return sql({"", kept}); };
    }

    void add_deployed(const std::string& sql) {
        Planned& planned = add(sql);
        if (step_.source) {
            const RunObject source = object(*step_.source);
            planned.statement.existing = existing({&target_, &source});
        }
    }

    void create() {
        const TableDefinition table = context_.schema->definition(target_);
        const bool keeps = step_.if_exists == IfExists::kKeep;
        if (step_.if_exists == IfExists::kReplace) {
            add("DROP TABLE IF EXISTS " + target_.written);
        }
        if (keeps && step_.filled) {
            add(exists_sql(), Reading::kRowsEndStep);
        }
        add(create_table(*context_.schema, table, keeps && !step_.filled));
        if (step_.filled) {
            insert();
        }
    }

    // One row if the target exists.
    std::string exists_sql() const {
        return is_postgresql()
                   ? "SELECT 1 WHERE to_regclass(" + quote_text(target_.written) + ") IS NOT NULL"
                   : "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = " + quote_text(target_.name);
    }

    void insert() {
        add_with_source([style = style_, step = &step_, target = target_.written](const SourceRows& source) {
            return insert_sql(style, *step, target, source);
        });
    }

    std::vector<std::string> match_columns() const {
        if (!step_.on.empty()) {
            return step_.on;
        }
        const std::vector<std::vector<std::string>> keys = context_.schema->unique_keys(target_);
        const bool by_rows = step_.verb == Verb::kMerge || step_.where.empty();
        if (keys.empty() && by_rows) {
            throw InputError(
                {{"merge-key", step_.position, std::string("the ") + to_string(step_.verb) + " has no key to match on",
                  "`on`, or a primary key of the target", ""}});
        }
        return keys.empty() ? std::vector<std::string>{} : keys.front();
    }

    // Null for an object of a session or application.
    const ResolvedSettings* store_settings() const {
        const bool in_store = target_.place.scope == ObjectScope::kStore;
        return in_store ? &context_.schema->pipeline().component(target_.place.store).settings : nullptr;
    }

    // Of the rows of a key `dedupe_by` leaves one.
    bool refuses_double_match() const {
        return step_.dedupe_by.empty() && store_settings() != nullptr &&
               store_settings()->meaning("double_match") == "error";
    }

    void merge() {
        using Writer = std::string (*)(const StatementStyle&, const Step&, const std::string&, const SourceRows&,
                                       const std::vector<std::string>&);
        const auto write = [&](Writer writer, Reading reading = Reading::kNothing) {
            add_with_source([writer, style = style_, step = &step_, target = target_.written, on = match_columns()](
                                const SourceRows& source) { return writer(style, *step, target, source, on); },
                            reading);
        };
        const ResolvedSettings* const settings = store_settings();
        if (step_.upsert || (settings != nullptr && settings->meaning("merge") == "upsert")) {
            if (!is_postgresql() && refuses_double_match() && step_.only == MergeOnly::kBoth) {
                add_with_source([style = style_, step = &step_, on = match_columns()](
                                    const SourceRows& source) { return double_key_sql(style, *step, source, on); },
                                Reading::kRowsAreDouble);
            }
            write(upsert_sql);
            return;
        }
        if (is_postgresql()) {
            write(merge_sql);
            return;
        }
        if (step_.only != MergeOnly::kUnmatched) {
            if (refuses_double_match()) {
                write(double_match_sql, Reading::kRowsAreDouble);
            }
            write(update_matched_sql);
        }
        if (step_.only != MergeOnly::kMatched) {
            write(insert_unmatched_sql);
        }
    }

    // Everyone else who writes waits: nobody sees a half, and two that run at once leave the rows of one.
    void overwrite() {
        if (is_postgresql()) {
            add("LOCK TABLE " + target_.written + " IN SHARE ROW EXCLUSIVE MODE");
        }
        add_with_source([style = style_, step = &step_, target = target_.written](const SourceRows& source) {
            return clear_for_overwrite_sql(style, *step, target, source);
        });
        insert();
    }

    void swap() {
        const RunObject partner = object(step_.partner);
        const std::string rename = "ALTER TABLE ";
        add(rename + target_.written + " RENAME TO " + kSwapName).statement.existing = existing({&target_, &partner});
        add(rename + partner.written + " RENAME TO " + target_.written).statement.existing.clear();
        add(rename + kSwapName + " RENAME TO " + partner.written).statement.existing.clear();
    }

    void claim() {
        const std::vector<std::string> columns = context_.schema->claim_columns(target_, step_.key.size());
        std::vector<std::string> names;
        std::vector<std::string> values;
        std::vector<std::string> conditions;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const RunColumn* const column = context_.schema->find_column(columns[i]);
            names.push_back(quote_name(columns[i]));
            values.push_back(quote_value(render_text(step_.key[i], context_.values), column->is_number));
            conditions.push_back(names.back() + " = " + values.back());
        }
        const std::string insert =
            "INSERT INTO " + target_.written + " (" + join(names, ", ") + ") VALUES (" + join(values, ", ") + ')';
        if (!context_.schema->unique_keys(target_).empty()) {
            add(insert + " ON CONFLICT DO NOTHING", Reading::kNoEffectIsClaim);
            return;
        }
        result_.one_effect = false;
        add("SELECT 1 FROM " + target_.written + " WHERE " + join(conditions, " AND ") + " LIMIT 1",
            Reading::kRowsAreClaim);
        add(insert);
    }

    void count() {
        const std::string conditions = conditions_sql(style_, step_.where);
        add("SELECT count(*) FROM " + target_.written + (conditions.empty() ? "" : " WHERE " + conditions),
            Reading::kCount, std::to_string(context_.rows.size()));
    }

    std::string lock_sql() const {
        return is_postgresql() ? "SELECT pg_advisory_lock(hashtextextended(current_schema() || " +
                                     quote_text('.' + target_.name) + ", 0))"
                               : "SELECT oncecheck_lock(" + quote_text(target_.name) + ')';
    }

    void acquire() {
        add("INSERT INTO " + std::string(kFenceTable) + " (name, token) VALUES (" + quote_text(target_.name) + ", " +
            quote_text(context_.token) + ") ON CONFLICT (name) DO UPDATE SET token = excluded.token");
    }

    // In a transaction the row is held until its end. SQLite has no row locks: there the transaction excludes others.
    void check() {
        const bool holds = is_postgresql() && context_.in_transaction;
        add("SELECT token FROM " + std::string(kFenceTable) + " WHERE name = " + quote_text(target_.name) +
                (holds ? " FOR UPDATE" : ""),
            Reading::kToken, context_.token);
    }

    std::string tags() const {
        std::vector<std::string> parts;
        for (const auto& [column, value] : step_.set) {
            parts.push_back(column + '=' + render_text(value, context_.values));
        }
        return quote_text(join(parts, ", "));
    }

    void commit_offsets() {
        const std::string table(kProgressTable);
        const std::string name = quote_text(target_.name);
        const std::string process = quote_text(context_.schema->pipeline().component(context_.process).document.name);
        const std::string end = std::to_string(context_.end_position);
        const std::string into =
            "INSERT INTO " + table + " (name, process, position, tags) VALUES (" + name + ", " + process + ", ";
        if (!step_.if_unchanged) {
            add(into + end + ", " + tags() +
                ") ON CONFLICT (name, process) DO UPDATE SET position = excluded.position, tags = excluded.tags");
            return;
        }
        result_.one_effect = false;  // the first row changes nothing
        add(into + "0, '') ON CONFLICT DO NOTHING");
        add("UPDATE " + table + " SET position = " + end + ", tags = " + tags() + " WHERE name = " + name +
                " AND process = " + process + " AND position = " + std::to_string(context_.start_position),
            Reading::kNoEffectIsMoved);
    }

    const StepContext& context_;
    const Step& step_;
    RunObject target_;
    StatementStyle style_;
    StepStatements result_;
};

}  // namespace

StepStatements plan_statements(const StepContext& context, const Step& step) {
    return StepPlanner(context, step).plan();
}

SqlStatement load_row(const StepContext& context, const Step& append, const RowValues& row) {
    const RunObject target = context.schema->object(context.process, append.target, context.values, context.session);
    const StatementStyle style{context.schema, &context.values, context.schema->dialect(target.place)};
    const std::optional<std::string> deployed = deployed_statement(style, append, {row});
    SqlStatement statement{target.place,
                           deployed ? *deployed : insert_sql(style, append, target.written, {"", {row}}),
                           {},
                           append.position};
    add_existing(*context.schema, target, statement.existing);
    return statement;
}

Place place_of(const StepContext& context, const Step& step) {
    if (step.body.empty()) {
        return target_of(context, step).place;
    }
    for (const Step& inner : step.body) {
        const Place place = place_of(context, inner);
        if (place.scope == ObjectScope::kStore) {
            return place;
        }
    }
    return place_of(context, step.body.front());
}

}  // namespace oncecheck
