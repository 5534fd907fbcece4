#include "cupel/judge/report/report.h"

#include <algorithm>
#include <string_view>

#include "cupel/base/error.h"
#include "cupel/base/names.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const Format format_##stem;
#include "format_registry.inc"
#undef CUPEL_ENTRY

const std::vector<const Format*>& formats() {
  static const std::vector<const Format*> all = [] {
    std::vector<const Format*> list = {
#define CUPEL_ENTRY(stem) &format_##stem,
#include "format_registry.inc"
#undef CUPEL_ENTRY
    };
    std::sort(list.begin(), list.end(), [](const Format* a, const Format* b) {
      return std::string_view(a->name) < std::string_view(b->name);
    });
    return list;
  }();
  return all;
}

const Format& find_format(const std::string& name) {
  std::vector<std::string> known;
  for (const Format* format : formats()) {
    if (name == format->name) return *format;
    known.push_back(format->name);
  }
  fail("--format {}: there is no such format{}", name, near_or_all(name, known));
}

std::string render(const Results& results, const Format& format) {
  return format.render(make_report(results), results);
}

}  // namespace cupel
