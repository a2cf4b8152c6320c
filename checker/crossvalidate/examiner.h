// Examines one pipeline: the checker's verdicts against runs of the reference runtime under seeded schedules.
//
//   for every schedule: records in one of the checker's patterns of keys -> run under faults -> drain -> judge ->
//   follow
//
// A run may violate only what the checker says is violated, and each of its events has to be a step of the model of its
// hop in the universe of the run. The faults of a run are those that the checker takes for certain, so a bound on a
// time that the document leaves open plays no part. A run with more incarnations than the universe may violate what the
// checker refutes in a universe with one more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checker/compose/verify.h"
#include "checker/crossvalidate/examined_pipeline.h"
#include "model/catalogue/catalogue.h"
#include "model/document/document.h"

namespace oncecheck {

struct ExaminerOptions {
    int schedules = 200;
    VerifyOptions verify;  // sizes, and limits of the check of one pipeline
    std::string store;     // as RuntimeOptions::store
    bool shrink = true;    // a disagreement, by `questions` more examinations at most
    std::size_t questions = 400;
};

class Examiner {
  public:
    // `catalogue` has to outlive the examiner.
    Examiner(const Catalogue& catalogue, ExaminerOptions options);

    // The text of a document; it stands for the base document, not for its variants. `seed` is that of the first
    // schedule. Whatever is wrong with the document becomes the outcome. Throws StoreError where the store cannot be
    // reached, and InternalError.
    [[nodiscard]] ExaminedPipeline examine(const std::string& text, const std::string& file, std::uint64_t seed) const;

  private:
    [[nodiscard]] ExaminedPipeline examine(const Document& document, std::uint64_t seed, int schedules) const;
    void shrink(const std::string& text, ExaminedPipeline& examined) const;

    const Catalogue& catalogue_;
    ExaminerOptions options_;
};

}  // namespace oncecheck
