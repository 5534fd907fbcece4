// A file of splits.
#include "cupel/data/formats/split_json.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  const auto path = folder() / "input.json";
  write(path, input);
  refuse_or([&] { demand(!read_split_json(path).splits.empty(), "there is a split"); });
}

}  // namespace cupel::fuzz
