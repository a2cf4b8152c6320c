#include "model/runtime/gaps.h"

#include <algorithm>
#include <functional>

#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

using Uses = bool (*)(const Step& step);

bool merges(const Step& step) { return step.verb == Verb::kMerge; }
bool may_match_twice(const Step& step) { return step.verb == Verb::kMerge && step.dedupe_by.empty(); }
bool reads_rows(const Step& step) { return step.source && (takes_in_records(step) || step.verb == Verb::kDelete); }
bool truncates(const Step& step) { return step.verb == Verb::kTruncate; }
bool is_serializable(const Step& step) {
    return step.verb == Verb::kTransaction && step.isolation == Isolation::kSerializable;
}
bool is_transaction(const Step& step) { return step.verb == Verb::kTransaction; }
bool adds_rows(const Step& step) { return takes_in_records(step) || step.has_values; }

// A meaning of the catalogue that some steps rest on: the values for which PostgreSQL behaves as declared.
struct Capability {
    const char* meaning;
    std::vector<std::string> offered;
    Uses used;
    const char* what;
};

const std::vector<Capability>& postgresql_capabilities() {
    static const std::vector<Capability> kCapabilities{
        {"double_match",
         {"error"},
         may_match_twice,
         "takes any of two source rows for one row; PostgreSQL refuses them"},
        {"unmatched_twice",
         {"error-if-unique"},
         may_match_twice,
         "takes any of two source rows with one key; PostgreSQL refuses them"},
        {"insert_select_reads",
         {"snapshot"},
         reads_rows,
         "locks the rows that an INSERT ... SELECT reads; PostgreSQL reads a snapshot"},
        {"serializable",
         {"detection"},
         is_serializable,
         "keeps serializable transactions apart by locks; PostgreSQL aborts one of them"},
        {"truncate_waits", {"yes"}, truncates, "truncates without waiting for others; PostgreSQL waits for its lock"},
        {"unique_conflict",
         {"wait-then-error"},
         adds_rows,
         "refuses a key at once that an open transaction holds; PostgreSQL waits for that transaction"},
        {"default_isolation",
         {"read-committed", "repeatable-read", "snapshot", "serializable"},
         is_transaction,
         "lets transactions read what others have not committed; PostgreSQL never does"},
        {"merge", {"statement", "upsert"}, merges, "cannot merge"},
    };
    return kCapabilities;
}

class GapFinder {
  public:
    GapFinder(const SchemaOfRun& schema, Dialect dialect) : schema_(schema), dialect_(dialect) {}

    std::vector<Gap> find() {
        check_columns();
        for (const ComponentId store : schema_.stores()) {
            check_names(store);
        }
        for (const PipelineComponent& component : schema_.pipeline().components) {
            const Component& document = component.document;
            for (const Program* program : {&document.on_start, &document.steps, &document.on_error}) {
                check_program(*program);
            }
        }
        return std::move(gaps_);
    }

  private:
    void add(Gap::Kind kind, const std::string& capability, const std::string& message, const SourcePosition& where) {
        const bool known = std::any_of(gaps_.begin(), gaps_.end(), [&](const Gap& gap) {
            return gap.capability == capability && gap.message == message;
        });
        if (!known) {
            gaps_.push_back({kind, capability, message, where});
        }
    }

