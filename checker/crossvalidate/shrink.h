// Shrinking: the smallest document of which something is still true, by taking parts away (delta debugging: Zeller and
// Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002).
//
//   one pass: for every member and element, outermost first: without it, does it still hold?  until a pass changes
//   nothing
//
// It does not change what is left; a result is small, not the smallest. What a document sets or assumes (`config`,
// `assume`, `records`) goes only together with its component, or as an element of a list: where a setting is left out
// its default holds, and that is another pipeline, which may well show something else.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace oncecheck {

// Asked of a smaller document: does it still show what is looked for? It must not throw.
using StillShows = std::function<bool(const nlohmann::ordered_json& smaller)>;

// Requires still_shows(document). Asks at most `questions` times.
[[nodiscard]] nlohmann::ordered_json shrunk(nlohmann::ordered_json document, const StillShows& still_shows,
                                            std::size_t questions);

// The same for the elements of a list, of which a subsequence is kept: halves first, then smaller pieces.
[[nodiscard]] std::vector<std::size_t> shrunk_list(
    std::size_t size, const std::function<bool(const std::vector<std::size_t>& kept)>& still_shows,
    std::size_t questions);

// A document as a person would lay it out: what fits into a line is one line, so that a program has a step a line.
[[nodiscard]] std::string laid_out(const nlohmann::ordered_json& document);

}  // namespace oncecheck
