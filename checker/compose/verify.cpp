#include "checker/compose/verify.h"

#include <algorithm>
#include <set>

#include "checker/compose/coverage.h"
#include "checker/compose/hop_check.h"
#include "checker/compose/invariant_text.h"
#include "checker/compose/plan.h"
#include "checker/compose/premises.h"
#include "checker/compose/run_report.h"
#include "model/pipeline/graph.h"
#include "model/semantics/producer.h"

namespace oncecheck {

namespace {

// A requirement as it is put together from the hops that it spans.
struct Gathered {
    std::vector<FoundViolation> violations;
    std::vector<FoundInvariant> invariants;
    std::string undecided;
    std::vector<ReportedBound> provided;
    std::set<std::string> engines;
    std::vector<std::string> strengths;
    bool checked = false;
};

// "explicit, induction"
std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() || name.empty() ? "" : ", ") + name;
    }
    return text;
}

class Verification {
  public:
    Verification(const Pipeline& pipeline, const VerifyOptions& options, const VerifyProgress& progress)
        : pipeline_(pipeline), options_(options), progress_(progress), gathered_(pipeline.requirements.size()) {
        limits_.memory_bytes = options.memory_bytes;
        limits_.jobs = options.jobs;
        limits_.fault_budget = options.fault_budget;
        if (options.timeout) {
            limits_.deadline = started_ + *options.timeout;
        }
    }

    Report run() {
        for (const PlannedHop& hop : plan(pipeline_, {options_.size, options_.slice}, limits_)) {
            if (hop.queries) {
                check_queries(*hop.queries);
            }
            for (const PlannedProducer& producer : hop.producers) {
                check_producer(producer);
            }
        }
        return report();
    }

  private:
    void check_queries(const PlannedQueries& queries) {
        report_.faults.insert(report_.faults.end(), queries.sentences.begin(), queries.sentences.end());
        undecided_times_.insert(undecided_times_.end(), queries.undecided.begin(), queries.undecided.end());
        gather(check(queries.processes, queries.requirements, queries.options), queries.requirements);
        for (const auto& fault : queries.open) {
            check_open_fault(queries, fault);
        }
    }

    HopOutcome check(const std::vector<ComponentId>& queries, const std::vector<std::size_t>& requirements,
                     const HopOptions& hop) {
        HopOutcome outcome = check_hop(pipeline_, queries, requirements, hop, options_, limits_, progress_);
        report_.statistics.systems += outcome.systems.size();
        for (const SeenSystem& seen : outcome.systems) {
            coverage_.add(seen.system->system, seen.coverage);
        }
        for (const auto& [query, faults] : hop.faults) {
            coverage_.assume(pipeline_.component(query).document.name, faults);
        }
        report_.statistics.states += outcome.states;
        report_.statistics.bytes = std::max(report_.statistics.bytes, outcome.bytes);
        universes_.insert(outcome.universes.begin(), outcome.universes.end());
        bounds_.insert(outcome.bounds.begin(), outcome.bounds.end());
        turns_.insert(outcome.turns.begin(), outcome.turns.end());
        return outcome;
    }

    void gather(const HopOutcome& outcome, const std::vector<std::size_t>& requirements) {
        for (const std::size_t index : requirements) {
            Gathered& all = gathered_[index];
            const auto add = [&](const RequirementOutcome& part) {
                all.violations.insert(all.violations.end(), part.violations.begin(), part.violations.end());
                all.invariants.insert(all.invariants.end(), part.invariants.begin(), part.invariants.end());
                all.engines.insert(part.engines.begin(), part.engines.end());
                all.undecided = all.undecided.empty() ? part.undecided : all.undecided;
                all.checked = all.checked || part.checked;
            };
            const auto part = outcome.requirements.find(index);
            if (part != outcome.requirements.end()) {
                add(part->second);
            }
            const RequirementKind kind = pipeline_.requirements[index].kind;
            if (kind == RequirementKind::kExactlyOnce || kind == RequirementKind::kProgress) {
                add(outcome.progress);
            }
            all.strengths.push_back(outcome.follows_records ? "for any batch size: no step looks at other records"
                                                            : "in this universe");
        }
    }

