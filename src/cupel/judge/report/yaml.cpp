#include "cupel/judge/report/yaml.h"

#include <fmt/format.h>

#include "cupel/data/formats/json_pieces.h"
#include "cupel/judge/report/print.h"

namespace cupel::report {

// What JSON writes is YAML too, but for surrogates as escapes, which printable() leaves no need of,
// and for two characters that YAML does not allow.
std::string yaml_quoted(std::string_view text) {
  std::string out;
  append_json_text(out, printable(text));
  for (const std::string_view refused : {"\uFFFE", "\uFFFF"}) {
    for (std::size_t at = 0; (at = out.find(refused, at)) != std::string::npos;)
      out.replace(at, refused.size(), "\uFFFD");
  }
  return out;
}

std::string yaml_number(double value) {
  std::string out = fmt::format("{}", value);
  const std::size_t exponent = out.find('e');
  if (exponent != std::string::npos && out.find('.') == std::string::npos)
    out.insert(exponent, ".0");
  return out;
}

}  // namespace cupel::report
