// A pipeline: a document resolved against the catalogue. Components know their type and settings, steps know which
// object of which store they touch, requirements know what they are about, defaults are filled in.
//
// What can be equal is not decided here: an object reference keeps its template (model/semantics/naming.h renders it).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/catalogue/catalogue.h"
#include "model/document/document.h"
#include "model/errors.h"

namespace oncecheck {

using ComponentId = std::size_t;

// Where an object lives: in a store, in the session of one incarnation, or in an application that processes share.
enum class ObjectScope { kStore, kSession, kApplication };

// An object as a step or connection names it.
struct ObjectReference {
    ObjectScope scope = ObjectScope::kStore;
    ComponentId store = 0;  // of scope kStore
    Template name;          // inside the store: "stg_{batch}"

    bool operator==(const ObjectReference&) const = default;
};

struct PipelineComponent {
    Component document;
    const ComponentType* type = nullptr;
    ResolvedSettings settings;
};

// What must hold of what. `targets` of exactly-once and its parts are one object; of isolated-staging and progress
// they are processes.
struct ResolvedRequirement {
    RequirementKind kind = RequirementKind::kExactlyOnce;
    ObjectReference object;              // exactly-once and its parts
    std::vector<ComponentId> processes;  // isolated-staging, progress: the processes meant
    std::optional<ComponentId> from;     // exactly-once and its parts
    std::string target;                  // for people: "warehouse.ledger", "enrich", "*"
    std::optional<Expectation> expect;
    std::string reason;
    bool is_default = false;
    SourcePosition where;
};

// Which log and which table a reconciliation of the document compares. It reads on, and is no consumer: what it
// compares stays an origin and an end as if it were not there.
struct ResolvedReconciliation {
    ComponentId component = 0;
    ComponentId source = 0;  // a log
    ObjectReference sink;
    ComparedBy by = ComparedBy::kKey;
    std::vector<ComponentId> processes;  // that read the source and put records into the sink
    std::string target;                  // the sink, for people: "warehouse.ledger"
};

struct Pipeline {
    Document document;
    std::vector<PipelineComponent> components;  // as in the document
    std::vector<ResolvedRequirement> requirements;
    std::vector<ResolvedReconciliation> reconciliations;  // take part in no verdict
    std::vector<Finding> findings;

    [[nodiscard]] const PipelineComponent& component(ComponentId id) const { return components.at(id); }
    [[nodiscard]] std::optional<ComponentId> find(const std::string& name) const;
    // The faults that are assumed of a process: its own list, else the document's, else the default, without those
    // that the document rules out.
    [[nodiscard]] std::vector<Fault> faults_of(ComponentId process) const;
    // An assumed time, the component's own before the document's.
    [[nodiscard]] std::optional<AssumedTime> assumed(ComponentId component, const std::string& time) const;
};

// Resolves a document. Throws InputError with everything that is wrong: unknown types, names that lead nowhere, steps
// that the components cannot do, requirements about nothing.
[[nodiscard]] Pipeline resolve(const Document& document, const Catalogue& catalogue);

// The object that a step of `process` means by `name`; adds a problem (code "dangling-reference") if the name leads
// nowhere.
[[nodiscard]] ObjectReference resolve_object(const Pipeline& pipeline, const Template& name,
                                             std::vector<Problem>& problems);

// "warehouse.ledger", "stg" (session) or "global_temp.stg": the object as the document writes it.
[[nodiscard]] std::string to_string(const Pipeline& pipeline, const ObjectReference& object);

// The declaration of an object, if its store has one whose name can render so; null otherwise.
[[nodiscard]] const DeclaredObject* declaration_of(const Pipeline& pipeline, const ObjectReference& object);

}  // namespace oncecheck
