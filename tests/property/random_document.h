// Random pipeline documents, the same for the same seed everywhere: one query or two that bring their batches into
// db.payments, through a staging object or at once, in all the ways that the format has for it, sensible or not.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/property/transformed.h"

namespace oncecheck {

class RandomDocument {
  public:
    explicit RandomDocument(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] Json make() {
        const bool two = one_in(5);
        Json document{{"pipeline", "random"}, {"assume", {{"faults", faults(two)}}}};
        Json& components = document["components"];
        Json& require = document["require"];
        const Json records = log_records();
        staging_ = any({"db.stg", "db.stg_{batch}", "db.stg_{query}_{batch}", "db.stg_{attempt}", "db.stg_{query}",
                        "db.stg_{now}", "db." + std::string(30, 's') + "_{query}_{batch}"});
        const Json steps = program();
        for (const std::string name : {"cards", "transfers"}) {
            if (name == "transfers" && !two) {
                break;
            }
            const std::string topic = name + "_topic";
            components[topic] = {
                {"type", "kafka-topic"}, {"version", "3.7"}, {"config", {{"retention.ms", -1}}}, {"records", records}};
            components[name] = {
                {"type", "spark-structured-streaming"},
                {"version", "3.5.1"},
                {"reads", topic},
                {"config", {{"checkpointLocation", "hdfs://nn/" + name}, {"startingOffsets", "earliest"}}},
                {"foreachBatch", steps}};
            if (fenced_) {
                components[name]["on_start"] = Json::array({{{"acquire", "db.fence_{query}"}}});
            }
            for (const char* kind : {"no-loss", "no-duplicate", "no-stale"}) {
                require.push_back({{kind, "db.payments"}, {"from", topic}});
            }
            require.push_back({{"progress", name}});
        }
        components["db"] = {{"type", "postgresql"}, {"version", "15"}, {"tables", tables()}};
        return document;
    }

  private:
    [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
    [[nodiscard]] bool one_in(std::size_t chance) { return below(chance) == 0; }
    [[nodiscard]] std::string any(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

    [[nodiscard]] Json faults(bool two) {
        Json chosen = Json::array();
        for (const char* fault : {"crash", "zombie", "detached", "lost-ack", "task-retry"}) {
            if (one_in(two ? 6 : 3)) {
                chosen.push_back(fault);
            }
        }
        return chosen;
    }

    [[nodiscard]] Json log_records() {
        Json records{
            {"id", "event_id"}, {"key", "payment_id"}, {"version", "event_time"}, {"ordered_by", "event_time"}};
        records["key_repeats"] = any({"in-batch", "across-batches", "across-batches", "never"});
        return records;
    }

    [[nodiscard]] Json tables() {
        Json declared{{"applied", {{"primary_key", {"query_id", "batch_id"}}}}};
        if (!one_in(3)) {
            declared["payments"] = {{"primary_key", {one_in(4) ? "event_id" : "payment_id"}}};
        }
        if (one_in(4)) {
            declared[staging_.substr(3)] = {{"primary_key", {"topic", "partition", "offset"}}};
        }
        return declared;
    }

    [[nodiscard]] Json program() {
        Json steps = Json::array();
        const bool direct = one_in(5);
        if (!direct) {
            prepare(steps);
            Json load{{"append", staging_}};
            if (one_in(4)) {
                load["on_conflict"] = "ignore";
            }
            tagged_ = one_in(4);
            if (tagged_) {
                load["set"] = {{"batch_id", "{batch}"}};
            }
            steps.push_back(load);
        }
        fenced_ = one_in(6);
        apply(steps, direct);
        if (!direct && one_in(4)) {
            steps.push_back({{any({"drop", "truncate"}), staging_}});
        }
        if (one_in(8)) {
            return Json::array({{{"background", steps}}});
        }
        return steps;
    }

    void prepare(Json& steps) {
        switch (below(6)) {
            case 0:
                break;
            case 1:
                steps.push_back({{"drop", staging_}});
                steps.push_back({{"create", staging_}});
                break;
            case 2:
                steps.push_back({{"create", staging_}, {"if_exists", any({"fail", "keep", "replace"})}});
                break;
            case 3:
                steps.push_back({{"delete", staging_}, {"where", {{"batch_id", "{batch}"}}}});
                break;
            default:
                steps.push_back({{"truncate", staging_}});
                break;
        }
    }

    // The statement that brings rows into the target.
    [[nodiscard]] Json apply_statement(bool direct) {
        Json step;
        if (one_in(2)) {
            step["merge"] = "db.payments";
            step["on"] = Json::array({"payment_id"});
            if (!direct) {
                step["using"] = staging_;
            }
            if (one_in(3)) {
                step["newer_by"] = "event_time";
            }
            if (one_in(3)) {
                step["dedupe_by"] = "event_time";
            }
        } else if (direct) {
            step["append"] = "db.payments";
            step["by"] = "driver";
        } else {
            step["insert"] = "db.payments";
            step["from"] = staging_;
            if (one_in(4)) {
                step["on_conflict"] = "ignore";
            }
        }
        if (tagged_ && one_in(2)) {
            step["where"] = {{"batch_id", "{batch}"}};
        }
        return step;
    }

    void apply(Json& steps, bool direct) {
        const Json statement = apply_statement(direct);
        if (!direct && one_in(6)) {
            steps.push_back({{"count", staging_}});
        }
        if (!fenced_ && one_in(2)) {
            steps.push_back(statement);
            if (one_in(6)) {
                steps.back()["on_error"] = any({"retry", "ignore"});
            }
            return;
        }
        Json body = Json::array();
        if (fenced_) {
            body.push_back({{"check", "db.fence_{query}"}});
        }
        if (!fenced_ || one_in(2)) {
            body.push_back({{"claim", "db.applied"}, {"key", {"{query}", "{batch}"}}});
        }
        body.push_back(statement);
        Json transaction{{"transaction", body}};
        if (one_in(3)) {
            transaction["isolation"] = any({"serializable", "repeatable-read"});
        }
        steps.push_back(transaction);
    }

    std::mt19937_64 random_;
    std::string staging_;
    bool tagged_ = false;
    bool fenced_ = false;
};

}  // namespace oncecheck
