// Random pipeline documents, the same for the same seed everywhere: one query or two that bring their batches into
// db.payments, through a staging object or at once, in all the ways that the format has for it, sensible or not. Some
// are refused by the reader or the translation; that is part of what they are for.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace oncecheck {

using OrderedJson = nlohmann::ordered_json;

class RandomPipeline {
  public:
    explicit RandomPipeline(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] OrderedJson make();

  private:
    [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
    [[nodiscard]] bool one_in(std::size_t chance) { return below(chance) == 0; }
    [[nodiscard]] std::string any(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

    [[nodiscard]] OrderedJson faults(bool two);
    [[nodiscard]] OrderedJson log_records();
    [[nodiscard]] OrderedJson tables();
    [[nodiscard]] OrderedJson query(const std::string& name, const OrderedJson& steps);
    [[nodiscard]] OrderedJson program();
    void prepare(OrderedJson& steps);
    void load(OrderedJson& steps);
    void apply(OrderedJson& steps);
    [[nodiscard]] OrderedJson apply_statement();
    [[nodiscard]] OrderedJson merge_statement();
    [[nodiscard]] OrderedJson plain_statement();

    std::mt19937_64 random_;
    std::string staging_;
    bool direct_ = false;  // no staging object
    bool tagged_ = false;  // staged rows carry the batch
    bool fenced_ = false;
};

}  // namespace oncecheck
