// The quoted line and its underline.

#include "checker/report/source_quote.h"

#include <gtest/gtest.h>

#include <sstream>

namespace oncecheck {
namespace {

std::string quoted(const std::string& text, int line, int column) {
    TextPage page;
    quote_source(page, 2, text, {"f.json", line, column, ""});
    return page.text(false);
}

TEST(SourceQuote, UnderlinesAString) {
    EXPECT_EQ(quoted("{\n  \"a\": \"b \\\" c\", \"d\": 1 }", 2, 8),
              "  2 |   \"a\": \"b \\\" c\", \"d\": 1 }\n"
              "    |        ^~~~~~~~\n");
}

TEST(SourceQuote, UnderlinesAnObjectToItsEnd) {
    EXPECT_EQ(quoted("[ { \"a\": [\"}\"] }, 2 ]", 1, 3),
              "  1 | [ { \"a\": [\"}\"] }, 2 ]\n"
              "    |   ^~~~~~~~~~~~~~\n");
}

TEST(SourceQuote, UnderlinesAWord) {
    EXPECT_EQ(quoted("{\"n\": 604800000}", 1, 7),
              "  1 | {\"n\": 604800000}\n"
              "    |       ^~~~~~~~~\n");
}

TEST(SourceQuote, CountsCodePointsAndTabsAsOneColumn) {
    EXPECT_EQ(quoted("\t\"\xc3\xa9\": 1", 1, 7),
              "  1 |  \"\xc3\xa9\": 1\n"
              "    |       ^\n");
}

TEST(SourceQuote, KnowsEveryLineEnd) {
    EXPECT_EQ(quoted("a\r\nb\rc\nd", 4, 1), "  4 | d\n    | ^\n");
    EXPECT_EQ(quoted("a\n\nb", 3, 1), "  3 | b\n    | ^\n");
}

TEST(SourceQuote, CutsALongLineAroundTheMark) {
    const std::string text = std::string(500, 'a') + " \"here\" " + std::string(500, 'b');
    std::istringstream lines(quoted(text, 1, 502));
    std::string line;
    std::string mark;
    std::getline(lines, line);
    std::getline(lines, mark);
    EXPECT_LE(width_of(line), kPageWidth);
    EXPECT_TRUE(line.starts_with("  1 | ...")) << line;
    EXPECT_TRUE(line.ends_with("...")) << line;
    EXPECT_EQ(line.find("\"here\""), mark.find("^~~~~~")) << line << '\n' << mark;
}

TEST(SourceQuote, QuotesNothingWhereThereIsNoSuchPlace) {
    EXPECT_EQ(quoted("a\nb", 3, 1), "");
    EXPECT_EQ(quoted("a\nb", 0, 0), "");
    EXPECT_EQ(quoted("a\n  \nb", 2, 1), "");
    EXPECT_EQ(quoted("", 1, 1), "");
    EXPECT_EQ(quoted("ab", 1, 9), "  1 | ab\n");
}

}  // namespace
}  // namespace oncecheck
