// Progress on standard error: on a terminal one line that is rewritten, elsewhere a line every few seconds, so that
// short runs are silent and long ones show in a log that they live.
#pragma once

#include <chrono>
#include <string>

namespace oncecheck {

class ProgressLine {
  public:
    // Shows nothing unless `enabled`.
    explicit ProgressLine(bool enabled);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // Shows the text, unless the last one was shown a moment ago.
    void show(const std::string& text);
    // Takes the line away, before something else is printed.
    void clear();

  private:
    bool enabled_;
    bool terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace oncecheck
