#include "model/runtime/store.h"

#include "model/runtime/postgres_store.h"
#include "model/runtime/sqlite_store.h"

namespace oncecheck {

const char* to_string(FailureKind kind) {
    switch (kind) {
        case FailureKind::kNone:
            return "no failure";
        case FailureKind::kUniqueViolation:
            return "unique key violated";
        case FailureKind::kDeadlock:
            return "deadlock";
        case FailureKind::kSerialization:
            return "serialization failure";
        case FailureKind::kMissingObject:
            return "object does not exist";
        case FailureKind::kDuplicateObject:
            return "object exists already";
        case FailureKind::kDoubleMatch:
            return "key matched twice";
        case FailureKind::kTransactionAborted:
            return "transaction is aborted";
        case FailureKind::kConnectionLost:
            return "connection lost";
        case FailureKind::kOther:
            return "refused";
        case FailureKind::kClaimed:
            return "claim is taken";
        case FailureKind::kWrongCount:
            return "row count is not that of the batch";
        case FailureKind::kNoToken:
            return "fencing token is not valid any more";
        case FailureKind::kPositionMoved:
            return "position has moved";
    }
    return "";
}

std::unique_ptr<RunStores> open_stores(const Pipeline& pipeline, const StoreOptions& options) {
    if (options.url.starts_with("postgresql://") || options.url.starts_with("postgres://")) {
        return std::make_unique<PostgresStores>(pipeline, options);
    }
    if (options.url.find("://") != std::string::npos) {
        throw StoreError("no driver for '" + options.url + "'; use postgresql://..., or the name of a folder");
    }
    return std::make_unique<SqliteStores>(pipeline, options);
}

}  // namespace oncecheck