    // Requirements that hold without the fault and fail with it hold provided the bound that excludes it.
    void check_open_fault(const PlannedQueries& queries, const std::pair<ComponentId, OpenFault>& fault) {
        std::vector<std::size_t> holding;
        for (const std::size_t index : queries.requirements) {
            if (gathered_[index].violations.empty() && gathered_[index].undecided.empty()) {
                holding.push_back(index);
            }
        }
        if (holding.empty()) {
            return;
        }
        const HopOutcome outcome = check(queries.processes, holding, queries.with(fault));
        for (const std::size_t index : holding) {
            const auto part = outcome.requirements.find(index);
            const RequirementKind kind = pipeline_.requirements[index].kind;
            const bool progress = kind == RequirementKind::kExactlyOnce || kind == RequirementKind::kProgress;
            const auto breaks = [](const RequirementOutcome& one) {
                return !one.violations.empty() || !one.undecided.empty();
            };
            if ((part != outcome.requirements.end() && breaks(part->second)) ||
                (progress && breaks(outcome.progress))) {
                gathered_[index].provided.push_back(fault.second.bound);
            }
        }
    }

    void check_producer(const PlannedProducer& producer) {
        report_.faults.push_back(fault_sentence(pipeline_, producer));
        const auto system = std::make_shared<const HopSystem>(
            build_producer(pipeline_, producer.process, producer.requirements, producer.faults));
        const SystemOutcome checked = check_system(system->system, options_.engine, limits_, progress_);
        const CheckResult& result = checked.result;
        coverage_.add(system->system, result.coverage);
        coverage_.assume(pipeline_.component(producer.process).document.name, producer.faults);
        report_.statistics.systems += 1;
        report_.statistics.states += result.states;
        for (std::size_t index = 0; index < result.properties.size(); ++index) {
            Gathered& all = gathered_[system->meanings[index].requirement];
            const bool absorbed =
                system->meanings[index].flaw == Flaw::kDuplicate &&
                absorbs_repeats(pipeline_, pipeline_.requirements[system->meanings[index].requirement]);
            if (absorbed) {
                continue;
            }
            if (const auto* found = std::get_if<Counterexample>(&result.properties[index])) {
                all.violations.push_back(
                    {to_string(system->meanings[index].flaw), system, index, *found, checked.engines[index]});
            } else if (const auto* unknown = std::get_if<Unknown>(&result.properties[index])) {
                all.undecided = unknown->reason;
            } else if (const auto* invariant = std::get_if<Inductive>(&result.properties[index])) {
                all.invariants.push_back({system, index, *invariant});
            }
            all.engines.insert(checked.engines[index]);
            all.checked = true;
        }
    }

    RequirementReport requirement_report(std::size_t index) {
        const ResolvedRequirement& requirement = pipeline_.requirements[index];
        Gathered& all = gathered_[index];
        RequirementReport result;
        result.kind = to_string(requirement.kind);
        result.target = requirement.target;
        result.from = requirement.from ? pipeline_.component(*requirement.from).document.name : "";
        if (requirement.expect && !pipeline_.document.expect) {  // a variant's own expectation is about the whole
            result.expect = to_string(*requirement.expect);
        }
        result.reason = requirement.reason;
        result.is_default = requirement.is_default;
        result.where = requirement.where;
        if (!undecided_times_.empty() && all.undecided.empty()) {
            all.undecided = "the solver could not decide whether a time excludes " + undecided_times_.front();
        }
        if (!all.violations.empty()) {
            describe_violation(all, result);
        } else if (!all.undecided.empty() || !all.checked) {
            result.verdict = Verdict::kUndecided;
            result.undecided = all.undecided.empty() ? "no system has a property for it" : all.undecided;
        } else {
            result.verdict = Verdict::kHolds;
            result.provided = all.provided;
            result.engine = joined(all.engines);
            for (const FoundInvariant& invariant : all.invariants) {
                result.invariants.push_back(describe_invariant(invariant));
            }
            const bool universe_only =
                std::find(all.strengths.begin(), all.strengths.end(), "in this universe") != all.strengths.end();
            result.strength = universe_only ? "in this universe" : all.strengths.front();
        }
        return result;
    }

