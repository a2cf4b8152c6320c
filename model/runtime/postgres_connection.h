// One client of a PostgreSQL server in a run. What it waits for is the server's own lock; the server runs the statement
// as soon as the lock is free, and `resume` collects what came of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/runtime/postgres_server.h"

namespace oncecheck {

class PostgresStores;

class PostgresConnection final : public StoreConnection {
  public:
    PostgresConnection(PostgresStores& stores, const Place& place);
    ~PostgresConnection() override;

    [[nodiscard]] StatementResult execute(const SqlStatement& statement) override;
    [[nodiscard]] StatementResult resume() override;
    [[nodiscard]] bool waits() const override { return waits_ || held_; }
    [[nodiscard]] std::int64_t turn() const override { return turn_; }
    [[nodiscard]] bool in_transaction() const override { return in_transaction_; }
    void abandon(std::optional<SqlStatement> statement) override;
    [[nodiscard]] bool abandoned() const override { return abandoned_; }
    [[nodiscard]] StatementResult land() override;
    void drop() override;

    // For the server: the statement has been sent and has no answer yet; its client; the answer that has come.
    [[nodiscard]] bool is_blocked() const { return waits_ && !answer_; }
    [[nodiscard]] PostgresClient& client() { return *client_; }
    [[nodiscard]] int process_id() const { return process_id_; }
    // Collects the answer. True if locks may be free now.
    bool note_answer();
    // The answer has come while nobody asked; `turn` tells when.
    [[nodiscard]] bool is_answered() const { return waits_ && answer_; }
    void set_turn(std::int64_t turn) { turn_ = turn; }

  private:
    StatementResult run(const SqlStatement& statement);
    StatementResult finish(StatementResult result);
    void close();

    PostgresStores& stores_;
    PostgresServer& server_;
    Place place_;
    std::string settings_;
    std::unique_ptr<PostgresClient> client_;  // null: closed
    int process_id_ = 0;
    std::string sql_;                        // in flight
    bool waits_ = false;                     // for an answer
    std::optional<StatementResult> answer_;  // that has come since, of the statement that waits
    std::int64_t turn_ = 0;
    std::optional<SqlStatement> held_;  // in flight when the client died, not run yet
    bool in_transaction_ = false;
    bool abandoned_ = false;
    bool has_locks_ = false;  // advisory ones
};

}  // namespace oncecheck
