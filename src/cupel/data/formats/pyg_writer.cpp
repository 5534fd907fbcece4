#include "cupel/data/formats/pyg_writer.h"

#include "cupel/base/error.h"
#include "cupel/data/formats/dense_member.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

NpyArray edges_of(const Csr& graph, const std::filesystem::path& path) {
  check_member_bytes(path, "edge_index", graph.entries(), 2, sizeof(std::int64_t));
  std::vector<std::int64_t> ends;
  ends.reserve(2 * graph.columns.size());
  for (Index i = 0; i < graph.rows; ++i)
    ends.insert(ends.end(), static_cast<std::size_t>(graph.row_size(i)), i);
  ends.insert(ends.end(), graph.columns.begin(), graph.columns.end());
  return make_npy(std::span<const std::int64_t>(ends), {2, graph.entries()});
}

NpyArray mask_of(const Dataset& dataset, std::vector<Index> Split::*part,
                 const std::filesystem::path& path, const char* member) {
  const std::size_t splits = dataset.stored_splits.size();
  check_member_bytes(path, member, static_cast<std::int64_t>(splits), dataset.nodes(), 1);
  NpyArray out;
  out.type = {'b', 1};
  out.shape = {dataset.nodes()};
  if (splits > 1) out.shape.push_back(static_cast<std::int64_t>(splits));
  out.bytes.resize(splits * static_cast<std::size_t>(dataset.nodes()));
  for (std::size_t s = 0; s < splits; ++s) {
    for (const Index i : dataset.stored_splits[s].*part)
      out.bytes[static_cast<std::size_t>(i) * splits + s] = std::byte{1};
  }
  return out;
}

}  // namespace

void write_pyg_npz(const Dataset& dataset, const std::filesystem::path& path) {
  const std::vector<std::int64_t> of_class = stored_labels(dataset);
  std::vector<std::int64_t> labels;
  labels.reserve(dataset.labels().size());
  for (const Index c : dataset.labels())
    labels.push_back(c == kNoLabel ? kNoLabel : of_class[static_cast<std::size_t>(c)]);
  std::vector<std::pair<std::string, NpyArray>> members;
  members.emplace_back("x", dense_features(dataset, path, "x"));
  members.emplace_back("edge_index", edges_of(dataset.adjacency, path));
  if (!dataset.adjacency.is_pattern())
    members.emplace_back("edge_weight", make_npy(std::span<const float>(dataset.adjacency.values)));
  members.emplace_back("y", make_npy(std::span<const std::int64_t>(labels)));
  if (!dataset.stored_splits.empty()) {
    members.emplace_back("train_mask", mask_of(dataset, &Split::train, path, "train_mask"));
    members.emplace_back("val_mask", mask_of(dataset, &Split::valid, path, "val_mask"));
    members.emplace_back("test_mask", mask_of(dataset, &Split::test, path, "test_mask"));
    if (has_stopping(dataset)) {
      members.emplace_back("stopping_mask",
                           mask_of(dataset, &Split::stopping, path, "stopping_mask"));
    }
  }
  write_npz(path, members);
}

}  // namespace cupel
