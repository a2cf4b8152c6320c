#include "model/pipeline/checks.h"

#include <algorithm>
#include <set>

#include "model/document/reader.h"
#include "model/pipeline/column_checks.h"
#include "model/pipeline/graph.h"
#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

constexpr int kMostMergesOfOneTable = 4;

// Checks the components of one pipeline; every method adds to one list of problems.
class ComponentChecker {
  public:
    ComponentChecker(const Pipeline& pipeline, std::vector<Problem>& problems)
        : pipeline_(pipeline), problems_(problems) {}

    void check(ComponentId id) {
        const PipelineComponent& component = pipeline_.component(id);
        const Component& document = component.document;
        switch (component.type->role) {
            case Role::kProcess:
                check_process(component);
                break;
            case Role::kStore:
            case Role::kRunner:
            case Role::kObserver:
                if (!document.steps_key.empty() || !document.reads.empty() || !document.writes.empty() ||
                    !document.on_start.empty() || !document.on_error.empty()) {
                    add("not-a-process", document.where,
                        "'" + document.name + "' is no process: it neither reads, writes nor runs steps",
                        "a process type",
                        component.type->role == Role::kObserver ? "name what it looks at under `compares`"
                                                                : "move the steps to the process that runs them");
                }
                break;
        }
        for (const DeclaredObject& object : document.objects) {
            if (object.view) {
                unsupported(object.where, "`view`");
            }
            if (component.type->role != Role::kStore) {
                add("not-a-store", object.where, "'" + document.name + "' is no store and has no tables", "", "");
            }
        }
    }

  private:
    void add(const std::string& code, const SourcePosition& where, const std::string& message,
             const std::string& expected, const std::string& hint) {
        problems_.push_back({code, where, message, expected, hint});
    }

    void unsupported(const SourcePosition& where, const std::string& what) {
        add("unsupported", where, "this version does not support " + what + " yet", "", "leave it out");
    }

    std::vector<std::string> component_names() const {
        std::vector<std::string> names;
        for (const PipelineComponent& component : pipeline_.components) {
            names.push_back(component.document.name);
        }
        return names;
    }

    void dangling(const SourcePosition& where, const std::string& name, const std::string& expected) {
        const std::string nearest = did_you_mean(name, component_names());
        add("dangling-reference", where, "there is no component '" + name + "'", expected,
            nearest.empty() ? "declare it under \"components\"" : "did you mean '" + nearest + "'?");
    }

    void check_process(const PipelineComponent& component) {
        const Component& document = component.document;
        const bool micro_batch = component.type->protocol == Protocol::kMicroBatch;
        if (!document.run_by.empty()) {
            const auto runner = pipeline_.find(document.run_by);
            if (!runner || pipeline_.component(*runner).type->role != Role::kRunner) {
                dangling(document.run_by_where, document.run_by, "the component that runs the process");
            }
        }
        for (const Connection& connection : document.reads) {
            check_log(connection, "read from");
        }
        if (!micro_batch) {
            for (const Connection& connection : document.writes) {
                check_log(connection, "write to");
            }
            if (!document.steps.empty()) {
                unsupported(document.where, "a step program of a '" + document.type + "'");
            }
            return;
        }
        if (document.reads.empty()) {
            add("no-source", document.where, "'" + document.name + "' reads nothing", "`reads` with the name of a log",
                "");
        }
        check_micro_batch(component);
    }

    void check_log(const Connection& connection, const std::string& verb) {
        const auto log = pipeline_.find(connection.object.text);
        if (!log) {
            dangling(connection.position, connection.object.text, "a log of this document to " + verb);
        } else if (pipeline_.component(*log).type->protocol == Protocol::kLog) {
            if (pipeline_.component(*log).settings.meaning("compacted") == "yes") {
                unsupported(connection.position, "a compacted log, which may lose records before they are read");
            }
        } else {
            unsupported(connection.position, "a process that would " + verb + " a '" +
                                                 pipeline_.component(*log).document.type + "' this way");
        }
    }

