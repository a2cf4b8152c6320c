#include "model/document/step_reader.h"

#include <algorithm>
#include <utility>

namespace oncecheck {

namespace {

// Lists of `let` that refer to one another may be nested this deep.
constexpr std::size_t kMaxUnfolding = 16;
// Transactions and backgrounds may be nested this deep; this bounds every recursion over programs.
constexpr int kMaxBodyDepth = 16;

// Appends the steps of a list, or of the reference to one.
void read_steps(const JsonValue& value, Program& program, Reading& reading);

// An object of which "batch" means the rows of the batch, which a step has by default.
void read_source(Step& step, const JsonValue& value, Reading& reading) {
    Template source = read_template(value, reading);
    if (source.text != "batch") {
        step.source = std::move(source);
    }
}

void read_counted_batch(Step&, const JsonValue& value, Reading& reading) {
    const std::optional<std::string> text = find_text(value, reading);
    if (text && *text != "batch") {
        reading.problem("unsupported", value.where, "this version compares a count with the batch only", "'batch'");
    }
}

void read_unchanged(Step& step, const JsonValue& value, Reading& reading) {
    const std::optional<std::string> text = find_text(value, reading);
    step.if_unchanged = text == "unchanged";
    if (text && !step.if_unchanged) {
        reading.problem("value", value.where, in_quotes(*text) + " is not known here", "'unchanged'");
    }
}

void read_set(Step& step, const JsonValue& value, Reading& reading) {
    for (auto& [column, text] : read_columns(value, reading)) {
        step.set.insert_or_assign(column, text);
    }
}

// {column: value}, whose templates are kept as `set`. A list of values would say nothing about columns.
void read_values(Step& step, const JsonValue& value, Reading& reading) {
    step.has_values = true;
    if (value.is_object()) {
        step.set.merge(read_columns(value, reading));
    } else if (value.is_array()) {
        reading.problem("unsupported", value.where, "this version does not support a list of values yet",
                        "an object from columns to values");
    } else {
        reading.wrong_type(value, "an object from columns to values");
    }
}

// `as`: the new object holds the rows of the batch or of another object.
void read_filled(Step& step, const JsonValue& value, Reading& reading) {
    step.filled = true;
    read_source(step, value, reading);
}

void read_isolation(Step& step, const JsonValue& value, Reading& reading) {
    step.isolation = read_choice(value, kIsolationNames, {}, reading);
}

void read_body(Step& step, const JsonValue& value, Reading& reading) {
    if (reading.body_depth == kMaxBodyDepth) {
        reading.problem("nesting", value.where, "too many steps within one another");
        return;
    }
    ++reading.body_depth;
    read_steps(value, step.body, reading);
    --reading.body_depth;
}

void read_swapped(Step& step, const JsonValue& value, Reading& reading) {
    if (!value.is_array()) {
        reading.wrong_type(value, "a list of two names");
    } else if (value.items.size() != 2) {
        reading.problem("value", value.where, "a swap has two objects", "a list of two names");
    } else {
        step.target = read_template(value.items[0], reading);
        step.partner = read_template(value.items[1], reading);
    }
}

constexpr auto read_target = member<&Step::target, read_template, Step>;
constexpr auto read_where = member<&Step::where, read_columns, Step>;
constexpr auto read_key_columns = member<&Step::on, read_names, Step>;
constexpr auto read_deduplication = member<&Step::dedupe_by, read_name, Step>;

constexpr Member<Step> kAnyStep[] = {
    {"config", member<&Step::config, read_settings>},
    {"on_error", choice<&Step::on_error, kOnErrorNames>},
};
constexpr Member<Step> kCreate[] = {
    {"create", read_target},
    {"if_exists", choice<&Step::if_exists, kIfExistsNames>},
    {"as", read_filled},
    {"temporary", member<&Step::temporary, read_boolean>},
};
constexpr Member<Step> kTruncate[] = {{"truncate", read_target}};
constexpr Member<Step> kDrop[] = {{"drop", read_target}};
constexpr Member<Step> kAppend[] = {
    {"append", read_target},
    {"set", read_set},
    {"on_conflict", choice<&Step::on_conflict, kOnConflictNames>},
    {"by", choice<&Step::by, kLoadedByNames>},
};
constexpr Member<Step> kInsert[] = {
    {"insert", read_target},
    {"from", read_source},
    {"values", read_values},
    {"where", read_where},
    {"set", read_set},
    {"dedupe_by", read_deduplication},
    {"on_conflict", choice<&Step::on_conflict, kOnConflictNames>},
};
constexpr Member<Step> kMerge[] = {
    {"merge", read_target},
    {"using", read_source},
    {"on", read_key_columns},
    {"newer_by", member<&Step::newer_by, read_name>},
    {"dedupe_by", read_deduplication},
    {"only", choice<&Step::only, kMergeOnlyNames>},
    {"add", member<&Step::add, read_names>},
    {"where", read_where},
};
constexpr Member<Step> kDelete[] = {
    {"delete", read_target},
    {"where", read_where},
    {"using", read_source},
    {"on", read_key_columns},
};
constexpr Member<Step> kOverwrite[] = {
    {"overwrite", read_target},
    {"partition", member<&Step::partition, read_name>},
    {"from", read_source},
};
constexpr Member<Step> kSwap[] = {{"swap", read_swapped}};
constexpr Member<Step> kClaim[] = {
    {"claim", read_target},
    {"key", member<&Step::key, read_templates>},
    {"if_claimed", choice<&Step::if_claimed, kIfClaimedNames>},
    {"ttl", nullptr},
};
constexpr Member<Step> kCount[] = {{"count", read_target}, {"equals", read_counted_batch}, {"where", read_where}};
constexpr Member<Step> kLock[] = {{"lock", read_target}, {"ttl", nullptr}};
constexpr Member<Step> kAcquire[] = {{"acquire", read_target}};
constexpr Member<Step> kCheck[] = {{"check", read_target}};
constexpr Member<Step> kCommitOffsets[] = {
    {"commit_offsets", read_target},
    {"if", read_unchanged},
    {"set", read_set},
};
constexpr Member<Step> kTransaction[] = {{"transaction", read_body}, {"isolation", read_isolation}};
constexpr Member<Step> kBackground[] = {{"background", read_body}};

std::span<const Member<Step>> members_of(Verb verb) {
    switch (verb) {
        case Verb::kCreate:
            return kCreate;
        case Verb::kTruncate:
            return kTruncate;
        case Verb::kDrop:
            return kDrop;
        case Verb::kAppend:
            return kAppend;
        case Verb::kInsert:
            return kInsert;
        case Verb::kMerge:
            return kMerge;
        case Verb::kDelete:
            return kDelete;
        case Verb::kOverwrite:
            return kOverwrite;
        case Verb::kSwap:
            return kSwap;
        case Verb::kClaim:
            return kClaim;
        case Verb::kCount:
            return kCount;
        case Verb::kLock:
            return kLock;
        case Verb::kAcquire:
            return kAcquire;
        case Verb::kCheck:
            return kCheck;
        case Verb::kCommitOffsets:
            return kCommitOffsets;
        case Verb::kTransaction:
            return kTransaction;
        case Verb::kBackground:
            return kBackground;
    }
    return {};
}

// The only member that names a step; null, with a problem, if none or several do, or if it is not supported.
const JsonMember* find_verb(const JsonValue& value, Reading& reading) {
    std::vector<const JsonMember*> verbs;
    std::vector<std::string> words;
    for (const JsonMember& json : value.members) {
        if (find_name(kVerbNames, json.key) != nullptr || contains(kUnsupportedVerbs, json.key)) {
            verbs.push_back(&json);
            words.push_back(json.key);
        }
    }
    const std::vector<std::string> known = all_names(kVerbNames);
    if (verbs.empty()) {
        std::string hint;
        for (const JsonMember& json : value.members) {
            hint = hint.empty() ? suggestion(json.key, known) : hint;
        }
        reading.problem("step", value.where, "no key of this step names it", "one of " + alternatives(known), hint);
        return nullptr;
    }
    if (verbs.size() > 1) {
        reading.problem("step", value.where,
                        "a step has one effect, and several keys name this one: " + alternatives(words),
                        "one key that names the step", "write several steps");
        return nullptr;
    }
    if (contains(kUnsupportedVerbs, verbs.front()->key)) {
        unsupported_key(*verbs.front(), reading);
        return nullptr;
    }
    return verbs.front();
}

void check_step(const Step& step, const JsonValue& value, Reading& reading) {
    if (step.verb == Verb::kClaim) {
        require_key(value, "key", reading);
    }
    const bool using_rows = value.find("using") != nullptr;
    if (step.verb == Verb::kDelete && value.find("where") == nullptr && !using_rows) {
        reading.problem("missing-key", value.where, "a delete says which rows", "'where' or 'using'",
                        "to empty the object, use 'truncate'");
    }
    if (step.verb == Verb::kDelete && value.find("where") != nullptr && using_rows) {
        reading.problem("conflict", value.where, "a delete has 'where' or 'using', not both", "one of them");
    }
    if (step.verb == Verb::kInsert && step.has_values && value.find("from") != nullptr) {
        reading.problem("conflict", value.where, "an insert has 'from' or 'values', not both", "one of them");
    }
}

void read_step(const JsonValue& value, Program& program, Reading& reading) {
    if (!value.is_object()) {
        reading.wrong_type(value, "a step, or the \"$name\" of steps");
        return;
    }
    const JsonMember* const verb = find_verb(value, reading);
    if (verb == nullptr) {
        return;
    }
    Step step;
    step.verb = find_name(kVerbNames, verb->key)->value;
    step.position = value.where;
    read_members(step, value, {members_of(step.verb), kAnyStep}, reading);
    check_step(step, value, reading);
    program.push_back(std::move(step));
}

// Appends the steps that the reference stands for.
void unfold(const JsonValue& reference, Program& program, Reading& reading) {
    std::vector<std::string>& names = reading.unfolding;
    if (std::find(names.begin(), names.end(), reference.text) != names.end()) {
        reading.problem("let", reference.where, in_quotes(reference.text) + " contains itself");
        return;
    }
    if (names.size() == kMaxUnfolding) {
        reading.problem("nesting", reference.where, "too many names of 'let' within one another");
        return;
    }
    if (const JsonValue* value = look_up(reference, reading)) {
        names.push_back(reference.text);
        if (value->is_array() || is_reference(*value)) {
            read_steps(*value, program, reading);
        } else {
            read_step(*value, program, reading);
        }
        names.pop_back();
    }
}

void read_steps(const JsonValue& value, Program& program, Reading& reading) {
    if (is_reference(value)) {
        unfold(value, program, reading);
        return;
    }
    if (!value.is_array()) {
        reading.wrong_type(value, "a list of steps, or the \"$name\" of one");
    }
    for (const JsonValue& item : value.items) {
        // Names count as steps, so that lists of names that lead to nothing are bounded too.
        if (reading.steps_left == 0) {
            reading.problem("size", value.where, "the document has too many steps");
            return;
        }
        --reading.steps_left;
        if (is_reference(item)) {
            unfold(item, program, reading);
        } else {
            read_step(item, program, reading);
        }
    }
}

// Adds a problem for each transaction or background that stands, at any depth, in a transaction.
void check_nesting(const Program& program, bool in_transaction, Reading& reading) {
    for (const Step& step : program) {
        if (in_transaction && step.verb == Verb::kTransaction) {
            reading.problem("nested-transaction", step.position, "a transaction cannot stand in a transaction");
        }
        if (in_transaction && step.verb == Verb::kBackground) {
            reading.problem("background-in-transaction", step.position,
                            "steps in the background cannot be part of a transaction");
        }
        check_nesting(step.body, in_transaction || step.verb == Verb::kTransaction, reading);
    }
}

}  // namespace

Program read_program(const JsonValue& value, Reading& reading) {
    Program program;
    read_steps(value, program, reading);
    check_nesting(program, false, reading);
    return program;
}

}  // namespace oncecheck
