#include "checker/crossvalidate/replay_text.h"

#include <algorithm>

namespace oncecheck {

namespace {

std::string row_text(const std::vector<SqlValue>& row, const std::vector<std::string>& columns) {
    std::string text;
    for (std::size_t column = 0; column < row.size() && column < columns.size(); ++column) {
        if (row[column]) {
            text += (text.empty() ? "" : ", ") + columns[column] + ' ' + *row[column];
        }
    }
    return text;
}

// The objects that hold other rows than before.
void write_changes(const Content& before, const Content& after, const std::vector<std::string>& columns,
                   TextPage& page) {
    for (const ObjectContent& object : after) {
        const bool same = std::find(before.begin(), before.end(), object) != before.end();
        if (same) {
            continue;
        }
        page.paragraph("       ", object.name + ": " + counted(object.rows.size(), "row"));
        for (const std::vector<SqlValue>& row : object.rows) {
            page.paragraph("         - ", row_text(row, columns));
        }
    }
    for (const ObjectContent& object : before) {
        const bool there = std::any_of(after.begin(), after.end(), [&](const ObjectContent& one) {
            return one.place == object.place && one.name == object.name;
        });
        if (!there) {
            page.paragraph("       ", object.name + " is gone");
        }
    }
}

void write_event(const RunEvent& event, TextPage& page) {
    for (const std::string& sql : event.sql) {
        page.paragraph("       ", inked(Ink::kDim, sql));
    }
    if (event.outcome != RunOutcome::kDone) {
        page.paragraph("       ",
                       std::string(to_string(event.outcome)) + (event.message.empty() ? "" : ": " + event.message));
    }
}

Ink ink_of(ReplayVerdict verdict) {
    switch (verdict) {
        case ReplayVerdict::kConfirmed:
            return Ink::kGood;
        case ReplayVerdict::kRefuted:
            return Ink::kBad;
        case ReplayVerdict::kNeedsOtherStore:
            break;
    }
    return Ink::kOpen;
}

}  // namespace

std::string name_of(const ResolvedRequirement& requirement) {
    return std::string(to_string(requirement.kind)) + ' ' + requirement.target;
}

void write_replay(const Pipeline& pipeline, const Replay& replay, TextPage& page) {
    page.blank();
    page.line(inked(Ink::kBold, name_of(pipeline.requirements[replay.requirement]) + ": " + replay.flaw));
    page.blank();
    Content before;
    for (std::size_t number = 0; number < replay.steps.size(); ++number) {
        const ReplayedStep& step = replay.steps[number];
        const std::string lead = padded("  " + std::to_string(number + 1), 5);
        page.paragraph(lead, step.actor + ' ' + step.text + (step.fault.empty() ? "" : "  [" + step.fault + ']'));
        for (const RunEvent& event : step.events) {
            write_event(event, page);
        }
        write_changes(before, step.content, replay.run.columns, page);
        before = step.content;
    }
    page.blank();
    page.paragraph(inked(ink_of(replay.verdict), to_string(replay.verdict)) + ": ", replay.reason);
}

}  // namespace oncecheck
