#include "checker/report/run_text.h"

#include <algorithm>
#include <map>
#include <vector>

namespace oncecheck {

namespace {

// Counts are exact up to one; two means two or more.
std::string times(std::uint32_t count) { return count == 1 ? "x1" : "x2 or more"; }

// The rows of each object, as the steps of a run change them.
using Contents = std::map<std::string, std::map<std::string, std::uint32_t>>;

bool is_empty(const Contents& contents, const std::string& object) {
    const auto& rows = contents.at(object);
    return std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.second == 0; });
}

// Objects in the order in which they come.
std::vector<std::string> objects_of(const std::vector<RowCount>& rows) {
    std::vector<std::string> objects;
    for (const RowCount& row : rows) {
        if (std::find(objects.begin(), objects.end(), row.object) == objects.end()) {
            objects.push_back(row.object);
        }
    }
    return objects;
}

std::string rows_of(const std::vector<RowCount>& rows, const std::string& object) {
    std::string text;
    for (const RowCount& row : rows) {
        if (row.object == object) {
            text += (text.empty() ? "" : ", ") + row.row + ' ' + (row.count == 0 ? "gone" : times(row.count));
        }
    }
    return text;
}

class RunPrinter {
  public:
    RunPrinter(TextPage& page, const std::string& document, std::size_t steps)
        : page_(page), document_(document), number_width_(std::to_string(steps).size()) {}

    void print_step(const RunStep& step) {
        ++number_;
        if (number_ == 1 || step.actor != actor_) {
            actor_ = step.actor;
            page_.paragraph("  ", inked(Ink::kBold, actor_.empty() ? "outside" : actor_));
        }
        const std::string number = std::to_string(number_);
        const std::string lead = std::string(step.fault.empty() ? "    " : "  ! ") +
                                 std::string(number_width_ - number.size(), ' ') + number + "  ";
        page_.paragraph(lead, text_of(step));
        const std::string indent(lead.size(), ' ');
        if (!step.flaw.empty()) {
            page_.paragraph(indent, inked(Ink::kBad, "wrong: " + step.flaw));
        }
        print_changes(step, indent + "-> ");
    }

  private:
    std::string text_of(const RunStep& step) const {
        std::string text = step.text;
        if (!step.fault.empty()) {
            text += ' ' + inked(Ink::kBad, "[fault: " + step.fault + ']');
        }
        if (step.where.line > 0) {
            const std::string line = std::to_string(step.where.line);
            const bool here = step.where.file.empty() || step.where.file == document_;
            const std::string place = here ? "line " + line : step.where.file + ':' + line;
            text += ' ' + inked(Ink::kDim, '(' + place + ')');
        }
        return text;
    }

    void print_changes(const RunStep& step, const std::string& lead) {
        for (const RowCount& row : step.changed) {
            contents_[row.object][row.row] = row.count;
        }
        for (const std::string& object : objects_of(step.changed)) {
            const std::string rows = is_empty(contents_, object) ? "now empty" : rows_of(step.changed, object);
            page_.paragraph(lead, inked(Ink::kDim, object + ": ") + rows);
        }
    }

    TextPage& page_;
    const std::string& document_;
    std::size_t number_width_;
    std::size_t number_ = 0;
    std::string actor_;
    Contents contents_;
};

void print_rule(TextPage& page) {
    const std::string text = "  ---- point of no return: from here on every completion violates ";
    page.line(inked(Ink::kBad, text + std::string(kPageWidth - text.size(), '-')));
}

void print_stores(TextPage& page, const std::vector<RowCount>& stores) {
    page.blank();
    if (stores.empty()) {
        page.line("  At the end the stores are empty.");
        return;
    }
    page.line("  At the end the stores hold");
    for (const std::string& object : objects_of(stores)) {
        page.paragraph("    ", object + ": " + rows_of(stores, object));
    }
}

}  // namespace

void print_run(TextPage& page, const Run& run, const std::string& document, bool verbose) {
    const std::size_t turn = std::min(run.point_of_no_return, run.steps.size());
    const std::size_t printed = verbose ? run.steps.size() : turn;
    RunPrinter printer(page, document, printed);
    for (std::size_t index = 0; index < run.steps.size(); ++index) {
        if (index == turn) {
            print_rule(page);
        }
        if (index < printed) {
            printer.print_step(run.steps[index]);
        }
    }
    if (printed < run.steps.size()) {
        page.line("    ... " + counted(run.steps.size() - printed, "more step") + " to completion");
    }
    if (run.trap_states > 0) {
        page.blank();
        page.paragraph("  ", inked(Ink::kBad, "Stuck: ") + "from here steps without a fault reach " +
                                 counted(run.trap_states, "state") + ", and none of them is complete.");
    }
    print_stores(page, run.stores);
    if (!run.timeline.empty()) {
        page.blank();
        page.line("  Times that make it possible");
        for (const std::string& time : run.timeline) {
            page.paragraph("    - ", time);
        }
    }
}

}  // namespace oncecheck
