// A name with settings in one text, as protocols write kinds of things:
// "heart:count=500;zeros=last".
#pragma once

#include <string>
#include <vector>

namespace cupel {

struct NamedSettings {
  std::string name;
  std::vector<std::string> settings;  // "count=500", for parse_options()
};

// What stands before the first ':', and what ';' parts behind it. Spaces stay.
[[nodiscard]] inline NamedSettings named_settings(const std::string& text) {
  const std::size_t colon = text.find(':');
  NamedSettings out{text.substr(0, colon), {}};
  for (std::size_t from = colon; from != std::string::npos;) {
    const std::size_t end = text.find(';', from + 1);
    out.settings.push_back(text.substr(from + 1, end == std::string::npos ? end : end - from - 1));
    from = end;
  }
  return out;
}

}  // namespace cupel
