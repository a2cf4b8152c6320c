// The small universe: which records there are, which keys and versions they have, and which ranges a batch can cover.
//
// By default 2 batches of 2 rows over each log. A key occurs in both batches, and twice in one unless the origin says
// otherwise; a key that occurs once is always among them, so that a lost batch shows. Where in-batch repeats or an
// unknown order of versions are possible there are several patterns, and each is checked.
#pragma once

#include <string>
#include <vector>

#include "model/pipeline/pipeline.h"

namespace oncecheck {

struct UniverseSize {
    int records = 2;  // rows a batch
    int batches = 2;
    int attempts = 2;  // incarnations of one process that live at once
};

// A record of an origin's log.
struct Record {
    ComponentId log = 0;
    int offset = 0;  // place in the log over all partitions: batch * records + row
    int partition = 0;
    int partition_offset = 0;
    int key = 0;        // equal numbers are equal keys, over all logs of the universe
    int version = 0;    // among records of one key the greatest is the newest
    std::string label;  // "payments[3]"
};

struct Universe {
    std::vector<Record> records;
    std::string pattern;  // which keys repeat, in words
};

// One universe a pattern of keys; `logs` are the logs that the processes of a hop read. `records_repeat` asks for
// records that come twice (a producer may repeat them): keys then repeat in a batch, whatever the origin says.
[[nodiscard]] std::vector<Universe> universes(const Pipeline& pipeline, const std::vector<ComponentId>& logs,
                                              const UniverseSize& size, bool records_repeat);

// What one batch covers: offsets start..end-1 of each log that the process reads, under a batch number, for a query
// identity (a lost checkpoint gives a new one) at a moment ({now} of two attempts may be equal or not).
struct BatchContext {
    int batch = 0;
    int start = 0;
    int end = 0;
    int generation = 0;
    int moment = 0;

    bool operator==(const BatchContext&) const = default;
};

// Identities that a query without a lasting checkpoint takes, one after another; the last stands for all later ones.
inline constexpr int kIdentities = 3;

// Every context of a process. Fixed ranges: batch n covers the n-th piece of the log. Ranges that can be chosen anew:
// every end is possible; the last batch takes what is left.
[[nodiscard]] std::vector<BatchContext> batch_contexts(const UniverseSize& size, bool chosen_ranges, bool new_identity,
                                                       bool moments);

}  // namespace oncecheck
