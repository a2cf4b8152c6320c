// Inside runtime.h: the processes of a run on their shared world. runtime_moves.cpp says what can happen, runtime.cpp
// makes it happen.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/runtime/producer_process.h"
#include "model/runtime/query_process.h"
#include "model/runtime/run_world.h"
#include "model/runtime/runtime.h"

namespace oncecheck {

class Runtime::Implementation {
  public:
    Implementation(const Pipeline& pipeline, RunInputs inputs, const RuntimeOptions& options);

    void restart(RunInputs inputs);

    [[nodiscard]] const std::vector<Move>& moves() {
        if (!listed_) {
            list();
            listed_ = true;
        }
        return moves_;
    }

    MoveNature nature(const Move& move) const;
    std::span<const RunEvent> perform(const Move& move);
    RunStanding standing() const;
    std::string describe(const Move& move) const;
    RunEvent preview(const Move& move) const {
        const QueryProcess* query = find_query(move.process);
        return query == nullptr ? RunEvent{} : query->preview(move);
    }

    std::map<std::string, std::vector<int>> passed(ComponentId process) const {
        const QueryProcess* query = find_query(process);
        const SourcePositions passed = query == nullptr ? SourcePositions{} : query->passed();
        return {passed.begin(), passed.end()};
    }

    const TopicLog& log(ComponentId topic) const { return world_.topics.at(topic); }

    const Content& content() { return stores_->content(); }
    RunStores& stores() { return *stores_; }
    const RecordIndex& index() const { return world_.index; }
    const RunRecord& record() {
        world_.record.standing = standing();
        return world_.record;
    }

  private:
    void begin(RunInputs inputs);
    void open_topics(const std::vector<ComponentId>& processes);
    void list();
    QueryProcess& query(ComponentId process);
    const QueryProcess* find_query(ComponentId process) const;
    HeldEntry& held(int number);
    void perform_move(const Move& move, RunEvent& event);
    void land(int number, RunEvent& event);
    void drop(int number, RunEvent& event);
    void resume_waiters();
    std::vector<Waiter> in_turn();
    bool resume(const Waiter& waiter);
    void keep(RunEvent event);

    std::unique_ptr<RunStores> stores_;
    RunWorld world_;
    std::list<QueryProcess> queries_;
    std::list<ProducerProcess> producers_;
    std::vector<Move> moves_;
    bool listed_ = false;
};

}  // namespace oncecheck
