#include "model/runtime/schema_of_run.h"

#include <algorithm>

#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

bool has_placeholder(const Template& name) {
    return std::any_of(name.pieces.begin(), name.pieces.end(),
                       [](const TemplatePiece& piece) { return piece.is_placeholder; });
}

// How the store of an object treats names.
struct NameRules {
    std::size_t longest = 0;  // 0: no limit
    bool in_bytes = true;
    bool folds = true;
    bool refuses_long = false;
};

NameRules rules_of(const Pipeline& pipeline, const ObjectReference& object) {
    NameRules rules;
    if (object.scope != ObjectScope::kStore || pipeline.component(object.store).type->protocol != Protocol::kTables) {
        return rules;
    }
    const ResolvedSettings& settings = pipeline.component(object.store).settings;
    rules.longest = std::stoul(settings.meaning("identifier_length"));
    rules.in_bytes = settings.meaning("identifier_unit") == "bytes";
    rules.folds = settings.meaning("identifier_folding") == "lower";
    rules.refuses_long = settings.meaning("identifier_overflow") == "error";
    return rules;
}

std::string stored_name(const std::string& rendered, const NameRules& rules, const SourcePosition& where) {
    const std::string folded = rules.folds ? lower_case(rendered) : rendered;
    if (rules.longest == 0) {
        return folded;
    }
    const std::string cut = cut_name(folded, rules.longest, rules.in_bytes);
    if (rules.refuses_long && cut != folded) {
        throw InputError({{"name-too-long", where, "the store refuses the name '" + folded + "': it is too long",
                           "at most " + std::to_string(rules.longest) + (rules.in_bytes ? " bytes" : " characters"),
                           "a shorter name"}});
    }
    return cut;
}

std::string columns_text(const std::vector<std::string>& columns) {
    std::vector<std::string> quoted;
    for (const std::string& column : columns) {
        quoted.push_back(quote_name(column));
    }
    return '(' + join(quoted, ", ") + ')';
}

}  // namespace

Place progress_place() { return {ObjectScope::kApplication, 0, "progress"}; }

void for_each_step_of(const Pipeline& pipeline, const std::function<void(ComponentId, const Step&)>& visit) {
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        const Component& component = pipeline.component(id).document;
        for (const Program* program : {&component.on_start, &component.steps, &component.on_error}) {
            for_each_step(*program, [&](const Step& step) { visit(id, step); });
        }
    }
}

SchemaOfRun::SchemaOfRun(const Pipeline& pipeline, Dialect stores)
    : pipeline_(&pipeline), stores_dialect_(stores), columns_(oncecheck::find_columns(pipeline)) {
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        if (pipeline.component(id).type->protocol == Protocol::kTables) {
            stores_.push_back(id);
        }
    }
    find_created();
    find_tables_at_start();
}

Dialect SchemaOfRun::dialect(const Place& place) const {
    return place.scope == ObjectScope::kStore ? stores_dialect_ : Dialect::kSqlite;
}

const RunColumn* SchemaOfRun::find_column(const std::string& name) const {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [&](const RunColumn& column) { return column.name == name; });
    return found == columns_.end() ? nullptr : &*found;
}

void SchemaOfRun::find_created() {
    for_each_step_of(*pipeline_, [&](ComponentId, const Step& step) {
        if (step.verb == Verb::kCreate) {
            std::vector<Problem> ignored;
            created_.push_back(resolve_object(*pipeline_, step.target, ignored));
        }
    });
}

bool SchemaOfRun::is_created(const ObjectReference& reference, const std::string& name) const {
    const NameRules rules = rules_of(*pipeline_, reference);
    const std::size_t length = rules.in_bytes ? name.size() : count_characters(name);
    // A longest name may have lost up to three bytes more, of a character that did not fit.
    const bool cut = rules.longest != 0 && length + 3 >= rules.longest;
    return std::any_of(created_.begin(), created_.end(), [&](const ObjectReference& created) {
        return created.scope == reference.scope && created.store == reference.store &&
               can_render(created.name, name, rules.folds, cut);
    });
}

void SchemaOfRun::find_tables_at_start() {
    for (const ComponentId store : stores_) {
        std::map<std::string, TableDefinition> tables;
        for (const Template& name : names_in(store)) {
            if (!has_placeholder(name)) {
                Template full = name;
                const std::string prefix = pipeline_->component(store).document.name + '.';
                full.text = prefix + name.text;
                full.pieces = {{false, full.text, ""}};
                const RunObject found = object(0, full, {}, "");
                if (found.from_start) {
                    tables.emplace(found.name, definition(found));
                }
            }
        }
        for (auto& [unused, table] : tables) {
            at_start_[store].push_back(std::move(table));
        }
    }
}

