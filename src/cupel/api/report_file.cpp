#include "cupel/api/report_file.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
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

bool is_page(const Format& format) { return std::string_view(format.name) == "html"; }

AuditedData audited_for(const Format& format, const std::string& given) {
  if (is_page(format)) return audited_data(given);
  if (!given.empty())
    fail("report: --data is for the cards of data sets, which only --format html has");
  return {};
}

ReportText report_text(const ReportSource& source, const Format& format, const std::string& name) {
  if (!is_page(format)) return {render(source.results, format), ""};
  ReportText out{store_page(source.page), ""};
  if (out.text.size() >= kPageLimit)
    out.note = fmt::format(
        "{} has {} bytes, where a page should have fewer than {} for browsers to show it at once; "
        "fewer tables, data sets or models make a smaller one",
        name, grouped(static_cast<std::int64_t>(out.text.size())),
        grouped(static_cast<std::int64_t>(kPageLimit)));
  return out;
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

std::string write_report(const ReportSource& source, const std::string& path,
                         const Format& format) {
  check_report_path(format, path);
  if (!format.is_folder()) {
    ReportText report = report_text(source, format, path);
    write_file(path, report.text);
    return std::move(report.note);
  }
  const fs::path given(path);
  const Beside beside(given.has_filename() ? given : given.parent_path());
  format.files(make_report(source.results), source.results,
               [&](const std::string& name, std::string_view content) {
                 put_file(beside.path() / name, content);
               });
  beside.move();
  return "";
}

}  // namespace cupel
