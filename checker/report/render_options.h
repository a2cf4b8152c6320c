// What a renderer may be told: how to show, never what to show.
#pragma once

namespace oncecheck {

struct RenderOptions {
    bool colour = false;   // for a terminal
    bool strict = false;   // a verdict that holds only on a bound is not as expected
    bool verbose = false;  // runs to their end, not folded at the point of no return
    bool several = false;  // several documents or variants were asked for, however many there are reports of
};

}  // namespace oncecheck
