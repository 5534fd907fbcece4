// A report as a file.
#pragma once

#include <string>

#include "cupel/judge/report/report.h"

namespace cupel {

// The format that a file's name means; of a name without one, and of "", text. Throws Error for an
// extension that no format has.
[[nodiscard]] const Format& format_of_file(const std::string& path);

// Writes it in this format, or in that of the file's name. Throws Error if it cannot be written.
void write_report(const Results& results, const std::string& path, const std::string& format = {});

}  // namespace cupel
