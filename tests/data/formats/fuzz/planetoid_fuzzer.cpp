// The files of Planetoid, pickles mostly.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kFiles = {"ind.p.x",     "ind.p.tx",        "ind.p.allx",
                                                  "ind.p.y",     "ind.p.ty",        "ind.p.ally",
                                                  "ind.p.graph", "ind.p.test.index"};
  write_files(folder() / "planetoid", input, kFiles);
  read(folder() / "planetoid", input.size());
}

}  // namespace cupel::fuzz
