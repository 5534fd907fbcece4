#include "cupel/data/resolve/resolve_memory.h"

#include <algorithm>
#include <vector>

#include "cupel/data/resolve/egos.h"

namespace cupel {
namespace {

std::size_t bytes_of(const TextTable& texts) {
  std::size_t out = 0;
  for (Index i = 0; i < texts.size(); ++i) out += texts[i].size() + 8;
  return out;
}

// Pairs of authors of one paper, both ways, as gather_egos() makes them.
std::size_t pairs_of_authors(const Authorships& authorships) {
  std::vector<std::int64_t> authors(static_cast<std::size_t>(authorships.papers.size()), 0);
  for (const Index paper : authorships.paper) ++authors[static_cast<std::size_t>(paper)];
  std::int64_t out = 0;
  for (const std::int64_t n : authors)
    if (n <= kMostCoAuthors) out += n * (n - 1);
  return static_cast<std::size_t>(out);
}

}  // namespace

std::size_t held_memory(const TemporalFacts& facts, const Authorships& authorships) {
  return 20 * facts.time.size() + facts.entity_types.size() + bytes_of(facts.entity_names) +
         12 * authorships.paper.size() + bytes_of(authorships.papers);
}

std::size_t propose_memory(const TemporalFacts& facts, const Authorships& authorships,
                           const ProposeSettings& settings) {
  if (facts.entity_names.empty()) return 0;  // nothing is compared
  const int scientist = type_named(facts, "scientist"),
            institution = type_named(facts, "institution");
  // Of a name that is compared: its words, keys and blocks, which are more where it is long.
  constexpr std::size_t kOfScientist = 350, kOfInstitution = 700;
  std::size_t names = 0;
  for (const std::uint8_t type : facts.entity_types) {
    if (settings.scientists && type == scientist) names += kOfScientist;
    if (settings.institutions && type == institution) names += kOfInstitution;
  }
  // Facts that join two scientists count where no paper says who wrote with whom.
  std::size_t together = 0, links = 0;
  for (const Index relation : facts.relation.all()) {
    const FactRelation& of = facts.relations[static_cast<std::size_t>(relation)];
    if (of.source_type != scientist || scientist < 0) continue;
    ++(of.target_type == scientist ? together : links);
  }
  const std::size_t wrote = authorships.paper.size(), entities = facts.entity_types.size();
  together = wrote > 0 ? pairs_of_authors(authorships) : 2 * together;
  // Pairs of 8 bytes, in lists that hold twice that at the most while they double.
  const std::size_t gathering = 16 * (2 * wrote + together + 2 * links) + 24 * entities;
  const std::size_t gathered = 40 * entities + 4 * (together + 2 * links + wrote);
  return std::max(gathering, gathered + names);
}

std::size_t proposed_memory(std::int64_t pairs) { return 300 * static_cast<std::size_t>(pairs); }

std::size_t decided_memory(std::int64_t pairs) { return 600 * static_cast<std::size_t>(pairs); }

}  // namespace cupel
