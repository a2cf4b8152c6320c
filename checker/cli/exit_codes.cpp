#include "checker/cli/exit_codes.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "checker/cli/output.h"
#include "checker/report/problem_text.h"

namespace oncecheck {

namespace {

constexpr int kByWeight[] = {kExitAsExpected, kExitUndecided, kExitNotAsExpected, kExitBadInput, kExitInternalError};

int failed(int code, const std::string& message) {
    print_error("oncecheck: " + message + '\n');
    return code;
}

int failed_internally(const std::exception& error) {
    return failed(kExitInternalError,
                  std::string("internal error: ") + error.what() +
                      "\nThis is a mistake in oncecheck, not in the pipeline; no verdict was given.");
}

}  // namespace

int worse(int left, int right) {
    const auto weight = [](int code) { return std::find(std::begin(kByWeight), std::end(kByWeight), code); };
    return weight(left) < weight(right) ? right : left;
}

int guarded(const std::function<void()>& action) {
    try {
        action();
        return kExitAsExpected;
    } catch (const InputError& error) {
        print_problems_to_error(error.problems(), {});
        return kExitBadInput;
    } catch (const UsageError& error) {
        return failed(kExitBadInput, error.what());
    } catch (const std::bad_alloc&) {
        return failed(kExitUndecided, "undecided: out of memory; see --memory, --records and --batches");
    } catch (const std::exception& error) {
        return failed_internally(error);
    }
}

}  // namespace oncecheck
