#include "cupel/lab/store/store_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "cupel/base/hash.h"
#include "cupel/lab/record/identity.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

void note(std::string& fault, std::string text) {
  if (fault.empty()) fault = std::move(text);
}

// A number as the file gives it back: it knows no NaN, and no zero below zero.
std::optional<double> stored(const std::optional<double>& value) {
  if (!value || std::isnan(*value)) return std::nullopt;
  return *value == 0 ? 0.0 : *value;
}

void add(Hasher& hasher, const std::optional<double>& value) {
  hasher.field(value ? "number" : "none");
  if (value) hasher.field(std::bit_cast<std::int64_t>(*value));
}

int read_int(const Statement& row, int column, const char* name, int least, std::string& fault) {
  const std::int64_t value = row.integer(column);
  if (row.type(column) != SQLITE_INTEGER || value < least || value > INT32_MAX) {
    note(fault, fmt::format("its {} is '{}'", name, row.text(column).substr(0, 40)));
    return least;
  }
  return static_cast<int>(value);
}

void check_score(const std::optional<double>& score, const std::string& metric,
                 const std::string& name, std::string& fault) {
  const MetricScale scale = scale_of_metric(metric);
  if (score && !scale.is_in_bounds(*score))
    note(fault, fmt::format("its {} is {}, and {}", name, *score,
                            scale.in_percent()    ? "fractions end at 1"
                            : *score > scale.most ? "no rank is so large"
                                                  : "ranks begin at 1"));
}

void check_values(const Row& row, std::string& fault) {
  const RunRecord& r = row.run.record;
  check_score(r.test_score, r.metric, "test_score", fault);
  check_score(r.valid_score, r.metric, "valid_score", fault);
  for (const auto& [metric, score] : r.other_scores) check_score(score, metric, metric, fault);
  for (const StratumScore& s : r.strata) {
    check_score(s.inside, r.metric, "score on a stratum", fault);
    check_score(s.outside, r.metric, "score outside a stratum", fault);
    if (s.inside_nodes < 0 || s.outside_nodes < 0) note(fault, "a stratum has less than no nodes");
  }
  if (!(r.seconds >= 0) || std::isinf(r.seconds))
    note(fault, fmt::format("it took {} seconds", r.seconds));
  if (r.memory_bytes < 0) note(fault, fmt::format("it took {} bytes", r.memory_bytes));
}

}  // namespace

Row row_of(const std::string& family_identity, int split, int init, const RunRecord& record) {
  Row out;
  out.run = {split, init, record};
  RunRecord& r = out.run.record;
  r.id = identity_hash(run_identity(family_identity, split, init));
  r.test_score = stored(r.test_score);
  r.valid_score = stored(r.valid_score);
  r.seconds = stored(r.seconds).value_or(0);
  out.loss = stored(r.valid_loss);
  std::map<std::string, double> others(r.other_scores.begin(), r.other_scores.end());
  r.other_scores.assign(others.begin(), others.end());
  for (auto& [metric, score] : r.other_scores) score = score == 0 ? 0.0 : score;
  std::map<std::string, StratumScore> strata;
  for (const StratumScore& s : r.strata) {
    strata[s.stratum] = s;
    strata[s.stratum].inside = stored(s.inside);
    strata[s.stratum].outside = stored(s.outside);
  }
  r.strata.clear();
  for (const auto& [id, s] : strata) r.strata.push_back(s);
  out.seal = seal_of(identity_hash(family_identity), out);
  return out;
}

std::string seal_of(const std::string& family, const Row& row) {
  const RunRecord& r = row.run.record;
  Hasher hasher;
  hasher.field("cupel run, 1").field(family);
  hasher.field(std::int64_t{row.run.split}).field(std::int64_t{row.run.init});
  hasher.field(r.id).field(static_cast<std::int64_t>(r.status)).field(r.metric);
  for (const auto& value : {r.test_score, r.valid_score, row.loss}) add(hasher, value);
  hasher.field(std::int64_t{r.epochs}).field(std::int64_t{r.best_epoch});
  add(hasher, r.seconds);
  hasher.field(r.memory_bytes).field(r.message).field(r.isolation);
  hasher.field(static_cast<std::int64_t>(r.other_scores.size()));
  for (const auto& [metric, score] : r.other_scores) {
    hasher.field(metric);
    add(hasher, score);
  }
  hasher.field(static_cast<std::int64_t>(r.strata.size()));
  for (const StratumScore& s : r.strata) {
    hasher.field(s.stratum);
    add(hasher, s.inside);
    add(hasher, s.outside);
    hasher.field(std::int64_t{s.inside_nodes}).field(std::int64_t{s.outside_nodes});
  }
  return hasher.hex();
}

