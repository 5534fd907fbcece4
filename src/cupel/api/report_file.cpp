#include "cupel/api/report_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/beside.h"
#include "cupel/judge/report/build.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A file of a folder that nobody sees yet.
void put_file(const fs::path& path, std::string_view content) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (problem || !out)
    fail("{}: cannot be written; give a path on a disk with room for many small files",
         path.string());
}

}  // namespace

const Format& format_of_file(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> known;
  for (const Format* format : formats()) {
    if (format->is_folder()) continue;
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

void check_report_path(const Format& format, const std::string& path) {
  std::error_code ignored;
  if (!format.is_folder()) {
    check_writable(path);
  } else if (fs::exists(path, ignored) &&
             !(fs::is_directory(path, ignored) && fs::is_empty(path, ignored))) {
    fail("{}: is there already, and '{}' is written to a new folder; give another path", path,
         format.name);
  }
}

void write_report(const Results& results, const std::string& path, const Format& format) {
  check_report_path(format, path);
  if (!format.is_folder()) return write_file(path, render(results, format));
  const fs::path given(path);
  const Beside beside(given.has_filename() ? given : given.parent_path());
  format.files(make_report(results), results,
               [&](const std::string& name, std::string_view content) {
                 put_file(beside.path() / name, content);
               });
  beside.move();
}

void write_report(const Results& results, const std::string& path, const std::string& format) {
  write_report(results, path, format.empty() ? format_of_file(path) : find_format(format));
}

}  // namespace cupel
