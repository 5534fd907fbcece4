// Runs of one id that ended in different ways, as stores from different hands may say: neither side
// is believed, and both are kept.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity, which the loss of a run that diverged may be.
Json number(const std::optional<double>& value) {
  if (!value) return {};
  if (std::isinf(*value)) return *value > 0 ? "infinity" : "-infinity";
  return *value;
}

std::optional<double> number(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value == "infinity" ? INFINITY : -INFINITY;
  return value.get<double>();
}

std::string to_json(const Row& row) {
  const RunRecord& r = row.run.record;
  Json others = Json::object(), strata = Json::array();
  for (const auto& [metric, score] : r.other_scores) others[metric] = score;
  for (const StratumScore& s : r.strata)
    strata.push_back(
        {s.stratum, number(s.inside), number(s.outside), s.inside_nodes, s.outside_nodes});
  return Json{{"id", r.id},
              {"status", static_cast<int>(r.status)},
              {"metric", r.metric},
              {"test_score", number(r.test_score)},
              {"valid_score", number(r.valid_score)},
              {"valid_loss", number(row.loss)},
              {"epochs", r.epochs},
              {"best_epoch", r.best_epoch},
              {"seconds", r.seconds},
              {"memory_bytes", r.memory_bytes},
              {"message", r.message},
              {"isolation", r.isolation},
              {"other_scores", others},
              {"strata", strata},
              {"seal", row.seal},
              {"stores", row.stores}}
      .dump(-1, ' ', true, Json::error_handler_t::replace);
}

Row from_json(const std::string& text, int split, int init) {
  const Json json = Json::parse(text);
  Row out;
  out.run.split = split;
  out.run.init = init;
  RunRecord& r = out.run.record;
  r.id = json.at("id");
  const int status = json.at("status");
  if (status < 0 || status > static_cast<int>(RunStatus::kTimeout))
    out.fault = fmt::format("its status is {}, and there are 0 to 3", status);
  else
    r.status = static_cast<RunStatus>(status);
  r.metric = json.at("metric");
  r.test_score = number(json.at("test_score"));
  r.valid_score = number(json.at("valid_score"));
  out.loss = number(json.at("valid_loss"));
  r.valid_loss = out.loss.value_or(0);
  r.epochs = json.at("epochs");
  r.best_epoch = json.at("best_epoch");
  r.seconds = json.at("seconds");
  r.memory_bytes = json.at("memory_bytes");
  r.message = json.at("message");
  r.isolation = json.at("isolation");
  for (const auto& [metric, score] : json.at("other_scores").items())
    r.other_scores.emplace_back(metric, score.get<double>());
  for (const Json& s : json.at("strata"))
    r.strata.push_back({s.at(0), number(s.at(1)), number(s.at(2)), s.at(3), s.at(4)});
  out.seal = json.at("seal");
  r.sealed = !out.seal.empty();
  // Earlier versions did not keep them.
  if (json.contains("stores")) out.stores = json.at("stores");
  return out;
}

}  // namespace

void add_side(const std::string& family, std::vector<Row>& sides, const Row& row) {
  const auto same =
      std::ranges::find_if(sides, [&](const Row& side) { return same_outcome(side, row); });
  if (same == sides.end()) {
    sides.push_back(row);
    return;
  }
  Row other = row;
  if (same->seal.empty() && !other.seal.empty()) std::swap(*same, other);
  const bool more = take_scores(*same, other);
  same->stores.insert(same->stores.end(), other.stores.begin(), other.stores.end());
  sort_unique(same->stores);
  if (!more || same->seal.empty()) return;
  same->seal = other.seal.empty() ? "" : seal_of(family, *same);
}

std::vector<std::pair<int, int>> Store::Impl::conflict_places(const std::string& family) {
  Statement rows(db,
                 "SELECT DISTINCT split, init FROM conflicts WHERE family = ? ORDER BY split, "
                 "init");
  rows.bind(family);
  std::vector<std::pair<int, int>> out;
  while (rows.step()) out.emplace_back(rows.number(0), rows.number(1));
  return out;
}

std::vector<Row> Store::Impl::sides_of(const std::string& family, int split, int init) {
  Statement rows(db,
                 "SELECT record, hash FROM conflicts WHERE family = ? AND split = ? AND init = ? "
                 "ORDER BY hash");
  rows.bind(family).bind(split).bind(init);
  std::vector<Row> out;
  while (rows.step()) {
    try {
      out.push_back(from_json(rows.text(0), split, init));
    } catch (const nlohmann::json::exception&) {
      out.push_back({{split, init, {}}, {}, {}, "its record is not what cupel writes"});
    }
    Row& row = out.back();
    if (row.fault.empty() && outcome_hash(family, row) != rows.text(1))
      row.fault = "its record is not the one of its hash";
    if (row.fault.empty()) row.fault = fault_of(family, identity_of(family), row);
  }
  return out;
}

void Store::Impl::keep_sides(const std::string& family, const std::vector<Row>& sides) {
  if (sides.empty()) return;
  const auto [split, init] = std::pair(sides.front().run.split, sides.front().run.init);
  erase("conflicts", family, split, init);
  Statement add(db, "INSERT INTO conflicts VALUES (?,?,?,?,?)");
  for (const Row& side : sides)
    add.bind(family)
        .bind(split)
        .bind(init)
        .bind(outcome_hash(family, side))
        .bind(to_json(side))
        .execute();
}

std::int64_t Store::conflict_count() const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->db,
                  "SELECT count(*) FROM (SELECT DISTINCT family, split, init FROM conflicts)");
  count.step();
  return count.integer(0);
}

std::vector<StoredConflict> Store::conflicts(const std::string& family_id) const {
  const std::lock_guard lock(impl_->mutex);
  Statement places(impl_->db,
                   fmt::format("SELECT DISTINCT family, split, init FROM conflicts {} ORDER BY "
                               "family, split, init",
                               family_id.empty() ? "" : "WHERE family = ?"));
  if (!family_id.empty()) places.bind(family_id);
  std::vector<StoredConflict> out;
  while (places.step()) {
    StoredConflict one{places.text(0), "", places.number(1), places.number(2), {}};
    const std::string identity = impl_->identity_of(one.family);
    const std::string of_run = run_identity(identity, one.split, one.init);
    one.id = identity_hash(of_run);
    for (Row& side : impl_->sides_of(one.family, one.split, one.init)) {
      if (!side.fault.empty()) {
        side.run.record.id = one.id;
        impl_->not_as_kept(side, side.fault);
      }
      side.run.record.identity = of_run;
      one.sides.push_back({std::move(side.run.record), std::move(side.stores)});
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace cupel
