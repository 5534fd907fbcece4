// The text files of a set of graphs.
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {

void fuzz_one(std::string_view input) {
  static const std::vector<std::string> kFiles = {
      "tu_graph_labels.txt",    "tu_graph_indicator.txt", "tu_A.txt",
      "tu_node_labels.txt",     "tu_edge_labels.txt",     "tu_node_attributes.txt",
      "tu_edge_attributes.txt", "tu_scaffold_train.txt",  "tu_scaffold_valid.txt",
      "tu_scaffold_test.txt"};
  write_files(folder() / "tu", input, kFiles);
  read(folder() / "tu", input.size());
}

}  // namespace cupel::fuzz