    void check_micro_batch(const PipelineComponent& component) {
        const Component& document = component.document;
        if (!document.resume_from.empty()) {
            unsupported(document.where, "`resume_from` of a process that keeps its own progress");
        }
        if (document.transform && (!document.transform->deterministic() || !document.transform->aggregate.empty())) {
            unsupported(document.where, "a `transform`: a batch whose content a re-run may change");
        }
        if (component.settings.meaning("asynchronous_progress") == "yes") {
            unsupported(document.where, "asynchronous progress tracking (batch ranges may be cut anew after a crash)");
        }
        if (document.steps.empty()) {
            add("no-program", document.where, "'" + document.name + "' writes nothing",
                "a step program, or `writes` with the name of a table", "");
        }
        for (const Program* program : {&document.on_start, &document.on_error}) {
            for (const Step& step : *program) {
                check_step(document, step, program == &document.on_start, nullptr);
            }
        }
        for (const Step& step : document.steps) {
            check_step(document, step, false, nullptr);
        }
    }

    void check_step(const Component& process, const Step& step, bool before_batch, const Step* transaction) {
        check_templates(step, before_batch);
        if (step.verb == Verb::kTransaction || step.verb == Verb::kBackground) {
            if (step.body.empty()) {
                add("empty-block", step.position, std::string("`") + to_string(step.verb) + "` has no steps",
                    "at least one step", "");
            }
            if (step.verb == Verb::kBackground && before_batch) {
                unsupported(step.position, "`background` in `on_start`");
            }
            for (const Step& inner : step.body) {
                check_step(process, inner, before_batch, step.verb == Verb::kTransaction ? &step : transaction);
            }
            if (step.verb == Verb::kTransaction) {
                check_transaction(step);
            }
            return;
        }
        check_objects(step);
        if (transaction != nullptr && step.verb == Verb::kAppend && step.by == LoadedBy::kExecutors) {
            add("executors-in-transaction", step.position,
                "executors load through connections of their own: their load cannot be inside a transaction", "",
                "say `\"by\": \"driver\"` if the driver loads, or move the load before the transaction");
        }
        const bool needs_batch = takes_in_records(step) && !step.source;
        if (before_batch && (needs_batch || step.verb == Verb::kCount || step.verb == Verb::kCommitOffsets)) {
            add("no-batch", step.position, std::string("`") + to_string(step.verb) + "` needs a batch", "",
                "`on_start` runs before progress is read: there is no batch yet");
        }
    }

    void check_templates(const Step& step, bool before_batch) {
        const auto check = [&](const Template& name, bool is_name) {
            for (const TemplatePiece& piece : name.pieces) {
                if (!piece.is_placeholder) {
                    continue;
                }
                const std::string& text = piece.text;
                const bool of_row = text == "row" || text == "task" || text == "task_attempt" || text == "partition";
                const bool of_batch = text == "batch" || text == "attempt" || text == "uuid" || text == "try" ||
                                      text == "start_offset" || text == "end_offset";
                if ((is_name && of_row) || (before_batch && of_batch)) {
                    add("placeholder-without-value", name.where,
                        "{" + text + "} has no value here" +
                            (is_name && of_row ? ": a step's object has one name" : ""),
                        "", "");
                } else if (of_row || (!is_name && (text == "attempt" || text == "uuid"))) {
                    unsupported(name.where, "{" + text + "} in a column's value or a claim's key");
                }
            }
        };
        check(step.target, true);
        check(step.partner, true);
        if (step.source) {
            check(*step.source, true);
        }
        for (const auto& columns : {step.set, step.where}) {
            for (const auto& [unused, value] : columns) {
                check(value, false);
            }
        }
        for (const Template& value : step.key) {
            check(value, false);
        }
    }

    void check_fence(const Step& step) {
        const ObjectReference fence = resolve_object(pipeline_, step.target, problems_);
        if (!render(fence.name, naming_rules(pipeline_, fence), NameValues{}).dropped.empty()) {
            add("fence-name-cut", fence.name.where,
                "the store cuts the name '" + fence.name.text +
                    "' inside a placeholder: whether two such fences are one cannot be told",
                "a shorter name", "");
        }
    }

