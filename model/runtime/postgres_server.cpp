#include "model/runtime/postgres_server.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "model/runtime/postgres_connection.h"

namespace oncecheck {

namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr int kPollMilliseconds = 2;
// The least that the server takes. It looks for a deadlock once, after this time.
constexpr const char* kQuickDeadlocks = "SET deadlock_timeout = '1ms'";
// By then a statement that waits has looked for a deadlock: of a later one it will not be the victim.
constexpr Milliseconds kLooked{6};
constexpr Milliseconds kPatience{60'000};

// "{1,2}" -> 1, 2
std::vector<int> numbers(const std::string& array) {
    std::vector<int> found;
    const char* const end = array.data() + array.size();
    for (const char* at = array.data(); at < end;) {
        int number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error == std::errc()) {
            found.push_back(number);
        }
        at = next + 1;
    }
    return found;
}

bool reaches(const std::map<int, std::vector<int>>& edges, int from, int to) {
    std::set<int> seen;
    std::vector<int> open{from};
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        const auto next = edges.find(at);
        for (const int other : next == edges.end() ? std::vector<int>{} : next->second) {
            if (other == to) {
                return true;
            }
            if (seen.insert(other).second) {
                open.push_back(other);
            }
        }
    }
    return false;
}

}  // namespace

PostgresServer::PostgresServer(std::string url) : url_(std::move(url)), control_(url_) {
    quick_deadlocks_ = control_.run(kQuickDeadlocks).status == StatementStatus::kDone;
    run("SET lock_timeout = '10s'; SET client_min_messages = error");
}

StatementResult PostgresServer::run(const std::string& sql) {
    StatementResult result = control_.run(sql);
    if (result.status == StatementStatus::kFailed) {
        throw StoreError((result.failure == FailureKind::kConnectionLost ? "the database is gone: "
                                                                         : "the database refuses '" + sql + "': ") +
                         result.message);
    }
    return result;
}

std::unique_ptr<PostgresClient> PostgresServer::take_client(const std::string& settings) {
    std::vector<std::unique_ptr<PostgresClient>>& idle = idle_[settings];
    if (!idle.empty()) {
        std::unique_ptr<PostgresClient> client = std::move(idle.back());
        idle.pop_back();
        return client;
    }
    auto client = std::make_unique<PostgresClient>(url_);
    const StatementResult result =
        client->run(settings + (quick_deadlocks_ ? std::string("; ") + kQuickDeadlocks : std::string()));
    if (result.status == StatementStatus::kFailed) {
        throw StoreError("the database refuses '" + settings + "': " + result.message);
    }
    return client;
}

void PostgresServer::give_back(const std::string& settings, std::unique_ptr<PostgresClient> client) {
    if (client->is_alive()) {
        idle_[settings].push_back(std::move(client));
    }
}

// Which connections of the run wait for which others.
std::map<int, std::vector<int>> PostgresServer::waits_for() {
    std::string ids;
    std::set<int> own;
    for (const PostgresConnection* connection : connections_) {
        own.insert(connection->process_id());
        ids += (ids.empty() ? "" : ",") + std::to_string(connection->process_id());
    }
    std::map<int, std::vector<int>> edges;
    for (const std::vector<SqlValue>& row :
         run("SELECT pid, pg_blocking_pids(pid) FROM unnest(ARRAY[" + ids + "]::int[]) AS pid").rows) {
        std::vector<int> blockers = numbers(row[1].value_or(""));
        // A vacuum that stands in the way gives way by itself.
        std::erase_if(blockers, [&](int blocker) { return !own.contains(blocker); });
        if (!blockers.empty()) {
            edges.emplace(numbers(row[0].value_or("0")).front(), std::move(blockers));
        }
    }
    return edges;
}

bool PostgresServer::await(PostgresClient& client) {
    changed_ = true;
    const Clock::time_point start = Clock::now();
    while (!client.has_answer(kPollMilliseconds)) {
        const Clock::duration waited = Clock::now() - start;
        const std::map<int, std::vector<int>> edges = waits_for();
        const int own = client.process_id();
        if (edges.contains(own) && !reaches(edges, own, own) && waited >= kLooked) {
            return client.has_answer(0);
        }
        if (waited >= kPatience) {
            throw StoreError("the database has not answered for a minute, and the statement waits for nobody here");
        }
    }
    return true;
}

void PostgresServer::settle() {
    collect_answers();
    give_turns();
}

void PostgresServer::collect_answers() {
    for (bool freed = true; freed;) {
        freed = false;
        for (PostgresConnection* connection : connections_) {
            // Whoever has got its lock may have freed another's since.
            freed = (connection->is_blocked() && await(connection->client()) && connection->note_answer()) || freed;
        }
    }
}

// Several may have ended since the last call: the server knows when each did.
void PostgresServer::give_turns() {
    std::vector<PostgresConnection*> ended;
    std::string ids;
    for (PostgresConnection* connection : connections_) {
        if (connection->is_answered() && connection->turn() == 0) {
            ended.push_back(connection);
            ids += (ids.empty() ? "" : ",") + std::to_string(connection->process_id());
        }
    }
    if (ended.size() > 1) {
        std::map<int, std::size_t> places;
        for (const std::vector<SqlValue>& row :
             run("SELECT pid FROM pg_stat_activity WHERE pid IN (" + ids + ") ORDER BY state_change").rows) {
            places.emplace(numbers(row[0].value_or("0")).front(), places.size());
        }
        std::stable_sort(ended.begin(), ended.end(),
                         [&](const PostgresConnection* left, const PostgresConnection* right) {
                             return places[left->process_id()] < places[right->process_id()];
                         });
    }
    for (PostgresConnection* connection : ended) {
        connection->set_turn(++turns_);
    }
}

}  // namespace oncecheck
