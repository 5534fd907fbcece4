// A pickle by itself.
#include "cupel/data/formats/pickle.h"

#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  refuse_or([&] {
    const Pickle pickle(folder().string(), std::string(input));
    demand(!describe(pickle.root()).empty(), "a value can be described");
  });
}

}  // namespace cupel::fuzz
