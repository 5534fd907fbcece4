// Which data sets of a protocol are on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

struct AtHand {
  // Column names, each once, in the order of the tables. Generators and paths of the user's count
  // as there, so that a wrong one is told when it is read.
  std::vector<std::string> there, missing;
};

// Of the catalog, what `data_folder` has the files of. Nothing is read.
[[nodiscard]] AtHand at_hand(const Protocol& protocol, const std::filesystem::path& data_folder);

// The selection without what is not at hand. Throws Error if that leaves nothing.
[[nodiscard]] std::vector<std::string> narrowed(const AtHand& at_hand,
                                                const std::vector<std::string>& datasets);

}  // namespace cupel
