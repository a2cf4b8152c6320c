// Every step of every example and case is SQL that the stores take: a single incarnation runs each program for two
// batches, without faults, and nothing is refused for its wording.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/runtime/store_bed.h"

namespace oncecheck {
namespace {

std::vector<std::string> document_files() {
    std::vector<std::string> found;
    for (const std::string& folder : {std::string(ONCECHECK_EXAMPLES), std::string(ONCECHECK_TESTS) + "/cases"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".json" || extension == ".jsonc") {
                found.push_back(entry.path().string());
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// Values for every column that a role says something about.
RowValues row_for(const SchemaOfRun& schema, int offset) {
    RowValues row;
    const std::string number = std::to_string(offset);
    for (const RunColumn& column : schema.columns()) {
        const bool tag = column.role == ColumnRole::kTag || column.role == ColumnRole::kClaim;
        if (!tag && column.role != ColumnRole::kUnknown) {
            row[column.name] = column.role == ColumnRole::kPartition ? "0" : column.is_number ? number : "v" + number;
        }
    }
    return row;
}

class Driven {
  public:
    Driven(RunStores& stores, ComponentId process) : stores_(stores) {
        context_.schema = &stores.schema();
        context_.process = process;
        context_.session = "session " + std::to_string(process);
        context_.token = context_.session;
        context_.values.query = "11111111-2222-3333-4444-55555555555" + std::to_string(process);
        context_.values.settings = &stores.schema().pipeline().component(process).settings;
    }

    void run(const std::string& file) {
        const Component& component = stores_.schema().pipeline().component(context_.process).document;
        file_ = file;
        run(component.on_start);
        for (int batch = 0; batch < 2; ++batch) {
            context_.values.batch = batch;
            context_.values.attempt = "0a0a0a0a-0b0b-0c0c-0d0d-00000000000" + std::to_string(batch);
            context_.rows = {row_for(*context_.schema, 2 * batch), row_for(*context_.schema, 2 * batch + 1)};
            context_.start_position = 2 * batch;
            context_.end_position = context_.start_position + 2;
            run(component.steps);
        }
    }

  private:
    StatementResult send(const SqlStatement& statement) {
        std::unique_ptr<StoreConnection>& connection = connections_[statement.place];
        if (!connection) {
            connection = stores_.connect(statement.place);
        }
        StatementResult result = connection->execute(statement);
        EXPECT_NE(result.status, StatementStatus::kWaits) << file_ << ": " << statement.sql;
        EXPECT_NE(result.failure, FailureKind::kOther) << file_ << ": " << statement.sql << ": " << result.message;
        const bool may_miss = statement.sql.starts_with("DROP TABLE");  // a case is about that
        EXPECT_TRUE(may_miss || result.failure != FailureKind::kMissingObject)
            << file_ << ": " << statement.sql << ": " << result.message;
        return result;
    }

    void run(const Program& program) {
        for (const Step& step : program) {
            if (step.verb == Verb::kBackground) {
                run(step.body);
            } else if (step.verb == Verb::kTransaction) {
                static_cast<void>(send(begin_transaction(context_, step)));
                context_.in_transaction = true;
                run(step.body);
                context_.in_transaction = false;
                static_cast<void>(send(commit_transaction(context_, step)));
            } else if (step.verb == Verb::kAppend && step.by == LoadedBy::kExecutors) {
                for (const RowValues& row : context_.rows) {
                    static_cast<void>(send(load_row(context_, step, row)));
                }
            } else {
                StepPlan plan(context_, step);
                while (plan.outcome() == StepOutcome::kGoesOn) {
                    plan.take(send(plan.statement()));
                }
            }
        }
    }

    RunStores& stores_;
    StepContext context_;
    std::string file_;
    std::map<Place, std::unique_ptr<StoreConnection>> connections_;
};

using Cases = StoreBed;
INSTANTIATE_TEST_SUITE_P(On, Cases, testing::Values(Driver::kSqlite, Driver::kPostgresql), driver_name);

TEST_P(Cases, EveryStepIsSqlThatTheStoreTakes) {
    int documents = 0;
    for (const std::string& file : document_files()) {
        for (const Document& document : read_documents(file, {})) {
            open(resolve(document, catalogue()));
            for (ComponentId id = 0; id < pipeline_.components.size(); ++id) {
                if (pipeline_.component(id).type->protocol == Protocol::kMicroBatch) {
                    Driven(stores(), id).run(file);
                }
            }
            ++documents;
        }
    }
    EXPECT_GT(documents, 180);
}

}  // namespace
}  // namespace oncecheck
