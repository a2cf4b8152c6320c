#include "checker/crossvalidate/examiner.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "checker/compose/plan.h"
#include "checker/crossvalidate/follower.h"
#include "checker/crossvalidate/run_inputs.h"
#include "checker/crossvalidate/shrink.h"
#include "model/document/reader.h"
#include "model/runtime/gaps.h"
#include "model/runtime/simulate.h"

namespace oncecheck {

namespace {

// Rates of faults, in turns: rare ones show what happens after long runs, frequent ones find odd combinations.
constexpr double kFaultRates[] = {0.05, 0.1, 0.2, 0.02, 0.35};

// Twice a run of two queries without faults takes far fewer.
constexpr int kMostMoves = 200;
// A query that fails without a fault does the same when it is started again, but for the order of rows in a load and
// for whom it meets. Where no requirement holds that a run would violate by being stuck, no run has to be sure of it.
constexpr int kMostRestarts = 10;
constexpr int kMostRestartsOfNoConsequence = 1;

std::vector<RunRecordEntry> run_records(const std::vector<Record>& records) {
    std::vector<RunRecordEntry> entries;
    for (const Record& record : records) {
        entries.push_back({.log = record.log,
                           .offset = record.offset,
                           .partition = record.partition,
                           .partition_offset = record.partition_offset,
                           .key = record.key,
                           .version = record.version});
    }
    return entries;
}

RunInputs run_inputs(const PlannedQueries& queries) {
    RunInputs inputs;
    inputs.processes = queries.processes;
    for (const auto& [process, faults] : queries.options.faults) {
        inputs.faults.emplace(process, run_faults(faults));
    }
    inputs.rows = queries.options.size.records;
    inputs.batches = queries.options.size.batches;
    inputs.attempts = queries.options.size.attempts;
    return inputs;
}

int most_restarts(const Pipeline& pipeline, const Report& report) {
    for (std::size_t index = 0; index < pipeline.requirements.size(); ++index) {
        const RequirementKind kind = pipeline.requirements[index].kind;
        const bool gets_through = kind == RequirementKind::kProgress || kind == RequirementKind::kExactlyOnce;
        if (gets_through && report.requirements[index].verdict == Verdict::kHolds) {
            return kMostRestarts;
        }
    }
    return kMostRestartsOfNoConsequence;
}

// What a run has shown that cannot be.
struct Shown {
    Disagreement::Kind kind = Disagreement::Kind::kVerdict;
    std::string sort;
    std::string what;
};

// What happened, and the first word of its SQL.
std::string sort_of(const RunEvent& event) {
    std::string sort = std::string(to_string(event.move.kind)) + ' ' + to_string(event.outcome);
    sort += event.move.fault == MoveFault::kNone ? "" : std::string(", ") + to_string(event.move.fault);
    return sort + (event.sql.empty() ? "" : ": " + event.sql.front().substr(0, event.sql.front().find(' ')));
}

// What is known of a pipeline before it is run.
struct Checked {
    Pipeline pipeline;
    Report report;
    std::vector<PlannedQueries> hops;
};

std::string requirement_name(const RequirementReport& requirement) {
    return requirement.kind + ' ' + requirement.target + (requirement.from.empty() ? "" : " from " + requirement.from);
}

std::string first_problem(const InputError& error) {
    return error.problems().empty() ? "refused" : error.problems().front().message;
}

Checked check(const Document& document, const Catalogue& catalogue, const VerifyOptions& options) {
    Checked checked{resolve(document, catalogue), {}, {}};
    checked.report = verify(checked.pipeline, options, [](const std::string&) {});
    PlanOptions planned;
    planned.size = options.size;
    planned.slice = false;
    for (PlannedHop& hop : plan(checked.pipeline, planned, {})) {
        if (hop.queries) {
            checked.hops.push_back(std::move(*hop.queries));
        }
    }
    return checked;
}

// The verdicts of a universe with one more incarnation side by side, should a run need it.
class LargerUniverse {
  public:
    LargerUniverse(const Document& document, const Catalogue& catalogue, const VerifyOptions& options)
        : document_(document), catalogue_(catalogue), options_(options) {
        ++options_.size.attempts;
    }

