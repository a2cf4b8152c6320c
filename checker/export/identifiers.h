// Names of the model as identifiers of another language: letters, digits and underscores, close to the name, unlike
// each other and unlike the language's own words.
//
//   "payments[0] rows in db.stg"  ->  payments_0_rows_in_db_stg
//
// What is lost on the way is in a table that every exported file carries: identifier, name.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oncecheck {

class Identifiers {
  public:
    // `reserved`: what may not be an identifier.
    explicit Identifiers(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}

    // A new identifier: that of the name, with a number if it is not the first with it.
    std::string add(std::string_view name);

  private:
    std::set<std::string> taken_;
};

// Runs of anything but letters and digits as one underscore, none at the ends; "x" before a digit. At most 80
// characters.
[[nodiscard]] std::string identifier_of(std::string_view name);

// Identifiers and names in two columns, a line each, for a comment; names without what would end a line.
[[nodiscard]] std::vector<std::string> name_table(const std::vector<std::string>& identifiers,
                                                  const std::vector<std::string>& names);

// The text without line breaks and other control characters, and without `forbidden`, which would end a comment.
[[nodiscard]] std::string comment_text(std::string_view text, std::string_view forbidden);

}  // namespace oncecheck
