#include "checker/report/text_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "checker/report/run_text.h"
#include "checker/report/source_quote.h"
#include "checker/report/text_page.h"

namespace oncecheck {

namespace {

Ink ink_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kHolds:
            return Ink::kGood;
        case Verdict::kViolated:
            return Ink::kBad;
        case Verdict::kUndecided:
            return Ink::kOpen;
    }
    return Ink::kBold;
}

std::string verdict_text(Verdict verdict) { return inked(ink_of(verdict), to_string(verdict)); }

// ", for outages shorter than 7 d", each bound once.
std::string bounds_text(const std::vector<ReportedBound>& bounds) {
    std::vector<std::string> texts;
    for (const ReportedBound& bound : bounds) {
        if (std::find(texts.begin(), texts.end(), bound.text) == texts.end()) {
            texts.push_back(bound.text);
        }
    }
    return texts.empty() ? "" : ", " + listed(texts);
}

// ", as expected", ", but expected to hold"; nothing where the document does not say.
std::string expectation_text(const std::optional<std::string>& expect, bool met, bool on_bound) {
    if (!expect) {
        return on_bound && !met ? ", and --strict accepts no bound" : "";
    }
    if (met) {
        return ", as expected";
    }
    return on_bound ? ", as expected but for the bound, and --strict accepts none"
                    : ", but expected to " + std::string(*expect == "holds" ? "hold" : "be violated");
}

// A run with its weakest link, and the requirements (numbers from 1) that it shows to be violated.
struct ShownRun {
    std::string text;  // as printed, by which equal ones are found
    const RequirementReport* requirement = nullptr;
    std::vector<std::string> numbers;
};

std::string run_name(std::size_t index) {
    return index < 26 ? std::string(1, static_cast<char>('A' + index)) : std::to_string(index + 1);
}

class ReportPrinter {
  public:
    ReportPrinter(TextPage& page, const Report& report, const RenderOptions& options)
        : page_(page), report_(report), options_(options) {}

    void print() {
        print_headline();
        print_requirements();
        for (std::size_t index = 0; index < runs_.size(); ++index) {
            print_shown_run(index);
        }
        page_.section("Assumptions", report_.assumptions);
        page_.section("Universe", report_.universe);
        page_.section("Engines", report_.engines);
        page_.section("Faults", report_.faults);
        print_coverage();
        print_findings();
        print_statistics();
    }

  private:
    void print_headline() {
        std::vector<ReportedBound> bounds;
        for (const RequirementReport& requirement : report_.requirements) {
            bounds.insert(bounds.end(), requirement.provided.begin(), requirement.provided.end());
        }
        const bool holds = report_.verdict == Verdict::kHolds;
        const std::string name = report_.pipeline + (report_.variant.empty() ? "" : ", variant " + report_.variant);
        page_.paragraph("", inked(Ink::kBold, name) + ": " + verdict_text(report_.verdict) +
                                (holds ? bounds_text(bounds) : "") + overall_expectation());
        page_.line(inked(Ink::kDim, report_.file));
    }

    std::string overall_expectation() const {
        if (report_.expect) {
            return expectation_text(report_.expect, report_.met(options_.strict), false);
        }
        const auto& requirements = report_.requirements;
        const auto unmet = std::count_if(requirements.begin(), requirements.end(),
                                         [&](const auto& requirement) { return !requirement.met(options_.strict); });
        const bool any = std::any_of(requirements.begin(), requirements.end(),
                                     [](const auto& requirement) { return requirement.expect.has_value(); });
        if (!any) {
            return "";
        }
        return unmet == 0
                   ? ", as expected"
                   : fmt::format("; {} of {} not as expected", unmet, counted(requirements.size(), "requirement"));
    }

    void print_requirements() {
        if (report_.requirements.empty()) {
            return;
        }
        page_.blank();
        page_.line(inked(Ink::kBold, "Requirements"));
        for (std::size_t index = 0; index < report_.requirements.size(); ++index) {
            print_requirement(report_.requirements[index], index + 1);
        }
    }

    // "ok", "FAIL" or "open": what the exit code makes of it. Requirements of a variant that states an overall
    // expectation do not count by themselves.
    std::string mark_of(const RequirementReport& requirement) const {
        if (report_.expect && !requirement.expect) {
            return "    ";
        }
        if (requirement.met(options_.strict)) {
            return inked(Ink::kGood, "ok") + "  ";
        }
        const bool open = requirement.verdict == Verdict::kUndecided || requirement.met(false);
        return open ? inked(Ink::kOpen, "open") : inked(Ink::kBad, "FAIL");
    }

