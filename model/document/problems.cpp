#include "model/document/problems.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/document/reader.h"

namespace oncecheck {

namespace {

// Longer words are no typing mistakes, and their distance costs quadratic time.
constexpr std::size_t kMaxWordLength = 40;
// Further candidates are not looked at.
constexpr std::size_t kMaxCandidates = 1'000;

// Edits that turn one word into the other: insert, delete, replace, or swap two neighbours (optimal string alignment).
std::size_t edit_distance(const std::string& left, const std::string& right) {
    std::vector<std::vector<std::size_t>> cost(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t j = 0; j <= right.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const bool same = left[i - 1] == right[j - 1];
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[left.size()][right.size()];
}

}  // namespace

void add_problem(std::vector<Problem>& problems, Problem problem) {
    if (problems.size() < kMaxProblems && std::find(problems.begin(), problems.end(), problem) == problems.end()) {
        problems.push_back(std::move(problem));
    }
}

void throw_if_any(const std::vector<Problem>& problems) {
    if (!problems.empty()) {
        throw InputError(problems);
    }
}

std::string in_quotes(const std::string& text) {
    std::string result = "'";
    result += shortened(text);
    result += '\'';
    return result;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const std::string nearest = did_you_mean(word, candidates);
    return nearest.empty() ? "" : "did you mean " + in_quotes(nearest) + "?";
}

std::string alternatives(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (index > 0) {
            text += index + 1 == words.size() ? " or " : ", ";
        }
        text += in_quotes(words[index]);
    }
    return text;
}

std::string shortened(const std::string& text) {
    constexpr std::size_t kLength = 60;
    if (text.size() <= kLength) {
        return text;
    }
    std::size_t end = kLength;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "...";
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
    std::string nearest;
    std::size_t nearest_distance = std::string::npos;
    for (const std::string& candidate : std::span(candidates).first(std::min(candidates.size(), kMaxCandidates))) {
        if (word.size() > kMaxWordLength || candidate.size() > kMaxWordLength) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance <= std::max(word.size(), candidate.size()) / 3 && distance < nearest_distance) {
            nearest = candidate;
            nearest_distance = distance;
        }
    }
    return nearest;
}

}  // namespace oncecheck