    void check_objects(const Step& step) {
        if (step.verb == Verb::kAcquire || step.verb == Verb::kCheck) {
            check_fence(step);
        }
        if (!targets_object(step)) {
            return;
        }
        const ObjectReference object = resolve_object(pipeline_, step.target, problems_);
        if (step.source) {
            const ObjectReference source = resolve_object(pipeline_, *step.source, problems_);
            check_tables(step, source);
        }
        if (!step.partner.text.empty()) {
            check_tables(step, resolve_object(pipeline_, step.partner, problems_));
        }
        check_tables(step, object);
        if (object.scope != ObjectScope::kStore ||
            pipeline_.component(object.store).type->protocol != Protocol::kTables) {
            return;
        }
        if (step.verb == Verb::kMerge && pipeline_.component(object.store).settings.meaning("merge") == "none") {
            add("no-merge", step.position,
                "'" + pipeline_.component(object.store).document.name + "' cannot merge in version " +
                    pipeline_.component(object.store).settings.version(),
                "a version with MERGE or an upsert", "");
        }
        if (step.verb == Verb::kClaim) {
            check_claim(step, object);
        }
    }

    void check_tables(const Step& step, const ObjectReference& object) {
        if (render(object.name, naming_rules(pipeline_, object), NameValues{}).too_long) {
            add("name-too-long", object.name.where,
                "the store refuses the name '" + object.name.text + "': it is too long", "a shorter name", "");
        }
        if (object.scope == ObjectScope::kStore &&
            pipeline_.component(object.store).type->protocol != Protocol::kTables) {
            unsupported(step.position, std::string("`") + to_string(step.verb) + "` on a '" +
                                           pipeline_.component(object.store).document.type + "'");
        }
        for (const TemplatePiece& piece : object.name.pieces) {
            if (!piece.is_placeholder && piece.text.find('*') != std::string::npos) {
                unsupported(step.position, "a pattern ('*') as the name of a table");
            }
        }
    }

    void check_claim(const Step& step, const ObjectReference& object) {
        const DeclaredObject* declared = declaration_of(pipeline_, object);
        if (declared != nullptr && !declared->primary_key.empty() && declared->primary_key.size() != step.key.size()) {
            add("claim-key", step.position,
                "the claim fills " + std::to_string(step.key.size()) + " columns of the primary key, which has " +
                    std::to_string(declared->primary_key.size()),
                std::to_string(declared->primary_key.size()) + " values in `key`", "");
        }
    }

    void check_transaction(const Step& transaction) {
        check_size(transaction);
        std::optional<ComponentId> store;
        bool effect = false;
        std::vector<Problem> ignored;
        for (const Step& step : transaction.body) {
            if (step.verb == Verb::kClaim && effect) {
                add("claim-after-effect", step.position, "a claim comes before any effect of its transaction", "",
                    "move the claim to the top: a skipped claim would commit the steps before it");
            }
            effect = effect || (writes_target(step) && step.verb != Verb::kClaim);
            if (!targets_object(step) && step.verb != Verb::kCheck && step.verb != Verb::kAcquire) {
                continue;
            }
            const ObjectReference object = resolve_object(pipeline_, step.target, ignored);
            if (object.scope != ObjectScope::kStore) {
                continue;
            }
            if (store && *store != object.store) {
                add("two-stores", step.position,
                    "a transaction is of one store: '" + pipeline_.component(*store).document.name + "' and '" +
                        pipeline_.component(object.store).document.name + "'",
                    "", "use one transaction for each store");
            }
            store = object.store;
            check_implicit_commit(step, object);
        }
    }

    // The translation of merges that build on each other grows with each of them.
    void check_size(const Step& transaction) {
        std::map<std::string, int> merges;
        for (const Step& step : transaction.body) {
            if (step.verb == Verb::kMerge && ++merges[step.target.text] == kMostMergesOfOneTable + 1) {
                unsupported(step.position, "more than " + std::to_string(kMostMergesOfOneTable) +
                                               " merges into one table in one transaction");
            }
        }
    }

