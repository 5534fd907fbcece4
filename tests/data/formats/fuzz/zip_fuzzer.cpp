// An archive as it lies there: its directory, its members, the arrays in them.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  write(folder() / "input.npz", input);
  read(folder() / "input.npz", input.size());
}

}  // namespace cupel::fuzz