    Verdict verdict(std::size_t requirement) {
        if (!report_) {
            report_ = verify(resolve(document_, catalogue_), options_, [](const std::string&) {});
        }
        return report_->requirements[requirement].verdict;
    }

  private:
    const Document& document_;
    const Catalogue& catalogue_;
    VerifyOptions options_;
    std::optional<Report> report_;
};

// The runs of one hop.
class HopRuns {
  public:
    // `larger` has to outlive the runs.
    HopRuns(const Checked& checked, const PlannedQueries& queries, const std::string& store, LargerUniverse& larger)
        : pipeline_(checked.pipeline),
          report_(checked.report),
          larger_(larger),
          inputs_(run_inputs(queries)),
          systems_(build_hop(pipeline_, queries.processes, queries.requirements, queries.options)),
          store_(store),
          most_restarts_(most_restarts(pipeline_, report_)) {
        for (const HopSystem& system : systems_) {
            followers_.emplace_back(system);
        }
    }

    std::optional<Shown> run(std::uint64_t seed, ExaminedPipeline& examined) {
        const std::size_t universe = seed % systems_.size();
        begin(seed, universe);
        Schedule schedule;
        schedule.seed = seed;
        schedule.most_moves = kMostMoves;
        schedule.most_restarts = most_restarts_;
        schedule.fault_rate = kFaultRates[seed / systems_.size() % std::size(kFaultRates)];
        made_.clear();
        const RunSummary verdict =
            run_schedule(pipeline_, *runtime_, schedule, [&](const Move& move) { made_.push_back(move); });
        ++examined.schedules;
        examined.complete += verdict.complete ? 1 : 0;
        examined.events += runtime_->record().events.size();
        return compare(verdict.violations, universe, examined);
    }

    // Makes the same moves again, those that are possible; none if what shows then is not of this sort.
    std::optional<Shown> repeat(std::uint64_t seed, const std::vector<Move>& moves, const std::string& sort) {
        const std::size_t universe = seed % systems_.size();
        begin(seed, universe);
        for (const Move& move : moves) {
            const std::vector<Move>& possible = runtime_->moves();
            if (std::find(possible.begin(), possible.end(), move) != possible.end()) {
                runtime_->perform(move);
            }
        }
        ExaminedPipeline unused;
        std::optional<Shown> shown = compare(judge(pipeline_, *runtime_, false), universe, unused);
        return shown && shown->sort == sort ? shown : std::nullopt;
    }

    // Of the last run of a schedule.
    const std::vector<Move>& moves() const { return made_; }

    // The moves in words; makes them once more.
    std::vector<std::string> described(std::uint64_t seed, const std::vector<Move>& moves) {
        begin(seed, seed % systems_.size());
        std::vector<std::string> words;
        for (const Move& move : moves) {
            const std::vector<Move>& possible = runtime_->moves();
            if (std::find(possible.begin(), possible.end(), move) == possible.end()) {
                continue;
            }
            words.push_back(runtime_->describe(move));
            for (const RunEvent& event : runtime_->perform(move)) {
                words.back() += std::string(": ") + to_string(event.outcome);
                words.back() += event.message.empty() ? "" : ", " + event.message;
            }
        }
        return words;
    }

    const std::set<std::size_t>& violated() const { return violated_; }

  private:
    void begin(std::uint64_t seed, std::size_t universe) {
        inputs_.seed = seed;
        inputs_.records = run_records(systems_[universe].records);
        if (runtime_) {
            runtime_->restart(inputs_);
            return;
        }
        RuntimeOptions options;
        options.store = store_;
        options.keep_contents = true;
        runtime_ = std::make_unique<Runtime>(pipeline_, inputs_, options);
    }

