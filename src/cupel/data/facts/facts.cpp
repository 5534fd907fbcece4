#include "cupel/data/facts/facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "cupel/base/hash.h"

namespace cupel {
namespace {

using Places = FactColumn<std::uint32_t>;

constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// The places of facts in the order of their times; equal times keep theirs.
Places places_by_time(const FactColumn<std::int64_t>& time) {
  const auto [least, most] = std::minmax_element(time.all().begin(), time.all().end());
  const auto first = static_cast<std::uint64_t>(*least);
  const int bits = std::bit_width(static_cast<std::uint64_t>(*most) - first);
  Places out, next;
  out.resize(time.size());
  next.resize(time.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::uint32_t>(k);
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [&](std::uint32_t k) {
      return (static_cast<std::uint64_t>(time[k]) - first) >> shift & (kDigits - 1);
    };
    std::array<std::size_t, kDigits + 1> start{};
    for (std::size_t k = 0; k < out.size(); ++k) ++start[digit(static_cast<std::uint32_t>(k)) + 1];
    for (std::size_t d = 0; d < kDigits; ++d) start[d + 1] += start[d];
    for (const std::uint32_t k : out.all()) next[start[digit(k)]++] = k;
    out.swap(next);
  }
  return out;
}

template <class T>
void reorder(FactColumn<T>& column, const Places& places) {
  FactColumn<T> out;
  out.resize(column.size());
  for (std::size_t k = 0; k < places.size(); ++k) out[k] = column[places[k]];
  column = std::move(out);
}

void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void sort_by_time(TemporalFacts& facts) {
  const auto times = facts.time.all();
  if (std::is_sorted(times.begin(), times.end())) return;
  const Places places = places_by_time(facts.time);
  reorder(facts.time, places);
  reorder(facts.source, places);
  reorder(facts.relation, places);
  reorder(facts.target, places);
}

std::int64_t out_of_order(const TemporalFacts& facts) {
  std::int64_t out = 0;
  for (std::size_t k = 1; k < facts.time.size(); ++k) out += facts.time[k] < facts.time[k - 1];
  return out;
}

RepeatedFacts repeated_facts(const TemporalFacts& facts) {
  RepeatedFacts out;
  std::vector<std::array<Index, 3>> step;
  const std::size_t size = facts.time.size();
  for (std::size_t from = 0; from < size;) {
    std::size_t to = from;
    while (to < size && facts.time[to] == facts.time[from]) ++to;
    step.resize(to - from);
    for (std::size_t k = from; k < to; ++k)
      step[k - from] = {facts.source[k], facts.relation[k], facts.target[k]};
    from = to;
    std::sort(step.begin(), step.end());
    for (std::size_t k = 1; k < step.size(); ++k) {
      if (step[k] != step[k - 1]) continue;
      ++out.facts;
      out.distinct += k == 1 || step[k - 1] != step[k - 2];
    }
  }
  return out;
}

std::string content_hash(const TemporalFacts& facts) {
  Hasher hasher;
  hasher.field("facts");
  hasher.array(std::span<const std::uint8_t>(facts.entity_types));
  hasher.field(static_cast<std::int64_t>(facts.relations.size()));
  for (const FactRelation& relation : facts.relations) {
    hasher.field(relation.source_type).field(relation.target_type);
    hasher.field(std::int64_t{relation.undirected});
  }
  hasher.array(facts.source.all()).array(facts.relation.all());
  hasher.array(facts.target.all()).array(facts.time.all());
  hasher.field(static_cast<std::int64_t>(facts.parts.size()));
  for (const FactPart& part : facts.parts)
    hasher.field(part.facts).field(part.first).field(part.last);
  return hasher.hex();
}

std::string names_hash(const TemporalFacts& facts) {
  Hasher hasher;
  hasher.field(static_cast<std::int64_t>(facts.relations.size()));
  for (const FactRelation& relation : facts.relations) hasher.field(relation.name);
  hasher.field(facts.time_unit);
  return hasher.hex();
}

void check_invariants(const TemporalFacts& facts) {
  const std::size_t size = facts.time.size();
  demand(facts.source.size() == size && facts.relation.size() == size &&
             facts.target.size() == size && facts.facts() <= kMostFacts,
         "columns of facts have one length");
  demand(!facts.types.empty() && facts.types.size() <= 255, "facts have types");
  for (const std::uint8_t type : facts.entity_types)
    demand(type < facts.types.size(), "the type of an entity is known");
  demand(facts.entity_names.empty() || facts.entity_names.size() == facts.entities(),
         "every entity has a name, or none has");
  for (const FactRelation& relation : facts.relations)
    demand(relation.source_type < facts.types.size() && relation.target_type < facts.types.size(),
           "ends of a relation are of known types");
  for (std::size_t k = 0; k < size; ++k) {
    const Index s = facts.source[k], r = facts.relation[k], o = facts.target[k];
    demand(s >= 0 && s < facts.entities() && o >= 0 && o < facts.entities(), "ends are entities");
    demand(r >= 0 && r < std::ssize(facts.relations), "relations are known");
    const FactRelation& relation = facts.relations[static_cast<std::size_t>(r)];
    demand(facts.entity_types[static_cast<std::size_t>(s)] == relation.source_type &&
               facts.entity_types[static_cast<std::size_t>(o)] == relation.target_type,
           "ends are of the types of their relation");
    demand(k == 0 || facts.time[k - 1] <= facts.time[k], "facts ascend by time");
  }
  std::int64_t in_parts = 0;
  for (const FactPart& part : facts.parts) in_parts += part.facts;
  demand(facts.parts.empty() || in_parts == facts.facts(), "parts hold all facts");
}

}  // namespace cupel
