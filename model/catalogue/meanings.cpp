#include "model/catalogue/meanings.h"

#include <algorithm>

namespace oncecheck {

namespace {

const RequiredMeaning kRequiredMeanings[] = {
    {Protocol::kNone, "overlap", {"planned", "none"}},
    {Protocol::kMicroBatch, "put_if_absent", {"atomic", "racy", "unknown"}},
    {Protocol::kMicroBatch, "progress", {"persistent", "temporary"}},
    {Protocol::kMicroBatch, "task_retry", {"possible", "impossible"}},
    {Protocol::kMicroBatch, "source_gap", {"fails", "skips"}},
    {Protocol::kMicroBatch, "first_position", {"earliest", "latest"}},
    {Protocol::kMicroBatch, "reads_aborted", {"yes", "no"}},
    {Protocol::kMicroBatch, "asynchronous_progress", {"yes", "no"}},
    {Protocol::kLog, "compacted", {"yes", "no"}},
    {Protocol::kProducer, "idempotent", {"yes", "no"}},
    {Protocol::kProducer, "retries", {"possible", "impossible"}},
    {Protocol::kProducer, "acknowledged", {"durable", "leader", "none"}},
    {Protocol::kProducer, "transactional", {"yes", "no"}},
    {Protocol::kTables, "transactional_ddl", {"yes", "no"}},
    {Protocol::kTables, "transactional_truncate", {"yes", "no"}},
    {Protocol::kTables, "truncate_waits", {"yes", "no"}},
    {Protocol::kTables, "truncate_in_snapshot", {"empty", "error"}},
    {Protocol::kTables, "double_match", {"error", "last", "any"}},
    {Protocol::kTables, "unmatched_twice", {"error-if-unique", "any-if-unique"}},
    {Protocol::kTables, "unique_conflict", {"wait-then-error", "error"}},
    {Protocol::kTables, "insert_select_reads", {"snapshot", "latest"}},
    {Protocol::kTables, "serializable", {"detection", "locks"}},
    {Protocol::kTables,
     "default_isolation",
     {"read-uncommitted", "read-committed", "repeatable-read", "snapshot", "serializable"}},
    {Protocol::kTables, "identifier_length", {}},
    {Protocol::kTables, "identifier_unit", {"bytes", "characters"}},
    {Protocol::kTables, "identifier_folding", {"lower", "none"}},
    {Protocol::kTables, "identifier_overflow", {"truncate", "error"}},
    {Protocol::kTables, "enforces_keys", {"yes", "no"}},
    {Protocol::kTables, "commits_a_load", {"task", "all"}},
    {Protocol::kTables, "merge", {"statement", "upsert", "none"}},
};

bool is_positive_number(std::string_view text) {
    return !text.empty() && text.size() <= 9 && text.front() != '0' &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::span<const RequiredMeaning> required_meanings() { return kRequiredMeanings; }

const RequiredMeaning* find_required_meaning(Protocol protocol, std::string_view name) {
    for (const RequiredMeaning& meaning : kRequiredMeanings) {
        if (meaning.protocol == protocol && meaning.name == name) {
            return &meaning;
        }
    }
    return nullptr;
}

bool is_allowed(const RequiredMeaning& meaning, std::string_view value) {
    if (meaning.values.empty()) {
        return is_positive_number(value);
    }
    return std::find(meaning.values.begin(), meaning.values.end(), value) != meaning.values.end();
}

}  // namespace oncecheck
