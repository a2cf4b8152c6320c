// SPIN as a function: a Promela model in, what its verifier finds out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

namespace oncecheck {

struct SpinResult {
    std::size_t states = 0;
    std::map<std::size_t, std::size_t> violated;  // number of a property: depth of the first state that violates it
};

// SPIN, the C compiler or the verifier failed, or the verifier gave up.
class SpinError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct SpinOptions {
    std::size_t expected_states = 1000;  // sizes the hash table
    std::string macros;                  // "-DPROPERTIES"
    bool optimise = false;               // compile for a long search; takes long where there are many actions
};

// Generates, compiles and runs the verifier, breadth first and without reduction, in `folder`, which keeps the files.
// Throws SpinError.
[[nodiscard]] SpinResult run_spin(const std::string& model, const SpinOptions& options,
                                  const std::filesystem::path& folder);

// What the verifier's output says. Throws SpinError if it is not that of a complete search.
[[nodiscard]] SpinResult parse_spin_output(const std::string& text);

}  // namespace oncecheck
