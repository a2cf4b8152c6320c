#include "checker/export/tla.h"

#include <algorithm>

#include "checker/export/action_text.h"
#include "checker/export/identifiers.h"

namespace oncecheck {

namespace {

// Words of TLA+, the module's own, and operators of Naturals.
const std::set<std::string>& reserved_words() {
    static const std::set<std::string> kWords{
        "ASSUME",      "ASSUMPTION", "AXIOM",  "BOOLEAN",   "BY",      "CASE",      "CHOOSE",  "CONSTANT", "CONSTANTS",
        "COROLLARY",   "DEF",        "DEFINE", "DEFS",      "DOMAIN",  "ELSE",      "ENABLED", "EXCEPT",   "EXTENDS",
        "FALSE",       "HAVE",       "HIDE",   "IF",        "IN",      "INSTANCE",  "LAMBDA",  "LEMMA",    "LET",
        "LOCAL",       "MODULE",     "NEW",    "OBVIOUS",   "OMITTED", "ONLY",      "OTHER",   "PICK",     "PROOF",
        "PROPOSITION", "PROVE",      "QED",    "RECURSIVE", "SF_",     "STATE",     "STRING",  "SUBSET",   "SUFFICES",
        "TAKE",        "TEMPORAL",   "THEN",   "THEOREM",   "TRUE",    "UNCHANGED", "UNION",   "USE",      "VARIABLE",
        "VARIABLES",   "WF_",        "WITH",   "WITNESS",   "Nat",     "Init",      "Next",    "Spec",     "TypeOK",
        "Complete",    "Least",      "vars",   "x",         "y"};
    return kWords;
}

// An identifier that begins with the fairness operators WF_ or SF_ is read as one of them.
std::string tla_name(const std::string& name) {
    const std::string identifier = identifier_of(name);
    return identifier.starts_with("WF_") || identifier.starts_with("SF_") ? "x" + identifier : identifier;
}

struct Names {
    std::vector<std::string> variables;
    std::vector<std::string> properties;
    std::vector<std::string> actions;

    explicit Names(const TransitionSystem& system) {
        Identifiers identifiers(reserved_words());
        for (const Variable& variable : system.variables) {
            variables.push_back(identifiers.add(tla_name(variable.name)));
        }
        for (const Property& property : system.properties) {
            properties.push_back(identifiers.add("Never_" + identifier_of(property.name)));
        }
        for (const Action& action : system.actions) {
            actions.push_back(identifiers.add(tla_name(action_text(action))));
        }
    }
};

class ExpressionText {
  public:
    explicit ExpressionText(const std::vector<std::string>& names) : names_(names) {}

    std::string truth(const Expression& expression) const {
        const auto& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return expression.value() != 0 ? "TRUE" : "FALSE";
            case Operator::kVariable:
            case Operator::kAdd:
                return '(' + value(expression) + " # 0)";
            case Operator::kNot:
                return '~' + truth(operands[0]);
            case Operator::kAnd:
                return joined(operands, " /\\ ");
            case Operator::kOr:
                return joined(operands, " \\/ ");
            case Operator::kEqual:
                return '(' + value(operands[0]) + " = " + value(operands[1]) + ')';
            case Operator::kLess:
                return '(' + value(operands[0]) + " < " + value(operands[1]) + ')';
            case Operator::kChoose:
                return "(IF " + truth(operands[0]) + " THEN " + truth(operands[1]) + " ELSE " + truth(operands[2]) +
                       ')';
        }
        throw InternalError("unknown operator");
    }

    std::string value(const Expression& expression) const {
        const auto& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return std::to_string(expression.value());
            case Operator::kVariable:
                return names_.at(expression.variable());
            case Operator::kChoose:
                return "(IF " + truth(operands[0]) + " THEN " + value(operands[1]) + " ELSE " + value(operands[2]) +
                       ')';
            case Operator::kAdd: {
                std::string sum;
                for (const Expression& operand : operands) {
                    sum += (sum.empty() ? "" : " + ") + value(operand);
                }
                return "Least(" + sum + ", " + std::to_string(expression.value()) + ')';
            }
            case Operator::kNot:
            case Operator::kAnd:
            case Operator::kOr:
            case Operator::kEqual:
            case Operator::kLess:
                return "(IF " + truth(expression) + " THEN 1 ELSE 0)";
        }
        throw InternalError("unknown operator");
    }

