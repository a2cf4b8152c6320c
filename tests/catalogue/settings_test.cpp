#include <gtest/gtest.h>

#include <algorithm>

#include "model/catalogue/catalogue.h"

namespace oncecheck {
namespace {

const Catalogue& shipped() {
    static const Catalogue kCatalogue = Catalogue::load(ONCECHECK_SOURCE_SPECS);
    return kCatalogue;
}

// A component resolved against the shipped catalogue, with what was said about it.
struct Resolved {
    std::vector<Problem> problems;
    std::vector<Finding> findings;
    ResolvedSettings settings;

    [[nodiscard]] bool has_finding(const std::string& rule) const {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule; });
    }
};

Resolved resolve(const std::string& type, const std::string& version,
                 const std::map<std::string, std::string>& stated = {}) {
    Settings settings;
    for (const auto& [name, text] : stated) {
        settings[name] = {Setting::Kind::kString, text, {"p.json", 7, 3, "/components/c/config/" + name}};
    }
    Resolved result;
    result.settings = ResolvedSettings::resolve(*shipped().find(type), version, {"p.json", 2, 5, "/components/c"},
                                                settings, result.problems, result.findings);
    return result;
}

std::string meaning(const std::string& type, const std::string& version, const std::string& name,
                    const std::map<std::string, std::string>& stated = {}) {
    return resolve(type, version, stated).settings.meaning(name);
}

std::optional<bool> condition(const Resolved& component, const std::string& id,
                              const std::map<std::string, std::int64_t>& times = {}) {
    for (const ConditionSpec& spec : component.settings.type().conditions) {
        if (spec.id == id) {
            return holds(spec.formula, component.settings.environment([&](const std::string& name) {
                const auto time = times.find(name);
                return time == times.end() ? std::nullopt : std::optional<FormulaValue>(time->second);
            }));
        }
    }
    throw InternalError("no condition " + id);
}

TEST(ResolvedSettings, TakeTheDefaultOfTheVersion) {
    EXPECT_EQ(resolve("kafka-producer", "2.8").settings.value("acks"), FormulaValue(std::string("1")));
    EXPECT_EQ(resolve("kafka-producer", "3.7").settings.value("acks"), FormulaValue(std::string("all")));
    EXPECT_EQ(resolve("kafka-producer", "2.8").settings.value("enable.idempotence"), FormulaValue(false));
    EXPECT_EQ(resolve("kafka-producer", "3.7").settings.value("enable.idempotence"), FormulaValue(true));
    EXPECT_EQ(resolve("kafka-producer", "3.1.0").settings.value("enable.idempotence"), FormulaValue(false));
}

TEST(ResolvedSettings, SayWhereAValueComesFrom) {
    const Resolved component = resolve("kafka-topic", "3.7", {{"retention.ms", "60000"}});
    const ResolvedSetting& stated = component.settings.all().at("retention.ms");
    EXPECT_TRUE(stated.stated);
    EXPECT_EQ(stated.where.pointer, "/components/c/config/retention.ms");
    const ResolvedSetting& left_out = component.settings.all().at("retention.bytes");
    EXPECT_FALSE(left_out.stated);
    EXPECT_EQ(left_out.where.pointer, "/components/c");
    EXPECT_NE(left_out.source, "");
}

