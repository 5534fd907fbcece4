// The files of a text graph.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kFiles = {"labels.csv", "edges.csv", "features.csv",
                                                  "splits.json"};
  write_files(folder() / "text_graph", input, kFiles);
  read(folder() / "text_graph", input.size());
}

}  // namespace cupel::fuzz
