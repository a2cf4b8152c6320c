// What every verdict about a document rests on, whoever decides it: in sentences for the reader, and the one rule about
// producers that repeat.
#pragma once

#include <string>
#include <vector>

#include "checker/compose/plan.h"
#include "model/pipeline/pipeline.h"

namespace oncecheck {

// A target that is keyed by what the records carry (not by where they lie) takes a repeated record once; whether it
// really does is what the hop's own check with repeating keys shows. Then a producer may repeat.
[[nodiscard]] bool absorbs_repeats(const Pipeline& pipeline, const ResolvedRequirement& requirement);

// "2 batches of 2 rows, ..."
[[nodiscard]] std::string size_sentence(const UniverseSize& size);
// "gateway: crash lost-ack"
[[nodiscard]] std::string fault_sentence(const Pipeline& pipeline, const PlannedProducer& producer);
[[nodiscard]] std::vector<std::string> assumption_sentences(const Pipeline& pipeline);

}  // namespace oncecheck
