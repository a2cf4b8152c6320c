#include "model/runtime/columns.h"

#include <algorithm>
#include <map>

#include "model/pipeline/steps.h"
#include "model/runtime/placeholders.h"
#include "model/runtime/schema_of_run.h"

namespace oncecheck {

namespace {

class ColumnFinder {
  public:
    explicit ColumnFinder(const Pipeline& pipeline) : pipeline_(pipeline) {}

    std::vector<RunColumn> find() {
        add("topic", ColumnRole::kTopic, false);
        add("partition", ColumnRole::kPartition, true);
        add("offset", ColumnRole::kOffset, true);
        for (const PipelineComponent& component : pipeline_.components) {
            add_records(component.document);
        }
        visit(&ColumnFinder::add_sums);
        visit(&ColumnFinder::note_values);
        for (const auto& [column, is_number] : written_) {
            add(column, ColumnRole::kTag, is_number);
        }
        for (const auto& [column, is_number] : claimed_) {
            add(column, ColumnRole::kClaim, is_number);
        }
        visit(&ColumnFinder::add_compared);
        add_keys();
        return std::move(columns_);
    }

  private:
    void visit(void (ColumnFinder::*what)(const Step&)) {
        for_each_step_of(pipeline_, [&](ComponentId, const Step& step) { (this->*what)(step); });
    }

    void add(const std::string& name, ColumnRole role, bool is_number) {
        const bool known =
            std::any_of(columns_.begin(), columns_.end(), [&](const RunColumn& column) { return column.name == name; });
        if (!known && !name.empty()) {
            columns_.push_back({name, is_number, role});
        }
    }

    void add_records(const Component& log) {
        if (!log.records) {
            return;
        }
        add(log.records->id, ColumnRole::kId, false);
        add(log.records->key, ColumnRole::kKey, false);
        add(log.records->version, ColumnRole::kVersion, true);
        some_key_ = some_key_ || !log.records->key.empty();
        some_version_ = some_version_ || !log.records->version.empty();
        some_id_ = some_id_ || !log.records->id.empty();
    }

    void add_sums(const Step& step) {
        for (const std::string& column : step.add) {
            add(column, ColumnRole::kSum, true);
        }
    }

    static void note(std::map<std::string, bool>& columns, const std::string& name, const Template& value) {
        bool& is_number = columns.emplace(name, true).first->second;
        is_number = is_number && renders_number(value);
    }

    // A column holds numbers if all that is ever written into it or compared with it are numbers.
    void note_values(const Step& step) {
        for (const auto* columns : {&step.set, &step.where}) {
            for (const auto& [name, value] : *columns) {
                note(written_, name, value);
            }
        }
        for (std::size_t i = 0; i < step.key.size(); ++i) {
            note(claimed_, claimed_column(step, i), step.key[i]);
        }
    }

    std::string claimed_column(const Step& step, std::size_t index) const {
        std::vector<Problem> ignored;
        const DeclaredObject* ledger = declaration_of(pipeline_, resolve_object(pipeline_, step.target, ignored));
        const std::vector<std::string>* const key = ledger == nullptr ? nullptr : claimed_key(*ledger);
        return key != nullptr && index < key->size() ? (*key)[index] : claim_column(index);
    }

    void add_compared(const Step& step) {
        add(step.newer_by, some_version_ ? ColumnRole::kUnknown : ColumnRole::kVersion, !some_version_);
        add(step.dedupe_by, some_id_ ? ColumnRole::kUnknown : ColumnRole::kId, false);
        const ColumnRole in_key = some_key_ ? ColumnRole::kUnknown : ColumnRole::kKey;
        for (const auto* columns : {&step.on, &step.grouped_by}) {
            for (const std::string& column : *columns) {
                add(column, in_key, false);
            }
        }
        for (const std::string& column : step.columns.value_or(std::vector<std::string>{})) {
            add(column, ColumnRole::kUnknown, false);
        }
        add(step.partition, ColumnRole::kUnknown, false);
    }

    void add_keys() {
        const ColumnRole role = some_key_ ? ColumnRole::kUnknown : ColumnRole::kKey;
        for (const PipelineComponent& component : pipeline_.components) {
            for (const DeclaredObject& object : component.document.objects) {
                std::vector<std::vector<std::string>> keys = object.unique;
                keys.push_back(object.primary_key);
                for (const std::vector<std::string>& key : keys) {
                    for (const std::string& column : key) {
                        add(column, role, false);
                    }
                }
            }
        }
    }

    const Pipeline& pipeline_;
    std::vector<RunColumn> columns_;
    std::map<std::string, bool> written_;  // by `set`, `values` and `where`: all are numbers
    std::map<std::string, bool> claimed_;
    bool some_key_ = false;
    bool some_version_ = false;
    bool some_id_ = false;
};

}  // namespace

std::vector<RunColumn> find_columns(const Pipeline& pipeline) {
    std::vector<RunColumn> columns = ColumnFinder(pipeline).find();
    const auto others = std::stable_partition(columns.begin(), columns.end(),
                                              [](const RunColumn& column) { return column.is_of_rows(); });
    std::sort(others, columns.end(),
              [](const RunColumn& left, const RunColumn& right) { return left.name < right.name; });
    return columns;
}

std::string claim_column(std::size_t index) { return "key_" + std::to_string(index + 1); }

const std::vector<std::string>* claimed_key(const DeclaredObject& ledger) {
    if (!ledger.primary_key.empty()) {
        return &ledger.primary_key;
    }
    return ledger.unique.empty() ? nullptr : &ledger.unique.front();
}

}  // namespace oncecheck
