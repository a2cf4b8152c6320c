// Runs of the reference runtime, followed in the model: those of counterexamples, and seeded schedules.
#include "checker/crossvalidate/follower.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "checker/compose/plan.h"
#include "checker/crossvalidate/director.h"
#include "model/runtime/gaps.h"
#include "model/runtime/scheduler.h"
#include "tests/cases/support/documents.h"
#include "tests/cases/support/verified.h"

namespace oncecheck {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string show(const RunRecord& run, std::size_t last) {
    std::string page;
    for (std::size_t index = 0; index <= last && index < run.events.size(); ++index) {
        const RunEvent& event = run.events[index];
        page += "  " + std::to_string(index) + ' ' + std::to_string(event.move.process) + '/' +
                std::to_string(event.move.incarnation) + '.' + std::to_string(event.move.thread) + ' ' +
                to_string(event.move.kind) + ' ' + to_string(event.outcome) + ' ' + to_string(event.move.fault);
        for (const std::string& sql : event.sql) {
            page += "  " + sql.substr(0, 150);
        }
        page += (event.message.empty() ? "" : "  -- " + event.message) + '\n';
    }
    return page;
}

struct Figures {
    std::size_t runs = 0;
    std::size_t events = 0;
    std::size_t outside = 0;
    std::size_t left = 0;
    std::size_t most = 0;
    std::size_t skipped = 0;
    std::chrono::nanoseconds followed{0};
};

void follow_schedules(const Pipeline& pipeline, const HopSystem& hop, const RuntimeOptions& options, int schedules,
                      Figures& figures) {
    Follower follower(hop);
    RunInputs inputs = inputs_of(hop);
    Runtime runtime(pipeline, inputs, options);
    for (int seed = 0; seed < schedules; ++seed) {
        inputs.seed = static_cast<std::uint64_t>(seed);
        runtime.restart(inputs);
        Scheduler scheduler({.seed = static_cast<std::uint64_t>(seed), .fault_rate = 0.1});
        (void)scheduler.run_with_faults(runtime);
        (void)scheduler.drain(runtime);
        const RunRecord& run = runtime.record();
        const Clock::time_point started = Clock::now();
        const FollowResult result = follower.follow(run);
        figures.followed += Clock::now() - started;
        ++figures.runs;
        figures.events += result.result == Followed::kToTheEnd ? run.events.size() : result.event;
        figures.most = std::max(figures.most, result.most_states);
        figures.outside += result.result == Followed::kOutsideUniverse ? 1 : 0;
        if (result.result == Followed::kLeftModel) {
            ++figures.left;
            std::string states;
            for (const std::string& state : result.before) {
                states += "  state: " + state + '\n';
            }
            ADD_FAILURE() << pipeline.document.file << ' ' << pipeline.document.variant << " seed " << seed << '\n'
                          << "LEFT " << result.reason << '\n'
                          << states << show(run, result.event);
            return;
        }
    }
}

void follow_document(const fs::path& file, const RuntimeOptions& options, int schedules, Figures& figures) {
    for (const Document& document : read_documents(file, {})) {
        const Pipeline pipeline = resolve(document, catalogue());
        for (const PlannedHop& hop : plan(pipeline, {{}, false}, {})) {
            if (!hop.queries) {
                continue;
            }
            for (const HopSystem& system :
                 build_hop(pipeline, hop.queries->processes, hop.queries->requirements, hop.queries->options)) {
                try {
                    follow_schedules(pipeline, system, options, schedules, figures);
                } catch (const NeedsAnotherStore&) {
                    ++figures.skipped;
                }
            }
        }
    }
}

void print(const Figures& figures) {
    std::cout << "  runs: " << figures.runs << ", events: " << figures.events << ", left the model: " << figures.left
              << ", outside the universe: " << figures.outside << ", skipped systems: " << figures.skipped
              << ", most states at once: " << figures.most << ", microseconds an event: "
              << static_cast<double>(figures.followed.count()) / 1000.0 / static_cast<double>(figures.events) << '\n';
}

void follow_all(RuntimeOptions options, int schedules) {
    options.keep_contents = true;
    Figures figures;
    for (const fs::path& file : all_documents()) {
        SCOPED_TRACE(file);
        follow_document(file, options, schedules, figures);
    }
    print(figures);
    EXPECT_EQ(figures.left, 0U);
}

class FollowerOnServer : public testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("ONCECHECK_POSTGRES");
        if (url == nullptr) {
            GTEST_SKIP() << "ONCECHECK_POSTGRES names no server; tests/runtime/with_postgres starts one";
        }
        options_.store = url;
    }

    RuntimeOptions options_;
};

