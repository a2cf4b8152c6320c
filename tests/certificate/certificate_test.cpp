// Certificates of small pipelines: written, read back, checked; and every way to tamper with one that we could think
// of.
// GCC 12 sees overlapping copies in the string concatenations of valijson (GCC bug 105651).
#pragma GCC diagnostic ignored "-Wrestrict"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "checker/certificate/bearing.h"
#include "tests/cases/support/documents.h"
#include "tests/certificate/made.h"

namespace oncecheck {
namespace {

using Json = nlohmann::ordered_json;

// Staging by attempt, merged under a ledger: holds. `times` leaves the retention open or not.
QueryDocument holding() {
    QueryDocument document;
    document.program = R"([{ "merge": "db.payments", "on": ["payment_id"] }])";
    document.tables = R"({ "payments": { "primary_key": ["payment_id"] } })";
    document.faults = "\"crash\"";
    return document;
}

QueryDocument violated() {
    QueryDocument document = holding();
    document.program = R"([{ "append": "db.payments" }])";
    document.tables = "{}";
    return document;
}

Json certificate(const QueryDocument& document, std::size_t requirement) {
    return Json::parse(write_certificate(made(read_sources(document.text(), "test.json").front(), requirement)));
}

std::string outcome_of(const Json& json, const CheckMethod& method = {}) {
    return oncecheck::outcome_of(json.dump(), method);
}

// Puts the right SHA-256 beside the text, as whoever tampers would.
void refit(Json& object) { object["sha256"] = sha256(object["text"].get<std::string>()); }

Json& proof(Json& json) { return json["evidence"][0]["proof"]; }

void replace(Json& text, const std::string& from, const std::string& to) {
    std::string value = text.get<std::string>();
    const std::size_t at = value.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text = value.replace(at, from.size(), to);
}

TEST(Certificate, SurvivesWritingAndReading) {
    for (const QueryDocument& document : {holding(), violated()}) {
        const Certificate before = made(read_sources(document.text(), "test.json").front(), 0);
        const Certificate after = read_certificate(write_certificate(before), "x");
        EXPECT_EQ(write_certificate(after), write_certificate(before));
        EXPECT_EQ(after.evidence, before.evidence);
        EXPECT_EQ(after.provided, before.provided);
        EXPECT_EQ(after.document, before.document);
    }
}

TEST(Certificate, FollowsItsSchema) {
    const auto json = nlohmann::json::parse(text_of(ONCECHECK_SOURCE_SPECS "/schema/certificate.schema.json"));
    valijson::Schema schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(json), schema);
    for (const QueryDocument& document : {holding(), violated()}) {
        nlohmann::json written = nlohmann::json::parse(certificate(document, 0).dump());
        valijson::Validator validator;
        EXPECT_TRUE(validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(written), nullptr));
        written["evidence"][0]["note"] = 1;
        EXPECT_FALSE(validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(written), nullptr) &&
                     oncecheck::outcome_of(written.dump()) == "valid");
    }
}

TEST(Certificate, OfEveryRequirementIsValid) {
    for (std::size_t requirement = 0; requirement < 4; ++requirement) {
        const Json holds = certificate(holding(), requirement);
        EXPECT_EQ(holds["verdict"], "holds") << requirement;
        EXPECT_EQ(outcome_of(holds), "valid") << requirement;
    }
    const Json run = certificate(violated(), 0);
    EXPECT_EQ(run["verdict"], "violated");
    EXPECT_EQ(outcome_of(run), "valid");
}

TEST(Certificate, OfAPipelineThatGetsStuckHasARunIntoATrap) {
    QueryDocument document = holding();
    document.program = R"([{ "create": "db.stg", "if_exists": "fail" }, { "append": "db.stg" },
                           { "merge": "db.payments", "using": "db.stg", "on": ["payment_id"] },
                           { "drop": "db.stg" }])";
    document.tables = R"({ "payments": { "primary_key": ["payment_id"] }, "stg": {} })";
    Json json = certificate(document, 3);
    EXPECT_EQ(json["verdict"], "violated");
    EXPECT_EQ(outcome_of(json), "valid");
    Json shorter = json;
    shorter["evidence"][0]["run"]["steps"].erase(shorter["evidence"][0]["run"]["steps"].size() - 1);
    EXPECT_EQ(outcome_of(shorter).rfind("refused: evidence of enrich", 0), 0U) << outcome_of(shorter);
    json["evidence"][0]["run"]["trap"] = nullptr;
    EXPECT_EQ(outcome_of(json).rfind("refused: evidence of enrich", 0), 0U) << outcome_of(json);
}

