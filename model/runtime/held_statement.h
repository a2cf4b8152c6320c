// A statement that was sent by a client that is gone, or that was told of a failure: it has not been applied yet, and
// will be (land) or not (drop). Either a step of its own, which runs on a connection of its own when it lands, or what
// an abandoned connection has in flight (a COMMIT with its open transaction, a statement that waits for a lock).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/runtime/program_run.h"

namespace oncecheck {

class HeldStatement {
  public:
    // A step of its own, at which `run` stands; one row of its load if `record` >= 0.
    HeldStatement(ProgramRun run, int record, RunEvent description)
        : description_(std::move(description)), run_(std::move(run)), record_(record) {}
    // `took`: what the transaction that waits for its COMMIT has taken.
    HeldStatement(std::unique_ptr<StoreConnection> connection, RunEvent description, std::vector<SourceContent> took)
        : description_(std::move(description)), connection_(std::move(connection)), took_(std::move(took)) {}

    // Applies it, or looks again if it waits for a lock. True once it is over, whatever came of it.
    [[nodiscard]] bool land(RunStores& stores, RunEvent& event);
    void drop();
    [[nodiscard]] bool waits() const { return waits_; }
    // As StoreConnection::turn. Requires waits().
    [[nodiscard]] std::int64_t turn() const { return run_ ? run_->turn(*connections_) : connection_->turn(); }
    // Step, phase and objects, as of an event.
    [[nodiscard]] const RunEvent& description() const { return description_; }
    // The record of a row; -1: it is none.
    [[nodiscard]] int record() const { return record_; }

  private:
    [[nodiscard]] bool land_run(RunStores& stores, RunEvent& event);
    [[nodiscard]] bool land_connection(RunEvent& event);

    RunEvent description_;
    std::optional<ProgramRun> run_;
    int record_ = -1;
    std::unique_ptr<Connections> connections_;
    std::unique_ptr<StoreConnection> connection_;
    std::vector<SourceContent> took_;
    bool waits_ = false;
};

}  // namespace oncecheck