    void check_implicit_commit(const Step& step, const ObjectReference& object) {
        const bool truncates = step.verb == Verb::kTruncate;
        const bool defines = step.verb == Verb::kCreate || step.verb == Verb::kDrop || step.verb == Verb::kSwap;
        const ResolvedSettings& settings = pipeline_.component(object.store).settings;
        if (settings.type().protocol != Protocol::kTables) {
            return;
        }
        if ((truncates && settings.meaning("transactional_truncate") == "no") ||
            (defines && settings.meaning("transactional_ddl") == "no")) {
            add("implicit-commit", step.position,
                std::string("`") + to_string(step.verb) + "` commits the open transaction in this store", "",
                "take it out of the transaction, or use `delete`");
        }
    }

    const Pipeline& pipeline_;
    std::vector<Problem>& problems_;
};

// A template as a pattern: '\1' stands for any text.
std::string pattern_of(const Template& name, bool fold_case) {
    std::string pattern;
    for (const TemplatePiece& piece : name.pieces) {
        if (piece.is_placeholder) {
            if (pattern.empty() || pattern.back() != '\1') {
                pattern += '\1';
            }
            continue;
        }
        for (const char c : piece.text) {
            pattern += fold_case ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : c;
        }
    }
    return pattern;
}

// Both may hold wildcards, so a wildcard matches a wildcard. Quadratic.
bool patterns_meet(const std::string& left, const std::string& right) {
    std::vector<std::vector<bool>> meets(left.size() + 1, std::vector<bool>(right.size() + 1, false));
    meets[left.size()][right.size()] = true;
    for (std::size_t i = left.size() + 1; i-- > 0;) {
        for (std::size_t j = right.size() + 1; j-- > 0;) {
            const bool left_wild = i < left.size() && left[i] == '\1';
            const bool right_wild = j < right.size() && right[j] == '\1';
            bool meet = meets[i][j];
            meet = meet || (left_wild && (meets[i + 1][j] || (j < right.size() && meets[i][j + 1])));
            meet = meet || (right_wild && (meets[i][j + 1] || (i < left.size() && meets[i + 1][j])));
            meet = meet || (i < left.size() && j < right.size() && left[i] == right[j] && meets[i + 1][j + 1]);
            meets[i][j] = meet;
        }
    }
    return meets[0][0];
}

}  // namespace

bool matches(const Template& left, const Template& right, bool fold_case) {
    return left.text == right.text || patterns_meet(pattern_of(left, fold_case), pattern_of(right, fold_case));
}

namespace {

// The stated settings that say where a process keeps its progress, as one text; empty if none is stated.
std::string progress_location(const PipelineComponent& component) {
    std::string location;
    for (const SemanticsCase& one : component.type->semantics.at("progress").cases) {
        for (const std::string& name : one.when.names()) {
            const auto setting = component.settings.all().find(name);
            if (setting != component.settings.all().end() && setting->second.stated) {
                location += name + '=' + setting->second.value.value_or("") + ';';
            }
        }
    }
    return location;
}

// Two processes with one checkpoint take each other's batches for their own.
void check_progress_locations(const Pipeline& pipeline, std::vector<Problem>& problems) {
    std::map<std::string, std::string> owners;
    for (const PipelineComponent& component : pipeline.components) {
        if (component.type->protocol != Protocol::kMicroBatch) {
            continue;
        }
        const std::string location = progress_location(component);
        const auto [owner, added] = owners.emplace(location, component.document.name);
        if (!added && !location.empty()) {
            problems.push_back({"shared-progress", component.document.where,
                                "'" + component.document.name + "' and '" + owner->second +
                                    "' keep their progress in one place (" + location + ")",
                                "a place of its own for each process", ""});
        }
    }
}

}  // namespace

void check_components(const Pipeline& pipeline, std::vector<Problem>& problems) {
    check_progress_locations(pipeline, problems);
    ComponentChecker checker(pipeline, problems);
    for (ComponentId id = 0; id < pipeline.components.size(); ++id) {
        checker.check(id);
    }
    check_columns(pipeline, problems);
}

}  // namespace oncecheck
