#include "model/semantics/producer.h"

namespace oncecheck {

namespace {

enum Place : Value { kIdle, kSending, kUnconfirmed, kReported, kGivenUp };

class ProducerBuilder {
  public:
    ProducerBuilder(const Pipeline& pipeline, ComponentId id, const ProcessFaults& faults)
        : component_(pipeline.component(id)), faults_(faults) {
        const ResolvedSettings& settings = component_.settings;
        recognised_ = settings.meaning("idempotent") == "yes" || settings.meaning("transactional") == "yes";
        retries_ = settings.meaning("retries") == "possible";
        waits_ = settings.meaning("acknowledged") != "none";
        system_.variables = {{component_.document.name + " position", kGivenUp, kIdle, true},
                             {"copies in the log", 2, 0, false}};
    }

    TransitionSystem build() {
        add(ActionKind::kStep, kIdle, {{0, Expression::constant(kSending)}}, "sends the record", "", EventKind::kSend);
        if (waits_) {
            add(ActionKind::kStep, kSending, arrived(kReported), "is told that the log has the record", "",
                EventKind::kConfirmed);
        } else {
            add(ActionKind::kStep, kSending, {{0, Expression::constant(kUnconfirmed)}},
                "reports success without waiting for the broker", "", EventKind::kUnconfirmed);
            add(ActionKind::kStep, kUnconfirmed, arrived(kReported), "has its record arrive in the log", "",
                EventKind::kArrival);
            if (faults_.lost_ack || faults_.crash) {
                add(ActionKind::kFault, kUnconfirmed, {{0, Expression::constant(kReported)}},
                    "loses the request on the way; nobody notices", faults_.lost_ack ? "lost-ack" : "crash",
                    EventKind::kRequestLost);
            }
        }
        if (waits_ && faults_.lost_ack) {
            const Place next = retries_ ? kSending : kGivenUp;
            add(ActionKind::kFault, kSending, arrived(next),
                retries_ ? "gets no answer although the log has the record, and sends it again"
                         : "gets no answer although the log has the record, and gives up",
                "lost-ack", retries_ ? EventKind::kResend : EventKind::kGiveUp);
        }
        if (faults_.crash) {
            add(ActionKind::kFault, kSending, {{0, Expression::constant(kGivenUp)}}, "crashes", "crash",
                EventKind::kCrash);
        }
        system_.complete = disjunction({equals(0, kReported), equals(0, kGivenUp)});
        return std::move(system_);
    }

  private:
    std::vector<Assignment> arrived(Place next) const {
        const Expression copies = Expression::variable(1);
        const Expression after = recognised_ ? truth() : add_one(copies);
        return {{0, Expression::constant(next)}, {1, after}};
    }

    static Expression add_one(const Expression& copies) { return oncecheck::add({copies, truth()}, 2); }

    void add(ActionKind kind, Place at, std::vector<Assignment> assignments, const std::string& text,
             const std::string& fault, EventKind event) {
        Action action;
        action.label.event.kind = event;
        action.kind = kind;
        action.guard = {equals(0, at)};
        action.assignments = std::move(assignments);
        action.label.process = component_.document.name;
        action.label.text = text;
        action.label.fault = fault;
        action.label.where = component_.document.where;
        // A resend that changes nothing is no step.
        if (fault == "lost-ack" && at == kSending && recognised_ && retries_) {
            action.guard.push_back(equals(1, 0));
        }
        system_.actions.push_back(std::move(action));
    }

    const PipelineComponent& component_;
    const ProcessFaults& faults_;
    bool recognised_ = false;
    bool retries_ = false;
    bool waits_ = true;
    TransitionSystem system_;
};

}  // namespace

HopSystem build_producer(const Pipeline& pipeline, ComponentId producer, const std::vector<std::size_t>& requirements,
                         const ProcessFaults& faults) {
    HopSystem result;
    result.system = ProducerBuilder(pipeline, producer, faults).build();
    result.system.name = pipeline.component(producer).document.name;
    result.universe = "one record on its way into the log";
    result.followed = "a record of " + result.system.name;
    result.rows.push_back({"the log", "the record", 1, false, -1, {}});
    for (const std::size_t index : requirements) {
        const RequirementKind kind = pipeline.requirements[index].kind;
        const auto add = [&](Flaw flaw, const Expression& bad) {
            result.system.properties.push_back({std::to_string(index) + ':' + to_string(flaw), bad});
            result.meanings.push_back({index, flaw});
        };
        if (kind == RequirementKind::kExactlyOnce || kind == RequirementKind::kNoLoss) {
            add(Flaw::kLoss, conjunction({equals(0, kReported), equals(1, 0)}));
        }
        if (kind == RequirementKind::kExactlyOnce || kind == RequirementKind::kNoDuplicate) {
            add(Flaw::kDuplicate, equals(1, 2));
        }
    }
    validate(result.system);
    return result;
}

}  // namespace oncecheck
