// The members of an npz file with the names of PyTorch Geometric.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kMembers = {
      "x.npy",          "edge_index.npy", "y.npy",        "edge_weight.npy",
      "train_mask.npy", "val_mask.npy",   "test_mask.npy"};
  write_archive(folder() / "input.npz", input, kMembers);
  read(folder() / "input.npz", input.size());
}

}  // namespace cupel::fuzz
