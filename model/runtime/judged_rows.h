// The rows of a target, read by SQL, beside the records that should have come to it: what is wrong, and what it is
// about. The judge asks this of a run that is over, reconciliations (reconciliation_watch.h) while it goes on.
//
// An *item* is what is there once or not: a record ("payments-3") of an appended target, a key ("k1") of a keyed one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/runtime/runtime.h"
#include "model/runtime/target_key.h"

namespace oncecheck {

// What a requirement counts: records, each with the place in a log that counts as its own. Of a log that is every
// entry; of a producer every record that it has reported as sent, wherever it is.
struct CountedRecord {
    int record = 0;
    std::optional<RecordIndex::Coordinates> at;  // empty: any
};

// What has entered the pipeline at `from` so far.
[[nodiscard]] std::vector<CountedRecord> counted_records(const Pipeline& pipeline, Runtime& runtime, ComponentId from);

// How the object is judged, with the names of the tables that there are now. Requires an object of a store.
[[nodiscard]] JudgedTarget target_now(const Pipeline& pipeline, Runtime& runtime, const ObjectReference& object);

struct RowFlaw {
    std::string flaw;  // "loss", "duplicate" or "stale"
    std::string item;
    std::string message;  // a sentence
};

class JudgedRows {
  public:
    // Reads the committed rows of the target. All three have to outlive it.
    JudgedRows(const Pipeline& pipeline, Runtime& runtime, const JudgedTarget& target);

    // What is wrong with them, if these records should be there. Losses and old versions only of records that are
    // `due`: of a key, if one of its records is (where records add up: all of them).
    using Due = std::function<bool(const CountedRecord&)>;
    [[nodiscard]] std::vector<RowFlaw> flaws(const std::vector<CountedRecord>& counted, const Due& due) const;

    [[nodiscard]] std::string item_of(const CountedRecord& counted) const;
    // What is there of each item: rows; where records add up: their sum. Rows that show no record are of none.
    [[nodiscard]] std::map<std::string, int> amounts() const;

  private:
    using Values = std::vector<std::string>;
    using Groups = std::map<Values, std::vector<CountedRecord>>;

    [[nodiscard]] const RunRecordEntry& entry(int record) const;
    [[nodiscard]] std::string name_of(int record) const;
    [[nodiscard]] RowValues values_of(const CountedRecord& counted) const;
    [[nodiscard]] int record_in(const RowValues& row) const;
    [[nodiscard]] Groups by_key(const std::vector<CountedRecord>& counted) const;
    [[nodiscard]] std::vector<const RowValues*> rows_with(const Values& key) const;
    [[nodiscard]] int sum_of(const std::vector<const RowValues*>& rows) const;
    void judge_appended(const std::vector<CountedRecord>& counted, const Due& due, std::vector<RowFlaw>& found) const;
    void judge_keyed(const Groups& groups, const Due& due, std::vector<RowFlaw>& found) const;
    void judge_sums(const Groups& groups, const Due& due, std::vector<RowFlaw>& found) const;

    const Pipeline& pipeline_;
    Runtime& runtime_;
    const RunRecord& run_;
    const JudgedTarget& target_;
    std::vector<RowValues> rows_;
};

}  // namespace oncecheck
