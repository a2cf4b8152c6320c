#include "model/runtime/judged_rows.h"

#include <algorithm>

#include "model/runtime/log.h"
#include "model/runtime/row_record.h"

namespace oncecheck {

namespace {

std::vector<std::string> select(const RowValues& row, const std::vector<std::string>& columns) {
    std::vector<std::string> values;
    for (const std::string& column : columns) {
        const auto found = row.find(column);
        values.push_back(found == row.end() ? "" : found->second.value_or(""));
    }
    return values;
}

RecordIndex::Coordinates coordinates_of(const RowValues& row) {
    const std::vector<std::string> values = select(row, {"topic", "partition", "offset"});
    return {values[0], values[1], values[2]};
}

std::string key_item(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) {
        text += (text.empty() ? "" : ", ") + value;
    }
    return text;
}

}  // namespace

std::vector<CountedRecord> counted_records(const Pipeline& pipeline, Runtime& runtime, ComponentId from) {
    std::vector<CountedRecord> counted;
    if (pipeline.component(from).type->protocol == Protocol::kLog) {
        const TopicLog& log = runtime.log(from);
        for (const auto& [at, record] : runtime.index().all()) {
            if (at[0] == pipeline.component(from).document.name &&
                !log.is_withheld(std::stoi(at[1]), std::stoi(at[2]))) {
                counted.push_back({record, at});
            }
        }
        return counted;
    }
    for (const RunEvent& event : runtime.record().events) {
        if (event.move.kind == MoveKind::kReport && event.move.process == from && event.outcome == RunOutcome::kDone) {
            counted.push_back({event.move.record, std::nullopt});
        }
    }
    return counted;
}

JudgedTarget target_now(const Pipeline& pipeline, Runtime& runtime, const ObjectReference& object) {
    std::vector<std::string> names;
    for (const ObjectContent& content : runtime.content()) {
        if (content.place.scope == ObjectScope::kStore && content.place.store == object.store) {
            names.push_back(content.name);
        }
    }
    return judged_target(pipeline, runtime.stores().schema(), object, names);
}

JudgedRows::JudgedRows(const Pipeline& pipeline, Runtime& runtime, const JudgedTarget& target)
    : pipeline_(pipeline), runtime_(runtime), run_(runtime.record()), target_(target) {
    for (const ObjectContent& content : runtime.content()) {
        if (content.place.scope != ObjectScope::kStore || content.place.store != target.store ||
            std::find(target.names.begin(), target.names.end(), content.name) == target.names.end()) {
            continue;
        }
        for (const std::vector<SqlValue>& values : content.rows) {
            RowValues& row = rows_.emplace_back();
            for (std::size_t column = 0; column < values.size(); ++column) {
                row[run_.columns.at(column)] = values[column];
            }
        }
    }
}

std::vector<RowFlaw> JudgedRows::flaws(const std::vector<CountedRecord>& counted, const Due& due) const {
    std::vector<RowFlaw> found;
    if (target_.key.empty()) {
        judge_appended(counted, due, found);
    } else if (target_.sum.empty()) {
        judge_keyed(by_key(counted), due, found);
    } else {
        judge_sums(by_key(counted), due, found);
    }
    return found;
}

std::string JudgedRows::item_of(const CountedRecord& counted) const {
    return target_.key.empty() ? name_of(counted.record) : key_item(select(values_of(counted), target_.key));
}

std::map<std::string, int> JudgedRows::amounts() const {
    std::map<std::string, int> amounts;
    for (const RowValues& row : rows_) {
        if (!target_.key.empty()) {
            amounts[key_item(select(row, target_.key))] += target_.sum.empty() ? 1 : sum_of({&row});
        } else if (const int record = record_in(row); record >= 0) {
            ++amounts[name_of(record)];
        }
    }
    return amounts;
}

const RunRecordEntry& JudgedRows::entry(int record) const {
    return run_.inputs.records.at(static_cast<std::size_t>(record));
}

std::string JudgedRows::name_of(int record) const { return id_text(pipeline_, entry(record)); }

RowValues JudgedRows::values_of(const CountedRecord& counted) const {
    RowValues values = record_values(runtime_.stores().schema(), entry(counted.record));
    const RecordIndex::Coordinates at = counted.at.value_or(RecordIndex::Coordinates{
        pipeline_.component(entry(counted.record).log).document.name, std::to_string(entry(counted.record).partition),
        std::to_string(entry(counted.record).partition_offset)});
    values["topic"] = at[0];
    values["partition"] = at[1];
    values["offset"] = at[2];
    return values;
}

