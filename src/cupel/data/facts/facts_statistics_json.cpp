#include "cupel/data/facts/facts_statistics_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "cupel/base/words.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// An object of keys that are known to differ: to look for each of them among those before would
// take quadratic time.
class Keys {
 public:
  void add(std::string key, Json value) {
    object_.get_ref<Json::object_t&>().emplace_back(std::move(key), std::move(value));
  }
  Json take() { return std::move(object_); }

 private:
  Json object_ = Json::object();
};

Json part_json(const FactsStatistics& s, const PartStatistics& part) {
  Keys out;
  std::set<std::string> taken;
  const auto add = [&](std::string key, const char* kind, Json value) {
    while (!taken.insert(key).second) key += std::string(" (") + kind + ")";
    out.add(std::move(key), std::move(value));
  };
  add("part", "", part.part);
  add("from", "", part.from);
  add("to", "", part.to);
  for (std::size_t type = 0; type < s.types.size(); ++type)
    add(noun_for(2, s.types[type]), "type", part.by_type[type]);
  for (std::size_t relation = 0; relation < s.relations.size(); ++relation)
    add(s.relations[relation], "relation", part.by_relation[relation]);
  return out.take();
}

template <std::size_t N>
Json counts_json(const std::array<Offset, N>& counts,
                 const std::array<std::string_view, N>& names) {
  Json out = Json::object();
  for (std::size_t i = 0; i < N; ++i) out[std::string(names[i])] = counts[i];
  return out;
}

}  // namespace

Json complexity_json(const Complexity& c) {
  return {{"c_trans", json_of(c.trans)},
          {"c_trans_share", json_of(c.trans_share)},
          {"c_ind", json_of(c.ind)},
          {"c_ind_share", json_of(c.ind_share)}};
}

Json complexity_over_time_json(const std::vector<std::string>& relations,
                               const std::vector<CutComplexity>& cuts) {
  Json out = Json::array();
  for (const CutComplexity& row : cuts) {
    Keys groups, complexities;
    const auto add = [&](const std::string& relation, const GroupCounts& counts) {
      groups.add(relation, counts_json(counts, kFactGroupNames));
      complexities.add(relation, complexity_json(complexity(counts)));
    };
    for (std::size_t r = 0; r < relations.size(); ++r) add(relations[r], row.by_relation[r]);
    add("all", row.all);
    out.push_back({{"train", row.cuts.train},
                   {"valid", row.cuts.valid},
                   {"test", row.cuts.test},
                   {"groups", groups.take()},
                   {"complexity", complexities.take()}});
  }
  return out;
}

Json facts_statistics_json(const FactsStatistics& s) {
  Json splits = Json::array();
  for (const PartStatistics& part : s.parts) splits.push_back(part_json(s, part));
  Keys groups, complexities, staleness;
  for (std::size_t r = 0; r < s.relations.size(); ++r) {
    groups.add(s.relations[r], counts_json(s.groups.by_relation[r], kFactGroupNames));
    complexities.add(s.relations[r], complexity_json(s.complexity[r]));
    staleness.add(s.relations[r], counts_json(s.staleness.by_relation[r], kStalenessNames));
  }
  groups.add("all", counts_json(s.groups.all, kFactGroupNames));
  complexities.add("all", complexity_json(s.complexity_all));
  staleness.add("all", counts_json(s.staleness.all, kStalenessNames));
  return {{"splits", std::move(splits)},
          {"groups", groups.take()},
          {"complexity", complexities.take()},
          {"staleness", staleness.take()}};
}

}  // namespace cupel