std::string outcome_hash(const std::string& family, const Row& row) {
  Row what = row;
  RunRecord& r = what.run.record;
  r.seconds = 0;
  r.memory_bytes = 0;
  r.message.clear();
  r.isolation.clear();
  return seal_of(family, what);
}

bool same_outcome(const Row& a, const Row& b) {
  const RunRecord &mine = a.run.record, &other = b.run.record;
  const auto of = [](const Row& row) {
    const RunRecord& r = row.run.record;
    return std::tuple(r.status, r.metric, r.test_score, r.valid_score, row.loss, r.epochs,
                      r.best_epoch);
  };
  if (of(a) != of(b)) return false;
  for (const auto& [metric, score] : mine.other_scores)
    for (const auto& [name, value] : other.other_scores)
      if (metric == name && score != value) return false;
  const auto scores = [](const StratumScore& s) {
    return std::tuple(s.inside, s.outside, s.inside_nodes, s.outside_nodes);
  };
  for (const StratumScore& s : mine.strata)
    for (const StratumScore& t : other.strata)
      if (s.stratum == t.stratum && scores(s) != scores(t)) return false;
  return true;
}

bool same_outcome(const RunRecord& a, const RunRecord& b) {
  const auto row = [](const RunRecord& record) {
    Row out;
    out.run.record = record;
    out.loss = record.valid_loss;
    return out;
  };
  return same_outcome(row(a), row(b));
}

bool take_scores(Row& a, const Row& b) {
  RunRecord& mine = a.run.record;
  const std::size_t before = mine.other_scores.size() + mine.strata.size();
  const auto take = [](auto& own, const auto& other, auto key) {
    for (const auto& one : other)
      if (std::ranges::find(own, std::invoke(key, one), key) == own.end()) own.push_back(one);
    std::ranges::sort(own, {}, key);
  };
  take(mine.other_scores, b.run.record.other_scores, &std::pair<std::string, double>::first);
  take(mine.strata, b.run.record.strata, &StratumScore::stratum);
  return mine.other_scores.size() + mine.strata.size() > before;
}

std::string family_fault(const std::string& id, const std::string& identity) {
  if (identity_hash(identity) != id) return "its family is not the hash of what it depends on";
  return identity_fault(identity);
}

std::string fault_of(const std::string& family, const std::string& identity, const Row& row) {
  if (!row.fault.empty()) return row.fault;
  std::string fault;
  check_values(row, fault);
  if (!fault.empty()) return fault;
  if (row.run.record.id != identity_hash(run_identity(identity, row.run.split, row.run.init)))
    return "its id is not the hash of what it depends on";
  if (row.bare) return "it has no seal";
  if (!row.seal.empty() && row.seal != seal_of(family, row))
    return "its seal is not that of what the store says of it";
  return "";
}

std::optional<double> read_score(const Statement& row, int column, const char* name,
                                 std::string& fault) {
  const int type = row.type(column);
  if (type == SQLITE_TEXT || type == SQLITE_BLOB)
    note(fault, fmt::format("its {} is no number", name));
  return row.optional_real(column);
}

Row read_row(const Statement& row) {
  Row out;
  RunRecord& r = out.run.record;
  out.run.split = read_int(row, 0, "split", 0, out.fault);
  out.run.init = read_int(row, 1, "init", 0, out.fault);
  r.id = row.text(2);
  const int status = read_int(row, 3, "status", 0, out.fault);
  if (status > static_cast<int>(RunStatus::kTimeout))
    note(out.fault, fmt::format("its status is {}, and there are 0 to 3", status));
  else
    r.status = static_cast<RunStatus>(status);
  r.metric = row.text(4);
  r.test_score = read_score(row, 5, "test_score", out.fault);
  r.valid_score = read_score(row, 6, "valid_score", out.fault);
  out.loss = read_score(row, 7, "valid_loss", out.fault);
  r.valid_loss = out.loss.value_or(0);
  r.epochs = read_int(row, 8, "number of epochs", 0, out.fault);
  r.best_epoch = read_int(row, 9, "best_epoch", INT32_MIN, out.fault);
  r.seconds = read_score(row, 10, "time", out.fault).value_or(0);
  if (row.type(11) != SQLITE_INTEGER) note(out.fault, "its memory is no number");
  r.memory_bytes = row.integer(11);
  r.message = row.text(12);
  r.isolation = row.text(13);
  out.bare = row.type(14) == SQLITE_NULL;
  out.seal = row.text(14);
  r.sealed = !out.seal.empty();
  return out;
}

}  // namespace cupel
