// Drawings as text: DOT for Graphviz, Mermaid for pages that render it.
#pragma once

#include <string>

#include "checker/export/drawing.h"

namespace oncecheck {

[[nodiscard]] std::string render_dot(const Drawing& drawing);
[[nodiscard]] std::string render_mermaid(const Drawing& drawing);

}  // namespace oncecheck
