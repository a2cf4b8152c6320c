// What statements lock, and who waits for whom. Locks are not stored: they are held while an execution stands between
// the statement that takes them and the commit, and waiting is a step that is not possible.
#include <algorithm>

#include "model/pipeline/steps.h"
#include "model/semantics/hop_builder.h"

namespace oncecheck {

namespace {

bool takes_a_row(const Step& step) { return step.verb == Verb::kClaim || step.verb == Verb::kCheck; }

bool is_row(const std::string& resource) {
    return resource.rfind("claim ", 0) == 0 || resource.rfind("fence ", 0) == 0;
}

}  // namespace

// What one statement needs for itself. Truncating or dropping a table waits for everyone who uses it; everyone waits
// for a transaction that has truncated it.
std::vector<std::string> HopBuilder::wanted(const Step& step, const Site& site) const {
    const auto waits = [&](const ObjectInstance& table) {
        return table.reference.scope == ObjectScope::kStore &&
               pipeline_.component(table.reference.store).settings.meaning("truncate_waits") == "yes";
    };
    std::vector<std::string> resources;
    switch (step.verb) {
        case Verb::kClaim: {
            const ObjectInstance& ledger = model_.object(site, step.target);
            std::string key;
            for (const auto& [column, value] : claimed_row(step, ledger, site).tags) {
                key += '/' + value;
            }
            if (!ledger.unique_keys.empty()) {
                resources.push_back("claim " + ledger.identity + key);
            }
            break;
        }
        case Verb::kAcquire:
        case Verb::kCheck:
            resources.push_back("fence " + model_.identity_of(site, step.target));
            break;
        case Verb::kLock:
            resources.push_back("lock " + model_.uncut_name(site, step.target));
            break;
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kSwap:
            if (waits(model_.object(site, step.target))) {
                resources.push_back("table " + model_.identity_of(site, step.target));
            }
            break;
        case Verb::kCreate:
        case Verb::kAppend:
        case Verb::kInsert:
        case Verb::kMerge:
        case Verb::kDelete:
        case Verb::kOverwrite:
        case Verb::kCount:
            resources.push_back("truncated " + model_.identity_of(site, step.target));
            if (step.source) {
                resources.push_back("truncated " + model_.identity_of(site, *step.source));
            }
            break;
        case Verb::kCommitOffsets:
        case Verb::kTransaction:
        case Verb::kBackground:
            break;
    }
    return resources;
}

// What the statements of a point need: those that run there. A claim or a check whose transaction has one snapshot may
// have taken that and wait for its row: it has the row only at its commit.
std::vector<std::string> HopBuilder::wanted(const Point& point, const Site& site) const {
    std::vector<std::string> resources;
    for (std::size_t index = 0; index < point.statements.size(); ++index) {
        const Step& step = *point.statements[index];
        const bool late = point.snapshot && takes_a_row(step);
        const bool elsewhere = point.kind == PointKind::kRead     ? (index != point.reading && !point.snapshot) || late
                               : point.kind == PointKind::kCommit ? is_point(step) && !late
                                                                  : false;
        if (elsewhere) {
            continue;
        }
        const std::vector<std::string> more = wanted(step, site);
        resources.insert(resources.end(), more.begin(), more.end());
    }
    return resources;
}

// What a split unit holds from the statement of this point on until it commits.
std::vector<std::string> HopBuilder::kept(const Point& point, const Site& site) const {
    std::vector<std::string> resources;
    for (std::size_t index = 0; index < point.statements.size(); ++index) {
        if (index != point.reading && !point.snapshot) {
            continue;
        }
        std::vector<std::string> more;
        keep(*point.statements[index], site, more);
        std::copy_if(more.begin(), more.end(), std::back_inserter(resources), [&](const std::string& resource) {
            return !point.snapshot ||
                   (!is_row(resource) && (index == 0 || !may_be_emptied(point, index, site, resource)));
        });
    }
    return resources;
}

// The statement is the first of a unit with one snapshot to use the table, so that another may truncate it after the
// snapshot was taken, and the store then shows it empty (PostgreSQL documentation, MVCC Caveats). The unit may as well
// have got past the statement: then the other waits, and what is modelled is that it comes later.
bool HopBuilder::may_be_emptied(const Point& point, std::size_t index, const Site& site,
                                const std::string& resource) const {
    const auto uses = [&](const Step& step) {
        return targets_object(step) && (resource == "table " + model_.identity_of(site, step.target) ||
                                        (step.source && resource == "table " + model_.identity_of(site, *step.source)));
    };
    std::vector<Problem> ignored;
    const ObjectReference object = resolve_object(pipeline_, point.statements[index]->target, ignored);
    return object.scope == ObjectScope::kStore &&
           pipeline_.component(object.store).settings.meaning("truncate_in_snapshot") == "empty" &&
           resource.rfind("table ", 0) == 0 &&
           std::none_of(point.statements.begin(), point.statements.end(), [&](const Step* other) {
               return other != point.statements[index] && uses(*other) &&
                      (other == point.statements.front() || writes_target(*other));
           });
}

void HopBuilder::keep(const Step& step, const Site& site, std::vector<std::string>& resources) const {
    for (const std::string& resource : wanted(step, site)) {
        if (resource.rfind("truncated ", 0) != 0) {
            resources.push_back(resource);
        }
    }
    if (targets_object(step)) {
        const std::string table = model_.identity_of(site, step.target);
        resources.push_back("table " + table);
        if (step.verb == Verb::kTruncate || step.verb == Verb::kDrop) {
            resources.push_back("truncated " + table);
        }
    }
    if (step.source) {
        resources.push_back("table " + model_.identity_of(site, *step.source));
    }
}

void HopBuilder::find_holds() {
    // A statement or commit that still runs when its sender is dead holds on, at the detached position.
    const auto add_holds = [&](const Execution& execution, Value first, Value end, Value detached) {
        const ProcessModel& process = model_.process_of(execution);
        for (std::size_t index = 0; index < execution.program->points.size(); ++index) {
            const Point& point = execution.program->points[index];
            if (point.kind != PointKind::kRead && point.kind != PointKind::kLock) {
                continue;
            }
            const Value position = first + static_cast<Value>(index);
            const Value until =
                point.kind == PointKind::kLock ? end : first + static_cast<Value>(commit_of(*execution.program, index));
            for (std::size_t context = 0; context < process.contexts.size(); ++context) {
                const Site site = model_.site(execution, &process.contexts[context]);
                std::vector<std::string> resources =
                    point.kind == PointKind::kLock
                        ? std::vector<std::string>{"lock " + model_.uncut_name(site, point.step->target)}
                        : kept(point, site);
                for (std::string& resource : resources) {
                    holds_.push_back({&execution, position, until, context, resource});
                    if (point.kind == PointKind::kRead && detached != 0) {
                        const Value commit = detached + static_cast<Value>(commit_of(*execution.program, index));
                        holds_.push_back({&execution, commit - 1, commit, context, std::move(resource)});
                    }
                }
            }
        }
    };
    for (const ProcessModel& process : model_.processes) {
        for (const Execution& main : process.mains) {
            const Value detached = !process.faults.leaves_statements() ? 0 : process.positions.detached;
            add_holds(main, process.positions.program, process.positions.commit - 1, detached);
        }
        for (const Execution& thread : process.threads) {
            const Value points = static_cast<Value>(thread.program->points.size());
            add_holds(thread, 1, points, !process.faults.leaves_statements() ? 0 : points + 1);
        }
    }
}

// No other execution holds what the point needs.
std::vector<Expression> HopBuilder::not_held(const Execution& execution, const Point& point, const Site& site) const {
    return not_held(execution, wanted(point, site));
}

// As far as the point waits while it holds something itself, so that the store may find a deadlock. In a transaction of
// one snapshot whoever waits for a row holds none.
std::vector<Expression> HopBuilder::not_held_by_rivals(const Execution& execution, const Point& point,
                                                       const Site& site) const {
    std::vector<std::string> resources = wanted(point, site);
    std::erase_if(resources, [&](const std::string& resource) { return point.snapshot && is_row(resource); });
    return not_held(execution, resources);
}

std::vector<Expression> HopBuilder::not_held(const Execution& execution,
                                             const std::vector<std::string>& resources) const {
    std::vector<Expression> free;
    for (const Hold& hold : holds_) {
        if (hold.execution == &execution ||
            std::find(resources.begin(), resources.end(), hold.resource) == resources.end()) {
            continue;
        }
        const Expression position = Expression::variable(hold.execution->position);
        free.push_back(!conjunction({less(Expression::constant(hold.after), position),
                                     less(position, Expression::constant(hold.until + 1)),
                                     in_context(*hold.execution, hold.context)}));
    }
    return free;
}

}  // namespace oncecheck