TEST(ResolvedSettings, GiveDurationsInMilliseconds) {
    const Resolved component = resolve("postgresql", "15", {{"statement_timeout", "5min"}});
    EXPECT_EQ(component.settings.value("statement_timeout"), FormulaValue(std::int64_t{300'000}));
    EXPECT_EQ(component.settings.value("tcp_keepalives_idle"), FormulaValue(std::int64_t{0}));
}

TEST(ResolvedSettings, AreUnsetWithoutStatementAndDefault) {
    const Resolved component = resolve("kafka-producer", "3.7");
    EXPECT_EQ(component.settings.value("transactional.id"), FormulaValue(std::monostate{}));
    EXPECT_EQ(component.settings.value("transaction.two.phase.commit.enable"), FormulaValue(std::monostate{}));
    EXPECT_EQ(component.settings.value("no such setting"), FormulaValue(std::monostate{}));
}

TEST(ResolvedSettings, KnowAPatchReleaseByItsLine) {
    const Resolved component = resolve("spark-structured-streaming", "3.5.1");
    EXPECT_EQ(component.settings.version(), "3.5.1");
    EXPECT_TRUE(component.findings.empty());
}

TEST(ResolvedSettings, AssumeAVersionAndSaySo) {
    for (const char* const version : {"", "99.1", "1", "15x"}) {
        const Resolved component = resolve("postgresql", version);
        EXPECT_EQ(component.settings.version(), shipped().find("postgresql")->assumed_version);
        ASSERT_EQ(component.findings.size(), 1U);
        EXPECT_EQ(component.findings[0].rule, "version-assumed");
        EXPECT_EQ(component.findings[0].where.pointer, "/components/c");
        EXPECT_TRUE(component.problems.empty());
    }
}

TEST(ResolvedSettings, ReportASettingThatTheCatalogueDoesNotKnow) {
    const Resolved component = resolve("kafka-topic", "3.7", {{"retention.mss", "1"}});
    EXPECT_TRUE(component.has_finding("unknown-setting"));
    EXPECT_TRUE(component.problems.empty());
    EXPECT_FALSE(resolve("kafka-producer", "3.7", {{"ssl.protocol", "TLSv1.3"}}).has_finding("unknown-setting"));
}

TEST(ResolvedSettings, ReportAValueOfTheWrongType) {
    const Resolved component = resolve("kafka-topic", "3.7", {{"retention.ms", "a week"}, {"cleanup.policy", "drop"}});
    ASSERT_EQ(component.problems.size(), 2U);
    EXPECT_EQ(component.problems[0].code, "setting-type");
    EXPECT_EQ(component.problems[0].where.pointer, "/components/c/config/cleanup.policy");
    EXPECT_EQ(component.problems[1].where.pointer, "/components/c/config/retention.ms");
}

TEST(ResolvedSettings, ForgiveCaseOnlyWhereTheVendorDoes) {
    const Resolved spark = resolve("spark-structured-streaming", "3.5", {{"failondataloss", "false"}});
    EXPECT_EQ(spark.settings.value("failOnDataLoss"), FormulaValue(false));
    EXPECT_TRUE(resolve("kafka-topic", "3.7", {{"Retention.ms", "1"}}).has_finding("unknown-setting"));
    const Resolved twice =
        resolve("spark-structured-streaming", "3.5", {{"failondataloss", "1"}, {"failOnDataLoss", "true"}});
    ASSERT_EQ(twice.problems.size(), 1U);
    EXPECT_EQ(twice.problems[0].code, "duplicate-key");
}

TEST(ResolvedSettings, LetANullTakeTheDefaultAway) {
    std::vector<Problem> problems;
    std::vector<Finding> findings;
    const Settings stated = {{"retention.ms", {Setting::Kind::kNull, "null", {}}}};
    const ResolvedSettings settings =
        ResolvedSettings::resolve(*shipped().find("kafka-topic"), "3.7", {}, stated, problems, findings);
    EXPECT_EQ(settings.value("retention.ms"), FormulaValue(std::monostate{}));
}

TEST(ResolvedSettings, RefuseAMeaningThatTheTypeLacks) {
    const Resolved component = resolve("kafka-topic", "3.7");
    EXPECT_THROW((void)component.settings.meaning("double_match"), InternalError);
}

TEST(KafkaProducer, IsIdempotentByDefaultFromThreeOnButNotInTheTwoReleasesThatForgot) {
    EXPECT_EQ(meaning("kafka-producer", "2.8", "idempotent"), "no");
    EXPECT_EQ(meaning("kafka-producer", "3.0.0", "idempotent"), "no");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "idempotent"), "yes");
    EXPECT_EQ(meaning("kafka-producer", "2.8", "idempotent", {{"enable.idempotence", "true"}}), "yes");
}

TEST(KafkaProducer, LosesIdempotenceToOneConflictingSetting) {
    EXPECT_EQ(meaning("kafka-producer", "3.7", "idempotent", {{"acks", "1"}}), "no");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "idempotent", {{"retries", "0"}}), "no");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "idempotent", {{"max.in.flight.requests.per.connection", "6"}}), "no");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "idempotent", {{"acks", "-1"}}), "yes");
}

TEST(KafkaProducer, IsAcknowledgedAsItsAcksSay) {
    EXPECT_EQ(meaning("kafka-producer", "3.7", "acknowledged"), "durable");
    EXPECT_EQ(meaning("kafka-producer", "2.8", "acknowledged"), "leader");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "acknowledged", {{"acks", "0"}}), "none");
    EXPECT_EQ(meaning("kafka-producer", "3.7", "retries", {{"acks", "0"}}), "impossible");
}

