// Short ways to read a document in a test: the document, or the problems that it has.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "model/document/reader.h"

namespace oncecheck {

inline std::vector<Problem> problems_of(const std::string& text, const ReadOptions& options = {}) {
    try {
        (void)parse_documents(text, "test.json", options);
    } catch (const InputError& error) {
        return error.problems();
    }
    return {};
}

// "code pointer" of each problem, in order.
inline std::vector<std::string> codes_of(const std::string& text, const ReadOptions& options = {}) {
    std::vector<std::string> codes;
    for (const Problem& problem : problems_of(text, options)) {
        codes.push_back(problem.code + " " + problem.where.pointer);
    }
    return codes;
}

inline Document read_one(const std::string& text) { return parse_documents(text, "test.json", {}).front(); }

// A document with one process "p", whose program is the list of these steps.
inline std::string with_steps(const std::string& steps) {
    return R"({"components": {"p": {"type": "t", "steps": [)" + steps + "]}}}";
}

inline Step read_step(const std::string& step) { return read_one(with_steps(step)).components.front().steps.front(); }

// A document with one component "c" of these members.
inline std::string with_component(const std::string& members) {
    return R"({"components": {"c": {"type": "t", )" + members + "}}}";
}

// A document with a component and these further members.
inline std::string with_members(const std::string& members) { return R"({"components": {"c": "t"}, )" + members + "}"; }

inline std::string file_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

using Codes = std::vector<std::string>;

}  // namespace oncecheck
