// An audit of a data set: what is wrong with it, and a cleaned copy.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/audit_report.h"
#include "cupel/data/audit/cleaned_copy.h"
#include "cupel/data/dataset.h"

namespace cupel {

// Empty: what the catalog knows of the name, or nothing.
struct AuditRequest {
  std::string name;                   // by which the data set was loaded; "" if it was made
  std::filesystem::path data_folder;  // of the catalog's directed versions
  std::string directed;  // the same graph with the direction of its arcs: a name or a path
  std::string rule;      // "beyond-chance" (default) or "wikipedia": which nodes are called copies
  std::string store;     // the file of a store with runs on it: does the graph help?
};

// Throws Error for what is neither empty nor one of the two.
[[nodiscard]] CopyRule read_copy_rule(const std::string& text);

// Where a cleaned copy of the data set may be written. Throws Error, before the long work, if it
// cannot: a set of graphs is a folder, and one graph a file.
void check_copy_path(const Dataset& dataset, const std::filesystem::path& out);

// Refers to the data set.
class DatasetAudit {
 public:
  // Throws Error for a directed version that is none, and if it cannot be read.
  DatasetAudit(const Dataset& dataset, const AuditRequest& request);

  // All findings, sorted, with notes. Throws Error if the store cannot be read.
  [[nodiscard]] AuditReport report() const;
  // The data set without what was found, by these fixes or, of none, the safe ones; `tool` is who
  // does it. In memory, where `out` is empty; else it is written there. Throws Error as clean() and
  // write_cleaned_copy() do.
  [[nodiscard]] CleanedCopy fixed(const std::vector<std::string>& fixes,
                                  const std::filesystem::path& out, const std::string& tool) const;

 private:
  const Dataset& dataset_;
  AuditRequest request_;
  std::string hash_;
  AuditSubject subject_;
  std::optional<Dataset> directed_;
};

}  // namespace cupel
