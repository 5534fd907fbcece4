#include "cupel/data/formats/flag_masks.h"

#include <vector>

#include "cupel/base/error.h"

namespace cupel {

bool has_flag_masks(const NpzFile& file) {
  for (const char* key : {"train_mask", "val_mask", "test_mask"}) {
    if (file.has(key)) return true;
  }
  return false;
}

Split read_flag_masks(const NpzFile& file, Index nodes) {
  Split split;
  const auto read = [&](const char* key, std::vector<Index>& ids) {
    const NpyArray array = file.read(key);  // names the one that is missing
    if (array.shape.size() != 1 || array.shape[0] != nodes)
      fail("{}: has the shape ({}) where ({}) is needed, a flag for each node", array.where,
           fmt::join(array.shape, ", "), nodes);
    const std::vector<std::uint8_t> flags = to_flags(array);
    for (Index i = 0; i < nodes; ++i) {
      if (flags[static_cast<std::size_t>(i)]) ids.push_back(i);
    }
  };
  read("train_mask", split.train);
  read("val_mask", split.valid);
  read("test_mask", split.test);
  return split;
}

}  // namespace cupel
