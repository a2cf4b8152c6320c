// The server of a run as its connections share it: who waits for whom, whether things have come to rest, and clients
// that can be used again.
//
// A server goes on by itself: when a lock is freed, whoever waits for it runs at once. So that a run is a function of
// its schedule, every statement returns only when each connection has its answer, or waits for a lock of another.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/runtime/postgres_client.h"

namespace oncecheck {

class PostgresConnection;

class PostgresServer {
  public:
    // Throws StoreError.
    explicit PostgresServer(std::string url);
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    [[nodiscard]] PostgresClient& control() { return control_; }
    // 150006 for 15.6.
    [[nodiscard]] int version() const { return control_.version(); }
    // A statement of the runtime's own; throws StoreError if it fails.
    StatementResult run(const std::string& sql);

    // A client with these settings ("SET ...; SET ..."), perhaps one that was given back.
    [[nodiscard]] std::unique_ptr<PostgresClient> take_client(const std::string& settings);
    void give_back(const std::string& settings, std::unique_ptr<PostgresClient> client);

    void join(PostgresConnection& connection) { connections_.push_back(&connection); }
    void leave(PostgresConnection& connection) { std::erase(connections_, &connection); }

    // Waits until the client has an answer (true), or waits for a lock that another connection of the run holds and is
    // not freed by a deadlock (false). Throws StoreError if neither comes to pass in a minute.
    [[nodiscard]] bool await(PostgresClient& client);
    // Waits until that is so for every connection whose statement waits, and gives turns to those that have ended.
    void settle();
    // Something may have changed since the last call.
    [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }
    void note_change() { changed_ = true; }

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::map<int, std::vector<int>> waits_for();
    void collect_answers();
    void give_turns();

    std::string url_;
    PostgresClient control_;
    bool quick_deadlocks_ = false;  // deadlock_timeout could be set to its least
    std::map<std::string, std::vector<std::unique_ptr<PostgresClient>>> idle_;
    std::vector<PostgresConnection*> connections_;
    std::int64_t turns_ = 0;
    bool changed_ = true;
};

}  // namespace oncecheck
