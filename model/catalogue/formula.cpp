#include "model/catalogue/formula.h"

#include <set>

namespace oncecheck {

namespace {

void collect_names(const Formula& formula, std::set<std::string>& names) {
    const Formula::Node& node = formula.node();
    if (node.op == FormulaOperator::kName) {
        names.insert(node.name);
    }
    for (const Formula& operand : node.operands) {
        collect_names(operand, names);
    }
}

}  // namespace

Formula::Formula(Node node, std::string text)
    : node_(std::make_shared<const Node>(std::move(node))),
      text_(std::make_shared<const std::string>(std::move(text))) {}

std::vector<std::string> Formula::names() const {
    std::set<std::string> names;
    collect_names(*this, names);
    return {names.begin(), names.end()};
}

}  // namespace oncecheck