TEST(Certificate, OfAConditionalVerdictHasTheBoundAndARunWithoutIt) {
    QueryDocument document = holding();
    document.topic = R"("retention.ms": 604800000)";
    Json json = certificate(document, 0);
    ASSERT_EQ(json["verdict"], "holds");
    ASSERT_EQ(json["provided"].size(), 1U);
    EXPECT_EQ(outcome_of(json), "valid");
    Json unbound = json;
    unbound["provided"] = Json::array();
    EXPECT_EQ(outcome_of(unbound), "refused: provided");
    Json longer = json;
    longer["provided"][0]["text"] = "for outages shorter than 70 d";
    EXPECT_EQ(outcome_of(longer), "refused: provided");
    Json half = json;
    half["provided"] = Json::array();
    half["evidence"].erase(half["evidence"].size() - 1);
    EXPECT_EQ(outcome_of(half), "refused: evidence");
}

TEST(Certificate, HoldsTheFilesThatTheDocumentNames) {
    QueryDocument document = holding();
    document.query = R"(, "config_file": "spark-defaults.conf")";
    const auto file = [](const std::string&, const SourcePosition&, std::vector<Problem>&) {
        return std::optional<std::string>("spark.task.maxFailures 4\n");
    };
    Json json =
        Json::parse(write_certificate(made(read_sources(document.text(), "folder/test.json", file).front(), 0)));
    ASSERT_EQ(json["files"].size(), 1U);
    EXPECT_EQ(json["files"][0]["path"], "folder/spark-defaults.conf");
    EXPECT_EQ(outcome_of(json), "valid");
    Json other = json;
    replace(other["files"][0]["text"], "4", "\"");
    EXPECT_EQ(outcome_of(other), "unreadable: digest");
    Json missing = json;
    missing["files"] = Json::array();
    EXPECT_EQ(outcome_of(missing), "refused: document");
    json["files"].push_back({{"path", "/etc/passwd"}, {"sha256", sha256("")}, {"text", ""}});
    EXPECT_EQ(outcome_of(json), "refused: files");
}

// ---- tampering: each changes one thing in a valid certificate

struct Tampering {
    const char* name;
    void (*change)(Json&);
    const char* outcome;
};

const std::vector<Tampering> kOfAnyCertificate{
    {"format", [](Json& json) { json["certificate"] = 2; }, "unreadable: value"},
    {"tool version", [](Json& json) { json["oncecheck"] = "9.9.9"; }, "refused: oncecheck"},
    {"catalogue", [](Json& json) { json["catalogue"] = std::string(64, '0'); }, "refused: catalogue"},
    {"document text", [](Json& json) { replace(json["document"]["text"], "crash", "zombie"); }, "unreadable: digest"},
    {"document hash", [](Json& json) { json["document"]["sha256"] = sha256("x"); }, "unreadable: digest"},
    {"document text and hash",
     [](Json& json) {
         replace(json["document"]["text"], "\"crash\"", "\"crash\", \"zombie\"");
         refit(json["document"]);
     },
     "refused: "},
    {"document that is none",
     [](Json& json) {
         json["document"]["text"] = "{}";
         refit(json["document"]);
     },
     "refused: document"},
    {"variant", [](Json& json) { json["variant"] = "fenced"; }, "refused: variant"},
    {"--set", [](Json& json) { json["set"]["stg"] = "x"; }, "refused: document"},
    {"size", [](Json& json) { json["size"]["batches"] = 3; }, "refused: universe"},
    {"impossible size", [](Json& json) { json["size"]["batches"] = 1'000'000; }, "unreadable: value"},
    {"requirement", [](Json& json) { json["requirement"]["target"] = "db.other"; }, "refused: requirement"},
    {"kind of requirement", [](Json& json) { json["requirement"]["kind"] = "no-stale"; }, "refused: requirement"},
    {"undecided", [](Json& json) { json["verdict"] = "undecided"; }, "unreadable: value"},
    {"universe", [](Json& json) { json["universe"][0] = "any number of batches"; }, "refused: universe"},
    {"faults", [](Json& json) { json["faults"].push_back("no crash"); }, "refused: faults"},
    {"assumptions", [](Json& json) { json["assumptions"] = Json::array(); }, "refused: assumptions"},
    {"bounds",
     [](Json& json) {
         json["provided"].push_back({{"fault", "expiry of enrich"}, {"text", ""}, {"setting", ""}, {"source", ""}});
     },
     nullptr},
    {"system's text", [](Json& json) { replace(json["evidence"][0]["text"], "fault", "step "); }, "unreadable: digest"},
    {"system's text and hash",
     [](Json& json) {
         replace(json["evidence"][0]["text"], "fault", "step ");
         refit(json["evidence"][0]);
     },
     "refused: evidence of enrich, text"},
    {"no evidence", [](Json& json) { json["evidence"] = Json::array(); }, "refused: evidence"},
    {"evidence twice", [](Json& json) { json["evidence"].push_back(json["evidence"][0]); }, nullptr},
    {"another key", [](Json& json) { json["note"] = "trust me"; }, "unreadable: unknown-key"},
    {"a key less", [](Json& json) { json.erase("assumptions"); }, "unreadable: missing-key"},
};

