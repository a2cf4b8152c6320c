// One connection to a PostgreSQL server, over libpq without blocking: a statement is sent, and its answer comes when it
// comes. Knows nothing of schedules.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>

#include "model/runtime/store.h"

namespace oncecheck {

class PostgresClient {
  public:
    // Throws StoreError, with the server's words, if the server cannot be reached.
    explicit PostgresClient(const std::string& url);

    // Requires that no answer is due. A connection that is gone gives an answer that says so.
    void send(const std::string& sql);
    // Waits for at most so many milliseconds until an answer can be collected.
    [[nodiscard]] bool has_answer(int milliseconds);
    // The answer to what was sent; of several statements the last, or the first that failed. Blocks until it is there.
    [[nodiscard]] StatementResult answer();
    // Sends and blocks for the answer.
    [[nodiscard]] StatementResult run(const std::string& sql);
    // Asks the server to cancel what runs; its answer still comes.
    void cancel();

    [[nodiscard]] bool is_alive() const;
    [[nodiscard]] int process_id() const { return process_id_; }
    [[nodiscard]] bool in_transaction() const;
    // 150006 for 15.6.
    [[nodiscard]] int version() const;
    [[nodiscard]] std::string database() const;

  private:
    struct Close {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };

    std::unique_ptr<PGconn, Close> connection_;
    int process_id_ = 0;
};

}  // namespace oncecheck