TEST(Follower, FollowsSeededSchedulesOfEveryDocumentInTheEmbeddedDatabase) { follow_all({}, 10); }

TEST_F(FollowerOnServer, FollowsSeededSchedulesOfEveryDocumentOnPostgresql) { follow_all(options_, 5); }

// An INSERT ... SELECT has taken its rows when the other query loads more, and shows them only at its commit.
TEST_F(FollowerOnServer, FollowsStatementsThatCommitAfterOthersOnPostgresql) {
    options_.keep_contents = true;
    Figures figures;
    for (const char* name : {"s00-2q.json", "s00-bg.json", "s06-2qplus.json"}) {
        SCOPED_TRACE(name);
        follow_document(fs::path(ONCECHECK_TESTS) / "cases/staging" / name, options_, 40, figures);
    }
    EXPECT_EQ(figures.left, 0U);
}

// A run of the plainest query without faults, with what its stores held.
class PlainRun : public testing::Test {
  protected:
    PlainRun() {
        QueryDocument document;
        document.program = R"([ { "append": "db.payments", "by": "driver" } ])";
        pipeline_ = resolved(document.text());
        const PlannedQueries queries = plan(pipeline_, {{}, false}, {}).front().queries.value();
        systems_ = build_hop(pipeline_, queries.processes, queries.requirements, queries.options);
        RuntimeOptions options;
        options.keep_contents = true;
        Runtime runtime(pipeline_, inputs_of(systems_.front()), options);
        EXPECT_TRUE(Scheduler({.seed = 1}).drain(runtime));
        run_ = runtime.record();
    }

    [[nodiscard]] std::size_t last_of(MoveKind kind) const {
        std::size_t found = 0;
        for (std::size_t event = 0; event < run_.events.size(); ++event) {
            found = run_.events[event].move.kind == kind ? event : found;
        }
        return found;
    }

    Pipeline pipeline_;
    std::vector<HopSystem> systems_;
    RunRecord run_;
};

TEST_F(PlainRun, IsFollowedToTheEnd) { EXPECT_EQ(Follower(systems_.front()).follow(run_).result, Followed::kToTheEnd); }

TEST_F(PlainRun, LeavesTheModelWhereARowIsGone) {
    const std::size_t last = run_.events.size() - 1;
    for (ObjectContent& object : run_.contents[last]) {
        if (object.name == "payments") {
            object.rows.pop_back();
        }
    }
    const FollowResult result = Follower(systems_.front()).follow(run_);
    EXPECT_EQ(result.result, Followed::kLeftModel);
    EXPECT_EQ(result.event, last);
}

TEST_F(PlainRun, LeavesTheModelWhereABatchIsCommittedTwice) {
    const std::size_t commit = last_of(MoveKind::kCommitBatch);
    run_.events.insert(run_.events.begin() + static_cast<std::ptrdiff_t>(commit), run_.events[commit]);
    run_.contents.insert(run_.contents.begin() + static_cast<std::ptrdiff_t>(commit), run_.contents[commit]);
    const FollowResult result = Follower(systems_.front()).follow(run_);
    EXPECT_EQ(result.result, Followed::kLeftModel);
    EXPECT_EQ(result.event, commit + 1);
}

TEST_F(PlainRun, LeavesTheModelWhereAStatementIsLeftOut) {
    const std::size_t statement = last_of(MoveKind::kStatement);
    run_.events.erase(run_.events.begin() + static_cast<std::ptrdiff_t>(statement));
    run_.contents.clear();
    EXPECT_EQ(Follower(systems_.front()).follow(run_).result, Followed::kLeftModel);
}

}  // namespace

}  // namespace oncecheck
