#include "tests/agreement/spin.h"

#include <bit>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace oncecheck {

namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void run_command(const fs::path& folder, const std::string& command) {
    const std::string line = "cd '" + folder.string() + "' && timeout 600 " + command + " >out 2>&1 </dev/null";
    if (std::system(line.c_str()) != 0) {
        throw SpinError("`" + command + "` failed in " + folder.string() + ": " +
                        file_text(folder / "out").substr(0, 400));
    }
}

// The number between `before` and `after` in a line, or none.
bool scan(const std::string& line, const std::string& before, const std::string& after, std::size_t& number) {
    const std::size_t begin = line.find(before);
    if (begin == std::string::npos) {
        return false;
    }
    char* end = nullptr;
    const char* const digits = line.c_str() + begin + before.size();
    number = std::strtoull(digits, &end, 10);
    return end != digits && std::string(end).starts_with(after);
}

}  // namespace

SpinResult parse_spin_output(const std::string& text) {
    SpinResult result;
    bool complete = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::size_t number = 0;
        std::size_t depth = 0;
        if (scan(line, "assertion violated (0==", ")", number) && scan(line, "(at depth ", ")", depth)) {
            result.violated.emplace(number, depth);  // breadth first: the first is the least
        } else if (line.starts_with("pan:") && line.find("elapsed") == std::string::npos &&
                   line.find("rate") == std::string::npos) {
            throw SpinError("the verifier says: " + line);
        } else if (line.find("truncated") != std::string::npos || line.find("not completed") != std::string::npos) {
            throw SpinError("the verifier did not search everything: " + line);
        } else if (line.find(" states, stored") != std::string::npos) {
            result.states = std::strtoull(line.c_str(), nullptr, 10);
            complete = true;
        }
    }
    if (!complete) {
        throw SpinError("the verifier's output has no number of states");
    }
    return result;
}

SpinResult run_spin(const std::string& model, const SpinOptions& options, const fs::path& folder) {
    std::ofstream(folder / "model.pml", std::ios::binary) << model;
    // -o2: a variable that nothing reads is a part of the state as well.
    run_command(folder, "spin -a -o2 " + options.macros + " model.pml");
    run_command(folder, std::string("gcc ") + (options.optimise ? "-O1" : "-O0") +
                            " -w -DSAFETY -DNOREDUCE -DBFS -o pan pan.c");
    const int table = std::max(10, static_cast<int>(std::bit_width(options.expected_states)) + 1);
    run_command(folder, "./pan -c0 -w" + std::to_string(table));
    return parse_spin_output(file_text(folder / "out"));
}

}  // namespace oncecheck
