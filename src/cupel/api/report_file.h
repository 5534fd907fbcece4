// A report as a file, or as a folder of files.
#pragma once

#include <string>

#include "cupel/judge/report/report.h"

namespace cupel {

// The format that a file's name means; of a name without one, and of "", text. Throws Error for an
// extension that no format has.
[[nodiscard]] const Format& format_of_file(const std::string& path);

// Throws Error where what is at the path would keep write_report() from writing this format.
void check_report_path(const Format& format, const std::string& path);

// Writes it in this format, or in that of the file's name. A file takes the place of one that is
// there; a folder must not be there or be empty, and appears whole. Throws Error if it cannot be
// written.
void write_report(const Results& results, const std::string& path, const Format& format);
void write_report(const Results& results, const std::string& path, const std::string& format = {});

}  // namespace cupel
