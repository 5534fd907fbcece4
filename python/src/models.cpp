// Functions of Python as models: what they are handed and what they give back.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/base/error.h"
#include "cupel/base/options_json.h"
#include "cupel/lab/plan/model_function.h"
#include "cupel/learn/task_kind.h"
#include "views.h"

namespace cupel::python {
namespace {

// The array as it lies in memory, which `owner` keeps.
nb::object array_view(nb::handle owner, const NpyArray& array) {
  std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
  const auto code =
      array.type.kind == 'f' ? nb::dlpack::dtype_code::Float : nb::dlpack::dtype_code::Int;
  const nb::dlpack::dtype type{static_cast<std::uint8_t>(code),
                               static_cast<std::uint8_t>(8 * array.type.bytes), 1};
  static const std::byte none{};
  const std::byte* data = array.bytes.empty() ? &none : array.bytes.data();
  return nb::cast(
      nb::ndarray<nb::numpy, nb::ro>(data, shape.size(), shape.data(), owner, nullptr, type));
}

nb::dict arrays_of(nb::handle owner, const NpyMembers& members) {
  nb::dict out;
  for (const auto& [name, array] : members) out[name.c_str()] = array_view(owner, array);
  return out;
}

const FunctionTask& of(nb::handle self) { return nb::cast<const FunctionTask&>(self); }

const View& graph_of(nb::handle self) {
  const View& view = *of(self).view;
  if (view.kind().unit == Unit::kFact) fail("facts over time are no graph; take facts_train");
  return view;
}

FunctionQuestions& questions_of(const FunctionTask& task) {
  if (task.questions == nullptr) fail("nothing is asked step by step here");
  return *task.questions;
}

// A question with the arrays that it tells.
nb::object next_question(const FunctionTask& task) {
  std::optional<ProgramQuestion> question = questions_of(task).next();
  if (!question) return nb::none();
  nlohmann::json told = {
      {"part", question->part}, {"rows", question->rows}, {"columns", question->columns}};
  for (const auto& [name, value] : question->facts) told[name] = to_json(value);
  auto kept = std::make_unique<NpyMembers>(std::move(question->arrays));
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<NpyMembers*>(p); });
  const NpyMembers& arrays = *kept.release();
  return nb::make_tuple(told.dump(), arrays_of(owner, arrays));
}

std::optional<NpyArray> scores_of(nb::handle given, const char* where) {
  if (given.is_none()) return std::nullopt;
  return npy_of(nb::cast<AnyArray>(given), where);
}

// What of an exception a record says.
std::string told(const nb::python_error& error) {
  return nb::cast<std::string>(nb::str(error.value()));
}

// The object is given back where Python's lock is held, whoever is the last to hold it.
std::shared_ptr<nb::object> shared(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* last) {
            const nb::gil_scoped_acquire lock;
            delete last;
          }};
}

FunctionScores call(const nb::object& function, const FunctionTask& task) {
  const nb::gil_scoped_acquire lock;
  const nb::object handed = nb::cast(FunctionTask(task));
  // Who keeps the task beyond the call can ask nothing more.
  const auto close = [](const nb::object* one) {
    auto& told = nb::cast<FunctionTask&>(*one);
    told.questions = nullptr;
    told.limits = {};
  };
  const std::unique_ptr<const nb::object, decltype(close)> open(&handed, close);
  try {
    const nb::object given = function(handed);
    const auto parts = nb::cast<nb::tuple>(given);
    return {scores_of(parts[0], "scores"), scores_of(parts[1], "scores"),
            nb::cast<double>(parts[2]), nb::cast<bool>(parts[3])};
  } catch (const nb::python_error& error) {
    fail("{}", told(error));
  }
}

std::shared_ptr<ModelFunction> make_function(const std::string& name, const std::string& settings,
                                             const std::map<std::string, std::string>& identity,
                                             bool deterministic, nb::object function) {
  auto out = std::make_shared<ModelFunction>();
  out->name = name;
  const auto given = nlohmann::json::parse(settings);
  for (const auto& [setting, value] : given.items()) {
    OptionSpec spec;
    spec.name = setting;
    if (value.is_boolean())
      spec.fallback = value.get<bool>();
    else if (value.is_number_integer())
      spec.fallback = value.get<std::int64_t>();
    else if (value.is_number())
      spec.fallback = value.get<double>();
    else
      spec.fallback = value.get<std::string>();
    out->settings.push_back(std::move(spec));
  }
  out->identity = identity;
  out->deterministic = deterministic;
  out->call = [function = shared(std::move(function))](const FunctionTask& task) {
    return call(*function, task);
  };
  return out;
}

}  // namespace

void bind_models(nb::module_& m) {
  nb::class_<FunctionTask>(m, "ModelTask", "What a function that is a model gets of one run.")
      .def_ro("description", &FunctionTask::description)
      .def_prop_ro("interrupted", [](const FunctionTask& t) { return t.limits.interrupted(); })
      // Until the run is late; None: it never is.
      .def_prop_ro("seconds_left",
                   [](const FunctionTask& t) -> std::optional<double> {
                     if (!t.limits.deadline) return std::nullopt;
                     return std::chrono::duration<double>(*t.limits.deadline -
                                                          std::chrono::steady_clock::now())
                         .count();
                   })
      // That its row says it takes; 0: it says nothing.
      .def_ro("memory_bytes", &FunctionTask::memory_bytes)
      .def_prop_ro("unit", [](const FunctionTask& t) { return unit_name(t.view->kind().unit); })
      .def(
          "adjacency", [](nb::handle self) { return csr(self, graph_of(self).adjacency()); },
          nb::sig("def adjacency(self) -> tuple"))
      .def("arc_sources", [](nb::handle self) { return arc_sources(graph_of(self).adjacency()); })
      .def("dense_features",
           [](nb::handle self) { return dense_view(self, graph_of(self).features()); })
      .def(
          "sparse_features",
          [](nb::handle self) { return sparse_view(self, graph_of(self).features()); },
          nb::sig("def sparse_features(self) -> tuple | None"))
      // The same number where they are the same, while this task lives.
      .def_prop_ro("features_key",
                   [](nb::handle self) {
                     return reinterpret_cast<std::uintptr_t>(&graph_of(self).features());
                   })
      .def_prop_ro("adjacency_key",
                   [](nb::handle self) {
                     return reinterpret_cast<std::uintptr_t>(&graph_of(self).adjacency());
                   })
      .def(
          "arrays", [](nb::handle self) { return arrays_of(self, of(self).told->arrays); },
          nb::sig("def arrays(self) -> dict[str, numpy.ndarray]"))
      // What is asked step by step, while the function is called: (words, arrays), or None.
      .def("next_question", &next_question, nb::sig("def next_question(self) -> tuple | None"))
      .def(
          "answer",
          [](const FunctionTask& task, const AnyArray& scores) {
            questions_of(task).answer(npy_of(scores, "scores"));
          },
          nb::arg("scores"));
  nb::class_<ModelFunction>(m, "ModelFunction")
      .def(nb::new_(&make_function), nb::arg("name"), nb::arg("settings"), nb::arg("identity"),
           nb::arg("deterministic"), nb::arg("function"))
      .def_ro("name", &ModelFunction::name)
      .def_ro("identity", &ModelFunction::identity);
}

}  // namespace cupel::python
