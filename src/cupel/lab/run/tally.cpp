#include "cupel/lab/run/tally.h"

#include "cupel/lab/run/pending.h"

#include <algorithm>

#include <fmt/format.h>

namespace cupel {

namespace {

constexpr std::size_t kMostMessages = 100;

}  // namespace

Tally::Tally(const Pending& pending, int workers)
    : start_(std::chrono::steady_clock::now()), workers_(workers) {
  summary_.planned = pending.planned;
  summary_.stored = pending.stored;
  summary_.failed_before = pending.failed;
  for (const RunGroup& group : pending.groups) {
    const auto runs = static_cast<int>(group.inits.size());
    total_ += runs;
    left_of_[group.family.get()] += runs;
  }
}

double Tally::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Tally::count(const Family& family, const RunRecord& record) {
  ++summary_.done;
  switch (record.status) {
    case RunStatus::kOk:
      ++summary_.ok;
      break;
    case RunStatus::kDiverged:
      ++summary_.diverged;
      break;
    case RunStatus::kFailed:
      ++summary_.failed;
      break;
    case RunStatus::kTimeout:
      ++summary_.timed_out;
      break;
  }
  if (record.status == RunStatus::kFailed || record.status == RunStatus::kTimeout) {
    std::string text = fmt::format("{} on {}: {}", family.row, family.dataset->name,
                                   record.message.empty() ? "time is up" : record.message);
    if (messages_.insert(text).second && summary_.failures.size() < kMostMessages)
      summary_.failures.push_back(std::move(text));
  }
  auto& [runs, spent] = spent_[&family];
  ++runs;
  spent += record.seconds;
  --left_of_[&family];
}

void Tally::give_up(const Family& family, int runs, const std::string& reason, bool announced) {
  if (runs == 0) return;
  total_ -= runs;
  left_of_[&family] -= runs;
  summary_.not_started += runs;
  // Configurations of a row differ in what they need; the first reason stands for all.
  for (NotStartedRow& row : summary_.not_started_rows) {
    if (row.model != family.row || row.dataset != family.dataset->name) continue;
    row.runs += runs;
    row.announced = row.announced && announced;
    return;
  }
  summary_.not_started_rows.push_back({family.row, family.dataset->name, reason, runs, announced});
}

void Tally::found(const Family& family, int runs, int failed) {
  total_ -= runs;
  left_of_[&family] -= runs;
  summary_.stored += runs;
  summary_.failed_before += failed;
}

Progress Tally::progress(const Family* last) const {
  Progress out;
  out.done = summary_.done;
  out.total = total_;
  out.failed = summary_.failed + summary_.timed_out;
  out.seconds = seconds();
  if (last != nullptr) {
    out.dataset = last->dataset->name;
    out.model = last->row;
  }
  if (summary_.done == 0) return out;
  out.runs_per_minute = summary_.done / std::max(out.seconds, 1e-6) * 60;
  // Runs of other families are taken to cost what the ones seen cost on average.
  int seen = 0;
  double sum = 0;
  for (const auto& [family, spent] : spent_) {
    seen += spent.first;
    sum += spent.second;
  }
  double work = 0;
  for (const auto& [family, left] : left_of_) {
    const auto known = spent_.find(family);
    work +=
        left * (known == spent_.end() ? sum / seen : known->second.second / known->second.first);
  }
  out.seconds_left = work / workers_;
  return out;
}

ExecuteSummary Tally::summary(bool interrupted) const {
  ExecuteSummary out = summary_;
  out.interrupted = interrupted && summary_.done < total_;
  out.seconds = seconds();
  return out;
}

}  // namespace cupel
