// Two engines contradict each other: nothing that a user can mend, so everything that we need to mend it is put into a
// directory to be reported.
#pragma once

#include "checker/compose/system_check.h"
#include "model/document/document.h"

namespace oncecheck {

// Writes a bundle into a new directory below the working directory, or else below that for temporary files, and says on
// standard error where it is.
void print_contradiction(const Contradiction& contradiction, const Document& document);

}  // namespace oncecheck
