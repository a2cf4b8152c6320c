#include "model/runtime/run_json.h"

#include <type_traits>

#include <nlohmann/json.hpp>

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

// A value that is being read, with the place where it stands. Every failure is an InputError.
struct Reading {
    const Json* json = nullptr;
    std::string pointer;
    const std::string* file = nullptr;

    [[noreturn]] void fail(const std::string& expected) const {
        throw InputError({{"run-file", {*file, 0, 0, pointer}, "this is not what a run holds here", expected, ""}});
    }
    [[nodiscard]] Reading member(const char* name) const {
        if (!json->is_object()) {
            fail("an object");
        }
        const auto found = json->find(name);
        return {found == json->end() ? nullptr : &*found, pointer + '/' + name, file};
    }
};

void read(const Reading& from, std::string& value) {
    if (!from.json->is_string()) {
        from.fail("a string");
    }
    value = from.json->get<std::string>();
}

void read(const Reading& from, bool& value) {
    if (!from.json->is_boolean()) {
        from.fail("true or false");
    }
    value = from.json->get<bool>();
}

template <typename Number>
requires std::is_integral_v<Number>
void read(const Reading& from, Number& value) {
    const bool fits = std::is_signed_v<Number> ? from.json->is_number_integer() : from.json->is_number_unsigned();
    if (!fits) {
        from.fail("a whole number");
    }
    value = from.json->get<Number>();
}

void read(const Reading& from, SqlValue& value) {
    if (from.json->is_null()) {
        value.reset();
        return;
    }
    std::string text;
    read(from, text);
    value = std::move(text);
}

// The enumerations have consecutive values; the last one is given.
template <typename Enumeration>
void read_word(const Reading& from, Enumeration& value, Enumeration last) {
    std::string word;
    read(from, word);
    for (int number = 0; number <= static_cast<int>(last); ++number) {
        if (word == to_string(static_cast<Enumeration>(number))) {
            value = static_cast<Enumeration>(number);
            return;
        }
    }
    from.fail(std::string("a word such as '") + to_string(last) + "'");
}

void read(const Reading& from, MoveKind& value) { read_word(from, value, MoveKind::kReport); }
void read(const Reading& from, MoveFault& value) { read_word(from, value, MoveFault::kRedelivery); }
void read(const Reading& from, RunOutcome& value) { read_word(from, value, RunOutcome::kEnds); }
void read(const Reading& from, StatementPhase& value) { read_word(from, value, StatementPhase::kCommit); }

void read(const Reading& from, ObjectScope& value) {
    int number = 0;
    read(from, number);
    if (number < 0 || number > static_cast<int>(ObjectScope::kApplication)) {
        from.fail("0, 1 or 2");
    }
    value = static_cast<ObjectScope>(number);
}

Json write(const std::string& value) { return value; }
Json write(bool value) { return value; }
template <typename Number>
requires std::is_integral_v<Number> Json write(Number value) { return value; }
Json write(const SqlValue& value) { return value ? Json(*value) : Json(nullptr); }
Json write(MoveKind value) { return to_string(value); }
Json write(MoveFault value) { return to_string(value); }
Json write(RunOutcome value) { return to_string(value); }
Json write(StatementPhase value) { return to_string(value); }
Json write(ObjectScope value) { return static_cast<int>(value); }

