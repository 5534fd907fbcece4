// A cleaned copy of a data set, with an account of what was done, in memory or on disk.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/data/audit/fix.h"

namespace cupel {

struct CopyRequest {
  std::string name, content_hash;              // of the data set that was audited
  std::vector<std::filesystem::path> sources;  // what it was read from; none is written over
  std::vector<std::string> fixes;              // as for fix()
  std::filesystem::path out;                   // an npz file, or of a set of graphs a folder
  std::string tool;                            // who writes it: "cupel 0.1.0"
};

struct CleanedCopy {
  Dataset dataset;
  std::filesystem::path path, provenance_path;  // empty: it was not written
  // As written: the tool, the source, the copy rule, the directed version, what was done and what
  // came of it. Of one that was not written, without what is of files.
  nlohmann::ordered_json provenance;
};

// Mends the subject. `out` and `sources` are not looked at. Throws Error as fix() does.
[[nodiscard]] CleanedCopy clean(const AuditSubject& subject, const CopyRequest& request);

// Mends the subject and writes it, one graph as heterophilous-graphs npz, a set of graphs as TU
// text files, which are read back and compared. Throws Error if `out` is one of the sources, as
// fix() does, or if something cannot be written; then no account is left of what is not there.
[[nodiscard]] CleanedCopy write_cleaned_copy(const AuditSubject& subject,
                                             const CopyRequest& request);

}  // namespace cupel
