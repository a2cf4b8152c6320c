// The campaign that holds the model against the runtime: many random pipelines examined side by side, in a fixed order
// of results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "checker/crossvalidate/examiner.h"

namespace oncecheck {

struct CampaignOptions {
    std::uint64_t seed = 1;  // pipeline n has the seed `seed + n`
    int pipelines = 100;     // to be examined; refused ones and those that need another store do not count
    int jobs = 1;
    ExaminerOptions examiner;
};

struct CampaignTotals {
    std::map<std::string, int> outcomes;  // "agrees" -> pipelines
    long schedules = 0;
    long complete = 0;
    long outside = 0;
    long violated_beyond = 0;
    long events = 0;
    std::map<std::string, long> flaws;
    int holding = 0;     // requirements that hold
    int violations = 0;  // requirements that are violated ...
    int shown = 0;       // ... and that some run has violated

    void add(const ExaminedPipeline& examined);
    bool operator==(const CampaignTotals&) const = default;
};

// Called in the order of the seeds, one call at a time.
using OnExamined = std::function<void(const ExaminedPipeline& examined, const CampaignTotals& so_far)>;

// The random pipelines that the runtime can run on the store of the options. Does not depend on `jobs`.
// Throws as Examiner::examine does.
CampaignTotals run_campaign(const Catalogue& catalogue, const CampaignOptions& options, const OnExamined& on_examined);

}  // namespace oncecheck
