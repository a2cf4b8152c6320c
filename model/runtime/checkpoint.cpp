#include "model/runtime/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <nlohmann/json.hpp>

#include "model/errors.h"

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

std::string positions_text(const std::string& topic, const Positions& positions) {
    std::string text = '{' + Json(topic).dump() + ":{";
    for (std::size_t partition = 0; partition < positions.size(); ++partition) {
        text +=
            (partition == 0 ? "\"" : ",\"") + std::to_string(partition) + "\":" + std::to_string(positions[partition]);
    }
    return text + "}}";
}

std::pair<std::string, Positions> read_positions(const std::string& text, const std::string& file) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || json.size() != 1 || !json.begin()->is_object()) {
        throw InternalError("checkpoint file " + file + " holds no positions: " + text);
    }
    Positions positions(json.begin()->size(), 0);
    for (const auto& [partition, offset] : json.begin()->items()) {
        positions.at(static_cast<std::size_t>(std::stoi(partition))) = offset.get<int>();
    }
    return {json.begin().key(), positions};
}

// The metadata line is what Spark writes; nothing in a stateless query reads it back.
std::string offsets_text(const SourcePositions& positions) {
    std::string text = "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":0,\"conf\":{}}";
    for (const auto& [topic, offsets] : positions) {
        text += '\n' + positions_text(topic, offsets);
    }
    return text;
}

constexpr const char* kCommitText = "v1\n{\"nextBatchWatermarkMs\":0}";

std::optional<int> number_of(const std::string& name) {
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? std::optional<int>(number) : std::nullopt;
}

}  // namespace

std::optional<std::string> Checkpoint::query() const {
    const std::optional<std::string> text = files_->read("metadata");
    if (!text) {
        return std::nullopt;
    }
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("id")) {
        throw InternalError("checkpoint file metadata holds no identity: " + *text);
    }
    return json["id"].get<std::string>();
}

void Checkpoint::write_query(const std::string& query) { files_->put("metadata", "{\"id\":\"" + query + "\"}"); }

std::optional<Positions> Checkpoint::initial_positions(std::size_t source, const std::string& topic) const {
    const std::string file = "sources/" + std::to_string(source) + "/0";
    const std::optional<std::string> text = files_->read(file);
    if (!text) {
        return std::nullopt;
    }
    const std::size_t line = text->find('\n');
    const auto [name, positions] = read_positions(line == std::string::npos ? "" : text->substr(line + 1), file);
    if (name != topic) {
        throw InternalError("checkpoint file " + file + " is about the topic " + name + ", not " + topic);
    }
    return positions;
}

void Checkpoint::write_initial_positions(std::size_t source, const std::string& topic, const Positions& positions) {
    // The zero byte is for Spark 2.1.0 (SPARK-19517).
    std::string text(1, '\0');
    text += "v1\n" + positions_text(topic, positions);
    files_->put("sources/" + std::to_string(source) + "/0", text);
}

int Checkpoint::last(const std::string& folder) const {
    int greatest = -1;
    for (const std::string& name : files_->list(folder)) {
        greatest = std::max(greatest, number_of(name).value_or(-1));
    }
    return greatest;
}

std::optional<SourcePositions> Checkpoint::offsets(int batch) const {
    const std::string file = path("offsets", batch);
    const std::optional<std::string> text = files_->read(file);
    if (!text) {
        return std::nullopt;
    }
    std::istringstream lines(*text);
    std::string line;
    if (!std::getline(lines, line) || line != "v1" || !std::getline(lines, line)) {
        throw InternalError("checkpoint file " + file + " is not of version v1");
    }
    SourcePositions positions;
    while (std::getline(lines, line)) {
        positions.push_back(read_positions(line, file));
    }
    return positions;
}

bool Checkpoint::add_offsets(int batch, const SourcePositions& positions) {
    return files_->put_if_absent(path("offsets", batch), offsets_text(positions));
}

bool Checkpoint::add_commit(int batch) { return files_->put_if_absent(path("commits", batch), kCommitText); }

void Checkpoint::put_offsets(int batch, const SourcePositions& positions) {
    files_->put(path("offsets", batch), offsets_text(positions));
}

void Checkpoint::put_commit(int batch) { files_->put(path("commits", batch), kCommitText); }

void Checkpoint::purge_below(int batch) {
    for (const char* folder : {"offsets", "commits"}) {
        for (const std::string& name : files_->list(folder)) {
            const std::optional<int> number = number_of(name);
            if (number && *number < batch) {
                files_->remove(path(folder, *number));
            }
        }
    }
}

std::map<std::string, std::string> Checkpoint::all() const {
    std::map<std::string, std::string> found;
    if (const auto text = files_->read("metadata")) {
        found["metadata"] = *text;
    }
    for (const char* folder : {"offsets", "commits"}) {
        for (const std::string& name : files_->list(folder)) {
            found[std::string(folder) + '/' + name] = files_->read(std::string(folder) + '/' + name).value_or("");
        }
    }
    return found;
}

}  // namespace oncecheck
