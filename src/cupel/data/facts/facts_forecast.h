// What facts over time will take in memory, told by their files before they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace cupel {

struct FactsForecast {
  std::int64_t facts = 0;  // about as many as there will be
  std::size_t bytes = 0;   // while they are read, and then counted or audited
  std::size_t copied = 0;  // while they are read, written to a folder, read again and compared
};

// Of any form that read_facts() takes. Facts are counted by the line ends in parts of a file, and
// compressed files are taken to become four times as long. A fact takes 32 bytes: 20 of its own,
// and some 12 of what sorts it, or of what statistics and audits keep beside it. Names are counted
// where they have a file of their own, and authorships where facts are copied. Nothing is held
// against any content, and what cannot be read counts as nothing. Reads less than 1 MiB of a file.
// Thread-safe.
[[nodiscard]] FactsForecast facts_forecast(const std::filesystem::path& place);

}  // namespace cupel
