#include "model/runtime/producer_process.h"

#include <algorithm>

namespace oncecheck {

ProducerProcess::ProducerProcess(RunWorld& world, ComponentId process) : world_(world), process_(process) {
    const PipelineComponent& producer = world_.pipeline.component(process);
    idempotent_ = producer.settings.meaning("idempotent") == "yes";
    retries_ = producer.settings.meaning("retries") == "possible";
    reports_first_ = producer.settings.meaning("acknowledged") == "none";
    transactional_ = producer.settings.meaning("transactional") == "yes";
    for (std::size_t record = 0; record < world_.inputs().records.size(); ++record) {
        const std::string& log = world_.pipeline.component(world_.inputs().records[record].log).document.name;
        const auto& writes = producer.document.writes;
        if (std::any_of(writes.begin(), writes.end(),
                        [&](const Connection& connection) { return connection.object.text == log; })) {
            records_.push_back(static_cast<int>(record));
        }
    }
}

RunFaults ProducerProcess::faults() const {
    const auto found = world_.inputs().faults.find(process_);
    return found == world_.inputs().faults.end() ? RunFaults{} : found->second;
}

Move ProducerProcess::move(MoveKind kind) const {
    return {.kind = kind,
            .process = process_,
            .incarnation = kind == MoveKind::kStart ? starts_ : starts_ - 1,
            .record = kind == MoveKind::kStart || kind == MoveKind::kCrash ? -1 : records_.at(next_)};
}

void ProducerProcess::add_steps(std::vector<Move>& moves) const {
    if (done()) {
        return;
    }
    if (!lives_) {
        moves.push_back(move(MoveKind::kStart));
        return;
    }
    switch (stage_) {
        case Stage::kNew:
            moves.push_back(move(reports_first_ ? MoveKind::kReport : MoveKind::kSend));
            return;
        case Stage::kUnacknowledged:
            moves.push_back(move(retries_ ? MoveKind::kResend : MoveKind::kReport));
            return;
        case Stage::kAcknowledged:
            moves.push_back(move(MoveKind::kReport));
            return;
        case Stage::kReported:
            moves.push_back(move(MoveKind::kSend));
            return;
    }
}

void ProducerProcess::add_faults(std::vector<Move>& moves) const {
    const RunFaults faults = this->faults();
    if (lives_ && faults.redelivery) {
        for (const int record : given_up_) {
            moves.push_back(move(MoveKind::kCrash));
            moves.back().kind = MoveKind::kSend;
            moves.back().record = record;
            moves.back().fault = MoveFault::kRedelivery;
        }
    }
    if (!lives_ || done()) {
        return;
    }
    if (faults.crash) {
        moves.push_back(move(MoveKind::kCrash));
    }
    // Without acknowledgements it is the request itself that nobody misses.
    if (faults.lost_ack && stage_ == (reports_first_ ? Stage::kReported : Stage::kNew)) {
        moves.push_back(move(MoveKind::kSend));
        moves.back().fault = MoveFault::kLostAck;
    }
}

void ProducerProcess::perform(const Move& move, RunEvent& event) {
    event.where = world_.pipeline.component(process_).document.where;
    switch (move.kind) {
        case MoveKind::kStart:
            return start();
        case MoveKind::kSend:
        case MoveKind::kResend:
            return send(move.record, move.fault, event);
        case MoveKind::kReport:
            return report(event);
        case MoveKind::kCrash:
            return crash(event);
        default:
            throw InternalError(std::string("a producer has no move ") + to_string(move.kind));
    }
}

// InitProducerId: with a transactional identifier the same producer in the next epoch, and what it left open is
// aborted; else a new producer.
void ProducerProcess::start() {
    lives_ = true;
    const auto number = static_cast<std::int64_t>(process_) * 1000 + 1;
    if (transactional_) {
        stamp_ = {number, starts_, 0, true};
        for (const Connection& connection : world_.pipeline.component(process_).document.writes) {
            world_.topics.at(world_.pipeline.find(connection.object.text).value())
                .end_transaction(number, starts_, false);
        }
    } else if (idempotent_) {
        stamp_ = {number + starts_, 0, 0, false};
    }
    ++starts_;
    sequences_.assign(kPartitionsOfARun, 0);
}

void ProducerProcess::send(int record, MoveFault fault, RunEvent& event) {
    const RunRecordEntry& entry = world_.inputs().records.at(static_cast<std::size_t>(record));
    if (reports_first_ && fault == MoveFault::kLostAck) {
        event.outcome = RunOutcome::kFailed;
        event.message = "the request was lost on the way";
        stage_ = Stage::kNew;
        ++next_;
        return;
    }
    TopicLog& log = world_.topics.at(entry.log);
    const bool again = event.move.kind == MoveKind::kResend;
    int& sequence = sequences_.at(static_cast<std::size_t>(entry.partition));
    ProducerStamp stamp = stamp_;
    stamp.sequence = again ? sequence - 1 : sequence++;
    const int offset = log.end_offset(entry.partition, ReadIsolation::kReadUncommitted);
    const AppendOutcome outcome = log.append(entry.partition, stamp, std::to_string(record));
    event.message = to_string(outcome);
    if (outcome == AppendOutcome::kAppended) {
        world_.index.add(world_.pipeline.component(entry.log).document.name, entry.partition, offset, record);
    }
    if (fault == MoveFault::kRedelivery) {
        std::erase(given_up_, record);
        if (transactional_) {
            log.end_transaction(stamp.producer, stamp.epoch, true);
        }
        return;
    }
    if (stage_ == Stage::kReported) {
        stage_ = Stage::kNew;
        ++next_;
    } else {
        stage_ = fault == MoveFault::kLostAck ? Stage::kUnacknowledged : Stage::kAcknowledged;
    }
    event.outcome = fault == MoveFault::kLostAck ? RunOutcome::kFailed : RunOutcome::kDone;
}

void ProducerProcess::report(RunEvent& event) {
    if (stage_ == Stage::kNew) {
        stage_ = Stage::kReported;
        return;
    }
    const bool failed = stage_ == Stage::kUnacknowledged;
    if (failed) {
        event.outcome = RunOutcome::kFailed;
        given_up_.push_back(records_.at(next_));
    }
    if (transactional_) {
        const RunRecordEntry& entry = world_.inputs().records.at(static_cast<std::size_t>(records_.at(next_)));
        world_.topics.at(entry.log).end_transaction(stamp_.producer, stamp_.epoch, !failed);
    }
    stage_ = Stage::kNew;
    ++next_;
}

void ProducerProcess::crash(RunEvent& event) {
    lives_ = false;
    event.incarnation_ends = true;
    if (stage_ == Stage::kUnacknowledged || stage_ == Stage::kAcknowledged) {
        given_up_.push_back(records_.at(next_));
    }
    if (stage_ != Stage::kNew) {
        stage_ = Stage::kNew;
        ++next_;
    }
}

}  // namespace oncecheck
