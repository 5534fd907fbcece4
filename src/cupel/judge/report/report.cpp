#include "cupel/judge/report/report.h"

#include <fmt/format.h>

#include <string_view>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/registry.h"

namespace cupel {

#include "format_registry.inc"

const std::vector<const Format*>& formats() {
  static const std::vector<const Format*> all = sorted_entries(
      format_registry(), [](const Format* format) { return std::string_view(format->name); });
  return all;
}

bool is_variant(const Format& format) {
  const std::string_view name = format.name;
  return name.ends_with("-runs") || name.ends_with("-fragment");
}

const Format& find_format(const std::string& name) {
  std::vector<std::string> known;
  for (const Format* format : formats()) {
    if (name == format->name) return *format;
    if (!is_variant(*format)) known.push_back(format->name);
  }
  fail("--format {}: there is no such format{}", name, near_or_all(name, known));
}

std::string render(const Results& results, const Format& format) {
  const Report report = make_report(results);
  if (!format.is_folder()) return format.render(report, results);
  std::string text;
  format.files(report, results, [&](const std::string& path, std::string_view content) {
    text += fmt::format("{}:\n{}{}", path, content, content.ends_with('\n') ? "" : "\n");
  });
  return text;
}

}  // namespace cupel
