// Every counterexample of every example and case, run on the reference runtime: in the embedded database where that has
// the capabilities, and on the server that ONCECHECK_POSTGRES names.
#include "checker/crossvalidate/replay.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "checker/crossvalidate/follower.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

const fs::path kCases = fs::path(ONCECHECK_TESTS) / "cases";
const fs::path kExamples = ONCECHECK_EXAMPLES;

std::string show(const Replay& replay) {
    std::string page = std::string(to_string(replay.verdict)) + ": " + replay.reason + '\n';
    for (const ReplayedStep& step : replay.steps) {
        page += "  " + step.actor + ' ' + step.text + (step.fault.empty() ? "" : " [" + step.fault + ']') + '\n';
        for (const RunEvent& event : step.events) {
            page += std::string("      ") + to_string(event.move.kind) + ' ' + to_string(event.outcome);
            for (const std::string& sql : event.sql) {
                page += "  " + sql;
            }
            page += (event.message.empty() ? "" : "  -- " + event.message) + '\n';
        }
    }
    return page;
}

// What the replays of all documents came to.
class Tally {
  public:
    explicit Tally(RuntimeOptions options) : options_(std::move(options)) {}

    void add(const fs::path& file) {
        for (const Document& document : read_documents(file, {})) {
            const Pipeline pipeline = resolve(document, catalogue());
            for (const ViolatedRequirement& violated : find_violations(pipeline, {}, {})) {
                for (const FoundViolation& violation : violated.violations) {
                    add(pipeline, violated.requirement, violation);
                }
            }
        }
    }

    void print() const {
        for (const auto& [verdict, count] : counts_) {
            std::cout << "  " << verdict << ": " << count << '\n';
        }
    }
    [[nodiscard]] int count(ReplayVerdict verdict) const {
        const auto found = counts_.find(to_string(verdict));
        return found == counts_.end() ? 0 : found->second;
    }

  private:
    void add(const Pipeline& pipeline, std::size_t requirement, const FoundViolation& violation) {
        const Replay replay = replay_violation(pipeline, violation, requirement, options_);
        ++counts_[to_string(replay.verdict)];
        EXPECT_NE(replay.verdict, ReplayVerdict::kRefuted)
            << pipeline.document.file << ' ' << pipeline.document.variant << ' ' << violation.flaw << '\n'
            << show(replay);
    }

    RuntimeOptions options_;
    std::map<std::string, int> counts_;
};

TEST(Replay, ConfirmsEveryCounterexampleThatTheEmbeddedDatabaseCanRun) {
    Tally tally({});
    for (const fs::path& file : all_documents()) {
        SCOPED_TRACE(file);
        tally.add(file);
    }
    tally.print();
    EXPECT_GT(tally.count(ReplayVerdict::kConfirmed), 50);
}

TEST(Replay, ConfirmsEveryCounterexampleOnPostgresql) {
    const char* url = std::getenv("ONCECHECK_POSTGRES");
    if (url == nullptr) {
        GTEST_SKIP() << "ONCECHECK_POSTGRES names no server; tests/runtime/with_postgres starts one";
    }
    RuntimeOptions options;
    options.store = url;
    Tally tally(options);
    for (const fs::path& file : all_documents()) {
        SCOPED_TRACE(file);
        tally.add(file);
    }
    tally.print();
    EXPECT_EQ(tally.count(ReplayVerdict::kNeedsOtherStore), 0);
}

}  // namespace

}  // namespace oncecheck
