#include "checker/crossvalidate/random_pipeline.h"

namespace oncecheck {

OrderedJson RandomPipeline::make() {
    const bool two = one_in(5);
    OrderedJson document{{"pipeline", "random"}, {"assume", {{"faults", faults(two)}}}};
    OrderedJson& components = document["components"];
    OrderedJson& require = document["require"];
    const OrderedJson records = log_records();
    staging_ = any({"db.stg", "db.stg_{batch}", "db.stg_{query}_{batch}", "db.stg_{attempt}", "db.stg_{query}",
                    "db.stg_{start_offset}", "staged", "db." + std::string(30, 's') + "_{query}_{batch}"});
    const OrderedJson steps = program();
    for (const std::string name : {"cards", "transfers"}) {
        if (name == "transfers" && !two) {
            break;
        }
        const std::string topic = name + "_topic";
        components[topic] = {
            {"type", "kafka-topic"}, {"version", "3.7"}, {"config", {{"retention.ms", -1}}}, {"records", records}};
        components[name] = query(name, steps);
        for (const char* kind : {"no-loss", "no-duplicate", "no-stale"}) {
            require.push_back({{kind, "db.payments"}, {"from", topic}});
        }
        require.push_back({{"progress", name}});
    }
    components["db"] = {{"type", "postgresql"}, {"version", "15"}, {"tables", tables()}};
    return document;
}

OrderedJson RandomPipeline::query(const std::string& name, const OrderedJson& steps) {
    OrderedJson made{{"type", "spark-structured-streaming"},
                     {"version", "3.5.1"},
                     {"reads", name + "_topic"},
                     {"config", {{"checkpointLocation", "hdfs://nn/" + name}, {"startingOffsets", "earliest"}}},
                     {"foreachBatch", steps}};
    if (fenced_) {
        made["on_start"] = OrderedJson::array({{{"acquire", "db.fence_{query}"}}});
    }
    return made;
}

OrderedJson RandomPipeline::faults(bool two) {
    OrderedJson chosen = OrderedJson::array();
    for (const char* fault : {"crash", "zombie", "detached", "lost-ack", "task-retry"}) {
        if (one_in(two ? 6 : 3)) {
            chosen.push_back(fault);
        }
    }
    return chosen;
}

OrderedJson RandomPipeline::log_records() {
    OrderedJson records{
        {"id", "event_id"}, {"key", "payment_id"}, {"version", "event_time"}, {"ordered_by", "event_time"}};
    records["key_repeats"] = any({"in-batch", "across-batches", "across-batches", "never"});
    return records;
}

OrderedJson RandomPipeline::tables() {
    OrderedJson declared{{"applied", {{"primary_key", {"query_id", "batch_id"}}}}};
    if (!one_in(3)) {
        declared["payments"] = {{"primary_key", {one_in(4) ? "event_id" : "payment_id"}}};
    }
    if (one_in(4) && staging_ != "staged") {
        declared[staging_.substr(3)] = {{"primary_key", {"topic", "partition", "offset"}}};
    }
    return declared;
}

OrderedJson RandomPipeline::program() {
    OrderedJson steps = OrderedJson::array();
    direct_ = one_in(5);
    if (!direct_) {
        prepare(steps);
        load(steps);
    }
    fenced_ = one_in(6);
    apply(steps);
    if (!direct_ && staging_ != "staged" && one_in(4)) {
        steps.push_back({{any({"drop", "truncate"}), staging_}});
    }
    if (one_in(8)) {
        return OrderedJson::array({{{"background", steps}}});
    }
    return steps;
}

void RandomPipeline::prepare(OrderedJson& steps) {
    if (staging_ == "staged") {
        return;  // a view of the session: the load makes it
    }
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

void RandomPipeline::load(OrderedJson& steps) {
    if (staging_ == "staged") {
        steps.push_back({{"create", staging_}, {"as", "batch"}, {"if_exists", "replace"}});
        return;
    }
    OrderedJson step{{"append", staging_}};
    if (one_in(4)) {
        step["on_conflict"] = "ignore";
    }
    if (one_in(4)) {
        step["by"] = "driver";
    }
    tagged_ = one_in(4);
    if (tagged_) {
        step["set"] = {{"batch_id", "{batch}"}};
    }
    steps.push_back(step);
}

OrderedJson RandomPipeline::merge_statement() {
    OrderedJson step{{"merge", "db.payments"}, {"on", {"payment_id"}}};
    if (!direct_) {
        step["using"] = staging_;
    }
    if (one_in(3)) {
        step["newer_by"] = "event_time";
    }
    if (one_in(3)) {
        step["dedupe_by"] = "event_time";
    }
    if (one_in(6)) {
        step["only"] = "unmatched";
    }
    return step;
}

OrderedJson RandomPipeline::plain_statement() {
    if (direct_) {
        return {{"append", "db.payments"}, {"by", any({"driver", "executors"})}};
    }
    OrderedJson step{{"insert", "db.payments"}, {"from", staging_}};
    if (one_in(4)) {
        step["on_conflict"] = "ignore";
    }
    return step;
}

// The statement that brings rows into the target.
OrderedJson RandomPipeline::apply_statement() {
    OrderedJson step = one_in(2) ? merge_statement() : plain_statement();
    if (tagged_ && one_in(2)) {
        step["where"] = {{"batch_id", "{batch}"}};
    }
    return step;
}

void RandomPipeline::apply(OrderedJson& steps) {
    OrderedJson statement = apply_statement();
    if (!direct_ && one_in(6)) {
        steps.push_back({{"count", staging_}});
    }
    if (!fenced_ && one_in(2)) {
        if (one_in(6)) {
            statement["on_error"] = any({"retry", "ignore"});
        }
        steps.push_back(statement);
        return;
    }
    if (statement.contains("by")) {
        statement["by"] = "driver";  // no executors inside a transaction
    }
    OrderedJson body = OrderedJson::array();
    if (fenced_) {
        body.push_back({{"check", "db.fence_{query}"}});
    }
    if (!fenced_ || one_in(2)) {
        body.push_back({{"claim", "db.applied"}, {"key", {"{query}", "{batch}"}}});
    }
    body.push_back(statement);
    OrderedJson transaction{{"transaction", body}};
    if (one_in(3)) {
        transaction["isolation"] = any({"serializable", "repeatable-read"});
    }
    steps.push_back(transaction);
}

}  // namespace oncecheck
