// The members of a heterophilous-graphs npz file.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kMembers = {"node_features.npy", "node_labels.npy",
                                                    "edges.npy",         "train_masks.npy",
                                                    "val_masks.npy",     "test_masks.npy"};
  write_archive(folder() / "input.npz", input, kMembers);
  read(folder() / "input.npz", input.size());
}

}  // namespace cupel::fuzz
