// The pipeline document as values: what the user wrote, with `let` replaced, variants unfolded and configuration
// files read, but not yet resolved against the catalogue. Names stay symbolic.
//
// Nothing in here knows a vendor. Keys of the format that this version does not support never get this far: the
// reader refuses them (code "unsupported").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/document/step.h"
#include "model/document/template.h"
#include "model/errors.h"

namespace oncecheck {

enum class Fault { kCrash, kZombie, kDetached, kLostAck, kTaskRetry, kRedelivery };
inline constexpr Fault kDefaultFaults[] = {Fault::kCrash,   Fault::kZombie,    Fault::kDetached,
                                           Fault::kLostAck, Fault::kTaskRetry, Fault::kRedelivery};
// The name in a document: "lost-ack" for kLostAck.
[[nodiscard]] const char* to_string(Fault fault);

// A fault that the document rules out, with the reason that it gives.
struct ExcludedFault {
    Fault fault = Fault::kCrash;
    std::string reason;
    SourcePosition where;

    bool operator==(const ExcludedFault&) const = default;
};

// An assumed bound on a time, in milliseconds.
struct AssumedTime {
    std::int64_t milliseconds = 0;
    SourcePosition where;

    bool operator==(const AssumedTime&) const = default;
};

// What is assumed of the world. Empty `faults` means that the document does not say; see kDefaultFaults.
// The keys of `times` are those of FORMAT: max_outage, min_restart_delay, max_pause, max_retry_horizon,
// max_checkpoint_duration, max_event_age.
struct Assumptions {
    std::optional<std::vector<Fault>> faults;
    std::vector<ExcludedFault> except;
    std::map<std::string, AssumedTime> times;

    bool operator==(const Assumptions&) const = default;
};

// How often a key comes again among the records of an origin.
enum class KeyRepeats { kInBatch, kAcrossBatches, kNever };

// What a row of an origin looks like. Empty strings: not said.
struct Records {
    std::string id;
    std::string key;
    std::string key_space;
    std::string version;
    std::string ordered_by;
    KeyRepeats key_repeats = KeyRepeats::kInBatch;
    SourcePosition where;

    bool operator==(const Records&) const = default;
};

// A declared table or topic. Names may hold placeholders.
struct DeclaredObject {
    Template name;
    std::vector<std::string> primary_key;
    std::vector<std::vector<std::string>> unique;
    bool view = false;
    bool exclusive = false;
    Settings config;
    SourcePosition where;

    bool operator==(const DeclaredObject&) const = default;
};

// A process reads or writes an object; `where` as in FORMAT is not supported yet.
struct Connection {
    Template object;
    Settings config;
    SourcePosition position;

    bool operator==(const Connection&) const = default;
};

struct Transform {
    bool uses_now = false;
    bool uses_random = false;
    std::string lookup;                  // a table, or empty
    std::vector<std::string> aggregate;  // columns

    [[nodiscard]] bool deterministic() const { return !uses_now && !uses_random && lookup.empty(); }
    bool operator==(const Transform&) const = default;
};

// By what a reconciliation compares: how many there are, or each key.
enum class ComparedBy { kCount, kKey };
[[nodiscard]] const char* to_string(ComparedBy by);

// Which two sides a reconciliation compares, and how.
struct Reconciliation {
    std::vector<Template> compares;  // the source, then the sink
    ComparedBy by = ComparedBy::kKey;
    std::optional<AssumedTime> window;
    std::optional<AssumedTime> lateness;
    SourcePosition where;  // of the first of its keys

    bool operator==(const Reconciliation&) const = default;
};

struct Component {
    std::string name;
    std::string type;
    std::string version;  // empty: not said
    Settings config;      // of the document and of its configuration file
    std::string config_file;
    Assumptions assume;
    SourcePosition where;
    SourcePosition type_where;

    // A process.
    std::vector<Connection> reads;
    std::vector<Connection> writes;
    Program steps;
    std::string steps_key;  // "steps", "foreachBatch" or "sql", as written; empty: no program
    std::string sql_file;   // of "sql": its path, as in positions
    std::string sql_text;   // ... and its content, for quoting lines
    Program on_start;
    Program on_error;
    std::string resume_from;
    std::optional<Transform> transform;
    std::optional<int> batch_rows;  // {"rows": n}; other ways of cutting batches are not supported yet
    int instances = 1;
    std::string run_by;
    SourcePosition run_by_where;
    std::string application;

    // A store.
    std::vector<DeclaredObject> objects;  // `tables` or `topics`
    std::string cluster;
    std::string location;
    std::optional<Records> records;

    std::optional<Reconciliation> reconciliation;

    bool operator==(const Component&) const = default;
};

enum class RequirementKind { kExactlyOnce, kNoLoss, kNoDuplicate, kNoStale, kIsolatedStaging, kProgress };
// The name in a document: "exactly-once" for kExactlyOnce.
[[nodiscard]] const char* to_string(RequirementKind kind);

enum class Expectation { kHolds, kViolated };
[[nodiscard]] const char* to_string(Expectation expectation);

struct Requirement {
    RequirementKind kind = RequirementKind::kExactlyOnce;
    std::vector<std::string> targets;  // as written
    std::string from;                  // as written, or empty
    std::optional<Expectation> expect;
    std::string reason;
    SourcePosition where;

    bool operator==(const Requirement&) const = default;
};

struct Document {
    std::string file;
    std::string pipeline;  // its name
    std::string description;
    Assumptions assume;
    std::vector<Component> components;                // in the order of the document
    std::optional<std::vector<Requirement>> require;  // empty: the defaults apply
    std::string variant;                              // empty for the document itself
    std::optional<Expectation> expect;                // of the variant: its overall verdict
    SourcePosition where;
    std::string text;  // the bytes of the file, for quoting lines

    bool operator==(const Document&) const = default;
};

}  // namespace oncecheck
