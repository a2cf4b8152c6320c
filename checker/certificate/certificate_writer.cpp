#include <nlohmann/json.hpp>

#include "checker/certificate/certificate_json.h"
#include "checker/certificate/digest.h"

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

template <class Value, class Function>
Json list_of(const std::vector<Value>& values, Function to_json) {
    Json list = Json::array();
    for (const Value& value : values) {
        list.push_back(to_json(value));
    }
    return list;
}

// A target is "n12" (node 12) or "=3" (terminal 3).
std::string target_text(const DiagramTarget& target) {
    return (target.terminal ? "=" : "n") + std::to_string(target.number);
}

// "7 0:n12 2:=1 n3": variable 7; value 0 leads to node 12, 2 to terminal 1, all others to node 3.
std::string node_text(const DiagramNode& node) {
    std::string text = std::to_string(node.variable);
    for (const DiagramEdge& edge : node.edges) {
        text += ' ' + std::to_string(edge.value) + ':' + target_text(edge.target);
    }
    return text + ' ' + target_text(node.otherwise);
}

Json diagram_json(const Diagram& diagram) {
    return {{"root", target_text(diagram.root)}, {"nodes", list_of(diagram.nodes, node_text)}};
}

// A number, "v3", or ["and", ...]; of a sum the cap stands before the operands.
Json expression_json(const Expression& expression) {
    if (expression.op() == Operator::kConstant) {
        return expression.value();
    }
    if (expression.op() == Operator::kVariable) {
        return 'v' + std::to_string(expression.variable());
    }
    Json list = Json::array({std::string(kOperators[static_cast<std::size_t>(expression.op())].name)});
    if (expression.op() == Operator::kAdd) {
        list.push_back(expression.value());
    }
    for (const Expression& operand : expression.operands()) {
        list.push_back(expression_json(operand));
    }
    return list;
}

Json set_json(const StateSet& set) {
    if (const auto* expression = std::get_if<Expression>(&set)) {
        return {{"expression", expression_json(*expression)}};
    }
    return {{"diagram", diagram_json(std::get<Diagram>(set))}};
}

Json proof_json(const CertifiedProof& certified) {
    const Proof& proof = certified.proof;
    Json json{{"set", set_json(proof.set)}, {"properties", proof.properties}, {"ranking", nullptr}};
    if (proof.ranking) {
        json["ranking"] = {{"rank", diagram_json(proof.ranking->rank)}, {"move", diagram_json(proof.ranking->move)}};
    }
    json["obligations"] = list_of(certified.obligations, [](const Obligation& obligation) {
        return Json{{"name", obligation.name}, {"smtlib", obligation.script}};
    });
    return json;
}

Json run_json(const CertifiedRun& run) {
    Json json{{"initial", run.trace.initial},
              {"steps", list_of(run.trace.steps,
                                [](const TraceStep& step) {
                                    return Json{{"action", step.action}, {"after", step.after}};
                                })},
              {"breaks", run.property ? Json(*run.property) : Json("progress")},
              {"trap", nullptr}};
    if (run.trap) {
        json["trap"] = proof_json(*run.trap);
    }
    return json;
}

Json evidence_json(const Evidence& evidence) {
    Json json{{"system", evidence.system},
              {"fault", evidence.fault},
              {"sha256", sha256(evidence.text)},
              {"text", evidence.text}};
    if (const auto* proof = std::get_if<CertifiedProof>(&evidence.shown)) {
        json["proof"] = proof_json(*proof);
    } else {
        json["run"] = run_json(std::get<CertifiedRun>(evidence.shown));
    }
    return json;
}

Json file_json(const CertifiedFile& file) {
    return {{"path", file.path}, {"sha256", sha256(file.text)}, {"text", file.text}};
}

Json bound_json(const CertifiedBound& bound) {
    return {{"fault", bound.fault}, {"text", bound.text}, {"setting", bound.setting}, {"source", bound.source}};
}

}  // namespace

std::string write_certificate(const Certificate& certificate) {
    const Json json{
        {"certificate", 1},
        {"oncecheck", certificate.tool},
        {"catalogue", certificate.catalogue},
        {"document", file_json(certificate.document)},
        {"files", list_of(certificate.files, file_json)},
        {"variant", certificate.variant},
        {"set", certificate.set},
        {"size",
         {{"records", certificate.size.records},
          {"batches", certificate.size.batches},
          {"attempts", certificate.size.attempts},
          {"slice", certificate.slice}}},
        {"requirement", {{"kind", certificate.kind}, {"target", certificate.target}, {"from", certificate.from}}},
        {"verdict", to_string(certificate.verdict)},
        {"provided", list_of(certificate.provided, bound_json)},
        {"universe", certificate.universe},
        {"faults", certificate.faults},
        {"assumptions", certificate.assumptions},
        {"evidence", list_of(certificate.evidence, evidence_json)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace oncecheck