  private:
    std::string joined(const std::vector<Expression>& operands, const char* symbol) const {
        std::string text;
        for (const Expression& operand : operands) {
            text += (text.empty() ? "(" : symbol) + truth(operand);
        }
        return text + ')';
    }

    const std::vector<std::string>& names_;
};

std::string list(const std::vector<std::string>& names, const char* indent) {
    std::string text;
    for (std::size_t index = 0; index < names.size(); ++index) {
        text += indent + names[index] + (index + 1 < names.size() ? ",\n" : "\n");
    }
    return text;
}

std::string comment(const std::string& text) { return "\\* " + comment_text(text, "") + '\n'; }

std::string action_text(const Action& action, const std::string& name, const Names& names,
                        const ExpressionText& expressions) {
    const std::string place = action_place(action);
    std::string text = comment(oncecheck::action_text(action) + (place.empty() ? "" : "  " + place)) + name + " ==\n";
    for (const Expression& conjunct : action.guard) {
        text += "    /\\ " + expressions.truth(conjunct) + '\n';
    }
    std::vector<bool> assigned(names.variables.size(), false);
    for (const Assignment& assignment : action.assignments) {
        assigned[assignment.variable] = true;
        text += "    /\\ " + names.variables[assignment.variable] + "' = " + expressions.value(assignment.value) + '\n';
    }
    std::string kept;
    for (std::size_t index = 0; index < assigned.size(); ++index) {
        kept += assigned[index] ? "" : (kept.empty() ? "" : ", ") + names.variables[index];
    }
    return text + (kept.empty() ? "" : "    /\\ UNCHANGED <<" + kept + ">>\n") + '\n';
}

}  // namespace

std::string tla_module_name(const TransitionSystem& system) { return tla_name(system.name); }

std::vector<std::string> tla_variables(const TransitionSystem& system) { return Names(system).variables; }

std::string render_tla_module(const TransitionSystem& system) {
    const Names names(system);
    const ExpressionText expressions(names.variables);
    std::string text = "---- MODULE " + tla_module_name(system) + " ----\n" + comment(system.name) +
                       comment("To check: java -cp tla2tools.jar tlc2.TLC " + tla_module_name(system)) +
                       "EXTENDS Naturals\n\n";
    std::vector<std::string> meanings;
    std::string range;
    std::string initial;
    for (std::size_t index = 0; index < names.variables.size(); ++index) {
        const Variable& variable = system.variables[index];
        meanings.push_back(variable.name);
        range += "    /\\ " + names.variables[index] + " \\in 0.." + std::to_string(variable.largest) + '\n';
        initial += "    /\\ " + names.variables[index] + " = " + std::to_string(variable.initial) + '\n';
    }
    for (const std::string& line : name_table(names.variables, meanings)) {
        text += comment(line);
    }
    text += "VARIABLES\n" + list(names.variables, "    ") + "\nvars == <<\n" + list(names.variables, "    ") +
            ">>\n\nLeast(x, y) == IF x < y THEN x ELSE y\n\nTypeOK ==\n" + range + "\nInit ==\n" + initial + '\n';
    std::string next;
    for (std::size_t index = 0; index < names.actions.size(); ++index) {
        text += action_text(system.actions[index], names.actions[index], names, expressions);
        next += "    \\/ " + names.actions[index] + '\n';
    }
    text += "Next ==\n" + (next.empty() ? "    FALSE\n" : next) + "\nSpec == Init /\\ [][Next]_vars\n\n";
    for (std::size_t index = 0; index < names.properties.size(); ++index) {
        const Property& property = system.properties[index];
        text += comment(property.name) + names.properties[index] + " == ~" + expressions.truth(property.bad) + "\n\n";
    }
    return text + comment("Settled, and progress covers every record.") +
           "Complete == " + expressions.truth(system.complete) + "\n====\n";
}

std::string render_tla_configuration(const TransitionSystem& system) {
    const Names names(system);
    return "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANTS\n    TypeOK\n" + [&] {
        std::string text;
        for (const std::string& property : names.properties) {
            text += "    " + property + '\n';
        }
        return text;
    }();
}

}  // namespace oncecheck