    void check_columns() {
        constexpr std::size_t kLongestColumn = 63;  // PostgreSQL 15 documentation, Identifiers and Key Words
        const std::vector<RunColumn>& columns = schema_.columns();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string& name = columns[i].name;
            if (dialect_ == Dialect::kPostgresql && name.size() > kLongestColumn) {
                add(Gap::Kind::kNever, "columns", "the name of the column '" + name + "' is longer than 63 bytes",
                    schema_.pipeline().document.where);
            }
            for (std::size_t j = 0; j < i && dialect_ == Dialect::kSqlite; ++j) {
                if (lower_case(columns[j].name) == lower_case(name)) {
                    add(Gap::Kind::kOtherStore, "columns",
                        "the columns '" + columns[j].name + "' and '" + name +
                            "' are one to SQLite, which does not tell upper from lower case",
                        schema_.pipeline().document.where);
                }
            }
        }
    }

    void check_names(ComponentId store) {
        const PipelineComponent& component = schema_.pipeline().component(store);
        if (component.settings.meaning("identifier_folding") == "lower" || dialect_ == Dialect::kPostgresql) {
            return;
        }
        for (const Template& name : schema_.names_in(store)) {
            if (lower_case(name.text) != name.text) {
                add(Gap::Kind::kOtherStore, "identifier_folding",
                    "'" + component.document.name + "' tells upper from lower case in the name '" + name.text +
                        "'; SQLite does not",
                    name.where);
            }
        }
    }

    void check_program(const Program& program) {
        for (const Step& step : program) {
            check_step(step);
            check_program(step.body);
        }
    }

    void check_step(const Step& step) {
        const Step& named = step.verb == Verb::kTransaction && !step.body.empty() ? step.body.front() : step;
        std::vector<Problem> ignored;
        const ObjectReference object = resolve_object(schema_.pipeline(), named.target, ignored);
        if (object.scope != ObjectScope::kStore ||
            schema_.pipeline().component(object.store).type->protocol != Protocol::kTables) {
            return;
        }
        const PipelineComponent& store = schema_.pipeline().component(object.store);
        if (step.verb == Verb::kMerge && store.settings.meaning("merge") == "upsert") {
            check_upsert(step, object);
        }
        if (dialect_ == Dialect::kPostgresql) {
            check_postgresql(step, store);
        } else {
            check_sqlite(step, store);
        }
    }

    // An upsert finds the row that is there by a unique key, and by nothing else.
    void check_upsert(const Step& step, const ObjectReference& object) {
        const DeclaredObject* declared = declaration_of(schema_.pipeline(), object);
        std::vector<std::string> on = step.on;
        if (on.empty() && declared != nullptr) {
            on = declared->primary_key;
        }
        std::sort(on.begin(), on.end());
        std::vector<std::vector<std::string>> keys;
        if (declared != nullptr) {
            keys = declared->unique;
            keys.push_back(declared->primary_key);
        }
        for (std::vector<std::string>& key : keys) {
            std::sort(key.begin(), key.end());
        }
        if (step.only == MergeOnly::kBoth && std::find(keys.begin(), keys.end(), on) == keys.end()) {
            add(Gap::Kind::kNever, "merge",
                "an upsert into '" + to_string(schema_.pipeline(), object) +
                    "' needs a unique key on the columns that it matches on; declare one",
                step.position);
        }
    }

    void check_postgresql(const Step& step, const PipelineComponent& store) {
        for (const Capability& capability : postgresql_capabilities()) {
            const std::string value = store.settings.meaning(capability.meaning);
            const bool offered =
                std::find(capability.offered.begin(), capability.offered.end(), value) != capability.offered.end();
            if (!offered && capability.used(step)) {
                add(Gap::Kind::kNever, capability.meaning,
                    "'" + store.document.name + "' (" + store.type->label + ") " + capability.what, step.position);
            }
        }
    }

    void check_sqlite(const Step& step, const PipelineComponent& store) {
        if (step.verb == Verb::kTransaction) {
            add(Gap::Kind::kSerial, "isolation",
                "SQLite runs the transactions of '" + store.document.name +
                    "' one after another; what takes two side by side needs PostgreSQL",
                step.position);
        }
        if (step.verb == Verb::kMerge && store.settings.meaning("merge") == "statement") {
            add(Gap::Kind::kSerial, "merge",
                "SQLite has no MERGE: UPDATE and INSERT in one transaction stand in for that of '" +
                    store.document.name + "'; a race of two needs PostgreSQL",
                step.position);
        }
    }

    const SchemaOfRun& schema_;
    Dialect dialect_;
    std::vector<Gap> gaps_;
};

std::string text_of(const std::vector<Gap>& gaps) {
    std::string text = "this store cannot stand in for what the document needs:";
    for (const Gap& gap : gaps) {
        text += "\n  " + to_string(gap.where) + ": " + gap.capability + ": " + gap.message;
        text += gap.kind == Gap::Kind::kNever ? "" : "; run it with --store postgresql://...";
    }
    return text;
}

}  // namespace

std::vector<Gap> find_gaps(const SchemaOfRun& schema, Dialect dialect) { return GapFinder(schema, dialect).find(); }

void refuse_gaps(const SchemaOfRun& schema, Dialect dialect, bool strict) {
    std::vector<Gap> gaps = find_gaps(schema, dialect);
    std::erase_if(gaps, [&](const Gap& gap) { return gap.kind == Gap::Kind::kSerial && !strict; });
    if (!gaps.empty()) {
        throw NeedsAnotherStore(std::move(gaps));
    }
}

NeedsAnotherStore::NeedsAnotherStore(std::vector<Gap> gaps)
    : std::runtime_error(text_of(gaps)), gaps_(std::move(gaps)) {}

bool NeedsAnotherStore::needs_postgresql() const {
    return std::none_of(gaps_.begin(), gaps_.end(), [](const Gap& gap) { return gap.kind == Gap::Kind::kNever; });
}

}  // namespace oncecheck
