// The module cupel._core: the functions of cupel/api and what they give, as Python sees them. No
// file here computes anything; python/cupel/*.py gives it the shape that users meet.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "cupel/data/dataset.h"

namespace cupel::python {

namespace nb = nanobind;

// A data set with the name or path by which it was loaded; "" if it was made.
struct Data {
  std::shared_ptr<const Dataset> data;
  std::string source;
  std::filesystem::path folder;  // of the data sets of the catalog
  // What it was read from: a path from the root on, or for a name of the catalog the folder; empty
  // if nothing was read.
  std::filesystem::path place = {};

  // `source`, whatever the current folder is since: a path from the root on.
  [[nodiscard]] std::string origin() const;
};

// What was made, and read from nowhere.
[[nodiscard]] Data made(Dataset dataset);

// Work in another thread: how it goes on, and a wish that it ends.
struct Job {
  std::atomic<bool> stop{false};
  void tell(const std::string& line, double done_, double total_) {
    const std::lock_guard lock(mutex);
    text = line;
    done = done_;
    total = total_;
  }
  std::mutex mutex;
  std::string text;
  double done = 0, total = 0;
};

void bind_data(nb::module_& m);
void bind_questions(nb::module_& m);  // statistics, audits, cards, splits, lists
void bind_sources(nb::module_& m);    // generate, build, fetch
void bind_models(nb::module_& m);     // functions that are models
void bind_processes(nb::module_& m);  // that call functions
void bind_study(nb::module_& m);
void bind_plans(nb::module_& m);   // for many machines
void bind_stores(nb::module_& m);  // verified, signed, submitted, on a leaderboard
void bind_tuning(nb::module_& m);
void bind_results(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_resolve(nb::module_& m);
void bind_effectiveness(nb::module_& m);
void bind_pictures(nb::module_& m);

}  // namespace cupel::python
