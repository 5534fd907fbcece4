// One array, and every conversion of it.
#include "cupel/data/formats/npy.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input.npy";
  write(path, input);
  NpyArray array;
  refuse_or([&] { array = read_npy(path); });
  if (array.shape.empty()) return;
  refuse_or([&] { (void)to_integers(array); });
  refuse_or([&] { (void)to_indices(array, 100, "the 100 nodes"); });
  refuse_or([&] { (void)to_floats(array); });
  refuse_or([&] { (void)to_flags(array); });
  refuse_or([&] { (void)to_texts(array); });
}

}  // namespace cupel::fuzz
