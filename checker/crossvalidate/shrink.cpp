#include "checker/crossvalidate/shrink.h"

#include <algorithm>
#include <numeric>

namespace oncecheck {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 100;

// Members that stay, and whose own members stay: without a setting its default holds.
bool stays(const std::string& member) { return member == "config" || member == "assume" || member == "records"; }

// Every part that can be taken away, outermost first.
void list_parts(const Json& node, const Json::json_pointer& at, std::vector<Json::json_pointer>& parts) {
    if (!node.is_structured()) {
        return;
    }
    const bool keeps_members = node.is_object() && !at.empty() && stays(at.back());
    for (const auto& [key, value] : node.items()) {
        if (node.is_array()) {
            parts.push_back(at / static_cast<std::size_t>(std::stoul(key)));
        } else if (!keeps_members && !stays(key)) {
            parts.push_back(at / key);
        }
    }
    for (const auto& [key, value] : node.items()) {
        list_parts(value, node.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key, parts);
    }
}

Json without(Json document, const Json::json_pointer& part) {
    Json& parent = document[part.parent_pointer()];
    if (parent.is_array()) {
        parent.erase(static_cast<std::size_t>(std::stoul(part.back())));
    } else {
        parent.erase(part.back());
    }
    return document;
}

// Inner steps of a block in place of the block.
Json unwrapped(Json document, const Json::json_pointer& part) {
    const Json inner = document[part];
    Json& outer = document[part.parent_pointer().parent_pointer()];
    const auto at = static_cast<std::size_t>(std::stoul(part.parent_pointer().back()));
    outer.erase(at);
    outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
    return document;
}

bool is_block(const Json& document, const Json::json_pointer& part) {
    return !part.empty() && !part.parent_pointer().empty() && document[part].is_array() && !document[part].empty() &&
           document[part].front().is_object() && document[part.parent_pointer().parent_pointer()].is_array();
}

void lay_out(const Json& node, const std::string& indent, std::string& text) {
    const std::string line = node.dump();
    if (!node.is_structured() || node.empty() || indent.size() + line.size() <= kLineWidth) {
        text += line;
        return;
    }
    const std::string deeper = indent + "  ";
    text += node.is_array() ? "[" : "{";
    bool first = true;
    for (const auto& [key, value] : node.items()) {
        text += (first ? "\n" : ",\n") + deeper;
        if (node.is_object()) {
            text += Json(key).dump() + ": ";
        }
        lay_out(value, deeper, text);
        first = false;
    }
    text += '\n' + indent + (node.is_array() ? "]" : "}");
}

}  // namespace

Json shrunk(Json document, const StillShows& still_shows, std::size_t questions) {
    const auto try_instead = [&](Json smaller) {
        if (questions == 0) {
            return false;
        }
        --questions;
        if (!still_shows(smaller)) {
            return false;
        }
        document = std::move(smaller);
        return true;
    };
    for (bool changed = true; changed && questions > 0;) {
        changed = false;
        std::vector<Json::json_pointer> parts;
        list_parts(document, Json::json_pointer(), parts);
        for (std::size_t next = 0; next < parts.size() && questions > 0;) {
            const bool smaller = try_instead(without(document, parts[next])) ||
                                 (is_block(document, parts[next]) && try_instead(unwrapped(document, parts[next])));
            changed = changed || smaller;
            if (smaller) {
                parts.clear();
                list_parts(document, Json::json_pointer(), parts);
            } else {
                ++next;
            }
        }
    }
    return document;
}

std::vector<std::size_t> shrunk_list(std::size_t size,
                                     const std::function<bool(const std::vector<std::size_t>& kept)>& still_shows,
                                     std::size_t questions) {
    std::vector<std::size_t> kept(size);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    for (std::size_t piece = std::max<std::size_t>(size / 2, 1); questions > 0 && !kept.empty();) {
        bool changed = false;
        for (std::size_t from = 0; from < kept.size() && questions > 0;) {
            const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(from);
            std::vector<std::size_t> fewer(kept.begin(), begin);
            fewer.insert(fewer.end(), begin + static_cast<std::ptrdiff_t>(std::min(piece, kept.size() - from)),
                         kept.end());
            --questions;
            if (still_shows(fewer)) {
                kept = std::move(fewer);
                changed = true;
            } else {
                from += piece;
            }
        }
        if (piece == 1 && !changed) {
            break;
        }
        piece = std::max<std::size_t>(piece / 2, 1);
    }
    return kept;
}

std::string laid_out(const Json& document) {
    std::string text;
    lay_out(document, "", text);
    return text + '\n';
}

}  // namespace oncecheck