TEST(KafkaTopic, ExcludesExpiryWhereTheRetentionOutlastsTheOutage) {
    const std::string id = "retention-outlasts-outage";
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7"), id), std::nullopt);
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7"), id, {{"assume.max_outage", 604'799'999}}), true);
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7"), id, {{"assume.max_outage", 604'800'000}}), false);
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7", {{"retention.ms", "-1"}}), id), true);
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7", {{"cleanup.policy", "compact"}}), id), true);
    EXPECT_EQ(condition(resolve("kafka-topic", "3.7", {{"retention.ms", "-1"}, {"retention.bytes", "9"}}), id), false);
}

TEST(Spark, KnowsHowSafeACheckpointStoreIs) {
    const auto store = [](const std::map<std::string, std::string>& stated) {
        return meaning("spark-structured-streaming", "3.5", "put_if_absent", stated);
    };
    EXPECT_EQ(store({{"checkpointLocation", "hdfs://nn/chk"}}), "atomic");
    EXPECT_EQ(store({{"checkpointLocation", "s3a://bucket/chk"}}), "racy");
    EXPECT_EQ(store({{"checkpointLocation", "file:/chk"}}), "racy");
    EXPECT_EQ(store({{"checkpointLocation", "abfss://c@a/chk"}}), "unknown");
    EXPECT_EQ(store({{"checkpointLocation", "gs://bucket/chk"}}), "unknown");
    EXPECT_EQ(store({{"checkpointLocation", "/chk"}}), "unknown");
    EXPECT_EQ(store({{"checkpointLocation", "/chk"}, {"spark.hadoop.fs.defaultFS", "hdfs://nn"}}), "atomic");
    EXPECT_EQ(store({}), "atomic");
    EXPECT_EQ(store({{"spark.sql.streaming.checkpointLocation", "s3a://b"}, {"queryName", "q"}}), "racy");
    EXPECT_EQ(store({{"checkpointLocation", "hdfs://nn/chk"},
                     {"spark.sql.streaming.checkpointFileManagerClass",
                      "org.apache.spark.internal.io.cloud.AbortableStreamBasedCheckpointFileManager"}}),
              "racy");
    EXPECT_EQ(store({{"checkpointLocation", "hdfs://nn/chk"},
                     {"spark.sql.streaming.checkpointFileManagerClass", "com.acme.Manager"}}),
              "unknown");
}

TEST(Spark, KeepsProgressOnlyUnderALocationOfItsOwn) {
    const auto progress = [](const std::map<std::string, std::string>& stated) {
        return meaning("spark-structured-streaming", "3.5", "progress", stated);
    };
    EXPECT_EQ(progress({}), "temporary");
    EXPECT_EQ(progress({{"spark.sql.streaming.checkpointLocation", "hdfs://nn/chk"}}), "temporary");
    EXPECT_EQ(progress({{"spark.sql.streaming.checkpointLocation", "hdfs://nn/chk"}, {"queryName", "q"}}),
              "persistent");
    EXPECT_EQ(progress({{"checkpointLocation", "hdfs://nn/chk"}}), "persistent");
}

TEST(Spark, RetriesTasksOnAClusterWhateverTheLimit) {
    EXPECT_EQ(meaning("spark-structured-streaming", "3.5", "task_retry"), "possible");
    EXPECT_EQ(meaning("spark-structured-streaming", "3.5", "task_retry",
                      {{"spark.task.maxFailures", "1"}, {"spark.stage.maxConsecutiveAttempts", "1"}}),
              "possible");
    EXPECT_EQ(meaning("spark-structured-streaming", "3.5", "task_retry",
                      {{"spark.master", "local[*]"}, {"spark.stage.maxConsecutiveAttempts", "1"}}),
              "impossible");
}

TEST(Spark, ReadsWhatTheSourceSettingsSay) {
    const std::string type = "spark-structured-streaming";
    EXPECT_EQ(meaning(type, "3.5", "source_gap"), "fails");
    EXPECT_EQ(meaning(type, "3.5", "source_gap", {{"failOnDataLoss", "false"}}), "skips");
    EXPECT_EQ(meaning(type, "3.5", "first_position"), "latest");
    EXPECT_EQ(meaning(type, "3.5", "first_position", {{"startingOffsets", R"({"t":{"0":5}})"}}), "earliest");
    EXPECT_EQ(meaning(type, "3.5", "reads_aborted"), "yes");
    EXPECT_EQ(meaning(type, "3.5", "reads_aborted", {{"kafka.isolation.level", "read_committed"}}), "no");
    EXPECT_EQ(meaning(type, "3.5", "asynchronous_progress"), "no");
    EXPECT_EQ(meaning(type, "3.5", "asynchronous_progress", {{"asyncProgressTrackingEnabled", "true"}}), "yes");
    EXPECT_EQ(meaning(type, "3.2", "asynchronous_progress"), "no");
}

