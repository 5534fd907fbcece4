// The files of Geom-GCN; the last three parts are the masks of a split.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input);
  const auto root = folder() / "geom_gcn";
  write_files(root, input, {"out1_node_feature_label.txt", "out1_graph_edges.txt"});
  const auto split = root / "g_split_0.6_0.2_0.npz";
  std::filesystem::remove(split);
  if (parts.size() > 2) {
    const auto first = static_cast<std::size_t>(parts[2].data() - input.data());
    write_archive(split, input.substr(first), {"train_mask.npy", "val_mask.npy", "test_mask.npy"});
  }
  read(root, input.size());
}

}  // namespace cupel::fuzz
