// The connections of one client (an incarnation's main program, or one of its threads): one a place, made when first
// used. They go with the client: an open transaction rolls back, its locks are free.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/runtime/store.h"

namespace oncecheck {

class Connections {
  public:
    // The stores have to outlive the connections.
    explicit Connections(RunStores& stores) : stores_(&stores) {}

    [[nodiscard]] StoreConnection& at(const Place& place) {
        for (auto& [known, connection] : connections_) {
            if (known == place) {
                return *connection;
            }
        }
        return *connections_.emplace_back(place, stores_->connect(place)).second;
    }

    // Gives the connection away; the next use of the place makes a new one. Requires that there is one.
    [[nodiscard]] std::unique_ptr<StoreConnection> release(const Place& place) {
        for (auto known = connections_.begin(); known != connections_.end(); ++known) {
            if (known->first == place) {
                std::unique_ptr<StoreConnection> released = std::move(known->second);
                connections_.erase(known);
                return released;
            }
        }
        return nullptr;
    }

    void close() { connections_.clear(); }

  private:
    RunStores* stores_;
    std::vector<std::pair<Place, std::unique_ptr<StoreConnection>>> connections_;
};

}  // namespace oncecheck
