#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/resolve/first_name_first.h"
#include "cupel/data/resolve/people.h"
#include "cupel/data/resolve/wording.h"

namespace cupel {

std::string listed(const TemporalFacts& facts, const Egos& egos, std::vector<Index> entities,
                   const Lists& others, std::string_view noun) {
  if (entities.empty()) return {};
  const auto name = [&](Index e) {
    return facts.entity_name(egos.entity[static_cast<std::size_t>(e)]);
  };
  std::sort(entities.begin(), entities.end(), [&](Index a, Index b) {
    return std::pair(others[a].size(), a) < std::pair(others[b].size(), b);
  });
  constexpr std::size_t kNamed = 3;
  std::string out = fmt::format("{} shared {}", entities.size(), noun);
  out += entities.size() > 1 ? "s: " : ": ";
  for (std::size_t k = 0; k < std::min(kNamed, entities.size()); ++k) {
    if (k > 0) out += ", ";
    out += name(entities[k]);
  }
  if (entities.size() > kNamed) out += fmt::format(" and {} more", entities.size() - kNamed);
  return out;
}

std::string years_of(const Egos& egos, Index entity) {
  const auto at = static_cast<std::size_t>(entity);
  if (egos.first[at] > egos.last[at]) return {};
  if (egos.first[at] == egos.last[at]) return fmt::format("{}", egos.first[at]);
  return fmt::format("{}-{}", egos.first[at], egos.last[at]);
}

std::vector<Index> shared_of(const Lists& lists, Index a, Index b) {
  std::vector<Index> out;
  for_shared(lists[a], lists[b], [&](Index one) { out.push_back(one); });
  return out;
}

void join(std::string& all, const std::string& more) {
  if (more.empty()) return;
  if (!all.empty()) all += "; ";
  all += more;
}

std::string both_years(const TemporalFacts& facts, const Egos& egos, Index a, Index b) {
  if (facts.time_unit != "year") return {};
  const std::string mine = years_of(egos, a), yours = years_of(egos, b);
  if (mine.empty() || yours.empty()) return {};
  if (mine == yours) return "both " + mine;
  const auto begins = [&](Index e) {
    return std::pair(egos.first[static_cast<std::size_t>(e)],
                     egos.last[static_cast<std::size_t>(e)]);
  };
  return begins(a) < begins(b) ? mine + " and " + yours : yours + " and " + mine;
}

// In what the names differ.
std::string People::name_evidence(const MergeCandidate& one) const {
  const auto relation = static_cast<NameRelation>(one.kind);
  const std::string_view a = name_of(one.first), b = name_of(one.second);
  const bool turned = relation == NameRelation::kSame && compared_name(a) != compared_name(b) &&
                      compared_name(first_name_first(a)) == compared_name(first_name_first(b));
  return std::string(turned ? "the same name, in one with the last name first"
                            : in_words(relation));
}

std::string People::evidence(const MergeCandidate& one) const {
  std::string out = name_evidence(one);
  const Lists& circles = egos_->circles();
  const std::vector<Index> shared = shared_of(circles, one.first, one.second);
  join(out, shared.empty() ? "no shared co-author"
                           : listed(*facts_, *egos_, shared, circles, "co-author"));
  join(out, listed(*facts_, *egos_, shared_of(egos_->institutions, one.first, one.second),
                   egos_->staff, "institution"));
  join(out, both_years(*facts_, *egos_, one.first, one.second));
  return out;
}

}  // namespace cupel
