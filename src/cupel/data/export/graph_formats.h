// Formats that data sets are written in, by name.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/facts/academic.h"
#include "cupel/data/unit.h"

namespace cupel {

// Whom a data set is owed to, in words; "" where that is not known (catalog/credits.h).
struct Credits {
  std::string title, description, licence, citation;
};

// What is written, and what it is read back as.
struct Written {
  const Dataset& dataset;
  const Dataset& read;
  const Credits& credits;
  const Authorships* authorships;  // of facts; null: none
};

struct GraphFormat {
  const char* name;         // "pyg"
  const char* doc;          // one phrase
  bool folder;              // written as a folder, else as a file
  std::vector<Unit> holds;  // kNode: one graph; kGraph: sets of graphs; kFact: facts over time
  void (*write)(const Dataset& dataset, const std::filesystem::path& path);
  // Of a folder that says itself what it holds: adds that. Returns forms that are lost (below).
  std::vector<std::string> (*describe)(const Written& written,
                                       const std::filesystem::path& folder) = nullptr;
  bool bare = false;  // of one graph: also where it has no features or no labels
};

// In the order of the documentation; the first that fits is what write_dataset takes by itself.
[[nodiscard]] const std::vector<GraphFormat>& graph_formats();

// The format of this name; of "" that which suits the data set and the path: a file that ends in
// .npz, or a folder, whose name has no ending such as .mat that another kind of file has. Throws
// Error for an unknown name (with the nearest) or one that does not suit.
[[nodiscard]] const GraphFormat& graph_format(const std::string& name, const Dataset& dataset,
                                              const std::filesystem::path& path);

// What the second data set, read from a file, does not have of the first: one phrase each.
struct Losses {
  std::vector<std::string> values;  // numbers: edges, features, labels, splits
  std::vector<std::string> forms;   // what no result depends on but the content hash: names of
                                    // classes, dense for sparse features, the order of a part
};
[[nodiscard]] Losses losses_between(const Dataset& written, const Dataset& read);

// Writes the data set, of facts with who wrote their papers where that is known, to a hidden folder
// beside `path`, reads it back, compares, and moves it to `path`: a file replaces a file, a folder
// must not be there or be empty. Returns the forms that were lost. Throws Error naming the format,
// what it cannot hold and what to do; `path` is then as before.
std::vector<std::string> write_dataset(
    const Dataset& dataset, const GraphFormat& format, const std::filesystem::path& path,
    const Credits& credits = {}, const std::shared_ptr<const Authorships>& authorships = nullptr);

}  // namespace cupel
