#include "cupel/data/audit/wording.h"

#include <algorithm>
#include <cctype>

#include "cupel/base/words.h"

namespace cupel::audit_text {

std::string number(Offset value) { return grouped(value); }

std::string count(Offset value, const char* noun) { return counted(value, noun); }

std::string verb(Offset value, const char* singular, const char* plural) {
  return value == 1 ? singular : plural;
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  if (value < 100 && value > 99.9) return "> 99.9 %";
  return fmt::format("{:.1f} %", value);
}

std::string more(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format(" and {} more", number(static_cast<Offset>(all - shown))) : "";
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::span<const Index> examples(std::span<const Index> ids) {
  return ids.first(std::min(ids.size(), kExamples));
}

std::string nodes(std::span<const Index> ids) { return audit_text::ids("node", ids); }

std::string ids(const char* noun, std::span<const Index> ids) {
  return fmt::format("{}{} {}{}", noun, ids.size() == 1 ? "" : "s", fmt::join(examples(ids), ", "),
                     more(ids.size(), examples(ids).size()));
}

}  // namespace cupel::audit_text
