// Classes that are given as texts, features of nodes that have none, and names that no data set
// holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Sets labels and class_names from one text per node, "" for no label. Classes are numbered by
// ascending value if all texts are whole numbers (equal values by text), else by ascending text.
// Throws Error naming `where` if all are "".
void set_text_labels(Dataset& dataset, const std::vector<std::string>& labels,
                     const std::string& where);

// The nodes x nodes unit matrix: every node has a feature of its own.
[[nodiscard]] Csr identity_features(Index nodes);

// Names in a file of what a data set numbers: its nodes or its features.
class NamesLeftOut {
 public:
  // `of`: "nodes". The name k is no loss where it is `usual` and k, which is what is written.
  explicit NamesLeftOut(std::string of, std::string usual = "")
      : of_(std::move(of)), usual_(std::move(usual)) {}

  void add(std::string_view name);  // in the order of the numbers
  // Adds "the names of its nodes ('ann', 'bob', ...)", if there is a loss.
  void tell(std::vector<std::string>& out) const;

 private:
  std::string of_, usual_, examples_;
  Index names_ = 0;
  bool lost_ = false;
};

}  // namespace cupel
