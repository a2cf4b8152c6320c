#include <unistd.h>

#include <csignal>

#include "checker/cli/command.h"
#include "checker/cli/exit_codes.h"

namespace {

extern "C" void stop_at_interrupt(int) { _exit(oncecheck::kExitInterrupted); }

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, stop_at_interrupt);
    std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as a failed write
    return oncecheck::run_program(oncecheck::Arguments(argv + (argc > 0 ? 1 : 0), argv + argc));
}
