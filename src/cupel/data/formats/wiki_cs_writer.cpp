#include "cupel/data/formats/wiki_cs_writer.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/heterophilous_writer.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void put_features(const Features& features, JsonPieces& out) {
  const auto* sparse = std::get_if<Csr>(&features);
  std::vector<float> filled(sparse ? static_cast<std::size_t>(sparse->cols) : 0);
  const auto row_of = [&](Index i) -> std::span<const float> {
    if (!sparse) {
      const auto& dense = std::get<Matrix>(features);
      return {dense.row(i), static_cast<std::size_t>(dense.cols)};
    }
    std::ranges::fill(filled, 0.0f);
    for (Offset at = sparse->row_ptr[i]; at < sparse->row_ptr[i + 1]; ++at)
      filled[static_cast<std::size_t>(sparse->columns[static_cast<std::size_t>(at)])] =
          sparse->value(at);
    return filled;
  };
  const Index rows = std::visit([](const auto& m) { return m.rows; }, features);
  out.list(static_cast<std::size_t>(rows), [&](std::size_t i) {
    const std::span<const float> row = row_of(static_cast<Index>(i));
    out.list(row.size(), [&](std::size_t k) { out.number(row[k]); });
  });
}

void put_flags(const std::vector<Index>& ids, std::size_t nodes, JsonPieces& out) {
  std::vector<char> flags(nodes, 0);
  for (const Index i : ids) flags[static_cast<std::size_t>(i)] = 1;
  out.list(nodes, [&](std::size_t i) { out.raw(flags[i] ? "true" : "false"); });
}

void put_masks(const Dataset& dataset, JsonPieces& out) {
  const std::vector<Split>& splits = dataset.stored_splits;
  const auto nodes = static_cast<std::size_t>(dataset.nodes());
  const auto put = [&](const char* key, std::vector<Index> Split::*part) {
    out.raw(", ").text(key).raw(": ");
    out.list(splits.size(), [&](std::size_t s) { put_flags(splits[s].*part, nodes, out); });
  };
  put("train_masks", &Split::train);
  put("stopping_masks", &Split::stopping);
  put("val_masks", &Split::valid);
  const auto as_first = [&](const Split& s) { return s.test == splits[0].test; };
  if (!std::ranges::all_of(splits, as_first)) return put("test_masks", &Split::test);
  out.raw(", \"test_mask\": ");
  put_flags(splits[0].test, nodes, out);
}

void write_json(const fs::path& path, const std::function<void(const PutText&)>& put) {
  OutputFile file(path);
  put([&](std::string_view piece) { file.write(piece.data(), piece.size()); });
  file.commit();
}

}  // namespace

void put_wiki_cs_data(const Dataset& dataset, const WikiLinks& links, const PutText& put) {
  JsonPieces out(put);
  out.raw("{\"features\": ");
  put_features(dataset.features, out);
  const auto nodes = static_cast<std::size_t>(dataset.nodes());
  out.raw(", \"labels\": ").list(nodes, [&](std::size_t i) {
    out.number(std::int64_t{dataset.labels()[i]});
  });
  out.raw(", \"links\": ").list(nodes, [&](std::size_t i) {
    const std::span<const Index> targets = links(i);
    out.list(targets.size(), [&](std::size_t k) { out.number(std::int64_t{targets[k]}); });
  });
  if (!dataset.stored_splits.empty()) put_masks(dataset, out);
  out.raw("}").finish();
}

void write_wiki_cs(const Dataset& dataset, const fs::path& folder) {
  const Csr& arcs = dataset.adjacency;
  (void)arcs_without_values(arcs, folder);
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    fail("{}: the folder cannot be made ({}); give another path", folder.string(),
         problem.message());
  }
  std::vector<Index> repeated;
  const auto links = [&](std::size_t node) -> std::span<const Index> {
    const auto i = static_cast<Index>(node);
    if (arcs.is_pattern()) return arcs.row_columns(i);
    repeated.clear();
    for (Offset at = arcs.row_ptr[i]; at < arcs.row_ptr[i + 1]; ++at)
      repeated.insert(repeated.end(), static_cast<std::size_t>(arcs.value(at)),
                      arcs.columns[static_cast<std::size_t>(at)]);
    return repeated;
  };
  write_json(folder / "data.json",
             [&](const PutText& put) { put_wiki_cs_data(dataset, links, put); });
  write_json(folder / "metadata.json",
             [&](const PutText& put) { put_wiki_cs_class_names(dataset.class_names(), put); });
}

}  // namespace cupel
