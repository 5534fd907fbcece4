#include "cupel/lab/run/task_files.h"

#include <nlohmann/json.hpp>

#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/npz.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

void put(nlohmann::json& object, const std::string& name, const OptionValue& value) {
  std::visit([&](const auto& v) { object[name] = v; }, value);
}

void add_graph(NpyMembers& members, const View& view) {
  add_csr_members(members, "adj", view.adjacency());
  if (const auto* sparse = std::get_if<Csr>(&view.features())) {
    add_csr_members(members, "attr", *sparse);
  } else {
    const Matrix& dense = std::get<Matrix>(view.features());
    members.emplace_back("attr_matrix",
                         make_npy(std::span<const float>(dense.values), {dense.rows, dense.cols}));
  }
}

}  // namespace

NpyMembers task_members(const View& view) {
  NpyMembers members;
  if (view.kind().unit != Unit::kFact) add_graph(members, view);
  ProgramTask task = view.kind().program(view);
  std::ranges::move(task.arrays, std::back_inserter(members));
  return members;
}

void write_task_npz(const std::filesystem::path& path, const View& view) {
  write_npz(path, task_members(view), false);
}

std::string task_json(const View& view, const ProgramRun& run) {
  return task_json(view, view.kind().program(view).facts, run);
}

std::string task_json(const View& view, const std::map<std::string, OptionValue>& facts,
                      const ProgramRun& run) {
  nlohmann::json settings = nlohmann::json::object();
  for (const auto& [name, value] : run.settings) put(settings, name, value);
  nlohmann::json task = {
      {"budget_seconds", run.budget_seconds},
      {"init", run.init},
      {"metric", run.metric},
      {"nodes", view.nodes()},
      {"seed", run.seed},
      {"settings", settings},
      {"split", run.split},
      {"threads", run.threads},
  };
  for (const auto& [name, value] : facts) put(task, name, value);
  return task.dump(2) + "\n";
}

}  // namespace cupel