// -1: none of the run.
int JudgedRows::record_in(const RowValues& row) const {
    const RecordIndex::Coordinates at = coordinates_of(row);
    const int record = runtime_.index().find(at[0], at[1], at[2]);
    return record >= 0 ? record : record_by_columns(pipeline_, run_.inputs.records, row);
}

void JudgedRows::judge_appended(const std::vector<CountedRecord>& counted, const Due& due,
                                std::vector<RowFlaw>& found) const {
    for (const CountedRecord& one : counted) {
        const auto times = std::count_if(rows_.begin(), rows_.end(), [&](const RowValues& row) {
            return one.at ? coordinates_of(row) == *one.at : record_in(row) == one.record;
        });
        const std::string name = name_of(one.record);
        if (times == 0 && due(one)) {
            found.push_back({"loss", name, name + " is not there"});
        } else if (times > 1) {
            found.push_back({"duplicate", name, name + " is there " + std::to_string(times) + " times"});
        }
    }
}

// The counted records of each key, newest first, each once.
JudgedRows::Groups JudgedRows::by_key(const std::vector<CountedRecord>& counted) const {
    Groups groups;
    for (const CountedRecord& one : counted) {
        groups[select(values_of(one), target_.key)].push_back(one);
    }
    for (auto& [unused, records] : groups) {
        std::stable_sort(records.begin(), records.end(), [&](const CountedRecord& left, const CountedRecord& right) {
            return entry(left.record).version > entry(right.record).version;
        });
        const auto same = [](const CountedRecord& left, const CountedRecord& right) {
            return left.record == right.record;
        };
        records.erase(std::unique(records.begin(), records.end(), same), records.end());
    }
    return groups;
}

std::vector<const RowValues*> JudgedRows::rows_with(const Values& key) const {
    std::vector<const RowValues*> found;
    for (const RowValues& row : rows_) {
        if (select(row, target_.key) == key) {
            found.push_back(&row);
        }
    }
    return found;
}

int JudgedRows::sum_of(const std::vector<const RowValues*>& rows) const {
    int sum = 0;
    for (const RowValues* row : rows) {
        const std::string text = select(*row, {target_.sum}).front();
        sum += text.empty() ? 0 : std::stoi(text);
    }
    return sum;
}

void JudgedRows::judge_keyed(const Groups& groups, const Due& due, std::vector<RowFlaw>& found) const {
    for (const auto& [key, records] : groups) {
        const std::vector<const RowValues*> rows = rows_with(key);
        const int newest = records.front().record;
        if (rows.empty()) {
            if (std::any_of(records.begin(), records.end(), due)) {
                found.push_back({"loss", key_item(key), "the key of " + name_of(newest) + " is not there"});
            }
            continue;
        }
        if (rows.size() > 1) {
            found.push_back({"duplicate", key_item(key),
                             "the key of " + name_of(newest) + " is there " + std::to_string(rows.size()) + " times"});
        }
        const bool old = std::all_of(rows.begin(), rows.end(), [&](const RowValues* row) {
            const int record = record_in(*row);
            return record >= 0 && entry(record).version < entry(newest).version;
        });
        if (old && due(records.front())) {
            found.push_back(
                {"stale", key_item(key),
                 "the row of " + name_of(newest) + "'s key is that of " + name_of(record_in(*rows.front()))});
        }
    }
}

void JudgedRows::judge_sums(const Groups& groups, const Due& due, std::vector<RowFlaw>& found) const {
    for (const auto& [key, records] : groups) {
        const std::vector<const RowValues*> rows = rows_with(key);
        const int sum = sum_of(rows);
        const int wanted = static_cast<int>(records.size());
        const std::string message = "the key of " + name_of(records.front().record) + " adds up to " +
                                    std::to_string(sum) + ", not " + std::to_string(wanted);
        if (sum > wanted || rows.size() > 1) {
            found.push_back({"duplicate", key_item(key), message});
        } else if (sum < wanted && std::all_of(records.begin(), records.end(), due)) {
            found.push_back({"loss", key_item(key), message});
        }
    }
}

}  // namespace oncecheck