    std::optional<Shown> compare(const std::vector<RunViolation>& violations, std::size_t universe,
                                 ExaminedPipeline& examined) {
        const FollowResult followed = followers_[universe].follow(runtime_->record());
        const bool beyond = followed.result == Followed::kOutsideUniverse;
        examined.outside += beyond ? 1 : 0;
        if (followed.result == Followed::kLeftModel) {
            return Shown{Disagreement::Kind::kStep, sort_of(runtime_->record().events[followed.event]),
                         followed.reason};
        }
        bool only_beyond = false;
        std::optional<Shown> shown;
        for (const RunViolation& violation : violations) {
            ++examined.flaws[violation.flaw];
            const RequirementReport& requirement = report_.requirements[violation.requirement];
            if (requirement.verdict == Verdict::kViolated) {
                violated_.insert(violation.requirement);
            }
            if (requirement.verdict != Verdict::kHolds || shown) {
                continue;
            }
            if (beyond && larger_.verdict(violation.requirement) == Verdict::kViolated) {
                only_beyond = true;
                continue;
            }
            shown = Shown{Disagreement::Kind::kVerdict, requirement.kind + ' ' + violation.flaw,
                          requirement.kind + " of " + requirement.target + " holds, says the checker; the run shows " +
                              violation.flaw + ": " + violation.message};
        }
        examined.violated_beyond += only_beyond ? 1 : 0;
        return shown;
    }

    const Pipeline& pipeline_;
    const Report& report_;
    LargerUniverse& larger_;
    RunInputs inputs_;
    const std::vector<HopSystem> systems_;
    std::vector<Follower> followers_;
    std::string store_;
    int most_restarts_;
    std::unique_ptr<Runtime> runtime_;
    std::vector<Move> made_;  // as they were offered; those of events say more
    std::set<std::size_t> violated_;
};

// Runs the schedules of one checked pipeline, hop by hop.
class PipelineRuns {
  public:
    PipelineRuns(const Checked& checked, const std::string& store, LargerUniverse& larger) : checked_(checked) {
        for (const PlannedQueries& queries : checked.hops) {
            hops_.push_back(std::make_unique<HopRuns>(checked, queries, store, larger));
        }
    }

    // Until something shows, or to the end.
    void run(std::uint64_t seed, int schedules, ExaminedPipeline& examined) {
        for (int schedule = 0; schedule < schedules; ++schedule) {
            for (const std::unique_ptr<HopRuns>& hop : hops_) {
                const std::uint64_t own = seed + static_cast<std::uint64_t>(schedule);
                if (const std::optional<Shown> shown = hop->run(own, examined)) {
                    examined.outcome = ExaminedPipeline::Outcome::kDisagrees;
                    examined.disagreement = Disagreement{shown->kind, shown->sort, shown->what, own, "", {}};
                    shown_by_ = hop.get();
                    return;
                }
            }
        }
        count_violations(examined);
    }

    // The moves of the run that has shown something, or with questions fewer that show the same.
    void describe_moves(std::size_t questions, Disagreement& disagreement) {
        std::vector<Move> moves = shown_by_->moves();
        const auto chosen = [&](const std::vector<std::size_t>& kept) {
            std::vector<Move> some;
            for (const std::size_t index : kept) {
                some.push_back(moves[index]);
            }
            return some;
        };
        const auto still_shows = [&](const std::vector<std::size_t>& kept) {
            return shown_by_->repeat(disagreement.schedule, chosen(kept), disagreement.sort).has_value();
        };
        std::vector<std::size_t> all(moves.size());
        for (std::size_t index = 0; index < all.size(); ++index) {
            all[index] = index;
        }
        // A run that shows something only at its very end (it is stuck) does not repeat so.
        if (questions > 0 && still_shows(all)) {
            moves = chosen(shrunk_list(moves.size(), still_shows, questions));
            disagreement.what = shown_by_->repeat(disagreement.schedule, moves, disagreement.sort)->what;
        }
        disagreement.moves = shown_by_->described(disagreement.schedule, moves);
    }