void expect_refused_as_any(const Json& valid) {
    ASSERT_EQ(outcome_of(valid), "valid");
    for (const Tampering& tampering : kOfAnyCertificate) {
        Json json = valid;
        tampering.change(json);
        const std::string outcome = outcome_of(json);
        EXPECT_NE(json, valid) << tampering.name;
        // Systems of followed records have longer names.
        const std::string expected = tampering.outcome == nullptr ? "refused: " : tampering.outcome;
        const std::string start = expected.substr(0, expected.find(", text"));
        EXPECT_EQ(outcome.rfind(start, 0), 0U) << tampering.name << ": " << outcome;
    }
}

TEST(Certificate, IsRefusedIfAnythingThatItSaysIsNotSo) {
    expect_refused_as_any(certificate(holding(), 0));
    expect_refused_as_any(certificate(violated(), 0));
}

bool is_refused(const Json& json) {
    const std::string outcome = outcome_of(json);
    return outcome.starts_with("refused: evidence of") || outcome.starts_with("refused: evidence");
}

TEST(Certificate, OfAHoldIsRefusedIfAProofIsChanged) {
    const Json valid = certificate(holding(), 0);
    const auto tampered = [&](const auto& change) {
        Json json = valid;
        change(json);
        EXPECT_NE(json, valid);
        return json;
    };
    EXPECT_TRUE(is_refused(tampered([](Json& json) { json["verdict"] = "violated"; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { json["evidence"].erase(0); })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["properties"] = Json::array(); })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["ranking"] = nullptr; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["obligations"].erase(1); })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) {
        replace(proof(json)["obligations"][1]["smtlib"], "(check-sat)", "(assert false)\n(check-sat)");
    })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["set"] = {{"expression", 1}}; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["set"]["diagram"]["root"] = "=1"; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["set"]["diagram"]["root"] = "n999999"; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["ranking"]["rank"]["root"] = "=1"; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["ranking"]["move"]["root"] = "=1"; })));
    EXPECT_TRUE(is_refused(tampered([](Json& json) { proof(json)["set"]["diagram"]["nodes"][0] = "0 0:n0 =0"; })));
    EXPECT_EQ(outcome_of(tampered([](Json& json) { proof(json)["set"]["diagram"]["nodes"][0] = "0 0:n =0"; })),
              "unreadable: value");
}

// A certificate whose only proof was changed by someone who also writes the obligations that follow from the change, so
// that nothing but the check of the proof itself can refuse it.
std::string outcome_of_cheat(void (*change)(Proof&), const CheckMethod& method) {
    const ReadSource read = read_sources(holding().text(), "test.json").front();
    const Pipeline pipeline = resolve(read.document, catalogue());
    Certificate certificate = made(read, 0);
    const PlanOptions options{certificate.size, certificate.slice};
    const Bearing bearing = bearing_on(pipeline, plan(pipeline, options, {}), options, 0);
    auto& certified = std::get<CertifiedProof>(certificate.evidence.at(0).shown);
    change(certified.proof);
    certified.obligations = obligations(bearing.certain.at(0).hop.system, certified.proof);
    return oncecheck::outcome_of(write_certificate(certificate), method);
}

Diagram& set_of(Proof& proof) { return std::get<Diagram>(proof.set); }

// The root asks for a variable that the diagram skipped or asks for below: all values but 0 lead elsewhere.
void split_root(Diagram& diagram, const DiagramTarget& elsewhere) {
    diagram.nodes.push_back({diagram.nodes.back().variable, {{0, elsewhere}}, diagram.root});
    diagram.root = {false, static_cast<std::uint32_t>(diagram.nodes.size() - 1)};
}

struct Cheat {
    const char* name;
    void (*change)(Proof&);
};

