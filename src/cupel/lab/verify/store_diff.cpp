#include "cupel/lab/verify/store_diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/store_rows.h"

namespace cupel {
namespace {

using Json = nlohmann::json;
using Place = std::pair<int, int>;  // (split, init)
using Fields = std::map<std::string, std::string>;

constexpr const char* kModel = "family.model.name";
constexpr const char* kCommand = "family.model.program.command";
constexpr const char* kOfModel = "family.model.";

void add_fields(const Json& json, const std::string& path, Fields& out) {
  if (!json.is_object()) {
    out[path] = json.dump();
    return;
  }
  for (const auto& [key, value] : json.items())
    add_fields(value, path.empty() ? key : path + "." + key, out);
}

Fields fields_of(const std::string& identity, const std::string& path) {
  Fields out;
  add_fields(Json::parse(identity), path, out);
  return out;
}

std::string at(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

bool same_model(const Fields& a, const Fields& b) {
  return at(a, kModel) == at(b, kModel) && at(a, kCommand) == at(b, kCommand);
}

// Settings of two models have nothing to do with each other.
std::vector<FieldDifference> differences(const Fields& a, const Fields& b) {
  std::set<std::string> names;
  for (const auto& [name, value] : a) names.insert(name);
  for (const auto& [name, value] : b) names.insert(name);
  const bool models = !same_model(a, b);
  std::vector<FieldDifference> out;
  for (const std::string& name : names) {
    if (models && name.starts_with(kOfModel) && name != kModel && name != kCommand) continue;
    if (at(a, name) != at(b, name)) out.push_back({name, at(a, name), at(b, name)});
  }
  return out;
}

// A store's words may be no UTF-8.
std::string word_text(const std::string& word) {
  return Json(word).dump(-1, ' ', true, Json::error_handler_t::replace);
}

// JSON has no infinity, which the loss of a run that diverged may be.
std::string number_text(const std::optional<double>& value) {
  if (!value) return "";
  return (std::isfinite(*value) ? Json(*value) : Json(fmt::format("{}", *value))).dump();
}

// What two outcomes of one run contradict each other in, or two runs differ in.
std::vector<FieldDifference> outcome_differences(const RunRecord& a, const RunRecord& b) {
  std::vector<FieldDifference> out;
  const auto add = [&](const std::string& field, const std::string& mine,
                       const std::string& theirs) {
    if (mine != theirs) out.push_back({field, mine, theirs});
  };
  const auto number = [&](const std::string& field, const std::optional<double>& mine,
                          const std::optional<double>& theirs) {
    add(field, number_text(mine), number_text(theirs));
  };
  add("status", word_text(to_text(a.status)), word_text(to_text(b.status)));
  add("metric", word_text(a.metric), word_text(b.metric));
  number("test_score", a.test_score, b.test_score);
  number("valid_score", a.valid_score, b.valid_score);
  number("valid_loss", a.valid_loss, b.valid_loss);
  add("epochs", std::to_string(a.epochs), std::to_string(b.epochs));
  add("best_epoch", std::to_string(a.best_epoch), std::to_string(b.best_epoch));
  for (const auto& [metric, score] : a.other_scores)
    for (const auto& [name, value] : b.other_scores)
      if (metric == name) number("other_scores." + metric, score, value);
  for (const StratumScore& s : a.strata) {
    for (const StratumScore& t : b.strata) {
      if (s.stratum != t.stratum) continue;
      const std::string field = "strata." + s.stratum;
      number(field + ".inside", s.inside, t.inside);
      number(field + ".outside", s.outside, t.outside);
      add(field + ".inside_nodes", std::to_string(s.inside_nodes), std::to_string(t.inside_nodes));
      add(field + ".outside_nodes", std::to_string(s.outside_nodes),
          std::to_string(t.outside_nodes));
    }
  }
  return out;
}

// A family that has runs in a store.
struct StoredFamily {
  std::string id, identity;
  Fields fields;
  std::map<Place, RunStatus> places;
  std::set<std::string> rows, datasets;  // by which tables call it

  [[nodiscard]] std::string run_id(const Place& place) const {
    return identity_hash(run_identity(identity, place.first, place.second));
  }
};

std::string unquoted(const std::string& json) {
  const Json value = Json::parse(json, nullptr, false);
  return value.is_string() ? value.get<std::string>() : json;
}

std::string model_of(const StoredFamily& family) {
  if (!family.rows.empty()) return *family.rows.begin();
  const std::string command = at(family.fields, kCommand);
  return unquoted(command.empty() ? at(family.fields, kModel) : command);
}

std::string content_of(const StoredFamily& family) {
  return unquoted(at(family.fields, "family.dataset.content"));
}

std::string dataset_name(const StoredFamily& family) {
  if (!family.datasets.empty()) return *family.datasets.begin();
  const std::string content = content_of(family);
  const Recipe* recipe = recipe_of_content(content);
  return recipe != nullptr ? recipe->name : "data " + content.substr(0, 12);
}

bool same_data(const StoredFamily& a, const StoredFamily& b) {
  return content_of(a) == content_of(b) ||
         std::ranges::any_of(a.datasets,
                             [&](const std::string& name) { return b.datasets.contains(name); });
}

// By id. Families that were planned and have no run are left out.
std::map<std::string, StoredFamily> families_of(const Store& store) {
  std::map<std::string, StoredFamily> out;
  for (const std::string& id : store.families()) {
    std::map<Place, RunStatus> places = store.statuses(id);
    if (places.empty()) continue;
    StoredFamily& family = out[id];
    family.id = id;
    family.identity = store.identity(id);
    family.fields = fields_of(family.identity, "family");
    family.places = std::move(places);
  }
  for (const StoredProtocol& protocol : store.protocols()) {
    for (const StoredCell& cell : store.cells(protocol.version)) {
      const auto found = out.find(cell.family);
      if (found == out.end()) continue;
      found->second.rows.insert(cell.model);
      found->second.datasets.insert(cell.dataset);
    }
  }
  for (const StoredTrial& trial : store.trials()) {
    const auto found = out.find(trial.family);
    if (found != out.end() && !trial.dataset.empty()) found->second.datasets.insert(trial.dataset);
  }
  return out;
}

// A family of the other store that may have the nearest run.
struct Candidate {
  const StoredFamily* family = nullptr;
  std::vector<FieldDifference> fields;
};

// Those of the same model on the same data, or what comes nearest to that; fewest fields first.
std::vector<Candidate> candidates(const StoredFamily& of,
                                  const std::map<std::string, StoredFamily>& others) {
  std::vector<const StoredFamily*> near;
  int nearest = -1;
  for (const auto& [id, other] : others) {
    const int here = 2 * same_model(of.fields, other.fields) + same_data(of, other);
    if (here < nearest) continue;
    if (here > nearest) near.clear();
    nearest = here;
    near.push_back(&other);
  }
  std::vector<Candidate> out;
  for (const StoredFamily* other : near)
    out.push_back({other, differences(of.fields, other->fields)});
  std::ranges::stable_sort(out, {}, [](const Candidate& one) { return one.fields.size(); });
  return out;
}

// The nearest place that a family has; how many of split and init are others.
std::pair<Place, std::size_t> nearest_place(const StoredFamily& family, const Place& place) {
  const auto others = [&](const Place& there) {
    return std::size_t{there.first != place.first} + std::size_t{there.second != place.second};
  };
  if (family.places.contains(place)) return {place, 0};
  const auto best = std::ranges::min_element(family.places, {}, [&](const auto& one) {
    return std::pair(others(one.first), one.first.first != place.first);
  });
  return {best->first, others(best->first)};
}

// The runs of `family` at these places beside those of the other store.
std::vector<UnmatchedRuns> unmatched(const StoredFamily& family, const std::vector<Place>& places,
                                     const std::map<std::string, StoredFamily>& others) {
  const std::vector<Candidate> near = candidates(family, others);
  std::map<std::tuple<std::size_t, bool, bool>, UnmatchedRuns> groups;
  for (const Place& place : places) {
    std::size_t best = near.size(), fewest = 0;
    Place there;
    for (std::size_t i = 0; i < near.size(); ++i) {
      if (best < near.size() && near[i].fields.size() >= fewest) break;
      const auto [nearest, other] = nearest_place(*near[i].family, place);
      const std::size_t all = near[i].fields.size() + other;
      if (best < near.size() && all >= fewest) continue;
      std::tie(best, fewest, there) = std::tuple(i, all, nearest);
    }
    const bool any = best < near.size();
    const bool split = any && there.first != place.first;
    const bool init = any && there.second != place.second;
    UnmatchedRuns& group = groups[{best, split, init}];
    if (group.runs.empty()) {
      group.model = model_of(family);
      group.dataset = dataset_name(family);
      group.family = family.id;
      group.other_split = split;
      group.other_init = init;
      if (any) {
        group.nearest_family = near[best].family->id;
        group.fields = near[best].fields;
      }
    }
    group.runs.push_back({family.run_id(place), place.first, place.second,
                          any ? near[best].family->run_id(there) : ""});
  }
  std::vector<UnmatchedRuns> out;
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  return out;
}

using Conflicts = std::map<std::string, std::map<Place, std::string>>;  // ids, by family and place

Conflicts conflicts_of(const Store& store) {
  Conflicts out;
  for (const StoredConflict& one : store.conflicts())
    out[one.family][{one.split, one.init}] = one.id;
  return out;
}

bool has(const Conflicts& conflicts, const std::string& family, const Place& place) {
  const auto found = conflicts.find(family);
  return found != conflicts.end() && found->second.contains(place);
}

std::vector<UnmatchedRuns> only_in(const std::map<std::string, StoredFamily>& mine,
                                   const std::map<std::string, StoredFamily>& others,
                                   const Conflicts& in_conflict) {
  std::vector<UnmatchedRuns> out;
  for (const auto& [id, family] : mine) {
    const auto other = others.find(id);
    std::vector<Place> places;
    for (const auto& [place, status] : family.places)
      if ((other == others.end() || !other->second.places.contains(place)) &&
          !has(in_conflict, id, place))
        places.push_back(place);
    if (places.empty()) continue;
    for (UnmatchedRuns& group : unmatched(family, places, others)) out.push_back(std::move(group));
  }
  std::ranges::stable_sort(
      out, {}, [](const UnmatchedRuns& runs) { return std::tie(runs.dataset, runs.model); });
  return out;
}

// The runs that both stores have of a family.
void compare(const StoredFamily& family, const Store& a, const Store& b, StoreDiff& out) {
  std::map<Place, RunRecord> others;
  for (StoredRun& run : b.runs(family.id))
    others.emplace(Place(run.split, run.init), std::move(run.record));
  for (const StoredRun& run : a.runs(family.id)) {
    const auto other = others.find({run.split, run.init});
    if (other == others.end()) continue;
    const RunRecord &mine = run.record, &theirs = other->second;
    if (!is_finished(mine.status) || !is_finished(theirs.status))
      ++out.unfinished;
    else if (same_outcome(mine, theirs))
      ++out.equal;
    else
      out.different.push_back({mine.id, model_of(family), dataset_name(family), run.split, run.init,
                               outcome_differences(mine, theirs)});
  }
}

}  // namespace

StoreDiff diff_stores(const Store& a, const Store& b) {
  const std::map<std::string, StoredFamily> mine = families_of(a), theirs = families_of(b);
  StoreDiff out;
  for (const auto& [id, family] : mine)
    if (theirs.contains(id)) compare(family, a, b, out);
  std::ranges::stable_sort(out.different, {}, [](const DifferentRun& run) {
    return std::tie(run.dataset, run.model, run.split, run.init);
  });
  Conflicts in_conflict = conflicts_of(a);
  for (auto& [family, places] : conflicts_of(b)) in_conflict[family].merge(places);
  for (const auto& [family, places] : in_conflict)
    for (const auto& [place, id] : places) out.in_conflict.push_back(id);
  std::ranges::sort(out.in_conflict);
  out.only_a = only_in(mine, theirs, in_conflict);
  out.only_b = only_in(theirs, mine, in_conflict);
  return out;
}

RunDiff diff_runs(const Store& store, const std::string& a, const std::string& b) {
  RunDiff out{store.run(a), store.run(b), {}, {}};
  if (out.a.id == out.b.id)
    fail("diff: '{}' and '{}' are one run, {}; give the ids of two", a, b, out.a.id);
  out.identity = differences(fields_of(out.a.identity, ""), fields_of(out.b.identity, ""));
  out.outcome = outcome_differences(out.a, out.b);
  return out;
}

}  // namespace cupel
