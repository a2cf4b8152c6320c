#include "checker/export/promela.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "checker/export/action_text.h"
#include "checker/export/expression_range.h"
#include "checker/export/identifiers.h"

namespace oncecheck {

namespace {

constexpr std::uint64_t kLargestNumber = 0x7fffffff;

// Words of Promela and, as SPIN turns variables into members of C structures, of C, with the few small-letter macros of
// SPIN's verifier.
const std::set<std::string>& reserved_words() {
    static const std::set<std::string> kWords{
        "active",   "assert",   "atomic",  "auto",       "bit",          "bool",         "break",    "byte",
        "c_code",   "c_decl",   "c_expr",  "c_state",    "c_track",      "case",         "chan",     "char",
        "const",    "continue", "cond",    "d_proctype", "d_step",       "default",      "do",       "double",
        "else",     "empty",    "enabled", "enum",       "end",          "eval",         "extern",   "false",
        "fi",       "float",    "for",     "full",       "get_priority", "goto",         "hidden",   "if",
        "in",       "init",     "inline",  "int",        "len",          "local",        "long",     "ltl",
        "mtype",    "nempty",   "never",   "nfull",      "notrace",      "now",          "np_",      "od",
        "of",       "pc_value", "pid",     "print",      "printf",       "printm",       "priority", "proctype",
        "provided", "register", "return",  "run",        "select",       "set_priority", "short",    "show",
        "signed",   "sizeof",   "skip",    "static",     "struct",       "switch",       "system",   "this",
        "timeout",  "trace",    "trpt",    "true",       "typedef",      "typename",     "union",    "unless",
        "unsigned", "volatile", "void",    "while",      "xr",           "xs",           "asm",      "uchar",
        "ushort",   "uint",     "ulong"};
    return kWords;
}

// SPIN's verifier is full of macros in capitals; copies of our own begin with "old_".
std::string promela_name(const std::string& name) {
    const std::string identifier = identifier_of(name);
    const bool small = std::any_of(identifier.begin(), identifier.end(),
                                   [](unsigned char letter) { return std::islower(letter) != 0; });
    const bool ours =
        identifier.starts_with("old_") || identifier.starts_with("violates_") || identifier.starts_with("completes");
    return small && !ours ? identifier : "x_" + identifier;
}

// Prints expressions; variables that an assignment of the same step has already changed go by the name of their copy.
class ExpressionText {
  public:
    ExpressionText(const TransitionSystem& system, const std::vector<std::string>& names)
        : system_(system), names_(names) {}

    std::map<VariableId, std::string> copies;

    std::string of(const Expression& expression) const {
        const auto& operands = expression.operands();
        switch (expression.op()) {
            case Operator::kConstant:
                return std::to_string(fitting(expression.value()));
            case Operator::kVariable: {
                const auto copy = copies.find(expression.variable());
                return copy == copies.end() ? names_.at(expression.variable()) : copy->second;
            }
            case Operator::kNot:
                return '!' + of(operands[0]);
            case Operator::kAnd:
                return joined(operands, " && ");
            case Operator::kOr:
                return joined(operands, " || ");
            case Operator::kEqual:
                return joined(operands, " == ");
            case Operator::kLess:
                return joined(operands, " < ");
            case Operator::kChoose:
                return '(' + of(operands[0]) + " -> " + of(operands[1]) + " : " + of(operands[2]) + ')';
            case Operator::kAdd:
                return sum(expression);
        }
        throw InternalError("unknown operator");
    }

  private:
    static std::uint64_t fitting(std::uint64_t value) {
        if (value > kLargestNumber) {
            throw UsageError("Promela cannot hold the value " + std::to_string(value) +
                             ", which needs more than 31 bits");
        }
        return value;
    }

    std::string joined(const std::vector<Expression>& operands, const char* symbol) const {
        std::string text;
        for (const Expression& operand : operands) {
            text += (text.empty() ? "(" : symbol) + of(operand);
        }
        return text + ')';
    }

    std::string sum(const Expression& addition) const {
        const std::string plain = joined(addition.operands(), " + ");
        if (fitting(largest_sum(system_, addition)) <= addition.value()) {
            return plain;
        }
        const std::string cap = std::to_string(addition.value());
        return '(' + plain + " > " + cap + " -> " + cap + " : " + plain + ')';
    }

