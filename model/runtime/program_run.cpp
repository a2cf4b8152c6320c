#include "model/runtime/program_run.h"

#include <algorithm>
#include <utility>

#include "model/runtime/held_statement.h"

namespace oncecheck {

namespace {

bool is_apply(const Step& step) {
    return step.source && (step.verb == Verb::kInsert || step.verb == Verb::kMerge || step.verb == Verb::kOverwrite);
}

}  // namespace

ProgramRun::ProgramRun(std::span<const Step> program, ProgramInput input)
    : program_(program), input_(std::move(input)) {
    arrive();
}

const Step& ProgramRun::step() const { return phase_ == Phase::kInside ? outer().body.at(inner_) : outer(); }

ProgramRun::Next ProgramRun::next() const {
    if (over_) {
        return Next::kOver;
    }
    if (phase_ == Phase::kBegin || phase_ == Phase::kCommit) {
        return Next::kStatement;
    }
    if (step().verb == Verb::kBackground) {
        return Next::kSpawn;
    }
    if (!plan_) {
        return to_load_.empty() ? Next::kEndOfLoad : Next::kRows;
    }
    return Next::kStatement;
}

// A load that its executors commit task by task; a store that commits a load as a whole takes it as one statement.
bool ProgramRun::is_load() const {
    if (step().verb != Verb::kAppend || step().by != LoadedBy::kExecutors) {
        return false;
    }
    const Place place = place_of(input_.context, step());
    return place.scope == ObjectScope::kStore &&
           input_.context.schema->pipeline().component(place.store).settings.meaning("commits_a_load") == "task";
}

void ProgramRun::arrive() {
    wrapped_.reset();
    if (outer_ == program_.size()) {
        end(false);
        return;
    }
    phase_ = outer().verb == Verb::kTransaction ? Phase::kBegin : Phase::kStep;
    took_.clear();
    if (phase_ == Phase::kStep) {
        arrive_at_step();
    }
}

void ProgramRun::arrive_at_step() {
    plan_.reset();
    found_.reset();
    probed_ = false;
    to_load_.clear();
    loaded_.clear();
    if (step().verb == Verb::kBackground) {
        return;
    }
    StepContext& context = input_.context;
    context.in_transaction = phase_ == Phase::kInside;
    if (is_load()) {
        to_load_ = input_.records;
        return;
    }
    if (step().verb == Verb::kAcquire) {
        context.token = input_.new_token;
    } else if (step().verb == Verb::kCheck) {
        const auto token = input_.tokens.find(render_text(step().target, context.values));
        context.token = token == input_.tokens.end() ? "" : token->second;
    }
    plan_.emplace(context, step());
}

void ProgramRun::advance() {
    if (phase_ != Phase::kInside) {
        ++outer_;
        arrive();
    } else if (++inner_ == outer().body.size()) {
        phase_ = Phase::kCommit;
    } else {
        arrive_at_step();
    }
}

void ProgramRun::end(bool failed) {
    over_ = true;
    failed_ = failed;
}

RunEvent ProgramRun::description() const {
    RunEvent event;
    const Step& current = step();
    event.where = current.position;
    if (phase_ != Phase::kStep) {
        event.phase = phase_ == Phase::kBegin    ? StatementPhase::kBegin
                      : phase_ == Phase::kCommit ? StatementPhase::kCommit
                                                 : StatementPhase::kInside;
    }
    const StepContext& context = input_.context;
    const auto name = [&](const Template& object) {
        return context.schema->object(context.process, object, context.values, context.session).name;
    };
    if (!current.target.text.empty()) {
        event.target = name(current.target);
    }
    if (current.source) {
        event.source = name(*current.source);
    } else if (!current.partner.text.empty()) {
        event.source = name(current.partner);
    }
    return event;
}

void ProgramRun::describe(RunEvent& event) const {
    RunEvent current = description();
    event.where = std::move(current.where);
    event.phase = current.phase;
    event.target = std::move(current.target);
    event.source = std::move(current.source);
}

bool ProgramRun::can_overlap() const {
    if (phase_ != Phase::kStep || !plan_ || probed_ || plan_->outcome() != StepOutcome::kGoesOn) {
        return false;
    }
    switch (step().verb) {
        case Verb::kInsert:
        case Verb::kMerge:
        case Verb::kDelete:
        case Verb::kOverwrite:
            break;
        default:
            return false;
    }
    const Place place = place_of(input_.context, step());
    return place.scope == ObjectScope::kStore && input_.context.schema->dialect(place) == Dialect::kPostgresql;
}

// A statement by itself is a transaction of its own (PostgreSQL documentation, BEGIN: "autocommit"); here it is spelled
// out, so that its commit is a move.
void ProgramRun::begin_alone(Connections& connections, RunEvent& event) {
    Step transaction;
    transaction.verb = Verb::kTransaction;
    transaction.position = step().position;
    transaction.on_error = step().on_error;
    transaction.body = {step()};
    transaction.body.front().on_error = OnError::kFail;
    wrapped_ = std::make_shared<const Step>(std::move(transaction));
    const SqlStatement begin = begin_transaction(input_.context, outer());
    event.sql.push_back(begin.sql);
    sent_to_ = begin.place;
    static_cast<void>(connections.at(begin.place).execute(begin));
    phase_ = Phase::kInside;
    inner_ = 0;
    arrive_at_step();
}

void ProgramRun::execute(Connections& connections, RunEvent& event, MoveFault fault, bool overlaps) {
    if (overlaps) {
        begin_alone(connections, event);
    }
    describe(event);
    sent_fault_ = fault;
    switch (phase_) {
        case Phase::kBegin:
            return send(begin_transaction(input_.context, outer()), Sent::kBegin, connections, event);
        case Phase::kCommit:
            return send(commit_transaction(input_.context, outer()), Sent::kCommit, connections, event);
        case Phase::kStep:
        case Phase::kInside:
            return send_plan(connections, event);
    }
}

void ProgramRun::send_plan(Connections& connections, RunEvent& event) {
    if (plan_->outcome() != StepOutcome::kGoesOn) {
        return take_plan_end(connections, event);
    }
    if (!probed_ && input_.index != nullptr && is_apply(step())) {
        probed_ = true;
        return send(probe(), Sent::kProbe, connections, event);
    }
    send(plan_->statement(), Sent::kPlan, connections, event);
}

// The coordinates of the rows that the apply step is about to read, through the client's own connection.
SqlStatement ProgramRun::probe() const {
    const StepContext& context = input_.context;
    const RunObject source = context.schema->object(context.process, *step().source, context.values, context.session);
    SqlStatement statement;
    statement.place = source.place;
    statement.where = step().position;
    statement.sql = "SELECT topic, partition, \"offset\" FROM " + quote_name(source.name);
    const char* word = " WHERE ";
    for (const auto& [column, value] : step().where) {
        const RunColumn* known = context.schema->find_column(column);
        statement.sql += word + quote_name(column) + " = " +
                         quote_value(render_text(value, context.values), known != nullptr && known->is_number);
        word = " AND ";
    }
    if (source.from_start) {
        statement.existing.push_back(context.schema->definition(source));
    }
    return statement;
}

void ProgramRun::note_found(const StatementResult& result) {
    SourceContent content;
    content.where = step().position;
    for (const std::vector<SqlValue>& row : result.rows) {
        const int record = input_.index->find(row.at(0), row.at(1), row.at(2));
        if (record >= 0) {
            ++content.rows[record];
        }
    }
    content.batch = input_.records;
    found_ = std::move(content);
}

void ProgramRun::send(const SqlStatement& statement, Sent sent, Connections& connections, RunEvent& event) {
    sent_ = sent;
    sent_to_ = statement.place;
    if (sent != Sent::kProbe) {
        event.sql.push_back(statement.sql);
    }
    take(connections.at(statement.place).execute(statement), connections, event);
}

void ProgramRun::resume(Connections& connections, RunEvent& event) {
    if (event.where.pointer.empty()) {
        describe(event);
    }
    take(connections.at(sent_to_).resume(), connections, event);
}

void ProgramRun::load(int record, Connections& connections, RunEvent& event, MoveFault fault) {
    describe(event);
    sent_fault_ = fault;
    sent_row_ = record;
    const auto row = std::find(input_.records.begin(), input_.records.end(), record) - input_.records.begin();
    send(load_row(input_.context, step(), input_.context.rows.at(static_cast<std::size_t>(row))), Sent::kRow,
         connections, event);
}

void ProgramRun::end_load(Connections& connections, RunEvent& event) {
    describe(event);
    event.outcome = RunOutcome::kDone;
    advance();
    release(connections, event);
}

void ProgramRun::spawn(Connections& connections, RunEvent& event) {
    describe(event);
    event.outcome = RunOutcome::kDone;
    advance();
    release(connections, event);
}

}  // namespace oncecheck
