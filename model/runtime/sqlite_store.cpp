#include "model/runtime/sqlite_store.h"

#include <cctype>
#include <filesystem>
#include <utility>

#include "model/runtime/sqlite_connection.h"

namespace oncecheck {

namespace {

namespace files = std::filesystem;

constexpr const char* kSuffixes[] = {"", "-wal", "-shm"};
constexpr const char* kOwnFiles = "oncecheck-";

// Letters, digits and hyphens stay; other bytes are spelled in hexadecimal.
std::string file_name(const std::string& name) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-') {
            text += c;
        } else {
            text += std::string{'_', kDigits[byte / 16U], kDigits[byte % 16U]};
        }
    }
    return text;
}

std::string file_name(const SchemaOfRun& schema, const Place& place) {
    switch (place.scope) {
        case ObjectScope::kStore:
            return std::string(kOwnFiles) + "store-" +
                   file_name(schema.pipeline().component(place.store).document.name) + ".sqlite";
        case ObjectScope::kSession:
            return std::string(kOwnFiles) + "session-" + file_name(place.name) + ".sqlite";
        case ObjectScope::kApplication:
            return std::string(kOwnFiles) + "application-" + file_name(place.name) + ".sqlite";
    }
    throw InternalError("unknown scope");
}

std::vector<files::path> own_files(const std::string& folder) {
    std::vector<files::path> found;
    std::error_code error;
    for (const files::directory_entry& entry : files::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kOwnFiles) && name.find(".sqlite") != std::string::npos) {
            found.push_back(entry.path());
        }
    }
    return found;
}

}  // namespace

std::string SqlitePlaces::file_of(const Place& place) {
    if (!folder_.empty() && place.scope != ObjectScope::kSession) {
        return (files::path(folder_) / file_name(schema_, place)).string();
    }
    if (!scratch_) {
        scratch_.emplace();
    }
    return (files::path(scratch_->path()) / file_name(schema_, place)).string();
}

SqliteDatabase& SqlitePlaces::database(const Place& place) {
    std::unique_ptr<SqliteDatabase>& found = databases_[place];
    if (!found) {
        const bool store = place.scope == ObjectScope::kStore;
        found = std::make_unique<SqliteDatabase>(
            schema_, place, file_of(place),
            store ? schema_.tables_at_start(place.store) : std::vector<TableDefinition>{});
        changed_ = true;
    }
    return *found;
}

std::unique_ptr<StoreConnection> SqlitePlaces::connect(const Place& place) {
    return std::make_unique<SqliteConnection>(database(place));
}

void SqlitePlaces::end_session(const std::string& session) {
    const Place place{ObjectScope::kSession, 0, session};
    if (databases_.erase(place) == 0) {
        return;
    }
    changed_ = true;
    const std::string file = file_of(place);
    for (const char* suffix : kSuffixes) {
        std::error_code error;
        files::remove(file + suffix, error);
    }
}

bool SqlitePlaces::read_content() {
    bool changed = std::exchange(changed_, false);
    for (const auto& [unused, database] : databases_) {
        changed = database->read_content() || changed;
    }
    return changed;
}

void SqlitePlaces::append_content(std::vector<ObjectContent>& content) const {
    for (const auto& [unused, database] : databases_) {
        content.insert(content.end(), database->content().begin(), database->content().end());
    }
}

void SqlitePlaces::reset() {
    std::vector<std::string> sessions;
    for (const auto& [place, database] : databases_) {
        if (place.scope == ObjectScope::kSession) {
            sessions.push_back(place.name);
        } else {
            database->reset();
        }
    }
    for (const std::string& session : sessions) {
        end_session(session);
    }
}

bool SqlitePlaces::has_files() const { return !own_files(folder_).empty(); }

void SqlitePlaces::remove_files() const {
    for (const files::path& file : own_files(folder_)) {
        std::error_code error;
        files::remove(file, error);
    }
}

SqliteStores::SqliteStores(const Pipeline& pipeline, const StoreOptions& options)
    : schema_(pipeline, Dialect::kSqlite), places_(schema_, options.url) {
    refuse_gaps(schema_, Dialect::kSqlite, options.strict);
    std::error_code error;
    if (!options.url.empty() && !files::is_directory(options.url, error)) {
        throw StoreError("'" + options.url + "' is no folder; name one that exists, or postgresql://...");
    }
    if (places_.has_files() && !options.reopen) {
        if (!options.allow_same_names) {
            throw StoreError("'" + options.url + "' holds the tables of an earlier run" +
                             "; go on with that run, name another folder, or allow the same names");
        }
        places_.remove_files();
    }
    for (const ComponentId store : schema_.stores()) {
        static_cast<void>(places_.database({ObjectScope::kStore, store, ""}));
    }
}

std::unique_ptr<StoreConnection> SqliteStores::connect(const Place& place) { return places_.connect(place); }

const std::vector<ObjectContent>& SqliteStores::content() {
    if (places_.read_content()) {
        content_.clear();
        places_.append_content(content_);
    }
    return content_;
}

StatementResult SqliteStores::query(const Place& place, const std::string& sql) {
    StatementResult result = places_.database(place).query(sql);
    if (result.status != StatementStatus::kDone) {
        throw StoreError("cannot run '" + sql +
                         "': " + (result.message.empty() ? "another program uses the database file" : result.message));
    }
    return result;
}

std::string SqliteStores::product() const { return std::string("SQLite ") + sqlite3_libversion(); }

}  // namespace oncecheck
