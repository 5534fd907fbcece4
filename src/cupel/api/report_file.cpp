#include "cupel/api/report_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/write_file.h"

namespace cupel {

const Format& format_of_file(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> known;
  for (const Format* format : formats()) {
    const std::string of = std::string(".") + format->extension;
    if (extension == of) return *format;
    if (std::find(known.begin(), known.end(), of) == known.end()) known.push_back(of);
  }
  if (!extension.empty())
    fail(
        "report: --out {}: there is no format for '{}'; known are {}; --format FORMAT takes any "
        "name",
        path, extension, fmt::join(known, ", "));
  return find_format("text");
}

void write_report(const Results& results, const std::string& path, const std::string& format) {
  const Format& chosen = format.empty() ? format_of_file(path) : find_format(format);
  check_writable(path);
  write_file(path, render(results, chosen));
}

}  // namespace cupel
