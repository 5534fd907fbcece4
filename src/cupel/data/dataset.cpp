#include "cupel/data/dataset.h"

#include "cupel/base/hash.h"
#include "cupel/data/facts/facts.h"

namespace cupel {
namespace {

void add(Hasher& hasher, const Csr& m) {
  hasher.field("csr").field(m.rows).field(m.cols);
  hasher.array(std::span<const Offset>(m.row_ptr));
  hasher.array(std::span<const Index>(m.columns));
  hasher.array(std::span<const float>(m.values));
}

void add(Hasher& hasher, const Matrix& m) {
  hasher.field("dense").field(m.rows).field(m.cols);
  hasher.array(std::span<const float>(m.values));
}

// Enters hashes since the first of them: 1 for yes, 0 for no and for what is not known.
std::vector<Index> first_task(const Matrix& answers) {
  std::vector<Index> out(static_cast<std::size_t>(answers.rows));
  for (Index i = 0; i < answers.rows; ++i) out[static_cast<std::size_t>(i)] = answers(i, 0) == 1;
  return out;
}

}  // namespace

Index feature_count(const Features& features) {
  return std::visit([](const auto& m) { return m.cols; }, features);
}

Offset feature_entries(const Features& features) {
  if (const auto* sparse = std::get_if<Csr>(&features)) return sparse->entries();
  const auto& dense = std::get<Matrix>(features);
  return static_cast<Offset>(dense.rows) * dense.cols;
}

Index Dataset::examples() const {
  return graphs ? graphs->size() : facts ? static_cast<Index>(facts->facts()) : nodes();
}

Dataset dataset_of(std::shared_ptr<const TemporalFacts> facts) {
  Dataset out;
  out.name = facts->name;
  out.adjacency.rows = out.adjacency.cols = facts->entities();
  out.adjacency.row_ptr.assign(static_cast<std::size_t>(facts->entities()) + 1, 0);
  out.features = Matrix(facts->entities(), 0);
  out.facts = std::move(facts);
  return out;
}

std::string content_hash(const Dataset& dataset) {
  if (dataset.facts) return content_hash(*dataset.facts);
  Hasher hasher;
  add(hasher, dataset.adjacency);
  std::visit([&](const auto& m) { add(hasher, m); }, dataset.features);
  hasher.array(std::span<const Index>(dataset.has_tasks() ? first_task(dataset.task_answers())
                                                          : dataset.labels()));
  hasher.field(dataset.classes());
  if (dataset.graphs) {
    hasher.field("graphs");
    hasher.array(std::span<const Index>(dataset.graphs->start));
    add(hasher, dataset.graphs->node_attributes);
    add(hasher, dataset.graphs->arc_attributes);
    if (!dataset.graphs->scaffolds.empty())
      hasher.field("scaffolds").array(std::span<const Index>(dataset.graphs->scaffolds));
  }
  if (dataset.has_tasks()) add(hasher, dataset.task_answers());
  for (const Split& split : dataset.stored_splits) {
    hasher.array(std::span<const Index>(split.train));
    hasher.array(std::span<const Index>(split.valid));
    hasher.array(std::span<const Index>(split.test));
    if (!split.stopping.empty())
      hasher.field("stopping").array(std::span<const Index>(split.stopping));
  }
  return hasher.hex();
}

}  // namespace cupel