    const TransitionSystem& system_;
    const std::vector<std::string>& names_;
};

std::vector<std::string> readable_names(const TransitionSystem& system) {
    Identifiers identifiers(reserved_words());
    std::vector<std::string> names;
    for (const Variable& variable : system.variables) {
        names.push_back(identifiers.add(promela_name(variable.name)));
    }
    return names;
}

// Throws UsageError if the values do not fit.
std::string declaration(const std::string& name, Value largest, Value initial) {
    if (largest > kLargestNumber) {
        throw UsageError("Promela cannot hold '" + name + "', which needs more than 31 bits");
    }
    const unsigned bits = bits_for(largest);
    return (bits == 1 ? "bit " + name : "unsigned " + name + " : " + std::to_string(bits)) +
           (initial == 0 ? "" : " = " + std::to_string(initial)) + ";\n";
}

bool reads(const Expression& expression, VariableId variable) {
    const std::vector<VariableId> read = variables_of(expression);
    return std::binary_search(read.begin(), read.end(), variable);
}

// One system's declarations and the options of its loop.
class ProcessText {
  public:
    ProcessText(const TransitionSystem& system, std::vector<std::string> names)
        : system_(system), names_(std::move(names)) {}

    const std::vector<std::string>& names() const { return names_; }
    // How many copies some action needs.
    std::size_t copies() const { return copies_; }

    std::string action(const Action& action) {
        const std::string place = action_place(action);
        std::string text = "    /* " + comment_text(action_text(action), "*/") +
                           (place.empty() ? "" : "  " + comment_text(place, "*/")) + " */\n    :: d_step {\n        ";
        const ExpressionText plain(system_, names_);
        text += action.guard.empty() ? "true" : guard_text(action.guard, plain);
        text += " ->\n";
        for (const std::string& line : assignments(action)) {
            text += "        " + line + ";\n";
        }
        text.erase(text.size() - 2, 1);  // the last statement has no semicolon
        return text + "    }\n";
    }

    // SPIN prints the text of an assert that fails: "(0==3)" is number 3.
    std::string violation(const Expression& bad, std::size_t number) const {
        const ExpressionText plain(system_, names_);
        return "    :: d_step { " + plain.of(bad) + " -> assert(0 == " + std::to_string(number) + ") }\n";
    }

  private:
    static std::string guard_text(const std::vector<Expression>& guard, const ExpressionText& plain) {
        std::string text;
        for (const Expression& conjunct : guard) {
            text += (text.empty() ? "" : " && ") + plain.of(conjunct);
        }
        return text;
    }

    // All assignments happen at once: one that others read comes after them, or leaves them a copy of the old value.
    std::vector<std::string> assignments(const Action& action) {
        std::vector<std::string> lines;
        ExpressionText text(system_, names_);
        std::vector<const Assignment*> open;
        for (const Assignment& assignment : action.assignments) {
            if (assignment.value != Expression::variable(assignment.variable)) {
                open.push_back(&assignment);
            }
        }
        while (!open.empty()) {
            const auto next = std::find_if(open.begin(), open.end(), [&](const Assignment* candidate) {
                return std::none_of(open.begin(), open.end(), [&](const Assignment* other) {
                    return other != candidate && !text.copies.contains(candidate->variable) &&
                           reads(other->value, candidate->variable);
                });
            });
            if (next == open.end()) {
                const VariableId variable = open.front()->variable;
                const std::string copy = "old_" + std::to_string(text.copies.size() + 1);
                lines.push_back(copy + " = " + names_[variable]);
                text.copies.emplace(variable, copy);
                copies_ = std::max(copies_, text.copies.size());
                continue;
            }
            lines.push_back(names_[(*next)->variable] + " = " + text.of((*next)->value));
            open.erase(next);
        }
        for (const auto& [unused, copy] : text.copies) {
            lines.push_back(copy + " = 0");
        }
        return lines.empty() ? std::vector<std::string>{"skip"} : lines;
    }

