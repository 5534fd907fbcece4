#include "cupel/data/audit/split_parts.h"

#include "cupel/data/audit/wording.h"

namespace cupel {

std::vector<std::uint8_t> membership(const Split& split, Index examples) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(examples), 0);
  std::uint8_t bit = 1;
  for (const std::vector<Index>* part : split.parts()) {
    for (const Index i : *part) out[static_cast<std::size_t>(i)] |= bit;
    bit = static_cast<std::uint8_t>(bit << 1);
  }
  return out;
}

Straddling straddling(const Dataset& dataset, const Groups& groups) {
  Straddling out;
  double largest = -1;
  for (const Split& split : dataset.stored_splits) {
    const std::vector<std::uint8_t> part = membership(split, dataset.examples());
    Offset found = 0;
    for (const auto& group : groups) {
      Offset train = 0, test = 0, both = 0;
      for (const Index i : group) {
        const std::uint8_t p = part[static_cast<std::size_t>(i)];
        train += (p & 1) != 0;
        test += (p & 4) != 0;
        both += (p & 5) == 5;
      }
      // A node in training and test itself has another one in training only if there are two.
      if (train > 1) found += test;
      if (train == 1) found += test - both;
    }
    out.per_split.push_back(found);
    const double tests = static_cast<double>(split.test.size());
    out.share.push_back(tests > 0 ? static_cast<double>(found) / tests : 0);
    if (out.share.back() > largest) {
      largest = out.share.back();
      out.worst = out.share.size() - 1;
    }
  }
  return out;
}

std::string Straddling::worst_text() const {
  return fmt::format("{} ({}) in split {}, the worst", audit_text::number(per_split[worst]),
                     audit_text::percent(share[worst]), worst);
}

void Straddling::add_to(nlohmann::ordered_json& details) const {
  details["straddling_per_split"] = per_split;
  details["worst_split"] = worst;
  details["worst_straddling"] = per_split[worst];
  details["worst_straddling_share"] = share[worst];
}

}  // namespace cupel
