// What statements do to objects, by symbolic execution: a statement takes a path and gives the paths that it splits
// into. Stores differ by capabilities of the catalogue (double_match, merge, ...), never by name.
//
// A unit that is split runs in two phases. Reads: each reading statement stores what it sees (counts of its source,
// whether a key was there) in buffers. Commit: the statements run again and use the buffers; what a store checks when
// it writes (unique keys, matches) it checks now. Sources: PostgreSQL documentation, "Transaction Isolation" (READ
// COMMITTED: each statement has its own snapshot) and MERGE ("... a unique violation error may be raised").
#pragma once

#include <string>
#include <vector>

#include "model/semantics/hop_model.h"
#include "model/semantics/path.h"

namespace oncecheck {

enum class Phase { kWhole, kRead, kCommit };

// What is wrong with the rows that an apply step takes from a staging object.
enum class StagingFlaw { kForeign, kMissing, kDoubled };
[[nodiscard]] const char* to_string(StagingFlaw flaw);

// In a state where `condition` holds the execution's next step takes such rows.
struct StagingHazard {
    StagingFlaw flaw = StagingFlaw::kForeign;
    Expression condition = falsity();
};

class StatementRunner {
  public:
    // `buffer_prefix` tells the buffers of one unit from those of others; `model` receives buffer variables. Buffers
    // are named by position, never by object, so that two incarnations have the same ones.
    // `snapshot`: the unit sees one snapshot; what another has deleted since then is a conflict.
    StatementRunner(HopModel& model, Execution& execution, const Site& site, Phase phase, std::string buffer_prefix,
                    bool snapshot = false)
        : model_(model),
          execution_(execution),
          site_(site),
          phase_(phase),
          prefix_(std::move(buffer_prefix)),
          snapshot_(snapshot) {}

    // Requires an open path. `only_record` >= 0: the part of a load that brings this record.
    [[nodiscard]] Paths run(const Step& statement, std::size_t index, Path path, int only_record = -1);

    // Of all sources read so far.
    [[nodiscard]] const std::vector<StagingHazard>& hazards() const { return hazards_; }

  private:
    struct SourceRow {
        RowClass row;
        Expression count;
    };
    // Rows of one key among the source and the target of a merge.
    struct KeyGroup {
        std::vector<SourceRow> rows;
        std::vector<RowClass> existing;
    };

    Paths create(const Step& step, Path path);
    Paths put_rows(const Step& step, Path path, int only_record);
    Paths merge(const Step& step, Path path);
    Paths erase(const Step& step, Path path);
    Paths erase_rows(const Step& step, const ObjectInstance& target, Path path, Paths result);
    void remove_rows(VariableId rows, const Expression& affected, Path& path) const;
    std::string seen_name(const ObjectInstance& target, std::size_t ordinal) const;
    VariableId seen_rows(const ObjectInstance& target, std::size_t ordinal, VariableId rows);
    Paths remove_seen(VariableId seen, VariableId rows, Value cap, Paths open, Paths& ended);
    Paths overwrite(const Step& step, Path path);
    Paths swap(const Step& step, Path path);
    Paths claim(const Step& step, Path path);
    Paths count(const Step& step, Path path);
    Paths fence(const Step& step, Path path);
    Paths commit_offsets(const Step& step, Path path);

    Paths read_source(const Step& step, Path path);
    std::vector<SourceRow> source_rows(const Step& step, const Path& path, int only_record);
    void keep_greatest(const Step& step, std::vector<SourceRow>& rows) const;
    Expression expired() const;
    void require_records(const Step& step, Path& path, Paths& ended) const;
    void note_hazards(const Step& step, const ObjectInstance& source, const Path& path);
    bool is_staging(const ObjectInstance& source) const;

