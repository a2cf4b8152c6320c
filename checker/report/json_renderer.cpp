#include "checker/report/json_renderer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json number_or_null(int number) { return number > 0 ? Json(number) : Json(); }

template <class Value, class Function>
Json list_of(const std::vector<Value>& values, Function to_json) {
    Json list = Json::array();
    for (const Value& value : values) {
        list.push_back(to_json(value));
    }
    return list;
}

Json position(const SourcePosition& where) {
    if (where == SourcePosition{}) {
        return nullptr;
    }
    return {{"file", where.file},
            {"line", number_or_null(where.line)},
            {"column", number_or_null(where.column)},
            {"pointer", where.pointer}};
}

Json row(const RowCount& count) { return {{"object", count.object}, {"row", count.row}, {"count", count.count}}; }

Json bound(const ReportedBound& limit) {
    return {{"time", limit.time},
            {"relation", limit.relation},
            {"milliseconds", limit.milliseconds},
            {"text", limit.text},
            {"setting", text_or_null(limit.setting)},
            {"where", position(limit.where)},
            {"source", text_or_null(limit.source)}};
}

Json step(const RunStep& taken) {
    return {{"actor", taken.actor},
            {"text", taken.text},
            {"fault", text_or_null(taken.fault)},
            {"flaw", text_or_null(taken.flaw)},
            {"where", position(taken.where)},
            {"changed", list_of(taken.changed, row)}};
}

Json trace(const std::optional<Run>& run) {
    if (!run) {
        return nullptr;
    }
    return {{"steps", list_of(run->steps, step)},
            {"point_of_no_return", run->point_of_no_return},
            {"faults", run->faults},
            {"followed", text_or_null(run->followed)},
            {"stores", list_of(run->stores, row)},
            {"timeline", run->timeline},
            {"trap_states", run->trap_states}};
}

const char* kind_of_evidence(const RequirementReport& requirement) {
    switch (requirement.verdict) {
        case Verdict::kHolds:
            return requirement.invariants.empty() ? "exhausted-search" : "inductive-invariant";
        case Verdict::kViolated:
            return "trace";
        case Verdict::kUndecided:
            return "none";
    }
    return "";
}

Json invariant(const ReportedInvariant& found) {
    return {{"system", found.system},
            {"property", found.property},
            {"k", found.k},
            {"clauses", found.clauses},
            {"examples", found.examples}};
}

Json evidence(const RequirementReport& requirement) {
    return {{"kind", kind_of_evidence(requirement)},
            {"engine", text_or_null(requirement.engine)},
            {"strength", text_or_null(requirement.strength)},
            {"invariants", list_of(requirement.invariants, invariant)},
            {"undecided", text_or_null(requirement.undecided)}};
}

Json blame(const std::optional<WeakestLink>& link) {
    return link ? Json{{"text", link->text}, {"where", position(link->where)}} : Json();
}

Json expectation(const std::optional<std::string>& expect) { return expect ? Json(*expect) : Json(); }

Json requirement_json(const RequirementReport& requirement, bool strict) {
    return {{"kind", requirement.kind},
            {"target", requirement.target},
            {"from", text_or_null(requirement.from)},
            {"verdict", to_string(requirement.verdict)},
            {"provided", list_of(requirement.provided, bound)},
            {"expect", expectation(requirement.expect)},
            {"reason", text_or_null(requirement.reason)},
            {"as_expected", requirement.met(strict)},
            {"default", requirement.is_default},
            {"flaws", requirement.flaws},
            {"category", text_or_null(requirement.category)},
            {"rule", text_or_null(requirement.rule)},
            {"evidence", evidence(requirement)},
            {"trace", trace(requirement.run)},
            {"blame", blame(requirement.weakest_link)},
            {"where", position(requirement.where)}};
}

Json finding_json(const Finding& finding) {
    return {{"rule", finding.rule}, {"message", finding.message}, {"where", position(finding.where)}};
}

Json reported_step(const ReportedStep& kind) {
    return {{"process", kind.process},
            {"text", kind.text},
            {"fault", text_or_null(kind.fault)},
            {"where", position(kind.where)}};
}

Json coverage_json(const ReportedCoverage& coverage) {
    return {{"whole", coverage.whole},
            {"kinds", coverage.kinds},
            {"occurring", coverage.occurring},
            {"faults", coverage.faults},
            {"idle_faults", coverage.idle_faults},
            {"never", list_of(coverage.never, reported_step)}};
}

// Microseconds are enough, and keep the text short.
Json statistics_json(const Statistics& statistics) {
    return {{"systems", statistics.systems},
            {"states", statistics.states},
            {"measured", {{"bytes", statistics.bytes}, {"seconds", std::round(statistics.seconds * 1e6) / 1e6}}}};
}

Json report_json(const Report& report, bool strict) {
    return {{"pipeline", report.pipeline},
            {"file", report.file},
            {"variant", text_or_null(report.variant)},
            {"verdict", to_string(report.verdict)},
            {"expect", expectation(report.expect)},
            {"as_expected", report.met(strict)},
            {"requirements", list_of(report.requirements,
                                     [&](const auto& requirement) { return requirement_json(requirement, strict); })},
            {"universe", report.universe},
            {"engines", report.engines},
            {"faults", report.faults},
            {"assumptions", report.assumptions},
            {"findings", list_of(report.findings, finding_json)},
            {"coverage", coverage_json(report.coverage)},
            {"statistics", statistics_json(report.statistics)}};
}

}  // namespace

std::string render_json(const std::vector<Report>& reports, const RenderOptions& options) {
    const auto to_json = [&](const Report& report) { return report_json(report, options.strict); };
    Json json;
    if (options.several || reports.size() != 1) {
        json["reports"] = list_of(reports, to_json);
    } else {
        json = to_json(reports.front());
    }
    // A file name may be any bytes.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace oncecheck
