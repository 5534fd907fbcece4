// The members of a gnn-benchmark npz file.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kMembers = {
      "adj_data.npy",      "adj_indices.npy",  "adj_indptr.npy",  "adj_shape.npy",
      "attr_data.npy",     "attr_indices.npy", "attr_indptr.npy", "attr_shape.npy",
      "labels.npy",        "class_names.npy",  "idx_train.npy",   "idx_val.npy",
      "idx_test.npy",      "attr_matrix.npy",  "labels_data.npy", "labels_indices.npy",
      "labels_indptr.npy", "labels_shape.npy"};
  write_archive(folder() / "input.npz", input, kMembers);
  read(folder() / "input.npz", input.size());
}

}  // namespace cupel::fuzz
