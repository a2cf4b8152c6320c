// Problems as a person sees them.

#include "checker/report/problem_text.h"

#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/reports.h"

namespace oncecheck {
namespace {

TEST(ProblemText, QuotesTheLineAndSaysWhatWasExpected) {
    const std::vector<Problem> problems = {
        {"unknown-key", at(6, 11, "/components/enrich/foreachBatch/0/truncate"), "unknown key 'truncate'",
         "one of append, create", "did you mean 'append'?"},
        {"catalogue", {"specs/components", 0, 0, "/type"}, "the type t is already in t.json", "", ""},
        {"file", {}, "something else is wrong", "", ""},
    };
    TextPage page;
    print_problems(page, problems, [](const std::string& file) { return file == kFile ? kDocument : ""; });
    expect_golden("problems.txt", page.text(false));
}

}  // namespace
}  // namespace oncecheck
