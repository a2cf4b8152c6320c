#include "checker/certificate/system_text.h"

#include <sstream>

namespace oncecheck {

namespace {

const char* kind_text(ActionKind kind) {
    switch (kind) {
        case ActionKind::kStep:
            return "step";
        case ActionKind::kEnvironment:
            return "environment";
        case ActionKind::kFault:
            return "fault";
    }
    return "";
}

// Unlike operator<<, with the cap of sums.
void write(std::ostream& out, const Expression& expression) {
    switch (expression.op()) {
        case Operator::kConstant:
        case Operator::kVariable:
            out << expression;
            return;
        case Operator::kNot:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kEqual:
        case Operator::kLess:
        case Operator::kChoose:
        case Operator::kAdd:
            break;
    }
    out << '(' << kOperators[static_cast<std::size_t>(expression.op())].name;
    if (expression.op() == Operator::kAdd) {
        out << " to " << expression.value() << ':';
    }
    for (const Expression& operand : expression.operands()) {
        out << ' ';
        write(out, operand);
    }
    out << ')';
}

void write(std::ostream& out, const Action& action) {
    out << kind_text(action.kind);
    for (const Expression& conjunct : action.guard) {
        out << ' ';
        write(out, conjunct);
    }
    out << " ->";
    for (const Assignment& assignment : action.assignments) {
        out << " v" << assignment.variable << " := ";
        write(out, assignment.value);
    }
    const ActionLabel& label = action.label;
    out << "  | " << label.process << ' ' << label.slot << ' ' << label.begins << ' ' << label.moved_to << " | "
        << label.fault << " | " << label.where.pointer << " | " << label.text << '\n';
}

}  // namespace

std::string system_text(const TransitionSystem& system) {
    std::ostringstream out;
    out << "system " << system.name << '\n';
    for (std::size_t id = 0; id < system.variables.size(); ++id) {
        const Variable& variable = system.variables[id];
        out << 'v' << id << " 0.." << variable.largest << " from " << variable.initial
            << (variable.control ? " control " : " ") << variable.name << '\n';
    }
    for (std::size_t number = 0; number < system.actions.size(); ++number) {
        out << 'a' << number << ' ';
        write(out, system.actions[number]);
    }
    for (const Property& property : system.properties) {
        out << "never ";
        write(out, property.bad);
        out << "  | " << property.name << '\n';
    }
    out << "complete ";
    write(out, system.complete);
    out << '\n';
    return std::move(out).str();
}

}  // namespace oncecheck
