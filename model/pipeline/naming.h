// Names as the store sees them. Two steps touch the same object exactly when their names can render equal, and equal
// is decided on the rendered text, after the store's folding and truncation: PostgreSQL cuts at 63 bytes, which can
// drop {batch} or {attempt}.
//
//   render(template, rules, values) = fold(truncate(literals and values))
//
// Values are short tokens that differ exactly where real values differ; lengths are nominal ({query}, {attempt},
// {uuid} 36, numbers 10). A placeholder that is cut, even in part, counts as dropped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

// How a store treats identifiers; from the catalogue's meanings identifier_length, _folding and _overflow.
struct NamingRules {
    std::optional<std::size_t> longest;  // bytes; empty: no limit
    bool folds_case = false;
    bool overflow_is_error = false;
};

// What the placeholders stand for in one execution.
struct NameValues {
    std::string query;
    std::string batch;
    std::string start_offset;
    std::string end_offset;
    std::string attempt;  // also {uuid}
    std::string moment;   // {now}, {try}: neither fresh nor stable
    std::string instance;
    const ResolvedSettings* settings = nullptr;  // {config.NAME}; null: left as written
};

struct RenderedName {
    std::string text;
    std::vector<std::string> dropped;  // placeholders that the limit cuts
    bool too_long = false;             // and the store refuses longer ones

    bool operator==(const RenderedName&) const = default;
};

[[nodiscard]] NamingRules naming_rules(const Pipeline& pipeline, const ObjectReference& object);

[[nodiscard]] RenderedName render(const Template& name, const NamingRules& rules, const NameValues& values);

// The object's full identity in one execution: scope, store and rendered name. Session objects carry `session`,
// application objects the application.
[[nodiscard]] std::string identity(const Pipeline& pipeline, const ObjectReference& object, const NameValues& values,
                                   const std::string& session, const std::string& application);

// Every identity that the object can have in executions of the process, over two batches and attempts that are told
// apart; what stands for a moment is one token, since moments may be equal. Two processes can touch the same object
// exactly when these sets meet.
[[nodiscard]] std::vector<std::string> possible_identities(const Pipeline& pipeline, ComponentId process,
                                                           const ObjectReference& object);

// The rendered names of an object in two processes can be equal in some executions.
[[nodiscard]] bool can_be_equal(const Pipeline& pipeline, ComponentId left_process, const ObjectReference& left,
                                ComponentId right_process, const ObjectReference& right);

}  // namespace oncecheck
