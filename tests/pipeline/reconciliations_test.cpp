// What a reconciliation compares, what may be wrong about it, and that a pipeline is the same with and without it.
#include "model/pipeline/reconciliations.h"

#include <gtest/gtest.h>

#include "model/pipeline/graph.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/pipelines.h"

namespace oncecheck {
namespace {

std::string document(const std::string& components) {
    QueryDocument document;
    document.program = R"([{ "append": "db.payments" }])";
    document.components = components;
    return document.text();
}

std::string audit(const std::string& members) {
    return R"(, "audit": { "type": "reconciliation")" + (members.empty() ? "" : ", " + members) + " }";
}

// "code pointer: hint" of what is wrong.
std::vector<std::string> wrong(const std::string& components) {
    std::vector<std::string> found;
    try {
        (void)resolved(document(components));
    } catch (const InputError& error) {
        for (const Problem& problem : error.problems()) {
            EXPECT_GT(problem.where.line, 0);
            found.push_back(problem.code + ' ' + problem.where.pointer +
                            (problem.hint.empty() ? "" : ": " + problem.hint));
        }
    }
    return found;
}

using Texts = std::vector<std::string>;

TEST(Reconciliations, KnowWhatTheyCompare) {
    const Pipeline pipeline = resolved(document(audit(R"("compares": ["payments_topic", "db.payments"], "by": "count",
                                                         "window": "10m", "lateness": "1m")")));
    ASSERT_EQ(pipeline.reconciliations.size(), 1U);
    const ResolvedReconciliation& reconciliation = pipeline.reconciliations.front();
    EXPECT_EQ(pipeline.component(reconciliation.component).document.name, "audit");
    EXPECT_EQ(pipeline.component(reconciliation.source).document.name, "payments_topic");
    EXPECT_EQ(reconciliation.target, "db.payments");
    EXPECT_EQ(reconciliation.by, ComparedBy::kCount);
    EXPECT_EQ(reconciliation.processes, std::vector<ComponentId>{*pipeline.find("enrich")});
}

TEST(Reconciliations, ChangeNothingElse) {
    const Pipeline with = resolved(document(audit(R"("compares": ["payments_topic", "db.payments"])")));
    const Pipeline without = resolved(document(""));
    EXPECT_EQ(with.findings, without.findings);
    EXPECT_EQ(origins(with), origins(without));
    EXPECT_EQ(hops(with), hops(without));
    ASSERT_EQ(ends(with).size(), ends(without).size());
    EXPECT_EQ(ends(with).front().object, ends(without).front().object);
    EXPECT_EQ(with.requirements.size(), without.requirements.size());
}

TEST(Reconciliations, CompareALogWithATableThatAProcessFillsFromIt) {
    EXPECT_EQ(wrong(audit("")), Texts{"missing-key /components/audit"});
    EXPECT_EQ(wrong(audit(R"("by": "key")")), Texts{"missing-key /components/audit"});
    EXPECT_EQ(wrong(audit(R"("compares": ["payment_topic", "db.payments"])")),
              Texts{"dangling-reference /components/audit/compares/0: did you mean 'payments_topic'?"});
    EXPECT_EQ(wrong(audit(R"("compares": ["payments_topic", "db.paymnts"])")),
              Texts{"dangling-reference /components/audit/compares/1: did you mean 'db.payments'?"});
    EXPECT_EQ(wrong(audit(R"("compares": ["payments_topic", "db2.payments"])")),
              Texts{"dangling-reference /components/audit/compares/1: did you mean 'db'?"});
    EXPECT_EQ(wrong(audit(R"("compares": ["payments_topic", "payments"])")).size(), 1U);
    EXPECT_EQ(wrong(audit(R"("compares": ["db", "db.payments"])")), Texts{"unsupported /components/audit/compares/0"});
}

TEST(Reconciliations, NeedAProcessBetweenTheTwo) {
    const std::string other = R"(, "other": { "type": "kafka-topic", "version": "3.7" })";
    EXPECT_EQ(wrong(other + audit(R"("compares": ["other", "db.payments"])")),
              Texts{"not-connected /components/audit/compares/1"});
}

TEST(Reconciliations, AreNoProcessesAndNothingElseIsOne) {
    const std::string compares = R"("compares": ["payments_topic", "db.payments"])";
    EXPECT_EQ(wrong(audit(compares + R"(, "reads": "payments_topic")")),
              Texts{"not-a-process /components/audit: name what it looks at under `compares`"});
    EXPECT_EQ(wrong(R"(, "k": { "type": "kubernetes", "version": "1.31", )" + compares + " }"),
              Texts{"not-a-reconciliation /components/k/compares"});
}

}  // namespace
}  // namespace oncecheck
