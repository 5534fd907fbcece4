// A graph as OGB stores it.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kFiles = {
      "raw/num-node-list.csv", "raw/node-label.csv", "raw/edge.csv",    "raw/node-feat.csv",
      "split/a/train.csv",     "split/a/valid.csv",  "split/a/test.csv"};
  write_files(folder() / "ogb_nodes", input, kFiles);
  read(folder() / "ogb_nodes", input.size());
}

}  // namespace cupel::fuzz
