// From results to a report in one of the known formats.
//
// A format is one file of judge/report/formats that defines `extern const Format format_<stem>`;
// nothing else lists formats. The same results give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "cupel/judge/report/table.h"

namespace cupel {

struct Format {
  const char* name;       // what --format takes
  const char* extension;  // of files, without dot
  const char* doc;        // one phrase
  std::string (*render)(const Report& report, const Results& results);
};

// Sorted by name.
[[nodiscard]] const std::vector<const Format*>& formats();
// Throws Error listing the known names.
[[nodiscard]] const Format& find_format(const std::string& name);

// The whole report as text in that format, ending with a newline. Throws Error as make_report does.
[[nodiscard]] std::string render(const Results& results, const Format& format);

}  // namespace cupel
