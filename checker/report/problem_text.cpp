#include "checker/report/problem_text.h"

#include "checker/report/source_quote.h"

namespace oncecheck {

namespace {

void print_problem(TextPage& page, const Problem& problem, const FileText& text_of) {
    const std::string place = to_string(problem.where);
    page.paragraph("", inked(Ink::kBold, place + (place.empty() ? "" : ":")) + (place.empty() ? "" : " ") +
                           inked(Ink::kBad, "error:") + ' ' + problem.message +
                           inked(Ink::kDim, " [" + problem.code + ']'));
    if (problem.where.line > 0) {
        quote_source(page, 2, text_of(problem.where.file), problem.where);
    } else if (!problem.where.pointer.empty()) {
        page.line("  at " + problem.where.pointer);
    }
    if (!problem.expected.empty()) {
        page.paragraph("  expected: ", problem.expected);
    }
    if (!problem.hint.empty()) {
        page.paragraph("  hint: ", problem.hint);
    }
}

}  // namespace

void print_problems(TextPage& page, const std::vector<Problem>& problems, const FileText& text_of) {
    for (const Problem& problem : problems) {
        print_problem(page, problem, text_of);
    }
}

}  // namespace oncecheck