RunObject SchemaOfRun::object(ComponentId process, const Template& name, const PlaceholderValues& values,
                              const std::string& session) const {
    std::vector<Problem> problems;
    const ObjectReference reference = resolve_object(*pipeline_, name, problems);
    if (!problems.empty()) {
        throw InputError(std::move(problems));
    }
    RunObject object;
    object.place.scope = reference.scope;
    if (reference.scope == ObjectScope::kStore) {
        object.place.store = reference.store;
    } else if (reference.scope == ObjectScope::kSession) {
        object.place.name = session;
    } else {
        const Component& component = pipeline_->component(process).document;
        object.place.name = component.application.empty() ? component.name : component.application;
    }
    const std::string rendered = render_text(reference.name, values);
    const NameRules rules = rules_of(*pipeline_, reference);
    object.name = stored_name(rendered, rules, name.where);
    const bool store_reads_it = dialect(object.place) == Dialect::kPostgresql && rules.folds;
    object.written = store_reads_it ? unquoted_name(rendered) : quote_name(object.name);
    object.declared = declaration_of(*pipeline_, reference);
    object.from_start = !is_created(reference, object.name);
    return object;
}

std::vector<std::vector<std::string>> SchemaOfRun::unique_keys(const RunObject& object) const {
    std::vector<std::vector<std::string>> keys;
    const bool enforced = object.declared != nullptr && object.place.scope == ObjectScope::kStore &&
                          pipeline_->component(object.place.store).settings.meaning("enforces_keys") == "yes";
    if (!enforced) {
        return keys;
    }
    if (!object.declared->primary_key.empty()) {
        keys.push_back(object.declared->primary_key);
    }
    keys.insert(keys.end(), object.declared->unique.begin(), object.declared->unique.end());
    return keys;
}

TableDefinition SchemaOfRun::definition(const RunObject& object) const {
    TableDefinition table{object.name, object.written, {}, unique_keys(object)};
    if (!table.unique.empty() && !object.declared->primary_key.empty()) {
        table.primary_key = table.unique.front();
        table.unique.erase(table.unique.begin());
    }
    return table;
}

std::vector<std::string> SchemaOfRun::claim_columns(const RunObject& object, std::size_t size) const {
    const std::vector<std::string>* const key = object.declared == nullptr ? nullptr : claimed_key(*object.declared);
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < size; ++i) {
        columns.push_back(key != nullptr && i < key->size() ? (*key)[i] : claim_column(i));
    }
    return columns;
}

const std::vector<TableDefinition>& SchemaOfRun::tables_at_start(ComponentId store) const {
    static const std::vector<TableDefinition> kNone;
    const auto found = at_start_.find(store);
    return found == at_start_.end() ? kNone : found->second;
}

std::vector<Template> SchemaOfRun::names_in(ComponentId store) const {
    std::vector<Template> names;
    for (const DeclaredObject& object : pipeline_->component(store).document.objects) {
        names.push_back(object.name);
    }
    for_each_step_of(*pipeline_, [&](ComponentId, const Step& step) {
        if (!targets_object(step)) {
            return;
        }
        std::vector<Template> mentioned{step.target};
        if (step.source) {
            mentioned.push_back(*step.source);
        }
        if (!step.partner.text.empty()) {
            mentioned.push_back(step.partner);
        }
        for (const Template& name : mentioned) {
            std::vector<Problem> ignored;
            const ObjectReference reference = resolve_object(*pipeline_, name, ignored);
            if (reference.scope == ObjectScope::kStore && reference.store == store) {
                names.push_back(reference.name);
            }
        }
    });
    return names;
}

std::string create_table(const SchemaOfRun& schema, const TableDefinition& table, bool if_absent) {
    std::vector<std::string> parts;
    for (const RunColumn& column : schema.columns()) {
        const bool in_key =
            std::find(table.primary_key.begin(), table.primary_key.end(), column.name) != table.primary_key.end();
        parts.push_back(quote_name(column.name) + (column.is_number ? " bigint" : " text") +
                        (in_key ? " NOT NULL" : ""));
    }
    if (!table.primary_key.empty()) {
        parts.push_back("PRIMARY KEY " + columns_text(table.primary_key));
    }
    for (const std::vector<std::string>& key : table.unique) {
        parts.push_back("UNIQUE " + columns_text(key));
    }
    return std::string("CREATE TABLE ") + (if_absent ? "IF NOT EXISTS " : "") + table.written + " (" +
           join(parts, ", ") + ')';
}

}  // namespace oncecheck
