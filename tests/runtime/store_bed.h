// A pipeline with its stores, and incarnations that run single steps on them: for tests of the drivers and of the SQL
// of steps. Each test of the suite runs on SQLite, and on PostgreSQL where ONCECHECK_POSTGRES names a server
// (tests/runtime/with_postgres COMMAND).
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/catalogue/catalogue.h"
#include "model/document/reader.h"
#include "model/pipeline/pipeline.h"
#include "model/runtime/step_sql.h"
#include "model/runtime/store.h"

namespace oncecheck {

inline const Catalogue& catalogue() {
    static const Catalogue kCatalogue = Catalogue::load(ONCECHECK_SOURCE_SPECS);
    return kCatalogue;
}

// The URL of the server for tests, if there is one.
inline std::optional<std::string> postgres_url() {
    const char* const url = std::getenv("ONCECHECK_POSTGRES");
    return url == nullptr ? std::nullopt : std::optional<std::string>(url);
}

inline Pipeline pipeline_of(const std::string& text) {
    return resolve(parse_documents(text, "test.json", {}).front(), catalogue());
}

// One query "enrich" with these steps, and the members of the store "db".
inline Pipeline query_pipeline(const std::string& steps, const std::string& tables = "{}",
                               const std::string& database = R"("type": "postgresql", "version": "15")") {
    return pipeline_of(R"({ "pipeline": "test", "components": {
        "payments": { "type": "kafka-topic", "version": "3.7", "config": { "retention.ms": -1 },
            "records": { "id": "event_id", "key": "payment_id", "version": "event_time" } },
        "enrich": { "type": "spark-structured-streaming", "version": "3.5.1", "reads": "payments",
            "config": { "checkpointLocation": "hdfs://nn/chk", "startingOffsets": "earliest" },
            "foreachBatch": )" +
                       steps + R"( }, "db": { )" + database + R"(, "tables": )" + tables + R"( } },
        "require": [ { "progress": "enrich" } ] })");
}

// A row of "payments": the record at this offset, with its key and version.
inline RowValues record(int offset, const std::string& key, int version) {
    return {{"topic", "payments"},
            {"partition", "0"},
            {"offset", std::to_string(offset)},
            {"event_id", "e" + std::to_string(offset)},
            {"payment_id", key},
            {"event_time", std::to_string(version)}};
}

// An incarnation: its connections, and what its steps are rendered with.
class Incarnation {
  public:
    Incarnation(RunStores& stores, const std::string& attempt) : stores_(stores) {
        context.schema = &stores.schema();
        context.process = *stores.schema().pipeline().find("enrich");
        context.session = attempt;
        context.token = attempt;
        context.values.query = "11111111-2222-3333-4444-555555555555";
        context.values.attempt = attempt;
        context.rows = {record(0, "a", 1), record(1, "b", 2)};
        context.end_position = 2;
    }

    StoreConnection& connection(const Place& place) {
        std::unique_ptr<StoreConnection>& found = connections_[place];
        if (!found) {
            found = stores_.connect(place);
        }
        return *found;
    }
    StoreConnection& db() { return connection({ObjectScope::kStore, *context.schema->pipeline().find("db"), ""}); }

    // Runs the step to its end. Requires that nothing waits.
    StepPlan run(const Step& step) {
        StepPlan plan(context, step);
        while (plan.outcome() == StepOutcome::kGoesOn) {
            sql.push_back(plan.statement().sql);
            const StatementResult result = connection(plan.statement().place).execute(plan.statement());
            EXPECT_NE(result.status, StatementStatus::kWaits) << sql.back();
            if (result.status == StatementStatus::kWaits) {
                break;
            }
            plan.take(result);
        }
        return plan;
    }
    // Runs every step of the query's program from `first` on, and expects that it is done.
    void run_program(std::size_t first = 0) {
        const Program& steps = program();
        for (std::size_t i = first; i < steps.size(); ++i) {
            const StepPlan plan = run(steps[i]);
            EXPECT_EQ(plan.outcome(), StepOutcome::kDone) << plan.message() << " in " << sql.back();
        }
    }
    const Program& program() const { return context.schema->pipeline().component(context.process).document.steps; }

    StatementResult execute(const std::string& text) {
        return db().execute({{ObjectScope::kStore, *context.schema->pipeline().find("db"), ""}, text, {}, {}});
    }
    void disconnect() { connections_.clear(); }

    StepContext context;
    std::vector<std::string> sql;  // what has run

  private:
    RunStores& stores_;
    std::map<Place, std::unique_ptr<StoreConnection>> connections_;
};

enum class Driver { kSqlite, kPostgresql };

class StoreBed : public testing::TestWithParam<Driver> {
  protected:
    void SetUp() override {
        if (on_postgresql() && !postgres_url()) {
            GTEST_SKIP() << "ONCECHECK_POSTGRES names no server; run by tests/runtime/with_postgres";
        }
    }

    static bool on_postgresql() { return GetParam() == Driver::kPostgresql; }

    void open(Pipeline pipeline, StoreOptions options = {}) {
        stores_.reset();
        pipeline_ = std::move(pipeline);
        if (on_postgresql()) {
            options.url = *postgres_url();
        }
        stores_ = open_stores(pipeline_, options);
    }
    RunStores& stores() { return *stores_; }
    Place db() const { return {ObjectScope::kStore, *pipeline_.find("db"), ""}; }

    // The values of a column in a table of "db", as SQL orders them.
    std::vector<std::string> column(const std::string& table, const std::string& name) {
        std::vector<std::string> values;
        const std::string quoted = quote_name(name);
        for (const auto& row :
             stores_->query(db(), "SELECT " + quoted + " FROM " + table + " ORDER BY " + quoted).rows) {
            values.push_back(row.front().value_or("null"));
        }
        return values;
    }
    // The object's rows in content(); null if it does not exist.
    const ObjectContent* content_of(const std::string& name) {
        for (const ObjectContent& object : stores_->content()) {
            if (object.name == name) {
                return &object;
            }
        }
        return nullptr;
    }
    std::vector<std::string> names() {
        std::vector<std::string> found;
        for (const ObjectContent& object : stores_->content()) {
            found.push_back(object.name);
        }
        return found;
    }

    Pipeline pipeline_;
    std::unique_ptr<RunStores> stores_;
};

inline std::string driver_name(const testing::TestParamInfo<Driver>& info) {
    return info.param == Driver::kSqlite ? "Sqlite" : "Postgresql";
}

}  // namespace oncecheck
