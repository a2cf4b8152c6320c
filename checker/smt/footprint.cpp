#include "checker/smt/footprint.h"

#include <algorithm>

namespace oncecheck {

namespace {

void include(VariableSet& set, const Expression& expression) {
    for (const VariableId variable : variables_of(expression)) {
        set[variable] = true;
    }
}

bool disjoint(const VariableSet& a, const VariableSet& b) {
    for (std::size_t variable = 0; variable < a.size(); ++variable) {
        if (a[variable] && b[variable]) {
            return false;
        }
    }
    return true;
}

}  // namespace

Footprint footprint(const Action& action, const VariableSet& cone) {
    Footprint result{VariableSet(cone.size()), VariableSet(cone.size())};
    for (const Expression& conjunct : action.guard) {
        include(result.reads, conjunct);
    }
    for (const Assignment& assignment : action.assignments) {
        if (cone[assignment.variable]) {
            result.writes[assignment.variable] = true;
            include(result.reads, assignment.value);
        }
    }
    return result;
}

bool independent(const Footprint& a, const Footprint& b) {
    return disjoint(a.writes, b.writes) && disjoint(a.writes, b.reads) && disjoint(a.reads, b.writes);
}

VariableSet cone_of_influence(const TransitionSystem& system, const std::vector<Expression>& targets) {
    VariableSet cone(system.variables.size());
    for (const Expression& target : targets) {
        include(cone, target);
    }
    for (bool grows = true; grows;) {
        const VariableSet before = cone;
        for (const Action& action : system.actions) {
            const Footprint touched = footprint(action, before);
            if (std::find(touched.writes.begin(), touched.writes.end(), true) == touched.writes.end()) {
                continue;
            }
            for (std::size_t variable = 0; variable < cone.size(); ++variable) {
                cone[variable] = cone[variable] || touched.reads[variable];
            }
        }
        grows = cone != before;
    }
    return cone;
}

}  // namespace oncecheck