const std::vector<Cheat> kCheats{
    {"nothing", [](Proof&) {}},
    {"an empty set", [](Proof& proof) { set_of(proof) = {}; }},
    {"all states",
     [](Proof& proof) {
         set_of(proof) = {{}, {true, kInside}};
     }},
    {"all states, as a formula", [](Proof& proof) { proof.set = truth(); }},
    {"a state less", [](Proof& proof) { set_of(proof).nodes.front().edges.back().target = {}; }},
    {"few states",
     [](Proof& proof) {
         Diagram& set = set_of(proof);
         for (DiagramNode& node : set.nodes) {
             node.edges.resize(1);
             node.otherwise = {};
         }
     }},
    {"states more",
     [](Proof& proof) {
         set_of(proof).nodes.back().otherwise = {true, kInside};
     }},
    {"variables asked for twice",
     [](Proof& proof) {
         split_root(set_of(proof), {true, kInside});
     }},
    {"a rank that never falls",
     [](Proof& proof) {
         proof.ranking->rank = {{}, {true, 5}};
     }},
    {"ranks that are shifted", [](Proof& proof) { proof.ranking->rank.nodes.front().otherwise.number += 9; }},
    {"one move for all",
     [](Proof& proof) {
         proof.ranking->move = {{}, {true, 0}};
     }},
    {"a move that there is not",
     [](Proof& proof) {
         proof.ranking->move = {{}, {true, 100'000}};
     }},
};

TEST(Certificate, IsRefusedEvenIfItsObligationsFitAChangedProof) {
    for (const CheckMethod& method : {CheckMethod{}, CheckMethod{.limits = {}, .most_walked = 0}}) {
        EXPECT_EQ(outcome_of_cheat(kCheats.front().change, method), "valid");
        for (std::size_t index = 1; index < kCheats.size(); ++index) {
            const std::string outcome = outcome_of_cheat(kCheats[index].change, method);
            EXPECT_TRUE(outcome.starts_with("refused: evidence of enrich")) << kCheats[index].name << ": " << outcome;
        }
    }
}

TEST(Certificate, OfAViolationIsRefusedIfItsRunIsChanged) {
    const Json valid = certificate(violated(), 0);
    const auto tampered = [&](const auto& change) {
        Json json = valid;
        change(json["evidence"][0]["run"]);
        EXPECT_NE(json, valid);
        return json;
    };
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["steps"].erase(run["steps"].size() - 1); })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["steps"].erase(0); })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["steps"][0]["action"] = 100'000; })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["steps"][1]["after"][0] = 77; })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["steps"][1]["after"].push_back(0); })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["initial"][0] = 1; })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["breaks"] = 1000; })));
    EXPECT_TRUE(is_refused(tampered([](Json& run) { run["breaks"] = "progress"; })));
    Json holds = valid;
    holds["verdict"] = "holds";
    EXPECT_TRUE(is_refused(holds));
}

TEST(Certificate, IsNotRecheckedIfTheSolverGivesUp) {
    const Json valid = certificate(holding(), 0);
    CheckMethod method{.limits = {}, .most_walked = 0};
    method.limits.resources = 1;
    EXPECT_EQ(outcome_of(valid, method).rfind("not re-checked: evidence of enrich", 0), 0U);
}

// ---- bytes that are no certificate

TEST(Certificate, ThatIsCutOffOrNoneIsUnreadable) {
    const std::string whole = certificate(violated(), 0).dump();
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97) {
        EXPECT_EQ(oncecheck::outcome_of(whole.substr(0, length)).rfind("unreadable: ", 0), 0U) << length;
    }
    for (const std::string& text :
         {std::string("[]"), std::string("12"), std::string("{}"), std::string("null"), std::string("\xff\xfe"),
          std::string(3'000'000, '['), std::string("{\"certificate\":1,\"set\":[]}"), std::string(1000, '\0')}) {
        EXPECT_EQ(oncecheck::outcome_of(text).rfind("unreadable: ", 0), 0U) << text.substr(0, 20);
    }
}

TEST(Certificate, OfAnyByteThatIsChangedIsNeverTakenForAnotherVerdict) {
    const std::string whole = certificate(violated(), 0).dump();
    std::uint64_t seed = 12345;
    for (int round = 0; round < 300; ++round) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        std::string changed = whole;
        changed[(seed >> 16U) % changed.size()] = static_cast<char>("0123456789{}[]\",:ntf \\"[(seed >> 48U) % 22]);
        const std::string outcome = oncecheck::outcome_of(changed);
        if (outcome == "valid" && changed != whole) {
            // Only what nobody reads may differ: how a number or a blank is written, the name of the file.
            const Certificate read = read_certificate(changed, "x");
            EXPECT_EQ(read.verdict, Verdict::kViolated);
            EXPECT_EQ(read.document.text, read_certificate(whole, "x").document.text);
        }
    }
}

}  // namespace
}  // namespace oncecheck
