// Which steps and faults can occur at all, over all transition systems of a document. A verdict about something that
// never happens is worth nothing, so what never happens is told.
//
// Actions are told apart by what a reader sees: process, place in the document, kind of fault, text. A kind occurs if
// one of its actions does in one system. Most kinds that never occur are outcomes of steps ("fails, the table exists
// already"), which is as it should be; a place in the document of which nothing ever occurs is a finding.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "checker/engines/engine.h"
#include "checker/report/report.h"
#include "model/semantics/hop_options.h"

namespace oncecheck {

class CoverageTally {
  public:
    // What a search of the system has seen; none: it saw no states.
    void add(const TransitionSystem& system, const std::optional<Coverage>& seen);
    // That these faults were to be able to occur to the process.
    void assume(const std::string& process, const ProcessFaults& faults);

    [[nodiscard]] ReportedCoverage report() const;
    // Places in the document that no run gets to; none if not all states were seen.
    [[nodiscard]] std::vector<Finding> findings() const;

  private:
    struct Kind {
        std::string process;
        SourcePosition where;
        std::string fault;
        std::string text;

        [[nodiscard]] auto key() const {
            return std::tie(process, where.file, where.line, where.column, where.pointer, fault, text);
        }
        bool operator<(const Kind& other) const { return key() < other.key(); }
    };
    using ProcessFault = std::pair<std::string, std::string>;  // process, kind of fault

    [[nodiscard]] std::set<ProcessFault> occurring_faults() const;

    bool whole_ = true;
    std::map<Kind, bool> kinds_;  // whether it occurs
    std::set<ProcessFault> assumed_;
};

}  // namespace oncecheck
