// Producers: what the checker says of every combination of their settings and faults, against runs.
#include <gtest/gtest.h>

#include <set>

#include "checker/crossvalidate/run_inputs.h"
#include "model/runtime/simulate.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

namespace {

std::string producing(const std::string& settings, const std::string& faults) {
    QueryDocument document{.program = R"([{ "append": "db.payments" }])", .faults = ""};
    document.components = R"(, "gateway": { "type": "kafka-producer", "version": "3.7", "writes": "payments_topic",
        "assume": { "faults": [)" +
                          faults + R"(] }, "config": { )" + settings + " } }";
    document.require = R"({ "no-duplicate": "db.payments", "from": "gateway" },
                          { "no-loss": "db.payments", "from": "gateway" })";
    return document.text();
}

// Requirements by their kind, "no-loss".
std::set<std::string> violated_in_runs(const Pipeline& pipeline) {
    SimulationOptions options;
    options.runs = 200;
    options.schedule.fault_rate = 0.2;
    options.inputs = pipeline_inputs(pipeline, {});
    options.patterns = record_patterns(pipeline, {});
    std::set<std::string> kinds;
    for (const ViolationCount& violation : simulate(pipeline, options, [](const SimulationResult&) {}).violations) {
        kinds.insert(to_string(pipeline.requirements[violation.requirement].kind));
    }
    return kinds;
}

std::set<std::string> violated_in_the_model(const Pipeline& pipeline) {
    std::set<std::string> kinds;
    for (const RequirementReport& requirement : verified(pipeline).requirements) {
        if (requirement.verdict == Verdict::kViolated) {
            kinds.insert(requirement.kind);
        }
    }
    return kinds;
}

TEST(Producers, AreJudgedAsRunsOfThemAre) {
    int compared = 0;
    for (const char* acks : {"0", "1", "all"}) {
        for (const char* identity :
             {R"("enable.idempotence": false)", R"("enable.idempotence": true)", R"("transactional.id": "gateway")"}) {
            for (const char* retries : {"0", "3"}) {
                for (const char* faults :
                     {"", R"("crash")", R"("lost-ack")", R"("redelivery")", R"("crash", "lost-ack", "redelivery")"}) {
                    const std::string settings =
                        std::string(R"("acks": ")") + acks + R"(", "retries": )" + retries + ", " + identity;
                    const std::string text = producing(settings, faults);
                    try {
                        const Pipeline pipeline = resolved(text);
                        EXPECT_EQ(violated_in_the_model(pipeline), violated_in_runs(pipeline))
                            << settings << "; faults " << faults;
                        ++compared;
                    } catch (const InputError&) {
                        // a combination that Kafka refuses
                    }
                }
            }
        }
    }
    EXPECT_GE(compared, 40);
}

}  // namespace

}  // namespace oncecheck
