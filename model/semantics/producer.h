// A producer as a transition system of its own: one record on its way into a log. What has entered is what the producer
// reports as sent; the log may hold it twice (a resend that the broker does not recognise) or not at all (success
// reported before the broker has it).
//
// Source: Apache Kafka, KIP-98 (idempotent producer: the broker drops a sequence number that it has), producer settings
// acks, retries and enable.idempotence.
#pragma once

#include "model/semantics/hop.h"

namespace oncecheck {

// The system of one producer for the requirements that count from it. Requires a component of the producer protocol.
[[nodiscard]] HopSystem build_producer(const Pipeline& pipeline, ComponentId producer,
                                       const std::vector<std::size_t>& requirements, const ProcessFaults& faults);

}  // namespace oncecheck
