// From results to a report in one of the known formats.
//
// A format is one file of judge/report/formats that defines `extern const Format format_<stem>`;
// nothing else lists formats. The same results give the same bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/judge/report/table.h"

namespace cupel {

// Takes a file of a folder: its path in the folder, with '/', and its content.
using PutFile = std::function<void(const std::string& path, std::string_view content)>;

struct Format {
  const char* name;       // what --format takes
  const char* extension;  // of files, without dot; "" of folders
  const char* doc;        // one phrase
  // Of a file; nullptr of a folder, which `files` gives file by file.
  std::string (*render)(const Report& report, const Results& results);
  void (*files)(const Report& report, const Results& results, const PutFile& put) = nullptr;

  [[nodiscard]] bool is_folder() const { return files != nullptr; }
};

// Sorted by name.
[[nodiscard]] const std::vector<const Format*>& formats();
// Whether an option of another format stands for it where formats are listed: csv-runs is csv with
// --runs, latex-fragment is latex with --fragment.
[[nodiscard]] bool is_variant(const Format& format);
// Throws Error listing the known names, variants left out.
[[nodiscard]] const Format& find_format(const std::string& name);

// The whole report as text in that format, ending with a newline: of a folder its files one after
// the other, each below its path. Throws Error as make_report does.
[[nodiscard]] std::string render(const Results& results, const Format& format);

}  // namespace cupel
