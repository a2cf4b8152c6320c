#include "checker/export/action_text.h"

namespace oncecheck {

std::string action_text(const Action& action) {
    const ActionLabel& label = action.label;
    std::string text = label.process;
    if (label.slot >= 0) {
        text += " (" + std::to_string(label.slot + 1) + ')';
    }
    text += (text.empty() ? "" : ": ") + label.text;
    switch (action.kind) {
        case ActionKind::kStep:
            break;
        case ActionKind::kEnvironment:
            text += " [environment]";
            break;
        case ActionKind::kFault:
            text += " [fault" + (label.fault.empty() ? "" : ": " + label.fault) + ']';
            break;
    }
    return text;
}

std::string action_place(const Action& action) {
    const SourcePosition& where = action.label.where;
    return where.pointer.empty() ? where.file : where.file + '#' + where.pointer;
}

}  // namespace oncecheck