    void add_row(Path& path, Paths& ended, const ObjectInstance& target, const SourceRow& row, OnConflict on_conflict);
    bool share_a_unique_key(const ObjectInstance& target, const RowClass& left, const RowClass& right) const;
    Paths add_first_comers(const ObjectInstance& target, std::vector<SourceRow> rows, Path path, Paths result);
    void add_some_of(const ObjectInstance& target, const std::vector<SourceRow>& rivals,
                     std::vector<std::size_t> chosen, std::size_t decided, const Path& before, Paths& next) const;
    std::map<std::string, KeyGroup> key_groups(const Step& step, const ObjectInstance& target,
                                               std::vector<SourceRow> rows);
    void read_match(const Step& step, const ObjectInstance& target, const KeyGroup& group, std::size_t ordinal,
                    const Path& before, Path& path, Paths& ended);
    bool reads_in_store(const Step& step) const;
    void merge_groups(const Step& step, const ObjectInstance& target, const std::map<std::string, KeyGroup>& groups,
                      Path path, Paths& result);
    Paths merge_group(const Step& step, const ObjectInstance& target, const KeyGroup& group, std::size_t ordinal,
                      Path path);
    Paths merge_any_of(const Step& step, const ObjectInstance& target, const KeyGroup& group, const Expression& updates,
                       Path path);
    static std::vector<Expression> counts_of(const KeyGroup& group);
    int version_of(const RowClass& row) const;
    Expression updated_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                             const std::vector<Expression>& counts, const Path& path) const;
    Expression may_update_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                const std::vector<Expression>& counts, const Path& path) const;
    bool upserts(const Step& step, const ObjectInstance& target) const;
    Expression matched(const ObjectInstance& target, const KeyGroup& group, const Path& path) const;
    bool unique_covers(const ObjectInstance& target, const KeyGroup& group) const;
    Expression inserted_twice(const ObjectInstance& target, const KeyGroup& group) const;
    Expression meets_newcomer(const ObjectInstance& target, const KeyGroup& group, const Path& path) const;
    Expression takes_a_held_key(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                const Expression& updates, const Path& path) const;
    bool refuses_double_match(const Step& step, const ObjectInstance& target) const;
    void refuse_twice(const Step& step, const ObjectInstance& target, const KeyGroup& group, const Expression& updates,
                      Path& path, Paths& ended) const;
    [[nodiscard]] Expression rows_become_one(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                                             const std::vector<Expression>& chosen, const Path& path) const;
    bool replaces(const Step& step, const RowClass& source, const RowClass& there) const;
    void write_merged(const Step& step, const ObjectInstance& target, const KeyGroup& group,
                      const std::vector<Expression>& chosen, const Expression& updates, Path& path) const;

    RowClass with_set(const Step& step, RowClass row) const;
    bool where_accepts(const Step& step, const RowClass& row) const;
    void require_existing(const ObjectInstance& object, Path& path, Paths& ended) const;
    void require_source(const Step& step, Path& path, Paths& ended) const;
    void clear(const ObjectInstance& object, Path& path) const;
    void note_unkept(VariableId rows, VariableId seen);
    std::string key(const RowClass& row, const std::vector<std::string>& columns) const;
    const ProcessModel& process() const { return model_.process_of(execution_); }
    std::string capability(const ObjectInstance& object, const std::string& name) const;
    VariableId buffer(const std::string& what, Value largest);

    HopModel& model_;
    Execution& execution_;
    const Site& site_;
    Phase phase_;
    std::string prefix_;
    bool snapshot_ = false;
    bool later_ = false;      // the statement is not the first of its unit
    bool sees_late_ = false;  // a merge at its commit: the store takes its snapshot only now
    std::vector<StagingHazard> hazards_;
};

// The columns that a merge or delete matches on: those it names, else the target's primary key.
[[nodiscard]] std::vector<std::string> match_columns(const Step& step, const ObjectInstance& target);

// The ledger row that a claim writes.
[[nodiscard]] RowClass claimed_row(const Step& step, const ObjectInstance& ledger, const Site& site);

}  // namespace oncecheck
