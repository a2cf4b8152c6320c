// Documents for tests, in a few words: a topic, one query or two, and a PostgreSQL database. What a test does not say
// takes the plainest value: no faults, records that are ordered and whose keys repeat across batches.
#pragma once

#include <string>

namespace oncecheck {

inline constexpr const char* kRecords =
    R"("records": { "id": "event_id", "key": "payment_id", "version": "event_time", "ordered_by": "event_time",
                    "key_repeats": "across-batches" })";

// One query "enrich" from "payments_topic" into "db.payments". Each member is JSON.
struct QueryDocument {
    std::string program;                          // "[...]": the steps
    std::string faults = "";                      // members of the list: "\"crash\", \"zombie\""
    std::string times = "";                       // further members of `assume`, each after a comma
    std::string tables = "{}";                    // of the database
    std::string query = "";                       // further members of the query, each after a comma
    std::string checkpoint = "hdfs://nn/chk";     // of the query
    std::string topic = R"("retention.ms": -1)";  // settings
    std::string records = kRecords;
    std::string database = "";    // settings
    std::string components = "";  // further components, each after a comma
    std::string require = R"({ "exactly-once": "db.payments", "from": "payments_topic" },
                             { "no-duplicate": "db.payments", "from": "payments_topic" },
                             { "no-loss": "db.payments", "from": "payments_topic" },
                             { "progress": "enrich" })";

    [[nodiscard]] std::string text() const {
        return R"({ "pipeline": "test", "assume": { "faults": [)" + faults + "]" + times + R"( }, "components": {
            "payments_topic": { "type": "kafka-topic", "version": "3.7", "config": { )" +
               topic + " }, " + records + R"( },
            "enrich": { "type": "spark-structured-streaming", "version": "3.5.1", "reads": "payments_topic",
                "config": { "checkpointLocation": ")" +
               checkpoint + R"(", "startingOffsets": "earliest" }, "foreachBatch": )" + program + query + R"( },
            "db": { "type": "postgresql", "version": "15", "config": { )" +
               database + R"( }, "tables": )" + tables + " }" + components + R"( }, "require": [)" + require + "] }";
    }
};

// Two queries of the same program, "cards" and "transfers", each from a topic of its own ("cards_topic", ...), into
// "db.payments".
struct TwoQueriesDocument {
    std::string program;
    std::string faults = "";
    std::string tables = "{}";
    std::string cards = "";  // further members of the query, each after a comma
    std::string transfers = "";
    std::string second_program = "";  // of "transfers", if it is another
    std::string require = R"({ "exactly-once": "db.payments", "from": "cards_topic" },
                             { "exactly-once": "db.payments", "from": "transfers_topic" })";

    [[nodiscard]] std::string text() const {
        const auto topic = [](const std::string& name) {
            return '"' + name + R"(": { "type": "kafka-topic", "version": "3.7", "config": { "retention.ms": -1 }, )" +
                   kRecords + " },";
        };
        const auto query = [](const std::string& name, const std::string& steps, const std::string& more) {
            return '"' + name + R"(": { "type": "spark-structured-streaming", "version": "3.5.1", "reads": ")" + name +
                   R"(_topic", "config": { "checkpointLocation": "hdfs://nn/chk/)" + name +
                   R"(", "startingOffsets": "earliest" }, "foreachBatch": )" + steps + more + " },";
        };
        return R"({ "pipeline": "test", "assume": { "faults": [)" + faults + R"(] }, "components": { )" +
               topic("cards_topic") + topic("transfers_topic") + query("cards", program, cards) +
               query("transfers", second_program.empty() ? program : second_program, transfers) +
               R"("db": { "type": "postgresql", "version": "15", "tables": )" + tables + R"( } }, "require": [)" +
               require + "] }";
    }
};

}  // namespace oncecheck
