// A GraphML file.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  write(folder() / "input.graphml", input);
  read(folder() / "input.graphml", input.size());
}

}  // namespace cupel::fuzz
