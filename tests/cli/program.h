// Runs the program as a user does and keeps what it prints on each stream. No shell in between.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace oncecheck {

inline std::string file_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

using Arguments = std::vector<std::string>;

// What one run came to. `code` is the exit code, or minus the signal that ended it.
struct Outcome {
    int code = 0;
    std::string out;
    std::string error;
};

// A directory of its own for each test, the working directory of the programs that it runs.
class ProgramTest : public testing::Test {
  protected:
    ProgramTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "oncecheck-XXXXXX").string();
        folder_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
    }
    ~ProgramTest() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ + '/' + name; }

    std::string write(const std::string& name, const std::string& text) const {
        write_text(path(name), text);
        return name;
    }

    // Starts the program with its streams redirected to files, `input` on standard input.
    [[nodiscard]] pid_t start(std::vector<std::string> arguments, const std::string& input = "",
                              const std::vector<std::string>& environment = {}, const std::string& out = "out") const {
        write_text(path("in"), input);
        arguments.insert(arguments.begin(), ONCECHECK_BINARY);
        std::vector<char*> pointers;
        std::transform(arguments.begin(), arguments.end(), std::back_inserter(pointers),
                       [](std::string& argument) { return argument.data(); });
        pointers.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            const bool ready = chdir(folder_.c_str()) == 0 && redirect("in", O_RDONLY, STDIN_FILENO) &&
                               redirect(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) &&
                               redirect("error", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
            for (const std::string& variable : environment) {
                putenv(const_cast<char*>(variable.c_str()));
            }
            if (ready) {
                execv(pointers[0], pointers.data());
            }
            _exit(127);
        }
        return child;
    }

    [[nodiscard]] Outcome finish(pid_t child) const {
        int status = 0;
        waitpid(child, &status, 0);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return {code, file_text(path("out")), file_text(path("error"))};
    }

    [[nodiscard]] Outcome run(const std::vector<std::string>& arguments, const std::string& input = "",
                              const std::vector<std::string>& environment = {}) const {
        return finish(start(arguments, input, environment));
    }

  private:
    static bool redirect(const char* file, int flags, int stream) {
        const int descriptor = open(file, flags, 0600);
        return descriptor >= 0 && dup2(descriptor, stream) >= 0;
    }

    std::string folder_;
};

// A pipeline of one query that appends to a table: a crash between append and commit makes it repeat the batch.
inline std::string appending_pipeline(const std::string& name, const std::string& expect) {
    const std::string expectation = expect.empty() ? "" : R"(, "expect": ")" + expect + '"';
    return R"({ "pipeline": ")" + name + R"(",
  "assume": { "faults": ["crash"] },
  "components": {
    "events": { "type": "kafka-topic", "version": "3.7", "config": { "retention.ms": -1 },
      "records": { "id": "id", "key": "id", "key_repeats": "never" } },
    "load": { "type": "spark-structured-streaming", "version": "3.5", "reads": "events",
      "config": { "checkpointLocation": "hdfs://nn/chk", "startingOffsets": "earliest" },
      "foreachBatch": [ { "append": "db.rows" } ] },
    "db": { "type": "postgresql", "version": "15" } },
  "require": [ { "no-duplicate": "db.rows", "from": "events")" +
           expectation + " } ] }\n";
}

// The same with the other verdict: without duplicates nothing is wrong with losing none.
inline std::string holding_pipeline(const std::string& name) {
    std::string text = appending_pipeline(name, "");
    const std::string kind = "no-duplicate";
    return text.replace(text.find(kind), kind.size(), "no-loss");
}

}  // namespace oncecheck
