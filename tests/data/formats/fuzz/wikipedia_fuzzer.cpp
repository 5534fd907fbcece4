// The members of a graphmining.ai npz file.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kMembers = {
      "features.npy", "edges.npy", "target.npy", "train_mask.npy", "val_mask.npy", "test_mask.npy"};
  write_archive(folder() / "input.npz", input, kMembers);
  read(folder() / "input.npz", input.size());
}

}  // namespace cupel::fuzz
