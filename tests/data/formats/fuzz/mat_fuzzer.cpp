// A MAT-file.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  write(folder() / "input.mat", input);
  read(folder() / "input.mat", input.size());
}

}  // namespace cupel::fuzz
