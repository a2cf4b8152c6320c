#include "model/pipeline/naming.h"

#include <algorithm>
#include <cctype>

namespace oncecheck {

namespace {

constexpr std::size_t kIdentifierLength = 36;  // of a UUID in text
constexpr std::size_t kNumberLength = 10;

struct RenderedPiece {
    std::string text;
    std::size_t length;
};

RenderedPiece render_placeholder(const TemplatePiece& piece, const NameValues& values) {
    const std::string& name = piece.text;
    if (name == "query") {
        return {values.query, kIdentifierLength};
    }
    if (name == "attempt" || name == "uuid" || name == "task_attempt") {
        return {values.attempt, kIdentifierLength};
    }
    if (name == "batch") {
        return {values.batch, kNumberLength};
    }
    if (name == "start_offset") {
        return {values.start_offset, kNumberLength};
    }
    if (name == "end_offset") {
        return {values.end_offset, kNumberLength};
    }
    if (name == "now") {
        return {values.moment, piece.argument.empty() ? kNumberLength : piece.argument.size()};
    }
    if (name == "try") {
        return {values.moment, kNumberLength};
    }
    if (name == "instance") {
        return {values.instance, kNumberLength};
    }
    if (name == "config" && values.settings != nullptr) {
        const auto found = values.settings->all().find(piece.argument);
        if (found != values.settings->all().end() && found->second.value) {
            return {*found->second.value, found->second.value->size()};
        }
    }
    std::string written = "{";
    written.append(name).append(piece.argument.empty() ? "" : ".").append(piece.argument).append("}");
    return {written, kNumberLength};
}

std::string folded(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

NamingRules naming_rules(const Pipeline& pipeline, const ObjectReference& object) {
    NamingRules rules;
    if (object.scope != ObjectScope::kStore) {
        rules.folds_case =
            true;  // names of views; SQL identifiers compare without case unless a session says otherwise
        return rules;
    }
    const ResolvedSettings& settings = pipeline.component(object.store).settings;
    if (settings.type().protocol != Protocol::kTables) {
        return rules;
    }
    const std::string length = settings.meaning("identifier_length");
    if (!length.empty() && length != "none") {
        rules.longest = static_cast<std::size_t>(std::stoul(length));
    }
    rules.folds_case = settings.meaning("identifier_folding") == "lower";
    rules.overflow_is_error = settings.meaning("identifier_overflow") == "error";
    return rules;
}

RenderedName render(const Template& name, const NamingRules& rules, const NameValues& values) {
    RenderedName result;
    std::size_t length = 0;
    bool full = false;
    for (const TemplatePiece& piece : name.pieces) {
        RenderedPiece rendered =
            piece.is_placeholder ? render_placeholder(piece, values) : RenderedPiece{piece.text, piece.text.size()};
        const bool written = !piece.is_placeholder || piece.text == "config";  // tokens stay as they are
        if (written && rules.folds_case) {
            rendered.text = folded(rendered.text);
        }
        const bool fits = !full && (!rules.longest || length + rendered.length <= *rules.longest);
        if (fits) {
            result.text += rendered.text;
            length += rendered.length;
            continue;
        }
        if (rules.overflow_is_error) {
            result.too_long = true;
            result.text += rendered.text;
            continue;
        }
        if (piece.is_placeholder) {
            result.dropped.push_back(piece.text);
        } else if (!full) {
            result.text += rendered.text.substr(0, *rules.longest - length);
        }
        full = true;
    }
    return result;
}

std::string identity(const Pipeline& pipeline, const ObjectReference& object, const NameValues& values,
                     const std::string& session, const std::string& application) {
    const std::string text = render(object.name, naming_rules(pipeline, object), values).text;
    switch (object.scope) {
        case ObjectScope::kStore:
            return pipeline.component(object.store).document.name + '.' + text;
        case ObjectScope::kSession:
            return "session " + session + ": " + text;
        case ObjectScope::kApplication:
            return "application " + application + ": " + text;
    }
    throw InternalError("unknown object scope");
}

std::vector<std::string> possible_identities(const Pipeline& pipeline, ComponentId process,
                                             const ObjectReference& object) {
    const PipelineComponent& component = pipeline.component(process);
    const std::string& name = component.document.name;
    const std::string& application = component.document.application.empty() ? name : component.document.application;
    std::vector<std::string> found;
    for (const char* batch : {"0", "1"}) {
        NameValues values;
        values.query = "query:" + name;
        values.batch = batch;
        values.start_offset = batch;
        values.end_offset = batch;
        values.attempt = "attempt:" + name + batch;
        values.moment = "now";
        values.instance = "0";
        values.settings = &component.settings;
        std::string text = identity(pipeline, object, values, name, application);
        if (std::find(found.begin(), found.end(), text) == found.end()) {
            found.push_back(std::move(text));
        }
    }
    return found;
}

bool can_be_equal(const Pipeline& pipeline, ComponentId left_process, const ObjectReference& left,
                  ComponentId right_process, const ObjectReference& right) {
    const std::vector<std::string> right_names = possible_identities(pipeline, right_process, right);
    for (const std::string& name : possible_identities(pipeline, left_process, left)) {
        if (std::find(right_names.begin(), right_names.end(), name) != right_names.end()) {
            return true;
        }
    }
    return false;
}

}  // namespace oncecheck