// One list of members for both directions: `visit` is called with the name and the value of each.
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, SourcePosition>
void members_of(Visit&& visit, T& v) {
    visit("file", v.file), visit("line", v.line), visit("column", v.column), visit("pointer", v.pointer);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunFaults>
void members_of(Visit&& visit, T& v) {
    visit("crash", v.crash), visit("zombie", v.zombie), visit("lost_ack", v.lost_ack);
    visit("task_retry", v.task_retry), visit("redelivery", v.redelivery), visit("purge", v.purge);
    visit("expiry", v.expiry), visit("detached", v.detached), visit("late", v.late);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunRecordEntry>
void members_of(Visit&& visit, T& v) {
    visit("log", v.log), visit("offset", v.offset), visit("partition", v.partition);
    visit("partition_offset", v.partition_offset), visit("key", v.key), visit("version", v.version);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunInputs>
void members_of(Visit&& visit, T& v) {
    visit("processes", v.processes), visit("records", v.records), visit("faults", v.faults), visit("rows", v.rows);
    visit("batches", v.batches), visit("attempts", v.attempts), visit("seed", v.seed);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, Move>
void members_of(Visit&& visit, T& v) {
    visit("kind", v.kind), visit("process", v.process), visit("incarnation", v.incarnation);
    visit("thread", v.thread), visit("record", v.record), visit("batch", v.batch), visit("end", v.end);
    visit("moment", v.moment), visit("statement", v.statement), visit("in_flight", v.in_flight);
    visit("fault", v.fault);
    visit("overlaps", v.overlaps);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunAttempt>
void members_of(Visit&& visit, T& v) {
    visit("process", v.process), visit("incarnation", v.incarnation), visit("batch", v.batch);
    visit("start", v.start), visit("end", v.end), visit("query", v.query), visit("attempt", v.attempt);
    visit("moment", v.moment), visit("generation", v.generation);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, SourceContent>
void members_of(Visit&& visit, T& v) { visit("where", v.where), visit("rows", v.rows), visit("batch", v.batch); }
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunEvent>
void members_of(Visit&& visit, T& v) {
    visit("move", v.move), visit("outcome", v.outcome), visit("attempt", v.attempt), visit("where", v.where);
    visit("phase", v.phase), visit("target", v.target), visit("source", v.source), visit("sql", v.sql);
    visit("message", v.message), visit("held", v.held), visit("attempt_ends", v.attempt_ends);
    visit("thread_ends", v.thread_ends), visit("incarnation_ends", v.incarnation_ends), visit("took", v.took);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, Place>
void members_of(Visit&& visit, T& v) { visit("scope", v.scope), visit("store", v.store), visit("name", v.name); }
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, ObjectContent>
void members_of(Visit&& visit, T& v) {
    visit("place", v.place), visit("name", v.name), visit("rows", v.rows), visit("current", v.current);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunStanding>
void members_of(Visit&& visit, T& v) {
    visit("complete", v.complete), visit("settled", v.settled), visit("behind", v.behind);
}
template <typename Visit, typename T>
requires std::is_same_v<std::remove_const_t<T>, RunRecord>
void members_of(Visit&& visit, T& v) {
    visit("inputs", v.inputs), visit("attempts", v.attempts), visit("events", v.events);
    visit("contents", v.contents), visit("columns", v.columns), visit("standing", v.standing);
}

template <typename Value>
concept HasMembers = requires(Value& value) {
    members_of([](const char*, auto&) {}, value);
};

template <HasMembers Value>
Json write(const Value& value);
template <typename Item>
Json write(const std::vector<Item>& items);
template <typename Item>
Json write(const std::set<Item>& items);
template <typename Key, typename Item>
Json write(const std::map<Key, Item>& items);

template <HasMembers Value>
Json write(const Value& value) {
    const Value defaults;
    std::vector<Json> unwritten;
    members_of([&](const char*, const auto& member) { unwritten.push_back(write(member)); }, defaults);
    Json json = Json::object();
    std::size_t number = 0;
    members_of(
        [&](const char* name, const auto& member) {
            Json written = write(member);
            if (written != unwritten[number++]) {
                json[name] = std::move(written);
            }
        },
        value);
    return json;
}

template <typename Item>
Json write(const std::vector<Item>& items) {
    Json json = Json::array();
    for (const Item& item : items) {
        json.push_back(write(item));
    }
    return json;
}

template <typename Item>
Json write(const std::set<Item>& items) {
    return write(std::vector<Item>(items.begin(), items.end()));
}

// Keys are numbers: a list of pairs.
template <typename Key, typename Item>
Json write(const std::map<Key, Item>& items) {
    Json json = Json::array();
    for (const auto& [key, item] : items) {
        json.push_back(Json::array({write(key), write(item)}));
    }
    return json;
}

template <HasMembers Value>
void read(const Reading& from, Value& value);
template <typename Item>
void read(const Reading& from, std::vector<Item>& items);
template <typename Item>
void read(const Reading& from, std::set<Item>& items);
template <typename Key, typename Item>
void read(const Reading& from, std::map<Key, Item>& items);

template <HasMembers Value>
void read(const Reading& from, Value& value) {
    if (!from.json->is_object()) {
        from.fail("an object");
    }
    std::size_t known = 0;
    members_of(
        [&](const char* name, auto& member) {
            const Reading reading = from.member(name);
            if (reading.json != nullptr) {
                ++known;
                read(reading, member);
            }
        },
        value);
    if (known != from.json->size()) {
        from.fail("known members only");
    }
}

template <typename Each>
void read_items(const Reading& from, Each each) {
    if (!from.json->is_array()) {
        from.fail("a list");
    }
    for (std::size_t item = 0; item < from.json->size(); ++item) {
        each(Reading{&(*from.json)[item], from.pointer + '/' + std::to_string(item), from.file});
    }
}

template <typename Item>
void read(const Reading& from, std::vector<Item>& items) {
    read_items(from, [&](const Reading& reading) {
        items.emplace_back();
        read(reading, items.back());
    });
}

template <typename Item>
void read(const Reading& from, std::set<Item>& items) {
    std::vector<Item> list;
    read(from, list);
    items.insert(list.begin(), list.end());
}

template <typename Key, typename Item>
void read(const Reading& from, std::map<Key, Item>& items) {
    read_items(from, [&](const Reading& pair) {
        if (!pair.json->is_array() || pair.json->size() != 2) {
            pair.fail("a pair");
        }
        Key key{};
        read(Reading{&(*pair.json)[0], pair.pointer + "/0", pair.file}, key);
        read(Reading{&(*pair.json)[1], pair.pointer + "/1", pair.file}, items[key]);
    });
}

template <typename Value>
Value value_from(const std::string& text, const std::string& file) {
    const Json json = Json::parse(text, nullptr, false);
    Value value;
    const Reading whole{&json, "", &file};
    if (json.is_discarded()) {
        whole.fail("JSON");
    }
    read(whole, value);
    return value;
}

}  // namespace

std::string run_to_json(const RunRecord& run) { return write(run).dump(2, ' ', false, Json::error_handler_t::replace); }
std::string move_to_json(const Move& move) { return write(move).dump(-1, ' ', false, Json::error_handler_t::replace); }

RunRecord run_from_json(const std::string& text, const std::string& file) {
    auto run = value_from<RunRecord>(text, file);
    const auto check = [&](bool valid, const std::string& pointer, const std::string& expected) {
        if (!valid) {
            throw InputError({{"run-file", {file, 0, 0, pointer}, "this number leads nowhere", expected, ""}});
        }
    };
    const auto below = [](int number, std::size_t size) { return number >= -1 && number < static_cast<int>(size); };
    for (std::size_t event = 0; event < run.events.size(); ++event) {
        const std::string at = "/events/" + std::to_string(event);
        check(below(run.events[event].attempt, run.attempts.size()), at + "/attempt", "the number of an attempt");
        check(below(run.events[event].move.record, run.inputs.records.size()), at + "/move/record",
              "the number of a record");
    }
    return run;
}

Move move_from_json(const std::string& text, const std::string& file) { return value_from<Move>(text, file); }

}  // namespace oncecheck
