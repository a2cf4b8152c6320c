// Golden files: what a renderer gave when somebody last looked at it. ONCECHECK_UPDATE_GOLDEN=1 rewrites them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace oncecheck {

inline void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = std::string(ONCECHECK_TESTS "/export/golden/") + name;
    const char* const update = std::getenv("ONCECHECK_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        std::ofstream(path, std::ios::binary) << text;
    }
    std::ifstream stream(path, std::ios::binary);
    const std::string expected{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    EXPECT_EQ(text, expected) << "if this is what it should be, run with ONCECHECK_UPDATE_GOLDEN=1";
}

}  // namespace oncecheck
