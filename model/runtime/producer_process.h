// A producer: its application hands record after record to the client, which sends them to the log until the broker has
// acknowledged, and reports back. What the application has been told was sent has entered the pipeline.
//
//   kStart, then for each record   kSend    the broker appends it
//                                  kResend  the acknowledgement was lost: the client sends it again, if it retries
//                                  kReport  the application hears that it was sent (or that it was not)
//
// With acks=0 the client reports before the broker has it. An idempotent client re-sends under the same sequence
// number; one with a transactional identifier commits each record before it reports it, and a new incarnation fences
// the old one and aborts what that left open. A new incarnation goes on behind the record that was under way; under the
// fault `redelivery` its application may send that record again, under another sequence number. Sources: KafkaProducer
// and ProducerConfig of Kafka 3.9; KIP-98.
#pragma once

#include <vector>

#include "model/runtime/run_world.h"

namespace oncecheck {

class ProducerProcess {
  public:
    ProducerProcess(RunWorld& world, ComponentId process);

    void add_steps(std::vector<Move>& moves) const;
    void add_faults(std::vector<Move>& moves) const;
    void perform(const Move& move, RunEvent& event);

    // Every record has been sent, or given up.
    [[nodiscard]] bool done() const { return next_ == records_.size(); }
    [[nodiscard]] ComponentId process() const { return process_; }
    [[nodiscard]] bool lives() const { return lives_; }

  private:
    // Of the record that is next.
    enum class Stage { kNew, kUnacknowledged, kAcknowledged, kReported };

    [[nodiscard]] RunFaults faults() const;
    [[nodiscard]] Move move(MoveKind kind) const;
    void start();
    void send(int record, MoveFault fault, RunEvent& event);
    void report(RunEvent& event);
    void crash(RunEvent& event);

    RunWorld& world_;
    ComponentId process_;
    bool idempotent_ = false;
    bool retries_ = false;
    bool reports_first_ = false;
    bool transactional_ = false;
    std::vector<int> records_;
    std::vector<int> given_up_;  // under way when an incarnation died; their application may send them again
    std::size_t next_ = 0;
    Stage stage_ = Stage::kNew;
    bool lives_ = false;
    int starts_ = 0;
    ProducerStamp stamp_;
    std::vector<int> sequences_;  // next one by partition
};

}  // namespace oncecheck
