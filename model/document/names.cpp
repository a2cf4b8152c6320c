#include "model/document/names.h"

#include "model/errors.h"

namespace oncecheck {

namespace {

template <class Value, std::size_t kSize>
const char* name_of(const Named<Value> (&names)[kSize], Value value) {
    for (const Named<Value>& candidate : names) {
        if (candidate.value == value) {
            return candidate.name;
        }
    }
    throw InternalError("a value of the document without a name");
}

}  // namespace

const char* to_string(Fault fault) { return name_of(kFaultNames, fault); }
const char* to_string(Verb verb) { return name_of(kVerbNames, verb); }
const char* to_string(ComparedBy by) { return name_of(kComparedByNames, by); }
const char* to_string(RequirementKind kind) { return name_of(kRequirementNames, kind); }
const char* to_string(Expectation expectation) { return name_of(kExpectationNames, expectation); }

}  // namespace oncecheck
