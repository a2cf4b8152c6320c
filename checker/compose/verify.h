// The main job: a resolved pipeline in, a report out.
//
//   build the hops -> decide which faults can occur -> translate -> check -> certify -> compose -> report
//
// Every trace is replayed by the evaluator before it is reported; a trace that does not replay, or two engines that
// contradict each other, is an InternalError and never a verdict.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "checker/report/report.h"
#include "model/pipeline/pipeline.h"
#include "model/semantics/universe.h"

namespace oncecheck {

// kAuto: explicit state, and others where that does not do. kAll: every engine, and they must not contradict each
// other.
enum class EngineChoice { kAuto, kExplicit, kBmc, kInduction, kSpacer, kAll };

struct VerifyOptions {
    UniverseSize size;  // --records, --batches, --attempts
    EngineChoice engine = EngineChoice::kAuto;
    int jobs = 1;
    std::optional<std::chrono::milliseconds> timeout;  // for the whole verification
    std::size_t memory_bytes = std::size_t{4} << 30;
    std::optional<int> fault_budget;  // search no run with more faults
    bool slice = true;
};

// Called from the calling thread with a sentence about how far the search is.
using VerifyProgress = std::function<void(const std::string& status)>;

// Throws InputError for what only the translation can see, InternalError as above.
[[nodiscard]] Report verify(const Pipeline& pipeline, const VerifyOptions& options, const VerifyProgress& progress);

}  // namespace oncecheck
