#include "model/pipeline/steps.h"

namespace oncecheck {

void for_each_step(const Program& program, const std::function<void(const Step&)>& visit) {
    for (const Step& step : program) {
        visit(step);
        for_each_step(step.body, visit);
    }
}

bool takes_in_records(const Step& step) {
    switch (step.verb) {
        case Verb::kAppend:
        case Verb::kMerge:
        case Verb::kOverwrite:
            return true;
        case Verb::kInsert:
            return !step.has_values;
        case Verb::kCreate:
            return step.filled;
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kDelete:
        case Verb::kSwap:
        case Verb::kClaim:
        case Verb::kCount:
        case Verb::kLock:
        case Verb::kAcquire:
        case Verb::kCheck:
        case Verb::kCommitOffsets:
        case Verb::kTransaction:
        case Verb::kBackground:
            return false;
    }
    return false;
}

bool targets_object(const Step& step) {
    switch (step.verb) {
        case Verb::kLock:
        case Verb::kAcquire:
        case Verb::kCheck:
        case Verb::kCommitOffsets:
        case Verb::kTransaction:
        case Verb::kBackground:
            return false;
        case Verb::kCreate:
        case Verb::kTruncate:
        case Verb::kDrop:
        case Verb::kAppend:
        case Verb::kInsert:
        case Verb::kMerge:
        case Verb::kDelete:
        case Verb::kOverwrite:
        case Verb::kSwap:
        case Verb::kClaim:
        case Verb::kCount:
            return true;
    }
    return false;
}

bool writes_target(const Step& step) { return targets_object(step) && step.verb != Verb::kCount; }

}  // namespace oncecheck
