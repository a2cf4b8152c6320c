#include "checker/cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "checker/cli/output.h"
#include "checker/report/text_page.h"

namespace oncecheck {

namespace {

constexpr std::chrono::milliseconds kRewriteAfter{100};
constexpr std::chrono::seconds kNextLineAfter{5};

std::size_t terminal_width() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

// The text on one line, without anything that could steer the terminal, cut to the width.
std::string one_line(const std::string& text, std::size_t width) {
    TextPage page;
    page.line(text);
    std::string line = page.text(false);
    line.pop_back();
    while (width_of(line) > width) {
        line.pop_back();
    }
    return line;
}

}  // namespace

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled),
      terminal_(is_terminal(stderr)),
      next_(std::chrono::steady_clock::now() +
            (terminal_ ? std::chrono::milliseconds(kRewriteAfter) : std::chrono::milliseconds(kNextLineAfter))) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (!enabled_ || now < next_) {
        return;
    }
    if (terminal_) {
        next_ = now + kRewriteAfter;
        print_error("\r\x1b[K" + one_line(text, terminal_width() - 1));
        shown_ = true;
    } else {
        next_ = now + kNextLineAfter;
        print_error(one_line(text, kPageWidth * 2) + '\n');
    }
}

void ProgressLine::clear() {
    if (shown_) {
        print_error("\r\x1b[K");
        shown_ = false;
    }
}

}  // namespace oncecheck
