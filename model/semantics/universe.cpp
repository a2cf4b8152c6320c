#include "model/semantics/universe.h"

#include <algorithm>
#include <map>
#include <optional>

namespace oncecheck {

namespace {

// Which batch holds a key twice.
enum class Twice { kNowhere, kFirst, kLast };

struct Pattern {
    Twice twice = Twice::kNowhere;
    bool across = true;     // a key occurs in every batch
    bool reversed = false;  // later records of a key are older versions
};

// The number of the key inside its log: 0 is the one that repeats.
int key_number(const Pattern& pattern, const UniverseSize& size, int batch, int row) {
    const bool holds_twice =
        (pattern.twice == Twice::kFirst && batch == 0) || (pattern.twice == Twice::kLast && batch == size.batches - 1);
    if (pattern.across && (row == 0 || (row == 1 && holds_twice))) {
        return 0;
    }
    return 1 + batch * size.records + row;
}

std::string describe(const Pattern& pattern) {
    std::string text = pattern.across ? "a key occurs in every batch" : "no key comes again";
    switch (pattern.twice) {
        case Twice::kNowhere:
            break;
        case Twice::kFirst:
            text += " and twice in the first";
            break;
        case Twice::kLast:
            text += " and twice in the last";
            break;
    }
    return text + (pattern.reversed ? ", later records may be older versions" : "");
}

std::vector<Pattern> patterns_of(KeyRepeats repeats, bool may_be_reversed, const UniverseSize& size) {
    std::vector<Pattern> patterns;
    switch (repeats) {
        case KeyRepeats::kNever:
            return {{Twice::kNowhere, false, false}};
        case KeyRepeats::kAcrossBatches:
            patterns = {{Twice::kNowhere, true, false}};
            break;
        case KeyRepeats::kInBatch:
            patterns = {{Twice::kFirst, true, false}, {Twice::kLast, true, false}};
            if (size.records < 2) {
                patterns = {{Twice::kNowhere, true, false}};
            }
            break;
    }
    if (may_be_reversed) {
        std::vector<Pattern> reversed = patterns;
        for (Pattern& pattern : reversed) {
            pattern.reversed = true;
        }
        patterns.insert(patterns.end(), reversed.begin(), reversed.end());
    }
    return patterns;
}

// A hop reads several logs: one pattern serves all of them, the weakest assumption of any.
std::vector<Pattern> patterns_of(const Pipeline& pipeline, const std::vector<ComponentId>& logs,
                                 const UniverseSize& size, bool records_repeat) {
    KeyRepeats repeats = KeyRepeats::kNever;
    bool may_be_reversed = false;
    for (const ComponentId log : logs) {
        const std::optional<Records>& records = pipeline.component(log).document.records;
        const KeyRepeats own = records && !records_repeat ? records->key_repeats : KeyRepeats::kInBatch;
        repeats = std::min(repeats, own);
        may_be_reversed = may_be_reversed || (records && !records->version.empty() && records->ordered_by.empty());
    }
    return patterns_of(repeats, may_be_reversed, size);
}

}  // namespace

std::vector<Universe> universes(const Pipeline& pipeline, const std::vector<ComponentId>& logs,
                                const UniverseSize& size, bool records_repeat) {
    std::vector<Universe> result;
    for (const Pattern& pattern : patterns_of(pipeline, logs, size, records_repeat)) {
        Universe universe;
        universe.pattern = describe(pattern);
        std::map<std::pair<std::string, int>, int> keys;  // (key space, number) -> key
        const int length = size.batches * size.records;
        int log_number = -1;
        for (const ComponentId log : logs) {
            ++log_number;
            const Component& component = pipeline.component(log).document;
            const std::string space = component.records && !component.records->key_space.empty()
                                          ? "space " + component.records->key_space
                                          : "log " + component.name;
            for (int offset = 0; offset < length; ++offset) {
                Record record;
                record.log = log;
                record.offset = offset;
                record.partition = offset % 2;
                record.partition_offset = offset / 2;
                const int number = key_number(pattern, size, offset / size.records, offset % size.records);
                record.key = keys.emplace(std::pair{space, number}, static_cast<int>(keys.size())).first->second;
                // No two versions are equal, not even of different logs.
                const int order = pattern.reversed ? length - offset : offset;
                record.version = order * static_cast<int>(logs.size()) + log_number;
                record.label = component.name + '[' + std::to_string(offset) + ']';
                universe.records.push_back(std::move(record));
            }
        }
        result.push_back(std::move(universe));
    }
    return result;
}

std::vector<BatchContext> batch_contexts(const UniverseSize& size, bool chosen_ranges, bool new_identity,
                                         bool moments) {
    std::vector<BatchContext> contexts;
    const int length = size.batches * size.records;
    for (int generation = 0; generation < (new_identity ? kIdentities : 1); ++generation) {
        for (int moment = 0; moment <= (moments ? 1 : 0); ++moment) {
            if (!chosen_ranges) {
                for (int batch = 0; batch < size.batches; ++batch) {
                    contexts.push_back({batch, batch * size.records, (batch + 1) * size.records, generation, moment});
                }
                continue;
            }
            // One batch more than planned, so that a range can be cut in two. A range can be empty: an old
            // incarnation may overwrite the end of the batch before.
            const int last = size.batches;
            for (int batch = 0; batch <= last; ++batch) {
                for (int start = batch == 0 ? 0 : 1; start <= (batch == 0 ? 0 : length); ++start) {
                    for (int end = batch == last ? length : 1; end <= length; ++end) {
                        contexts.push_back({batch, start, end, generation, moment});
                    }
                }
            }
        }
    }
    return contexts;
}

}  // namespace oncecheck
