// A step program as the user wrote it: the ordered effects of a process on stores. One step is one effect on one
// store; one key names it, the others qualify it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/document/template.h"
#include "model/errors.h"

namespace oncecheck {

// The scalar that a document or a configuration file gives a vendor's setting; `text` is its canonical spelling
// ("true", "604800000", "read_committed").
struct Setting {
    enum class Kind { kString, kNumber, kBoolean, kNull };
    Kind kind = Kind::kString;
    std::string text;
    SourcePosition where;

    bool operator==(const Setting&) const = default;
};
using Settings = std::map<std::string, Setting>;

enum class Verb {
    kCreate,
    kTruncate,
    kDrop,
    kAppend,
    kInsert,
    kMerge,
    kDelete,
    kOverwrite,
    kSwap,
    kClaim,
    kCount,
    kLock,
    kAcquire,
    kCheck,
    kCommitOffsets,
    kTransaction,
    kBackground,
};

// The key that names the step in a document: "commit_offsets" for kCommitOffsets.
[[nodiscard]] const char* to_string(Verb verb);

enum class OnError { kFail, kIgnore, kRetry };
enum class IfExists { kFail, kKeep, kReplace };
enum class OnConflict { kFail, kIgnore };
enum class LoadedBy { kExecutors, kDriver };
enum class MergeOnly { kBoth, kMatched, kUnmatched };
enum class IfClaimed { kSkip, kFail };
enum class Isolation { kReadCommitted, kRepeatableRead, kSnapshot, kSerializable };

struct Step {
    Verb verb = Verb::kAppend;
    Template target;  // the object; the fence, lock or progress name; empty for kTransaction, kBackground
    std::optional<Template> source;         // `from`, `using`, `as`, `equals`: an object; empty: the batch
    Template partner;                       // the other object of a swap
    std::map<std::string, Template> set;    // column -> value
    std::map<std::string, Template> where;  // column -> value that a row must have
    std::vector<Template> key;              // of a claim
    std::vector<std::string> on;            // key columns of a merge or delete; empty: the target's primary key
    std::vector<std::string> add;           // columns that a merge accumulates
    std::string newer_by;                   // column, or empty
    std::string dedupe_by;                  // column, or empty
    std::string partition;                  // of an overwrite, or empty
    std::vector<std::string> grouped_by;    // columns whose rows `dedupe_by` compares; empty: the key or record
    // Of a step read from SQL: the columns that its rows bring along unchanged; nothing: all.
    std::optional<std::vector<std::string>> columns;
    std::vector<std::vector<std::string>> keys;  // create: the unique keys that the statement gives it
    bool must_exist = false;                     // drop: fails on an object that is not there
    bool upsert = false;                         // merge: INSERT ... ON CONFLICT, which no other insert can overtake
    bool filled = false;                         // create: with the rows of `source`, or of the batch
    bool has_values = false;                     // insert of constants: no rows of the batch
    bool if_unchanged = false;                   // commit_offsets: {"if": "unchanged"}
    bool temporary = false;
    OnError on_error = OnError::kFail;
    IfExists if_exists = IfExists::kFail;
    OnConflict on_conflict = OnConflict::kFail;
    LoadedBy by = LoadedBy::kExecutors;
    MergeOnly only = MergeOnly::kBoth;
    IfClaimed if_claimed = IfClaimed::kSkip;
    std::optional<Isolation> isolation;  // of a transaction; empty: the store's default
    std::vector<Step> body;              // of a transaction or background
    Settings config;
    std::string sql;  // the statement as its store takes it, placeholders included; empty: not read from SQL
    SourcePosition position;

    bool operator==(const Step&) const = default;
};

using Program = std::vector<Step>;

}  // namespace oncecheck