    void describe_violation(Gathered& all, RequirementReport& result) {
        std::stable_sort(all.violations.begin(), all.violations.end(), [](const auto& left, const auto& right) {
            return std::pair(left.counterexample.faults, left.counterexample.trace.steps.size()) <
                   std::pair(right.counterexample.faults, right.counterexample.trace.steps.size());
        });
        result.verdict = Verdict::kViolated;
        for (const FoundViolation& violation : all.violations) {
            if (std::find(result.flaws.begin(), result.flaws.end(), violation.flaw) == result.flaws.end()) {
                result.flaws.push_back(violation.flaw);
            }
        }
        // Of staging isolation, the run that shows two attempts meeting; rows that one attempt doubles by itself are
        // less.
        const auto telling = std::find_if(all.violations.begin(), all.violations.end(), [&](const auto& violation) {
            return result.kind != to_string(RequirementKind::kIsolatedStaging) ||
                   diagnose(pipeline_, violation).rule == "OC-4-staging";
        });
        const FoundViolation& shortest = telling == all.violations.end() ? all.violations.front() : *telling;
        const Diagnosis diagnosis = diagnose(pipeline_, shortest);
        result.category = diagnosis.category;
        result.rule = diagnosis.rule;
        result.weakest_link = diagnosis.weakest_link;
        result.run = describe_run(shortest, limits_);
        result.engine = shortest.engine;
    }

    Report report() {
        report_.pipeline = pipeline_.document.pipeline;
        report_.file = pipeline_.document.file;
        report_.variant = pipeline_.document.variant;
        report_.texts.emplace(report_.file, pipeline_.document.text);
        for (const PipelineComponent& component : pipeline_.components) {
            if (!component.document.sql_file.empty()) {
                report_.texts.emplace(component.document.sql_file, component.document.sql_text);
            }
        }
        report_.findings = pipeline_.findings;
        if (pipeline_.document.expect) {
            report_.expect = to_string(*pipeline_.document.expect);
        }
        report_.verdict = Verdict::kHolds;
        for (std::size_t index = 0; index < pipeline_.requirements.size(); ++index) {
            report_.requirements.push_back(requirement_report(index));
            const Verdict verdict = report_.requirements.back().verdict;
            if (verdict == Verdict::kViolated ||
                (verdict == Verdict::kUndecided && report_.verdict == Verdict::kHolds)) {
                report_.verdict = verdict;
            }
        }
        describe_universe();
        describe_engines();
        describe_coverage();
        report_.assumptions = assumption_sentences(pipeline_);
        report_.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
        return std::move(report_);
    }

    void describe_universe() {
        report_.universe.push_back(size_sentence(options_.size));
        report_.universe.insert(report_.universe.end(), universes_.begin(), universes_.end());
        report_.universe.insert(report_.universe.end(), bounds_.begin(), bounds_.end());
        if (options_.fault_budget) {
            report_.universe.push_back("no run with more than " + std::to_string(*options_.fault_budget) + " faults");
        }
    }

    void describe_coverage() {
        report_.coverage = coverage_.report();
        const std::vector<Finding> found = coverage_.findings();
        report_.findings.insert(report_.findings.end(), found.begin(), found.end());
    }

    void describe_engines() {
        if (options_.engine != EngineChoice::kAuto || report_.statistics.systems == 0) {
            return;
        }
        report_.engines.assign(turns_.begin(), turns_.end());
        if (turns_.size() < report_.statistics.systems) {
            report_.engines.insert(report_.engines.begin(), std::string(turns_.empty() ? "" : "elsewhere ") +
                                                                "explicit search: all reachable states fit in memory");
        }
    }

    const Pipeline& pipeline_;
    const VerifyOptions& options_;
    const VerifyProgress& progress_;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    Limits limits_;
    Report report_;
    std::vector<Gathered> gathered_;
    std::vector<std::string> undecided_times_;
    std::set<std::string> universes_;
    std::set<std::string> bounds_;
    std::set<std::string> turns_;
    CoverageTally coverage_;
};

}  // namespace

Report verify(const Pipeline& pipeline, const VerifyOptions& options, const VerifyProgress& progress) {
    return Verification(pipeline, options, progress).run();
}

}  // namespace oncecheck
