#include "cupel/data/facts/columns_of.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {

FactColumns columns_of(const TemporalFacts& facts) {
  return {facts.source.all(), facts.relation.all(),
          facts.target.all(), facts.time.all(),
          facts.entities(),   std::max<Index>(1, static_cast<Index>(facts.relations.size()))};
}

std::vector<std::uint8_t> undirected_of(const TemporalFacts& facts) {
  std::vector<std::uint8_t> out;
  for (const FactRelation& relation : facts.relations) out.push_back(relation.undirected ? 1 : 0);
  return out;
}

TimeCuts cuts_of_parts(const TemporalFacts& facts) {
  constexpr std::array<const char*, 3> kNames = {"train", "valid", "test"};
  std::array<const FactPart*, 3> parts{};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    for (const FactPart& part : facts.parts)
      if (part.name == kNames[i]) parts[i] = &part;
    if (parts[i] != nullptr && parts[i]->facts == 0)
      fail(
          "{}: its part {} has no fact; name the last time of each part instead, as "
          "2018,2019,2021, or cut at quantiles, as 0.7,0.85",
          facts.name, kNames[i]);
    if (parts[i] == nullptr)
      fail(
          "{}: it did not come in parts train, valid and test; name the last time of each, as "
          "2018,2019,2021, or cut at quantiles, as 0.7,0.85",
          facts.name);
    if (i > 0 && parts[i - 1]->last >= parts[i]->first)
      fail(
          "{}: its part {} goes to time {} and its part {} begins at {}, so that they overlap in "
          "time; name the last time of each part instead",
          facts.name, kNames[i - 1], parts[i - 1]->last, kNames[i], parts[i]->first);
  }
  return {parts[0]->last, parts[1]->last, parts[2]->last};
}

std::pair<double, double> parse_quantiles(const std::string& text, const std::string& what) {
  double train = 0, valid = 0;
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, train);
  const bool comma = first.ec == std::errc() && first.ptr != end && *first.ptr == ',';
  const auto second = comma ? std::from_chars(first.ptr + 1, end, valid) : first;
  if (!comma || second.ec != std::errc() || second.ptr != end || !(0 < train) || !(train < valid) ||
      !(valid < 1))
    fail("{} {} are not two ascending shares between 0 and 1; write \"0.7,0.85\"", what,
         in_quotes(text));
  return {train, valid};
}

bool is_of_shares(const std::string& text) {
  return text.find('.') != std::string::npos && std::ranges::count(text, ',') < 2;
}

TimeCuts cuts_of_text(const TemporalFacts& facts, const std::string& text,
                      const std::string& option) {
  if (text.empty()) return cuts_of_parts(facts);
  if (!is_of_shares(text)) return parse_time_cuts(text, facts.time_unit, option);
  const auto [train, valid] = parse_quantiles(text, option + ":");
  return quantile_cuts(facts.time.all(), train, valid, facts.name);
}

FactsStatistics facts_statistics(const TemporalFacts& facts, const TimeCuts& cuts,
                                 Threads threads) {
  std::vector<std::string> relations;
  for (const FactRelation& relation : facts.relations) relations.push_back(relation.name);
  return facts_statistics(columns_of(facts), {relations, facts.types, facts.entity_types}, cuts,
                          undirected_of(facts), facts.name, threads);
}

}  // namespace cupel
