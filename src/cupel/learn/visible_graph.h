// The graph that models may see: all of a data set but its labels, or its nodes and features under
// the arcs that a split leaves.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>

#include "cupel/data/dataset.h"
#include "cupel/data/features/features.h"

namespace cupel {

// Makes a matrix from a graph and its features.
using DerivedMatrix = std::function<Csr(const Csr& arcs, const Features& features)>;

// Shared by tasks, with the matrices that models derive from it (normalised adjacencies and the
// like), each made once, on first use. What is derived belongs to these arcs: another view of the
// same data set derives its own. Thread-safe.
class VisibleGraph {
 public:
  // Keeps `data` alive, and has no way to its labels.
  explicit VisibleGraph(const std::shared_ptr<const Dataset>& data)
      : name_(data->name),
        arcs_(data, &data->adjacency),
        features_(data, &data->features),
        set_(data, &data->graphs) {}
  // The nodes and features of `other` under `arcs`, nodes x nodes.
  VisibleGraph(const VisibleGraph& other, std::shared_ptr<const Csr> arcs)
      : name_(other.name_), arcs_(std::move(arcs)), features_(other.features_), set_(other.set_) {}

  const std::string& name() const { return name_; }  // of the data set
  const Csr& arcs() const { return *arcs_; }         // nodes x nodes
  const Features& features() const { return *features_; }
  const std::optional<GraphSet>& set() const { return *set_; }
  Index nodes() const { return arcs_->rows; }
  FeatureSource feature_source() const { return {arcs(), features(), set() ? &*set() : nullptr}; }

  // The T called `name`, made by `make` if nobody asked for it before. `make` may ask for others.
  template <class T, class Make>
  std::shared_ptr<const T> derived(const std::string& name, Make&& make) const {
    // Held while making: two threads that want the same thing make it once.
    const std::lock_guard lock(mutex_);
    auto& slot = derived_[{name, typeid(T)}];
    if (slot == nullptr) slot = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(slot);
  }
  std::shared_ptr<const Csr> derived(const std::string& name, const DerivedMatrix& make) const {
    return derived<Csr>(name, [&] { return make(arcs(), features()); });
  }

 private:
  std::string name_;
  std::shared_ptr<const Csr> arcs_;
  std::shared_ptr<const Features> features_;
  std::shared_ptr<const std::optional<GraphSet>> set_;
  mutable std::recursive_mutex mutex_;
  mutable std::map<std::pair<std::string, std::type_index>, std::shared_ptr<const void>> derived_;
};

}  // namespace cupel