    const TransitionSystem& system_;
    std::vector<std::string> names_;
    std::size_t copies_ = 0;
};

// Zero between steps, so that they tell no states apart. (Breadth-first search knows no hidden variables.)
std::string copy_declarations(std::size_t copies) {
    std::string text;
    for (std::size_t number = 1; number <= copies; ++number) {
        text += "int old_" + std::to_string(number) + ";\n";
    }
    return text;
}

constexpr const char* kUsage =
    " *\n"
    " * All states, and all properties, each with the depth of the first state that violates it:\n"
    " *     spin -a -o2 -DPROPERTIES FILE && gcc -O2 -DSAFETY -DNOREDUCE -DBFS -o pan pan.c && ./pan -c0\n"
    " * \"assertion violated (0==N) (at depth D)\": PROPERTY_N, and a shortest run to it has D actions.\n"
    " * -o2: variables that nothing reads tell states apart as well.\n"
    " * One property: -DPROPERTY_N in place of -DPROPERTIES; its run: ./pan && spin -t -p -g FILE.\n"
    " * Whether a complete state is reachable: -DCOMPLETE. Depth first: without -DBFS; then ./pan -m1000000.\n"
    " *\n";

std::string header(const TransitionSystem& system, const std::string& title, const ProcessText& process) {
    std::string text = "/* " + comment_text(title, "*/") + '\n' + kUsage + " * Properties:\n";
    std::vector<std::string> names;
    std::vector<std::string> meanings;
    for (std::size_t index = 0; index < system.properties.size(); ++index) {
        names.push_back("PROPERTY_" + std::to_string(index + 1));
        meanings.push_back(system.properties[index].name);
    }
    for (const std::string& line : name_table(names, meanings)) {
        text += " *     " + comment_text(line, "*/") + '\n';
    }
    meanings.clear();
    for (const Variable& variable : system.variables) {
        meanings.push_back("0.." + std::to_string(variable.largest) + "  " + variable.name);
    }
    text += " *\n * Variables:\n";
    for (const std::string& line : name_table(process.names(), meanings)) {
        text += " *     " + comment_text(line, "*/") + '\n';
    }
    return text + " */\n";
}

}  // namespace

std::string render_promela(const TransitionSystem& system, const std::string& title) {
    ProcessText process(system, readable_names(system));
    std::string declarations;
    for (VariableId id = 0; id < system.variables.size(); ++id) {
        const Variable& variable = system.variables[id];
        declarations += declaration(process.names()[id], variable.largest, variable.initial);
    }
    std::string options;
    for (const Action& action : system.actions) {
        options += process.action(action);
    }
    std::size_t number = 0;
    for (const Property& property : system.properties) {
        ++number;
        options += "#if defined(PROPERTIES) || defined(PROPERTY_" + std::to_string(number) + ")\n" +
                   process.violation(property.bad, number) + "#endif\n";
    }
    options += "#ifdef COMPLETE\n" + process.violation(system.complete, number + 1) + "#endif\n";
    return header(system, title, process) + '\n' + declarations + copy_declarations(process.copies()) +
           "\nactive proctype pipeline() {\nend:\n    do\n" + options + "    od\n}\n";
}

// The systems share variables, which each begins with by setting them; which system it is, the process's place tells.
std::string render_promela_choice(const std::vector<TransitionSystem>& systems) {
    std::vector<Value> largest;  // of the variables shared
    std::vector<std::string> shared;
    for (const TransitionSystem& system : systems) {
        for (VariableId id = 0; id < system.variables.size(); ++id) {
            if (id == largest.size()) {
                largest.push_back(0);
                shared.push_back("v_" + std::to_string(id + 1));
            }
            largest[id] = std::max(largest[id], system.variables[id].largest);
        }
    }
    std::string loops;
    std::string choices;
    std::size_t copies = 0;
    std::size_t property = 0;
    for (std::size_t number = 1; number <= systems.size(); ++number) {
        const TransitionSystem& system = systems[number - 1];
        ProcessText process(system, shared);
        std::string begin = "skip";
        for (VariableId id = 0; id < system.variables.size(); ++id) {
            begin += "; " + shared[id] + " = " + std::to_string(system.variables[id].initial);
        }
        std::string options;
        for (const Action& action : system.actions) {
            options += process.action(action);
        }
        for (const Property& one : system.properties) {
            options += process.violation(one.bad, ++property);
        }
        choices += "    :: d_step { " + begin + " } goto end_" + std::to_string(number) + '\n';
        loops += "end_" + std::to_string(number) + ":\n    do\n" + options + "    od;\n";
        copies = std::max(copies, process.copies());
    }
    std::string declarations;
    for (std::size_t id = 0; id < shared.size(); ++id) {
        declarations += declaration(shared[id], largest[id], 0);
    }
    return declarations + copy_declarations(copies) + "\nactive proctype pipeline() {\n    if\n" + choices +
           "    fi;\n" + loops + "    skip\n}\n";
}

}  // namespace oncecheck