  private:
    void count_violations(ExaminedPipeline& examined) const {
        for (const RequirementReport& requirement : checked_.report.requirements) {
            examined.violations += requirement.verdict == Verdict::kViolated ? 1 : 0;
        }
        std::set<std::size_t> shown;
        for (const std::unique_ptr<HopRuns>& hop : hops_) {
            shown.insert(hop->violated().begin(), hop->violated().end());
        }
        examined.shown = static_cast<int>(shown.size());
    }

    const Checked& checked_;
    std::vector<std::unique_ptr<HopRuns>> hops_;
    HopRuns* shown_by_ = nullptr;
};

}  // namespace

Examiner::Examiner(const Catalogue& catalogue, ExaminerOptions options)
    : catalogue_(catalogue), options_(std::move(options)) {}

ExaminedPipeline Examiner::examine(const Document& document, std::uint64_t seed, int schedules) const {
    ExaminedPipeline examined;
    examined.seed = seed;
    examined.name = document.pipeline;
    try {
        const Checked checked = check(document, catalogue_, options_.verify);
        for (const RequirementReport& requirement : checked.report.requirements) {
            examined.verdicts.emplace(requirement_name(requirement), requirement.verdict);
        }
        if (checked.report.verdict == Verdict::kUndecided) {
            examined.outcome = ExaminedPipeline::Outcome::kTooLarge;
            examined.reason = "no verdict within the limits";
            return examined;
        }
        LargerUniverse larger(document, catalogue_, options_.verify);
        PipelineRuns runs(checked, options_.store, larger);
        runs.run(seed, schedules, examined);
        if (examined.disagreement) {
            runs.describe_moves(options_.shrink ? options_.questions : 0, *examined.disagreement);
        }
    } catch (const InputError& error) {
        examined.outcome = ExaminedPipeline::Outcome::kRefused;
        examined.reason = first_problem(error);
    } catch (const NeedsAnotherStore& error) {
        examined.outcome = ExaminedPipeline::Outcome::kOtherStore;
        examined.reason = error.what();
    }
    return examined;
}

ExaminedPipeline Examiner::examine(const std::string& text, const std::string& file, std::uint64_t seed) const {
    Document document;
    try {
        document = parse_documents(text, file, {}).front();
    } catch (const InputError& error) {
        ExaminedPipeline refused;
        refused.seed = seed;
        refused.name = file;
        refused.outcome = ExaminedPipeline::Outcome::kRefused;
        refused.reason = first_problem(error);
        return refused;
    }
    ExaminedPipeline examined = examine(document, seed, options_.schedules);
    if (examined.disagreement && options_.shrink) {
        shrink(text, examined);
    } else if (examined.disagreement) {
        examined.disagreement->document = text;
    }
    return examined;
}

// The smallest document that shows the same sort of disagreement within the same schedules, and a run of that. Without
// a sort to keep to, shrinking ends at whatever else the model gets wrong in some smaller document.
void Examiner::shrink(const std::string& text, ExaminedPipeline& examined) const {
    ExaminerOptions quick = options_;
    quick.shrink = false;
    const Examiner examiner(catalogue_, quick);
    const auto shows = [&](const std::string& smaller) {
        try {
            const std::optional<Disagreement> other =
                examiner.examine(smaller, "shrunk.json", examined.seed).disagreement;
            return other && other->kind == examined.disagreement->kind && other->sort == examined.disagreement->sort;
        } catch (const InternalError&) {
            return false;
        }
    };
    const nlohmann::ordered_json small = shrunk(
        nlohmann::ordered_json::parse(text, nullptr, true, true),
        [&](const nlohmann::ordered_json& smaller) { return shows(laid_out(smaller)); }, options_.questions);
    const std::string document = laid_out(small);
    const ExaminedPipeline again =
        examine(parse_documents(document, "shrunk.json", {}).front(), examined.seed, options_.schedules);
    if (again.disagreement) {
        examined.disagreement = again.disagreement;
    }
    examined.disagreement->document = document;
}

}  // namespace oncecheck