    void print_requirement(const RequirementReport& requirement, std::size_t number) {
        const std::string width = std::to_string(report_.requirements.size());
        const std::string lead = fmt::format("  {}  {:>{}}  ", mark_of(requirement), number, width.size());
        const std::string indent(width_of(lead), ' ');
        page_.paragraph(lead, inked(Ink::kBold, requirement.kind + ": " + requirement.target) +
                                  (requirement.from.empty() ? "" : " from " + requirement.from) +
                                  (requirement.is_default ? " (by default)" : ""));
        page_.paragraph(indent, verdict_line(requirement));
        for (const ReportedBound& bound : requirement.provided) {
            print_bound(bound, indent);
        }
        if (!requirement.undecided.empty()) {
            page_.paragraph(indent + "why: ", requirement.undecided);
        }
        if (requirement.verdict == Verdict::kViolated) {
            page_.paragraph(indent, cause_line(requirement, number));
        } else if (!requirement.strength.empty()) {
            page_.paragraph(indent, "proved: " + requirement.strength + engine_text(requirement));
            print_invariants(requirement, indent);
        }
    }

    // The largest one stands for all of them.
    void print_invariants(const RequirementReport& requirement, const std::string& indent) {
        const auto largest =
            std::max_element(requirement.invariants.begin(), requirement.invariants.end(),
                             [](const auto& one, const auto& other) { return one.clauses < other.clauses; });
        if (largest == requirement.invariants.end()) {
            return;
        }
        const bool one = requirement.invariants.size() == 1;
        page_.paragraph(indent + "by: ",
                        (one ? "an inductive invariant of "
                             : counted(requirement.invariants.size(), "inductive invariant") + ", the largest of ") +
                            counted(largest->clauses, "clause") + ", k = " + std::to_string(largest->k));
        for (const std::string& example : largest->examples) {
            page_.paragraph(indent + "  such as: ", example);
        }
    }

    std::string verdict_line(const RequirementReport& requirement) const {
        std::string text = verdict_text(requirement.verdict);
        if (!requirement.flaws.empty()) {
            text += " (" + listed(requirement.flaws) + ')';
        }
        text += bounds_text(requirement.provided);
        text += expectation_text(requirement.expect, requirement.met(options_.strict), !requirement.provided.empty());
        return requirement.reason.empty() ? text : text + ": " + requirement.reason;
    }

    void print_bound(const ReportedBound& bound, const std::string& indent) {
        std::string text = bound.setting;
        if (bound.where.line > 0) {
            text += ' ' + inked(Ink::kDim, '(' + to_string(bound.where) + ')');
        }
        if (!bound.source.empty()) {
            text += "; see " + bound.source;
        }
        page_.paragraph(indent + "the limit: ", text);
    }

    std::string cause_line(const RequirementReport& requirement, std::size_t number) {
        std::vector<std::string> parts;
        if (!requirement.category.empty()) {
            parts.push_back(requirement.category);
        }
        if (requirement.run) {
            parts.push_back("run " + run_name(run_of(requirement, number)));
        }
        if (!requirement.rule.empty()) {
            parts.push_back("oncecheck rules " + requirement.rule);
        }
        std::string text;
        for (const std::string& part : parts) {
            text += (text.empty() ? "" : "; ") + part;
        }
        return text + engine_text(requirement);
    }

    std::string engine_text(const RequirementReport& requirement) const {
        return requirement.engine.empty() ? "" : inked(Ink::kDim, " [" + requirement.engine + ']');
    }

    // The run of the requirement, which an earlier one may have in common with it.
    std::size_t run_of(const RequirementReport& requirement, std::size_t number) {
        const std::string text = run_text(requirement);
        auto shown =
            std::find_if(runs_.begin(), runs_.end(), [&](const ShownRun& candidate) { return candidate.text == text; });
        if (shown == runs_.end()) {
            shown = runs_.insert(runs_.end(), {text, &requirement, {}});
        }
        shown->numbers.push_back(std::to_string(number));
        return static_cast<std::size_t>(shown - runs_.begin());
    }

    std::string run_text(const RequirementReport& requirement) const {
        TextPage page;
        page.line(requirement.run->followed);
        print_run(page, *requirement.run, report_.file, true);
        print_weakest_link(page, requirement);
        return std::to_string(requirement.run->point_of_no_return) + page.text(false);
    }

