// Seeded runs, what the judge says of them, and that all of it is a function of the seed.

#include "model/runtime/simulate.h"

#include "model/runtime/run_json.h"
#include "tests/runtime/run_bed.h"
#include "tests/runtime/scratch_directory.h"

namespace oncecheck {
namespace {

Pipeline example(const std::string& name) {
    return resolved_file(std::string(ONCECHECK_EXAMPLES) + '/' + name + "/pipeline.json");
}
Pipeline the_case(const std::string& name) {
    return resolved_file(std::string(ONCECHECK_TESTS) + "/cases/" + name + ".json");
}

SimulationOptions options_for(const Pipeline& pipeline, int runs) {
    SimulationOptions options;
    options.runs = runs;
    options.schedule.fault_rate = 0.1;
    options.inputs = assumed_inputs(pipeline);
    return options;
}

SimulationResult simulated(const Pipeline& pipeline, const SimulationOptions& options) {
    return simulate(pipeline, options, [](const SimulationResult&) {});
}

TEST(Simulation, FindsTheRowsThatTheCardPaymentsLose) {
    const Pipeline pipeline = example("card-payments");
    EXPECT_GT(violating(pipeline, "loss", 400), 0);
    EXPECT_GT(violating(pipeline, "stale", 400), 0);
    EXPECT_GT(violating(pipeline, "missing rows", 400), 0);
    EXPECT_EQ(violating(pipeline, "duplicate", 400), 0);
}

TEST(Simulation, FindsNothingWhereEveryAttemptHasATableOfItsOwn) {
    const Pipeline pipeline = example("staging-by-attempt");
    const SimulationResult result = simulated(pipeline, options_for(pipeline, 300));
    EXPECT_TRUE(result.violations.empty());
    EXPECT_EQ(result.complete_runs, 300);
    EXPECT_GT(result.faults.at("zombie"), 0);
    EXPECT_GT(result.faults.at("crash with a statement in flight"), 0);
}

TEST(Simulation, FindsBatchesThatAreAppliedTwice) {
    EXPECT_GT(violating(the_case("staging/s00-cr"), "duplicate", 100), 0);
    EXPECT_EQ(violating(the_case("staging/s18-zplus"), "duplicate", 100), 0);
}

TEST(Simulation, FindsAQueryThatGetsStuck) {
    EXPECT_EQ(violating(the_case("beyond/name-cut-stuck"), "stuck", 3), 3);
    EXPECT_GT(violating(the_case("beyond/offsets-beside-checkpoint"), "stuck", 100), 0);
}

TEST(Simulation, FindsSumsThatCountARecordTwice) {
    const std::string text = QueryDocument{.program = R"([{ "merge": "db.payments", "using": "batch",
                                                           "on": ["payment_id"], "add": ["amount"] }])",
                                           .faults = R"("crash")"}
                                 .text();
    EXPECT_GT(violating(resolved_run(text), "duplicate", 60), 0);
    EXPECT_EQ(violating(resolved_run(QueryDocument{.program = R"([{ "merge": "db.payments", "using": "batch",
                                                           "on": ["payment_id"], "add": ["amount"] }])"}
                                         .text()),
                        "duplicate", 5),
              0);
}

// The table of the program is never there: each start fails, and nothing else can happen.
TEST(Scheduler, StopsWhereAQueryIsStartedAgainAndAgainInVain) {
    const Pipeline pipeline =
        resolved_run(QueryDocument{.program = R"([{ "drop": "db.payments" }, { "append": "db.payments" }])"}.text());
    Runtime runtime(pipeline, assumed_inputs(pipeline), {});
    const auto starts_until_stuck = [&](int most_restarts) {
        runtime.restart(assumed_inputs(pipeline));
        Schedule schedule;
        schedule.most_restarts = most_restarts;
        EXPECT_FALSE(Scheduler(schedule).drain(runtime));
        const std::vector<RunEvent>& events = runtime.record().events;
        return std::count_if(events.begin(), events.end(),
                             [](const RunEvent& event) { return event.move.kind == MoveKind::kStart; });
    };
    EXPECT_EQ(starts_until_stuck(3), 4);
    EXPECT_GT(starts_until_stuck(0), 20) << "as many as most_moves allow";
}

TEST(Scheduler, CountsOnlyTheStartsSinceTheLastCommit) {
    const Pipeline pipeline =
        resolved_run(QueryDocument{.program = R"([{ "append": "db.payments" }])", .faults = R"("crash")"}.text());
    Runtime runtime(pipeline, assumed_inputs(pipeline), {});
    Schedule schedule;
    schedule.fault_rate = 0.15;
    schedule.most_faults = 100;
    schedule.most_restarts = 2;
    std::ptrdiff_t most_starts = 0;
    for (schedule.seed = 0; schedule.seed < 100; ++schedule.seed) {
        runtime.restart(assumed_inputs(pipeline));
        if (Scheduler(schedule).run_with_faults(runtime)) {
            const std::vector<RunEvent>& events = runtime.record().events;
            most_starts = std::max(most_starts, std::count_if(events.begin(), events.end(), [](const RunEvent& event) {
                                       return event.move.kind == MoveKind::kStart;
                                   }));
        }
    }
    EXPECT_GT(most_starts, 3) << "a run of two batches may have as many in each";
}

