#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <type_traits>

#include "checker/certificate/certificate_json.h"
#include "checker/certificate/digest.h"
#include "model/document/json.h"
#include "model/document/problems.h"

namespace oncecheck {

namespace {

// One problem is enough: a certificate is written by a program.
[[noreturn]] void refuse(const JsonValue& value, const std::string& code, const std::string& message,
                         const std::string& expected) {
    throw InputError({{code, value.where, message, expected, "certificates are written by 'oncecheck verify'"}});
}

const JsonValue& member(const JsonValue& object, const std::string& key) {
    if (!object.is_object()) {
        refuse(object, "type", std::string("this is ") + describe(object.kind), "an object");
    }
    const JsonValue* found = object.find(key);
    if (found == nullptr) {
        refuse(object, "missing-key", "this has no '" + key + "'", "the key '" + key + "'");
    }
    return *found;
}

// No member but these: nothing in a certificate is left unchecked.
void allow_only(const JsonValue& object, std::initializer_list<std::string_view> keys) {
    for (const JsonMember& one : object.members) {
        if (std::find(keys.begin(), keys.end(), one.key) == keys.end()) {
            refuse(one.value, "unknown-key", "a certificate has no key '" + one.key + "' here", "only known keys");
        }
    }
}

const std::string& text_of(const JsonValue& value) {
    if (!value.is_string()) {
        refuse(value, "type", std::string("this is ") + describe(value.kind), "a string");
    }
    return value.text;
}

const std::vector<JsonValue>& items_of(const JsonValue& value) {
    if (!value.is_array()) {
        refuse(value, "type", std::string("this is ") + describe(value.kind), "a list");
    }
    return value.items;
}

// The number that all of the text is.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

template <class Number>
Number number_of(const JsonValue& value, Number least, Number most) {
    Number number{};
    if (value.kind != JsonValue::Kind::kInteger || !parse_number(value.text, number) || number < least ||
        number > most) {
        refuse(value, "value", "this is no number from " + std::to_string(least) + " to " + std::to_string(most),
               "a whole number");
    }
    return number;
}

std::size_t count_of(const JsonValue& value) {
    return number_of<std::size_t>(value, 0, std::numeric_limits<std::uint32_t>::max());
}

bool boolean_of(const JsonValue& value) {
    if (value.kind != JsonValue::Kind::kBoolean) {
        refuse(value, "type", std::string("this is ") + describe(value.kind), "true or false");
    }
    return value.text == "true";
}

template <class Function>
auto list_of(const JsonValue& value, Function read) {
    std::vector<std::decay_t<decltype(read(value))>> list;
    for (const JsonValue& item : items_of(value)) {
        list.push_back(read(item));
    }
    return list;
}

std::vector<std::string> texts_of(const JsonValue& value) { return list_of(value, text_of); }

void check_digest(const JsonValue& object, const std::string& text) {
    const JsonValue& digest = member(object, "sha256");
    if (text_of(digest) != sha256(text)) {
        refuse(digest, "digest", "this is not the SHA-256 of the text beside it", sha256(text));
    }
}

// ---- diagrams and expressions

DiagramTarget target_of(const JsonValue& value, std::string_view text) {
    DiagramTarget target;
    target.terminal = text.starts_with('=');
    if (!(target.terminal || text.starts_with('n')) || !parse_number(text.substr(1), target.number)) {
        refuse(value, "value", "'" + std::string(text) + "' leads nowhere", "a node 'n12' or a terminal '=1'");
    }
    return target;
}

// See node_text() of the writer.
DiagramNode node_of(const JsonValue& value) {
    std::string_view text = text_of(value);
    const auto next_word = [&] {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return word;
    };
    DiagramNode node;
    bool good = parse_number(next_word(), node.variable);
    std::string_view word = next_word();
    for (std::size_t colon = word.find(':'); good && colon != std::string_view::npos; colon = word.find(':')) {
        DiagramEdge edge;
        good = parse_number(word.substr(0, colon), edge.value);
        edge.target = target_of(value, word.substr(colon + 1));
        node.edges.push_back(edge);
        word = next_word();
    }
    if (!good || !text.empty()) {
        refuse(value, "value", "this is no node of a diagram", "a node such as '7 0:n12 2:=1 =0'");
    }
    node.otherwise = target_of(value, word);
    return node;
}

Diagram diagram_of(const JsonValue& value) {
    allow_only(value, {"root", "nodes"});
    const JsonValue& root = member(value, "root");
    return {list_of(member(value, "nodes"), node_of), target_of(root, text_of(root))};
}

Expression expression_of(const JsonValue& value);

Expression operation_of(const JsonValue& value) {
    const std::vector<JsonValue>& items = items_of(value);
    const std::string name = items.empty() ? "" : text_of(items.front());
    std::vector<Expression> operands;
    const std::size_t first = name == "add" ? 2 : 1;
    for (std::size_t at = first; at < items.size(); ++at) {
        operands.push_back(expression_of(items[at]));
    }
    if (name == "and") {
        return conjunction(operands);
    }
    if (name == "or") {
        return disjunction(operands);
    }
    if (name == "not" && operands.size() == 1) {
        return !operands[0];
    }
    if (name == "=" && operands.size() == 2) {
        return equal(operands[0], operands[1]);
    }
    if (name == "<" && operands.size() == 2) {
        return less(operands[0], operands[1]);
    }
    if (name == "choose" && operands.size() == 3) {
        return choose(operands[0], operands[1], operands[2]);
    }
    if (name == "add" && items.size() > 2) {
        return add(operands, static_cast<Value>(count_of(items[1])));
    }
    refuse(value, "value", "this is no expression", "an operator with its operands");
}

// Nesting is bounded by the reader of JSON.
Expression expression_of(const JsonValue& value) {
    if (value.kind == JsonValue::Kind::kInteger) {
        return Expression::constant(static_cast<Value>(count_of(value)));
    }
    if (value.is_string()) {
        VariableId variable = 0;
        if (!value.text.starts_with('v') || !parse_number(std::string_view(value.text).substr(1), variable)) {
            refuse(value, "value", "this is no variable", "a variable such as 'v3'");
        }
        return Expression::variable(variable);
    }
    return operation_of(value);
}

// ---- evidence

StateSet set_of(const JsonValue& value) {
    if (const JsonValue* expression = value.find("expression")) {
        allow_only(value, {"expression"});
        return expression_of(*expression);
    }
    allow_only(value, {"diagram"});
    return diagram_of(member(value, "diagram"));
}

Obligation obligation_of(const JsonValue& value) {
    allow_only(value, {"name", "smtlib"});
    return {text_of(member(value, "name")), text_of(member(value, "smtlib"))};
}

CertifiedProof proof_of(const JsonValue& value) {
    allow_only(value, {"set", "properties", "ranking", "obligations"});
    CertifiedProof certified;
    certified.proof.set = set_of(member(value, "set"));
    certified.proof.properties = list_of(member(value, "properties"), count_of);
    if (const JsonValue& ranking = member(value, "ranking"); ranking.kind != JsonValue::Kind::kNull) {
        allow_only(ranking, {"rank", "move"});
        certified.proof.ranking = Ranking{diagram_of(member(ranking, "rank")), diagram_of(member(ranking, "move"))};
    }
    certified.obligations = list_of(member(value, "obligations"), obligation_of);
    return certified;
}

State state_of(const JsonValue& value) {
    return list_of(value, [](const JsonValue& item) { return static_cast<Value>(count_of(item)); });
}

CertifiedRun run_of(const JsonValue& value) {
    allow_only(value, {"initial", "steps", "breaks", "trap"});
    CertifiedRun run;
    run.trace.initial = state_of(member(value, "initial"));
    run.trace.steps = list_of(member(value, "steps"), [](const JsonValue& item) {
        allow_only(item, {"action", "after"});
        return TraceStep{count_of(member(item, "action")), state_of(member(item, "after"))};
    });
    if (const JsonValue& breaks = member(value, "breaks"); !breaks.is_string() || breaks.text != "progress") {
        run.property = count_of(breaks);
    }
    if (const JsonValue& trap = member(value, "trap"); trap.kind != JsonValue::Kind::kNull) {
        run.trap = proof_of(trap);
    }
    return run;
}

Evidence evidence_of(const JsonValue& value) {
    Evidence evidence;
    evidence.system = text_of(member(value, "system"));
    evidence.fault = text_of(member(value, "fault"));
    evidence.text = text_of(member(value, "text"));
    check_digest(value, evidence.text);
    if (const JsonValue* run = value.find("run")) {
        allow_only(value, {"system", "fault", "sha256", "text", "run"});
        evidence.shown = run_of(*run);
    } else {
        allow_only(value, {"system", "fault", "sha256", "text", "proof"});
        evidence.shown = proof_of(member(value, "proof"));
    }
    return evidence;
}

// ---- what it is about

CertifiedFile file_of(const JsonValue& value) {
    allow_only(value, {"path", "sha256", "text"});
    CertifiedFile file{text_of(member(value, "path")), text_of(member(value, "text"))};
    check_digest(value, file.text);
    return file;
}

CertifiedBound bound_of(const JsonValue& value) {
    allow_only(value, {"fault", "text", "setting", "source"});
    return {text_of(member(value, "fault")), text_of(member(value, "text")), text_of(member(value, "setting")),
            text_of(member(value, "source"))};
}

Verdict verdict_of(const JsonValue& value) {
    for (const Verdict verdict : {Verdict::kHolds, Verdict::kViolated}) {
        if (text_of(value) == to_string(verdict)) {
            return verdict;
        }
    }
    refuse(value, "value", "'" + value.text + "' is not certified", "holds or violated");
}

void read_size(const JsonValue& value, Certificate& certificate) {
    constexpr int kMostRecords = 4;
    constexpr int kMostAttempts = 3;
    allow_only(value, {"records", "batches", "attempts", "slice"});
    certificate.size.records = number_of(member(value, "records"), 1, kMostRecords);
    certificate.size.batches = number_of(member(value, "batches"), 1, kMostRecords);
    certificate.size.attempts = number_of(member(value, "attempts"), 1, kMostAttempts);
    certificate.slice = boolean_of(member(value, "slice"));
}

void read_subject(const JsonValue& root, Certificate& certificate) {
    certificate.tool = text_of(member(root, "oncecheck"));
    certificate.catalogue = text_of(member(root, "catalogue"));
    certificate.document = file_of(member(root, "document"));
    certificate.files = list_of(member(root, "files"), file_of);
    certificate.variant = text_of(member(root, "variant"));
    const JsonValue& set = member(root, "set");
    if (!set.is_object()) {
        refuse(set, "type", std::string("this is ") + describe(set.kind), "an object");
    }
    for (const JsonMember& value : set.members) {
        certificate.set[value.key] = text_of(value.value);
    }
    read_size(member(root, "size"), certificate);
    const JsonValue& requirement = member(root, "requirement");
    allow_only(requirement, {"kind", "target", "from"});
    certificate.kind = text_of(member(requirement, "kind"));
    certificate.target = text_of(member(requirement, "target"));
    certificate.from = text_of(member(requirement, "from"));
}

}  // namespace

Certificate read_certificate(const std::string& text, const std::string& file) {
    const JsonValue root = parse_json(text, file);
    if (const JsonValue& format = member(root, "certificate"); format.text != "1") {
        refuse(format, "value", "this format of certificates is not known", "1");
    }
    allow_only(root, {"certificate", "oncecheck", "catalogue", "document", "files", "variant", "set", "size",
                      "requirement", "verdict", "provided", "universe", "faults", "assumptions", "evidence"});
    Certificate certificate;
    read_subject(root, certificate);
    certificate.verdict = verdict_of(member(root, "verdict"));
    certificate.provided = list_of(member(root, "provided"), bound_of);
    certificate.universe = texts_of(member(root, "universe"));
    certificate.faults = texts_of(member(root, "faults"));
    certificate.assumptions = texts_of(member(root, "assumptions"));
    certificate.evidence = list_of(member(root, "evidence"), evidence_of);
    return certificate;
}

}  // namespace oncecheck
