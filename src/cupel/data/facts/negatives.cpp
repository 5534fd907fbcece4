#include "cupel/data/facts/negatives.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel {

#include "fact_negative_registry.inc"

std::vector<Offset> fact_batches(std::span<const std::int64_t> asked, Offset batch) {
  std::vector<Offset> out;
  const Offset size = std::ssize(asked);
  for (Offset at = 0; at < size;) {
    out.push_back(at);
    if (batch > 0)
      at = std::min(at + batch, size);
    else
      at = std::upper_bound(asked.begin() + at, asked.end(), asked[static_cast<std::size_t>(at)]) -
           asked.begin();
  }
  out.push_back(size);
  return out;
}

const std::vector<const FactNegativeKind*>& fact_negative_kinds() {
  static const std::vector<const FactNegativeKind*> all = fact_negative_registry();
  return all;
}

const FactNegativeKind& find_fact_negative_kind(const std::string& where, const std::string& name) {
  std::vector<std::string> known;
  for (const FactNegativeKind* kind : fact_negative_kinds()) {
    if (kind->name == name) return *kind;
    known.push_back(kind->name);
  }
  const std::string near = nearest_name(name, known);
  fail("{}: negatives '{}' are unknown{}; there are {}", where, name,
       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
}

std::string fact_negatives_identity(const FactNegativeKind& kind, const Options& settings) {
  std::string out = kind.name;
  for (const auto& [name, value] : settings.identity())
    out += fmt::format(" {}={}", name, to_text(value));
  return out;
}

}  // namespace cupel
