#include "checker/crossvalidate/campaign.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "checker/crossvalidate/random_pipeline.h"
#include "checker/crossvalidate/shrink.h"

namespace oncecheck {

namespace {

bool counts(const ExaminedPipeline& examined) {
    return examined.outcome == ExaminedPipeline::Outcome::kAgrees ||
           examined.outcome == ExaminedPipeline::Outcome::kDisagrees;
}

// Workers take seeds in order; results are handed on in that order, so that the number of jobs does not show.
class Campaign {
  public:
    Campaign(const Catalogue& catalogue, const CampaignOptions& options, const OnExamined& on_examined)
        : options_(options), examiner_(catalogue, options.examiner), on_examined_(on_examined) {}

    CampaignTotals run() {
        std::vector<std::thread> workers;
        for (int job = 0; job < options_.jobs; ++job) {
            workers.emplace_back([this] { work(); });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return totals_;
    }

  private:
    void work() {
        while (const std::optional<std::uint64_t> seed = next_seed()) {
            try {
                const std::string text = laid_out(RandomPipeline(*seed).make());
                hand_in(*seed, examiner_.examine(text, "random-" + std::to_string(*seed) + ".json", *seed));
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex_);
                failure_ = failure_ ? failure_ : std::current_exception();
                done_ = true;
                changed_.notify_all();
                return;
            }
        }
    }

    // None: enough are examined. Waits while the results are too far behind, so that few are examined for nothing.
    std::optional<std::uint64_t> next_seed() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return done_ || taken_ < handed_on_ + kAhead; });
        if (done_) {
            return std::nullopt;
        }
        return options_.seed + taken_++;
    }

    void hand_in(std::uint64_t seed, ExaminedPipeline examined) {
        const std::lock_guard<std::mutex> lock(mutex_);
        waiting_.emplace(seed, std::move(examined));
        for (auto next = waiting_.begin();
             next != waiting_.end() && next->first == options_.seed + handed_on_ && !done_;
             next = waiting_.erase(next)) {
            totals_.add(next->second);
            ++handed_on_;
            examined_ += counts(next->second) ? 1 : 0;
            on_examined_(next->second, totals_);
            done_ = examined_ >= options_.pipelines;
        }
        changed_.notify_all();
    }

    static constexpr std::uint64_t kAhead = 64;

    const CampaignOptions& options_;
    const Examiner examiner_;
    const OnExamined& on_examined_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, ExaminedPipeline> waiting_;
    std::uint64_t taken_ = 0;
    std::uint64_t handed_on_ = 0;
    int examined_ = 0;
    bool done_ = false;
    CampaignTotals totals_;
    std::exception_ptr failure_;
};

}  // namespace

void CampaignTotals::add(const ExaminedPipeline& examined) {
    ++outcomes[to_string(examined.outcome)];
    schedules += examined.schedules;
    complete += examined.complete;
    outside += examined.outside;
    violated_beyond += examined.violated_beyond;
    events += static_cast<long>(examined.events);
    for (const auto& [flaw, runs] : examined.flaws) {
        flaws[flaw] += runs;
    }
    violations += examined.violations;
    shown += examined.shown;
    for (const auto& [unused, verdict] : examined.verdicts) {
        holding += verdict == Verdict::kHolds ? 1 : 0;
    }
}

CampaignTotals run_campaign(const Catalogue& catalogue, const CampaignOptions& options, const OnExamined& on_examined) {
    if (options.pipelines <= 0) {
        return {};
    }
    return Campaign(catalogue, options, on_examined).run();
}

}  // namespace oncecheck
