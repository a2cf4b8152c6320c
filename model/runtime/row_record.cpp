#include "model/runtime/row_record.h"

namespace oncecheck {

namespace {

bool has(const RowValues& row, const std::string& column, const std::string& value) {
    const auto found = row.find(column);
    return found != row.end() && found->second == value;
}

bool is_filled(const RowValues& row, const std::string& column) {
    const auto found = row.find(column);
    return !column.empty() && found != row.end() && found->second.has_value();
}

bool holds(const Pipeline& pipeline, const RunRecordEntry& record, const RowValues& row) {
    const std::optional<Records>& columns = pipeline.component(record.log).document.records;
    if (!columns) {
        return false;
    }
    if (is_filled(row, columns->id)) {
        return has(row, columns->id, id_text(pipeline, record));
    }
    return is_filled(row, columns->key) && is_filled(row, columns->version) &&
           has(row, columns->key, key_text(record)) && has(row, columns->version, version_text(record));
}

}  // namespace

int record_by_columns(const Pipeline& pipeline, const std::vector<RunRecordEntry>& records, const RowValues& row) {
    for (std::size_t record = 0; record < records.size(); ++record) {
        if (holds(pipeline, records[record], row)) {
            return static_cast<int>(record);
        }
    }
    return -1;
}

}  // namespace oncecheck
