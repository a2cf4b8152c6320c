#include "model/semantics/program.h"

namespace oncecheck {

namespace {

void add_unit(CompiledProgram& compiled, const Step& step, std::vector<const Step*> statements, bool in_transaction,
              const CuttingRules& rules) {
    Point point;
    point.step = &step;
    point.statements = std::move(statements);
    point.in_transaction = in_transaction;
    point.on_error = step.on_error;
    point.first = compiled.points.size();
    if (!rules.must_split(point.statements, in_transaction ? &step : nullptr)) {
        compiled.points.push_back(std::move(point));
        return;
    }
    point.kind = PointKind::kRead;
    if (rules.one_snapshot(point.statements, in_transaction ? &step : nullptr)) {
        point.snapshot = true;
        compiled.points.push_back(point);
        point.kind = PointKind::kCommit;
        compiled.points.push_back(std::move(point));
        return;
    }
    for (std::size_t index = 0; index < point.statements.size(); ++index) {
        if (is_point(*point.statements[index])) {
            point.reading = index;
            compiled.points.push_back(point);
        }
    }
    point.kind = PointKind::kCommit;
    compiled.points.push_back(std::move(point));
}

}  // namespace

std::size_t commit_of(const CompiledProgram& program, std::size_t index) {
    while (program.points[index].kind == PointKind::kRead) {
        ++index;
    }
    return index;
}

bool is_point(const Step& statement) {
    switch (statement.verb) {
        case Verb::kInsert:
        case Verb::kCreate:
        case Verb::kOverwrite:
            return statement.source.has_value();
        case Verb::kDelete:
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kMerge:
        case Verb::kClaim:
        case Verb::kCheck:
        case Verb::kCount:
            return true;
        case Verb::kAppend:
        case Verb::kSwap:
        case Verb::kLock:
        case Verb::kAcquire:
        case Verb::kCommitOffsets:
        case Verb::kTransaction:
        case Verb::kBackground:
            return false;
    }
    return false;
}

CompiledProgram compile(const Program& program, const CuttingRules& rules) {
    CompiledProgram compiled;
    for (const Step& step : program) {
        Point point;
        point.step = &step;
        point.on_error = step.on_error;
        point.first = compiled.points.size();
        if (step.verb == Verb::kBackground) {
            point.kind = PointKind::kSpawn;
            point.background = compiled.backgrounds.size();
            compiled.backgrounds.push_back(compile(step.body, rules));
            compiled.points.push_back(std::move(point));
        } else if (step.verb == Verb::kTransaction) {
            std::vector<const Step*> statements;
            for (const Step& inner : step.body) {
                statements.push_back(&inner);
            }
            add_unit(compiled, step, std::move(statements), true, rules);
        } else if (step.verb == Verb::kLock) {
            point.kind = PointKind::kLock;
            compiled.points.push_back(std::move(point));
        } else if (step.verb == Verb::kAppend && step.by == LoadedBy::kExecutors && rules.commits_by_task(step)) {
            point.kind = PointKind::kLoad;
            point.statements = {&step};
            compiled.points.push_back(std::move(point));
        } else {
            add_unit(compiled, step, {&step}, false, rules);
        }
    }
    return compiled;
}

}  // namespace oncecheck
