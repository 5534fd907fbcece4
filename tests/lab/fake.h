// A laboratory without training: made-up data sets, models and outcomes.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "csr_of.h"
#include "cupel/base/error.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/store/store.h"
#include "temp_folder.h"

namespace cupel::made {

using cupel::TempFolder;

// A ring of `nodes` nodes; its content differs with `nodes`.
inline Dataset ring(const std::string& name, Index nodes = 30) {
  Dataset out;
  out.name = name;
  std::vector<std::vector<Index>> next;
  for (Index i = 0; i < nodes; ++i) {
    next.push_back({(i + 1) % nodes, (i + nodes - 1) % nodes});
    out.labels().push_back(i % 3);
  }
  out.adjacency = test::csr_of(std::move(next), nodes);
  Matrix features(nodes, 2);
  for (std::size_t i = 0; i < features.values.size(); ++i)
    features.values[i] = static_cast<float>(i % 5);
  out.features = features;
  out.class_names() = {"a", "b", "c"};
  return out;
}

inline PlanSources fake_sources() {
  PlanSources out;
  out.load = [](const std::string& name) {
    if (name.starts_with("absent")) fail("no data set is called '{}'", name);
    const std::filesystem::path path(name);
    return ring(path.stem().string(), static_cast<Index>(180 + path.stem().string().size()));
  };
  out.prepare = [](const std::string&, Dataset data, const std::vector<std::string>&) {
    return data;
  };
  out.model = [](const ModelRow& row, const TaskKind&) {
    OptionSpec lr;
    lr.name = "lr";
    lr.fallback = 0.01;
    OptionSpec hidden;
    hidden.name = "hidden";
    hidden.fallback = std::int64_t{16};
    return ResolvedModel{row.model, nullptr, Options(row.where, {lr, hidden}, row.settings),
                         row.model == "fixed"};
  };
  return out;
}

inline const char* kSmallProtocol = R"(
title = "Small"
[data]
datasets = ["one", "three"]
[split]
count = 4
[train]
inits = 3
[models.gcn]
lr = 0.1
[models.mlp]
[models.fixed]
)";

// Outcomes that are a function of the key, so that rows can be compared.
class FakeExecutor : public Executor {
 public:
  std::function<void(const RunGroup&, int init, const RunLimits&)> on_run;
  std::function<void(const RunGroup&)> on_open;
  std::size_t memory = 0;
  mutable std::atomic<int> runs = 0, sessions = 0, alive = 0, most_alive = 0;

  std::size_t estimate_memory(const RunGroup&) const override { return memory; }

  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    if (on_open) on_open(group);
    return std::make_unique<Session>(*this, group);
  }

 private:
  class Session : public RunSession {
   public:
    Session(const FakeExecutor& owner, const RunGroup& group) : owner_(owner), group_(group) {
      ++owner_.sessions;
      const int now = ++owner_.alive;
      int most = owner_.most_alive;
      while (now > most && !owner_.most_alive.compare_exchange_weak(most, now)) {
      }
    }
    ~Session() override { --owner_.alive; }

    RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
      ++owner_.runs;
      if (owner_.on_run) owner_.on_run(group_, init, limits);
      Stream stream(key, 1);
      RunRecord out;
      out.test_score = stream.next_unit();
      out.valid_score = stream.next_unit();
      out.valid_loss = stream.next_normal();
      out.epochs = static_cast<int>(stream.next_below(500));
      out.best_epoch = out.epochs - 50;
      out.status = stream.next_below(20) == 0 ? RunStatus::kDiverged : RunStatus::kOk;
      out.memory_bytes = 1000;
      return out;
    }

   private:
    const FakeExecutor& owner_;
    RunGroup group_;
  };
};

// All rows of all families of a plan as text, without the time they took.
inline std::vector<std::string> rows_of(const Plan& plan, const Store& store) {
  std::vector<std::string> out;
  for (const PlannedCell& cell : plan.cells) {
    for (const StoredRun& run : store.runs(cell.family->id)) {
      const RunRecord& r = run.record;
      out.push_back(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", cell.table,
                                cell.dataset, cell.model, r.id, r.identity, to_text(r.status),
                                r.metric, r.test_score.value_or(-1), r.valid_score.value_or(-1),
                                r.valid_loss, r.epochs, r.best_epoch, r.memory_bytes, r.message));
    }
  }
  return out;
}

}  // namespace cupel::made
