// A graph in two tables.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kFiles = {"nodes.csv", "edges.csv"};
  write_files(folder() / "table_graph", input, kFiles);
  read(folder() / "table_graph", input.size());
}

}  // namespace cupel::fuzz