    void print_shown_run(std::size_t index) {
        const ShownRun& shown = runs_[index];
        const Run& run = *shown.requirement->run;
        page_.blank();
        const std::string followed = run.followed.empty() ? "" : ", about " + run.followed;
        page_.paragraph("", inked(Ink::kBold, "Run " + run_name(index)) + ": the shortest that violates " +
                                listed(shown.numbers) + followed + " (" + counted(run.steps.size(), "step") + ", " +
                                counted(run.faults, "fault") + ')');
        page_.blank();
        print_run(page_, run, report_.file, options_.verbose);
        print_weakest_link(page_, *shown.requirement);
    }

    void print_weakest_link(TextPage& page, const RequirementReport& requirement) const {
        if (!requirement.weakest_link) {
            return;
        }
        const WeakestLink& link = *requirement.weakest_link;
        page.blank();
        page.paragraph("  ", inked(Ink::kBold, "Weakest link: ") + link.text);
        const std::string place = to_string(link.where);
        if (!place.empty()) {
            page.line("    " + place);
        }
        if (const auto text = report_.texts.find(link.where.file); text != report_.texts.end()) {
            quote_source(page, 4, text->second, link.where);
        }
    }

    void print_coverage() {
        const ReportedCoverage& coverage = report_.coverage;
        if (!coverage.whole) {
            return;
        }
        std::vector<std::string> items;
        items.push_back(fmt::format("{} of {} kinds of steps and faults occur", coverage.occurring, coverage.kinds) +
                        (coverage.never.empty() || options_.verbose ? "" : "; --verbose lists the others"));
        if (!coverage.faults.empty()) {
            items.push_back("faults that occur: " + listed(coverage.faults));
        }
        if (!coverage.idle_faults.empty()) {
            items.push_back("assumed, but nothing here is exposed to them: " + listed(coverage.idle_faults));
        }
        for (const ReportedStep& kind : coverage.never) {
            if (options_.verbose) {
                items.push_back("never: " + kind.process + ' ' + kind.text +
                                (kind.fault.empty() ? "" : " [fault: " + kind.fault + ']'));
            }
        }
        page_.section("Coverage", items);
    }

    void print_findings() {
        std::vector<std::string> items;
        for (const Finding& finding : report_.findings) {
            const std::string place = to_string(finding.where);
            items.push_back(place + (place.empty() ? "" : ": ") + finding.message +
                            inked(Ink::kDim, " [" + finding.rule + ']'));
        }
        page_.section("Findings", items);
    }

    void print_statistics() {
        const Statistics& statistics = report_.statistics;
        if (statistics.systems == 0) {
            return;
        }
        const std::size_t megabytes = (statistics.bytes + (std::size_t{1} << 20U) - 1) >> 20U;
        page_.blank();
        page_.line(inked(Ink::kDim, "Searched: " + counted(statistics.systems, "transition system") + ", " +
                                        counted(statistics.states, "state")));
        page_.line(inked(Ink::kDim, fmt::format("Measured: {} MB, {:.2f} s", grouped(megabytes), statistics.seconds)));
    }

    TextPage& page_;
    const Report& report_;
    const RenderOptions& options_;
    std::vector<ShownRun> runs_;
};

// One line a report, for the end of a long text.
void print_summary(TextPage& page, const std::vector<Report>& reports, const RenderOptions& options) {
    std::vector<std::string> items;
    for (const Report& report : reports) {
        const bool met = report.met(options.strict);
        const std::string outcome = met                           ? inked(Ink::kGood, "ok")
                                    : report.open(options.strict) ? inked(Ink::kOpen, "open")
                                                                  : inked(Ink::kBad, "FAIL");
        items.push_back(outcome + ": " + report.file + (report.variant.empty() ? "" : ", variant " + report.variant) +
                        ": " + to_string(report.verdict));
    }
    page.line(std::string(kPageWidth, '='));
    page.section(counted(reports.size(), "report"), items);
}

}  // namespace

std::string render_text(const std::vector<Report>& reports, const RenderOptions& options) {
    TextPage page;
    for (const Report& report : reports) {
        if (&report != &reports.front()) {
            page.blank();
            page.line(inked(Ink::kDim, std::string(kPageWidth, '=')));
        }
        ReportPrinter(page, report, options).print();
    }
    if (reports.size() > 1) {
        page.blank();
        print_summary(page, reports, options);
    }
    return page.text(options.colour);
}

}  // namespace oncecheck