TEST(Spark, ExcludesAPurgeOnlyWhereTheIntervalIsKnown) {
    const std::map<std::string, std::int64_t> times = {{"assume.max_pause", 600'000},
                                                       {"assume.min_restart_delay", 60'000}};
    const std::string id = "logs-outlast-a-pause";
    EXPECT_NE(condition(resolve("spark-structured-streaming", "3.5"), id, times), true);
    const Resolved minute = resolve("spark-structured-streaming", "3.5", {{"processingTime", "1 minute"}});
    EXPECT_EQ(condition(minute, id, times), true);
    EXPECT_EQ(condition(minute, id), std::nullopt);
}

TEST(PostgreSql, CutsNamesAtSixtyThreeBytes) {
    EXPECT_EQ(meaning("postgresql", "15", "identifier_length"), "63");
    EXPECT_EQ(meaning("postgresql", "15", "identifier_unit"), "bytes");
    EXPECT_EQ(meaning("postgresql", "15", "identifier_overflow"), "truncate");
}

TEST(PostgreSql, HasMergeFromFifteenOn) {
    EXPECT_EQ(meaning("postgresql", "14", "merge"), "upsert");
    EXPECT_EQ(meaning("postgresql", "15.4", "merge"), "statement");
}

TEST(PostgreSql, ExcludesDetachedStatementsByAStatementTimeoutOnly) {
    const std::string id = "statements-end-before-a-restart";
    const std::map<std::string, std::int64_t> delay = {{"assume.min_restart_delay", 60'000}};
    EXPECT_EQ(condition(resolve("postgresql", "15"), id, delay), false);
    EXPECT_EQ(condition(resolve("postgresql", "15", {{"client_connection_check_interval", "1s"}}), id, delay), false);
    EXPECT_EQ(condition(resolve("postgresql", "15", {{"statement_timeout", "30s"}}), id, delay), true);
    EXPECT_EQ(condition(resolve("postgresql", "15", {{"statement_timeout", "1min"}}), id, delay), false);
    EXPECT_EQ(condition(resolve("postgresql", "15", {{"statement_timeout", "30s"}}), id), std::nullopt);
}

TEST(MySql, ReadsTheLatestRowsUnlessReadCommitted) {
    EXPECT_EQ(meaning("mysql", "8.4", "insert_select_reads"), "latest");
    EXPECT_EQ(meaning("mysql", "8.4", "insert_select_reads", {{"transaction_isolation", "read-committed"}}),
              "snapshot");
    EXPECT_EQ(meaning("mysql", "8.4", "default_isolation"), "repeatable-read");
}

TEST(Kubernetes, ExcludesZombiesForAStatefulSetOnly) {
    const std::string id = "one-pod-an-identity";
    EXPECT_EQ(condition(resolve("kubernetes", "1.31", {{"kind", "StatefulSet"}}), id), true);
    EXPECT_EQ(condition(resolve("kubernetes", "1.31", {{"kind", "Deployment"}}), id), false);
    EXPECT_EQ(condition(resolve("kubernetes", "1.31", {{"kind", "Job"}}), id), false);
    EXPECT_EQ(condition(resolve("kubernetes", "1.31"), id), false);
    EXPECT_EQ(
        condition(resolve("kubernetes", "1.31", {{"kind", "StatefulSet"}, {"terminationGracePeriodSeconds", "0"}}), id),
        false);
}

TEST(Airflow, ExcludesNoFault) {
    for (const ConditionSpec& spec : shipped().find("airflow")->conditions) {
        EXPECT_EQ(spec.excludes, "") << spec.id;
    }
    EXPECT_EQ(resolve("airflow", "2.10").settings.value("catchup"), FormulaValue(true));
    EXPECT_EQ(resolve("airflow", "3.0").settings.value("catchup"), FormulaValue(false));
}

}  // namespace
}  // namespace oncecheck
