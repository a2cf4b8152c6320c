#include "checker/crossvalidate/examined_pipeline.h"

#include <nlohmann/json.hpp>

namespace oncecheck {

const char* to_string(Disagreement::Kind kind) {
    switch (kind) {
        case Disagreement::Kind::kVerdict:
            return "verdict";
        case Disagreement::Kind::kStep:
            return "step";
    }
    throw InternalError("a disagreement of no kind");
}

const char* to_string(ExaminedPipeline::Outcome outcome) {
    switch (outcome) {
        case ExaminedPipeline::Outcome::kAgrees:
            return "agrees";
        case ExaminedPipeline::Outcome::kDisagrees:
            return "disagrees";
        case ExaminedPipeline::Outcome::kRefused:
            return "refused";
        case ExaminedPipeline::Outcome::kOtherStore:
            return "other-store";
        case ExaminedPipeline::Outcome::kTooLarge:
            return "too-large";
    }
    throw InternalError("an examined pipeline without an outcome");
}

std::string json_line(const ExaminedPipeline& examined) {
    nlohmann::ordered_json line{{"seed", examined.seed}, {"name", examined.name}};
    line["outcome"] = to_string(examined.outcome);
    if (!examined.reason.empty()) {
        line["reason"] = examined.reason;
    }
    for (const auto& [requirement, verdict] : examined.verdicts) {
        line["verdicts"][requirement] = to_string(verdict);
    }
    line["schedules"] = examined.schedules;
    line["complete"] = examined.complete;
    line["outside_universe"] = examined.outside;
    line["violated_beyond"] = examined.violated_beyond;
    line["events"] = examined.events;
    line["flaws"] = examined.flaws;
    line["violations"] = examined.violations;
    line["shown"] = examined.shown;
    if (examined.disagreement) {
        const Disagreement& disagreement = *examined.disagreement;
        line["disagreement"] = {{"kind", to_string(disagreement.kind)},
                                {"what", disagreement.what},
                                {"schedule", disagreement.schedule},
                                {"document", disagreement.document},
                                {"moves", disagreement.moves}};
    }
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace oncecheck
