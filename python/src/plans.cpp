// Plans for many machines, how far they are, and stores that become one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/api/diff.h"
#include "cupel/api/merge.h"
#include "cupel/api/plan_places.h"
#include "cupel/api/plan_progress.h"
#include "cupel/api/settle.h"
#include "cupel/base/json_text.h"

namespace cupel::python {
namespace {

std::string checked_plan_file(const std::string& out, const std::string& protocol) {
  const std::filesystem::path file = plan_file(out, protocol);
  check_plan_path(file);
  return file.string();
}

std::string read_plan(const std::string& file, const std::string& store) {
  const nb::gil_scoped_release release;
  SettledPlan plan;
  plan.plan = read_frozen(file);
  plan.protocol = plan.plan->protocol;
  return json_text(settled_json(plan, file, merged_store(file, store)), -1);
}

// What the program prints as JSON, and what it says beside.
std::string progress(const std::string& plan, const std::string& out, const std::string& store) {
  const nb::gil_scoped_release release;
  const PlanProgress found = progress_of(plan, out, store);
  nlohmann::ordered_json told = plan_progress_json(found);
  told["missing"] = nlohmann::ordered_json::array();
  for (const int shard : found.missing()) told["missing"].push_back(shard + 1);
  told["notes"] = damage_notes(found);
  return json_text(told, -1);
}

std::string merged(const std::vector<std::string>& stores, const std::string& to) {
  const nb::gil_scoped_release release;
  const MergedStores done = merge_stores(stores, to);
  nlohmann::ordered_json told = merged_json(done);
  told["conflicts"] = conflicts_json(done.conflicts);
  told["holds"] = done.holds();
  told["notes"] = done.notes;
  return json_text(told, -1);
}

std::string stores_diff(const std::string& a, const std::string& b) {
  const nb::gil_scoped_release release;
  const Store mine(a, Store::Mode::kOpen), theirs(b, Store::Mode::kOpen);
  return json_text(store_diff_json(diff_stores(mine, theirs), a, b), -1);
}

std::string runs_diff(const std::string& store, const std::string& a, const std::string& b) {
  const nb::gil_scoped_release release;
  return json_text(run_diff_json(diff_runs(Store(store, Store::Mode::kOpen), a, b)), -1);
}

}  // namespace

void bind_plans(nb::module_& m) {
  m.def("plan_file", &checked_plan_file, nb::arg("out"), nb::arg("protocol"));
  // Whether a file begins as plans do.
  m.def(
      "is_plan", [](const std::string& file) { return is_frozen(file); }, nb::arg("file"));
  m.def("read_plan", &read_plan, nb::arg("file"), nb::arg("store"));
  m.def("plan_progress", &progress, nb::arg("plan"), nb::arg("out"), nb::arg("store"));
  m.def("merge_stores", &merged, nb::arg("stores"), nb::arg("to"));
  m.def("diff_stores", &stores_diff, nb::arg("a"), nb::arg("b"));
  m.def("diff_runs", &runs_diff, nb::arg("store"), nb::arg("a"), nb::arg("b"));
}

}  // namespace cupel::python