TEST(Simulation, IsTheSameForTheSameSeed) {
    const Pipeline pipeline = example("card-payments");
    const SimulationOptions options = options_for(pipeline, 40);
    EXPECT_EQ(simulated(pipeline, options), simulated(pipeline, options));
    SimulationOptions others = options;
    others.schedule.seed = 1000;
    EXPECT_NE(simulated(pipeline, options).moves, simulated(pipeline, others).moves);
}

TEST(Simulation, IsTheSameInFilesAsInMemory) {
    const Pipeline pipeline = example("card-payments");
    SimulationOptions options = options_for(pipeline, 12);
    const SimulationResult in_memory = simulated(pipeline, options);
    const ScratchDirectory directory;
    options.runtime.directory = directory.path();
    EXPECT_EQ(simulated(pipeline, options), in_memory);
    EXPECT_EQ(simulated(pipeline, options), in_memory) << "all runs are done already";
    options.schedule.fault_rate = 0.2;
    EXPECT_THROW(simulated(pipeline, options), UsageError) << "the directory belongs to another simulation";
}

TEST(RunFiles, GiveARunBackWithoutLoss) {
    const Pipeline pipeline = the_case("staging/s09-zplus");
    RuntimeOptions options;
    options.keep_contents = true;
    Runtime runtime(pipeline, assumed_inputs(pipeline), options);
    for (int seed = 0; seed < 5; ++seed) {
        Schedule schedule;
        schedule.seed = static_cast<std::uint64_t>(seed);
        schedule.fault_rate = 0.2;
        static_cast<void>(run_schedule(pipeline, runtime, schedule));
        const RunRecord& run = runtime.record();
        EXPECT_EQ(run_from_json(run_to_json(run), "run.json"), run);
        for (const RunEvent& event : run.events) {
            EXPECT_EQ(move_from_json(move_to_json(event.move), "move.json"), event.move);
        }
        runtime.restart(run.inputs);
    }
}

TEST(RunFiles, ThatAreNoneAreInputErrorsWithAPointer) {
    const auto pointer_of = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(run_from_json(text, "run.json"));
        } catch (const InputError& error) {
            EXPECT_EQ(error.problems().front().code, "run-file");
            return error.problems().front().where.pointer;
        }
        return "no error";
    };
    EXPECT_EQ(pointer_of("{"), "");
    EXPECT_EQ(pointer_of("[]"), "");
    EXPECT_EQ(pointer_of(R"({"surprise": 1})"), "");
    EXPECT_EQ(pointer_of(R"({"events": [{"move": {"kind": "jump"}}]})"), "/events/0/move/kind");
    EXPECT_EQ(pointer_of(R"({"events": [{"attempt": 3}]})"), "/events/0/attempt");
    EXPECT_EQ(pointer_of(R"({"events": [{"sql": [1]}]})"), "/events/0/sql/0");
    EXPECT_EQ(pointer_of("{}"), "no error");
}

std::string producing(const std::string& settings, const std::string& faults) {
    QueryDocument document{.program = R"([{ "append": "db.payments" }])"};
    document.components = R"(, "gateway": { "type": "kafka-producer", "version": "3.7", "writes": "payments_topic",
        "assume": { "faults": [)" +
                          faults + R"(] }, "config": { )" + settings + " } }";
    document.require = R"({ "no-duplicate": "db.payments", "from": "gateway" },
                          { "no-loss": "db.payments", "from": "gateway" })";
    return document.text();
}

TEST(Producer, ThatIsIdempotentSendsAgainWithoutADuplicate) {
    const Pipeline pipeline = resolved_run(producing(R"("acks": "all", "enable.idempotence": true)", R"("lost-ack")"));
    const SimulationResult result = simulated(pipeline, options_for(pipeline, 60));
    EXPECT_GT(result.faults.at("lost-ack"), 0);
    EXPECT_TRUE(result.violations.empty());
}

TEST(Producer, ThatIsNotIdempotentSendsARecordTwice) {
    const std::string text = producing(R"("acks": "all", "enable.idempotence": false)", R"("lost-ack")");
    EXPECT_GT(violating(resolved_run(text), "duplicate", 60), 0);
}

TEST(Producer, ThatDoesNotWaitLosesWhatItHasReported) {
    const std::string text = producing(R"("acks": "0", "enable.idempotence": false)", R"("crash")");
    EXPECT_GT(violating(resolved_run(text), "loss", 200), 0);
}

TEST(Producer, OfTransactionsHidesWhatItDidNotCommit) {
    const std::string text = producing(R"("transactional.id": "gateway")", R"("crash")");
    const std::string earliest = R"("startingOffsets": "earliest")";
    const std::string committed = std::string(text).replace(
        text.find(earliest), earliest.size(), earliest + R"(, "kafka.isolation.level": "read_committed")");
    EXPECT_EQ(violating(resolved_run(committed), "loss", 60), 0);
    EXPECT_EQ(violating(resolved_run(committed), "duplicate", 60), 0);
    const std::string gateway = R"("no-loss": "db.payments", "from": "gateway")";
    const std::string of_topic = std::string(committed).replace(
        committed.find(gateway), gateway.size(), R"("no-loss": "db.payments", "from": "payments_topic")");
    EXPECT_EQ(violating(resolved_run(of_topic), "loss", 60), 0);
}

}  // namespace
}  // namespace oncecheck
