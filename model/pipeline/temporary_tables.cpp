#include "model/pipeline/temporary_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "model/pipeline/checks.h"
#include "model/pipeline/naming.h"
#include "model/pipeline/steps.h"

namespace oncecheck {

namespace {

// Moves the temporary tables of one process.
class TableMover {
  public:
    TableMover(const Pipeline& pipeline, Component& process, std::vector<Problem>& problems)
        : pipeline_(pipeline), process_(process), problems_(problems) {}

    void move() {
        for (const Program* program : {&process_.on_start, &process_.steps, &process_.on_error}) {
            for_each_step(*program, [&](const Step& step) { note(step); });
        }
        if (created_.empty()) {
            return;
        }
        for (Program* program : {&process_.on_start, &process_.steps, &process_.on_error}) {
            rename_all(*program);
            for_each_step(*program, [&](const Step& step) { check(step); });
        }
    }

  private:
    void unsupported(const SourcePosition& where, const std::string& what, const std::string& hint) {
        problems_.push_back({"unsupported", where, "this version does not support " + what + " yet", "", hint});
    }

    void note(const Step& step) {
        if (step.verb != Verb::kCreate || !step.temporary) {
            return;
        }
        std::vector<Problem> ignored;
        const ObjectReference object = resolve_object(pipeline_, step.target, ignored);
        if (object.scope == ObjectScope::kApplication) {
            return;
        }
        created_.insert(object.name.text);
        if (object.scope != ObjectScope::kStore) {
            for (const Connection& connection : process_.writes) {
                const auto store = pipeline_.find(connection.object.text);
                if (!step.sql.empty() && store) {
                    check_length(step, {ObjectScope::kStore, *store, object.name});
                }
            }
            return;
        }
        moved_.emplace(step.target.text, object.name);
        check_length(step, object);
        const DeclaredObject* const declared = declaration_of(pipeline_, object);
        if (declared != nullptr && (!declared->primary_key.empty() || !declared->unique.empty())) {
            unsupported(step.position, "keys of a temporary table", "leave them out");
        }
    }

    // In a session names are not cut, so a store that would cut this one is refused.
    void check_length(const Step& step, const ObjectReference& object) {
        const RenderedName rendered = render(object.name, naming_rules(pipeline_, object), NameValues{});
        if (rendered.too_long || !rendered.dropped.empty()) {
            unsupported(step.position, "a temporary table whose name the store cuts", "a shorter name");
        }
    }

    void rename_all(Program& program) {
        for (Step& step : program) {
            rename(step.target);
            rename(step.partner);
            if (step.source) {
                rename(*step.source);
            }
            rename_all(step.body);
        }
    }

    void rename(Template& name) {
        const auto found = moved_.find(name.text);
        if (found != moved_.end()) {
            const SourcePosition where = name.where;
            name = found->second;
            name.where = where;
            return;
        }
        for (const auto& [before, after] : name.text.empty() ? std::map<std::string, Template>{} : moved_) {
            std::vector<Problem> ignored;
            const ObjectReference object = resolve_object(pipeline_, name, ignored);
            if (name.text == after.text || (object.scope == ObjectScope::kStore && matches(object.name, after, true))) {
                unsupported(name.where, "two names that may mean the temporary table '" + before + "'",
                            "different names, or one spelling");
            }
        }
    }

    void check(const Step& step) {
        if (!targets_object(step) || !created_.contains(step.target.text)) {
            return;
        }
        if (step.verb == Verb::kAppend && step.by == LoadedBy::kExecutors && is_moved(step.target)) {
            problems_.push_back({"executors-and-session", step.position,
                                 "executors load through sessions of their own, which do not see this temporary table",
                                 "`\"by\": \"driver\"`, or a table that all sessions see", ""});
        }
        if (step.verb == Verb::kMerge) {
            unsupported(step.position, "a merge into a temporary table", "a table that all sessions see");
        }
    }

    bool is_moved(const Template& name) const {
        return std::any_of(moved_.begin(), moved_.end(), [&](const auto& moved) { return moved.second == name; });
    }

    const Pipeline& pipeline_;
    Component& process_;
    std::vector<Problem>& problems_;
    std::set<std::string> created_;          // names in the session
    std::map<std::string, Template> moved_;  // name in the document -> name in the session
};

}  // namespace

void move_temporary_tables(Pipeline& pipeline, std::vector<Problem>& problems) {
    for (PipelineComponent& component : pipeline.components) {
        TableMover(pipeline, component.document, problems).move();
    }
}

}  // namespace oncecheck
