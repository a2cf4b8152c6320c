// The events of actions: what a machine reads where people read the text of the label.
#include <gtest/gtest.h>

#include "model/document/reader.h"
#include "tests/cases/support/documents.h"
#include "tests/semantics/translated.h"

namespace oncecheck {

namespace {

bool is_of_a_batch(EventKind kind) {
    return kind == EventKind::kUnitRead || kind == EventKind::kUnitCommit || kind == EventKind::kLoad ||
           kind == EventKind::kSpawn || kind == EventKind::kLock || kind == EventKind::kWriteAhead ||
           kind == EventKind::kCommit || kind == EventKind::kTaskRetry;
}

// The fault that the label names and the kind of the event say the same.
void expect_consistent(const Action& action, const HopSystem& hop) {
    const ActionLabel& label = action.label;
    const ActionEvent& event = label.event;
    EXPECT_NE(event.kind, EventKind::kNone) << label.text;
    EXPECT_EQ(event.kind == EventKind::kStart, label.begins) << label.text;
    EXPECT_EQ(event.kind == EventKind::kCrash, label.fault == "crash") << label.text;
    EXPECT_EQ(event.kind == EventKind::kTaskRetry, label.fault == "task-retry") << label.text;
    EXPECT_EQ(event.kind == EventKind::kLostAck || event.kind == EventKind::kLateStatement, label.fault == "lost-ack")
        << label.text;
    EXPECT_EQ(event.outcome == EventOutcome::kSkipped, label.text.ends_with("skips")) << label.text;
    EXPECT_EQ(event.thread_batch >= 0, label.text.starts_with("(background)")) << label.text;
    if (is_of_a_batch(event.kind)) {
        EXPECT_GE(event.batch, 0) << label.text;
    }
    if (event.kind == EventKind::kLoad && event.record >= 0) {
        const Record& record = hop.records.at(static_cast<std::size_t>(event.record));
        EXPECT_NE(label.text.find(record.label), std::string::npos) << label.text;
        EXPECT_GE(record.offset, event.start) << label.text;
        EXPECT_LT(record.offset, event.end) << label.text;
    }
}

TEST(ActionEvents, SayForEveryActionOfEveryCaseWhatItIs) {
    std::size_t actions = 0;
    for (const auto& folder : {std::string(ONCECHECK_TESTS) + "/cases", std::string(ONCECHECK_EXAMPLES)}) {
        for (const std::filesystem::path& file : documents_below(folder)) {
            for (const Document& document : read_documents(file, {})) {
                for (const HopSystem& hop : systems_of(resolve(document, catalogue()))) {
                    for (const Action& action : hop.system.actions) {
                        expect_consistent(action, hop);
                        ++actions;
                    }
                }
            }
        }
    }
    EXPECT_GT(actions, 10'000U);
}

TEST(ActionEvents, TellTheStatementsOfASplitTransactionApart) {
    QueryDocument document;
    document.faults = R"("crash", "zombie")";
    document.program = R"([ { "transaction": [ { "delete": "db.payments", "using": "db.other", "on": ["payment_id"] },
        { "insert": "db.payments", "from": "db.other" } ] } ])";
    std::set<int> statements;
    for (const HopSystem& hop : systems_of(document.text())) {
        for (const Action& action : hop.system.actions) {
            if (action.label.event.kind == EventKind::kUnitRead) {
                statements.insert(action.label.event.statement);
            }
        }
    }
    EXPECT_EQ(statements, (std::set<int>{0, 1}));
}

}  // namespace

}  // namespace oncecheck
