#include "cupel/api/toml_text.h"

#include <sstream>

namespace cupel {

std::string toml_text(const toml::table& table) {
  std::ostringstream out;
  out << toml::toml_formatter(table) << "\n";
  return out.str();
}

}  // namespace cupel
