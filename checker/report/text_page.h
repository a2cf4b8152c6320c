// A page of text for a terminal: paragraphs wrapped at 100 columns, with ink that becomes colour only if asked for.
//
// Ink is kept as marks inside the text until the page is printed, so wrapping never counts them. Whatever else could
// steer a terminal (control characters in names and reasons that a user wrote) is replaced. Columns are code points.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oncecheck {

inline constexpr std::size_t kPageWidth = 100;

enum class Ink { kBold, kDim, kGood, kBad, kOpen };

// The text between marks of that ink. Inks do not nest.
[[nodiscard]] std::string inked(Ink ink, std::string_view text);

// Code points, marks of ink not counted.
[[nodiscard]] std::size_t width_of(std::string_view text);

// The text with as many blanks behind it as make it `width` wide.
[[nodiscard]] std::string padded(const std::string& text, std::size_t width);

// "1,234,567".
[[nodiscard]] std::string grouped(std::size_t number);

// "1 step", "2 steps".
[[nodiscard]] std::string counted(std::size_t number, const std::string& noun);

// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

class TextPage {
  public:
    // Wraps `text` between the words; the lines after the first are indented by the width of `lead`. A word that is
    // wider than the page stays whole: names are there to be copied.
    void paragraph(const std::string& lead, const std::string& text);
    // One line, not wrapped.
    void line(const std::string& text);
    // An empty line, never two in a row and none at the top.
    void blank();
    // A paragraph, then a list of paragraphs with dashes. Prints nothing if there are no items.
    void section(const std::string& title, const std::vector<std::string>& items);

    [[nodiscard]] std::string text(bool colour) const;

  private:
    std::string text_;
};

}  // namespace oncecheck
