#include "checker/crossvalidate/program_units.h"

namespace oncecheck {

namespace {

std::string name_of(std::size_t process, const SourcePosition& where) {
    std::string name = std::to_string(process);
    for (const int number : {where.line, where.column}) {
        name += ':' + std::to_string(number);
    }
    return name + ':' + where.file + ':' + where.pointer;
}

}  // namespace

ProgramUnits::ProgramUnits(const HopModel& model) {
    for (std::size_t index = 0; index < model.processes.size(); ++index) {
        const ProcessModel& process = model.processes[index];
        add_program(index, process.on_start, process.positions.on_start, -1, false);
        add_program(index, process.program, process.positions.program, -1, true);
        add_program(index, process.on_error, process.positions.on_error, -1, false);
        for (std::size_t block = 0; block < process.program.backgrounds.size(); ++block) {
            add_program(index, process.program.backgrounds[block], 1, static_cast<int>(block), true);
        }
    }
}

void ProgramUnits::add_program(std::size_t process, const CompiledProgram& program, Value first, int block,
                               bool in_program) {
    for (std::size_t point = 0; point < program.points.size(); ++point) {
        const Point& begin = program.points[point];
        const std::size_t end = commit_of(program, point);
        Unit unit;
        unit.process = process;
        unit.step = begin.step;
        unit.kind = begin.kind;
        unit.split = end > point;
        unit.in_program = in_program;
        unit.block = block;
        unit.first = first + static_cast<Value>(point);
        unit.last = first + static_cast<Value>(end);
        unit.spawned_block = begin.kind == PointKind::kSpawn ? static_cast<int>(begin.background) : -1;
        const int number = static_cast<int>(units_.size());
        units_.push_back(unit);
        places_.emplace(name_of(process, begin.step->position), UnitPlace{number, -1});
        for (std::size_t inner = 0; begin.step->verb == Verb::kTransaction && inner < begin.step->body.size();
             ++inner) {
            places_.emplace(name_of(process, begin.step->body[inner].position),
                            UnitPlace{number, static_cast<int>(inner)});
        }
        point = end;
    }
}

UnitPlace ProgramUnits::find(std::size_t process, const SourcePosition& where) const {
    const auto found = places_.find(name_of(process, where));
    return found == places_.end() ? UnitPlace{} : found->second;
}

}  // namespace oncecheck
