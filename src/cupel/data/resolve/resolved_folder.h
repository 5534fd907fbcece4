// A folder of facts after entities were merged.
#pragma once

#include <filesystem>
#include <string>

#include "cupel/data/resolve/apply_decisions.h"

namespace cupel {

// Throws Error if the folder holds something, or if there is none that it could be made in; before
// long work.
void check_resolved_folder(const std::filesystem::path& folder);

// Writes the files of facts_folder.h, decisions.csv, merged.csv (where names went) and
// provenance.json into a new folder, which appears whole or not at all. Takes facts and authorships
// out of `resolved`. Throws Error if it cannot be written or holds something.
void write_resolved_folder(ResolvedFacts& resolved, const std::string& decisions,
                           const std::string& provenance, const std::filesystem::path& folder);

}  // namespace cupel
