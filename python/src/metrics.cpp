// Metrics on any scores.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "bindings.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/options_json.h"
#include "cupel/learn/score/metrics.h"
#include "views.h"

namespace cupel::python {
namespace {

using Floats = nb::ndarray<const float, nb::ro, nb::c_contig, nb::device::cpu>;
using Whole = nb::ndarray<const std::int64_t, nb::ro, nb::c_contig, nb::device::cpu>;

Matrix matrix_of(const Floats& array, const char* what) {
  if (array.ndim() != 1 && array.ndim() != 2)
    fail("{}: has {} axes; give examples, or examples x columns", what, array.ndim());
  constexpr std::size_t kMost = 0x7fffffff;
  const std::size_t columns = array.ndim() == 2 ? array.shape(1) : 1;
  if (array.shape(0) > kMost || columns > kMost) fail("{}: is too large", what);
  Matrix out(static_cast<Index>(array.shape(0)), static_cast<Index>(columns));
  std::copy_n(array.data(), array.size(), out.values.begin());
  return out;
}

std::vector<Index> labels_of(const Whole& array, const Matrix& scores) {
  if (array.ndim() != 1) fail("labels: has {} axes; give a class for each example", array.ndim());
  const std::int64_t classes = std::max<std::int64_t>(scores.cols, 2);
  std::vector<Index> out;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::int64_t label = array.data()[i];
    if (label < 0 || label >= classes)
      fail("labels: {} (of example {}) is none of the {} classes, which are numbered from 0", label,
           i, classes);
    out.push_back(static_cast<Index>(label));
  }
  return out;
}

std::vector<float> floats_of(const Floats& array) {
  return {array.data(), array.data() + array.size()};
}

std::vector<float> descending(std::vector<float> scores) {
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return scores;
}

Pool pool_of(const Floats& positives, const Floats& negatives) {
  std::vector<float> scores = floats_of(positives);
  const std::vector<float> others = floats_of(negatives);
  std::vector<std::uint8_t> answers(scores.size(), 1);
  scores.insert(scores.end(), others.begin(), others.end());
  answers.resize(scores.size(), 0);
  return make_pool(scores, answers);
}

// Of each positive: how many of its candidates score higher and as much.
double rank_score(const std::string& name, const Floats& positives, const Floats& candidates) {
  const std::size_t count = positives.size();
  const bool shared = candidates.ndim() == 1;
  if (!shared && (candidates.ndim() != 2 || candidates.shape(0) != count))
    fail(
        "candidates: are not those of {} positives; give candidates of all, or positives x "
        "candidates",
        count);
  const std::size_t each = candidates.shape(shared ? 0 : 1);
  std::vector<Offset> above(count), ties(count), sizes(count, static_cast<Offset>(each));
  const auto check = [](const Floats& array, const char* what) {
    if (std::any_of(array.data(), array.data() + array.size(), [](float v) { return v != v; }))
      fail("{}: NaN is no score; a model that gives one has failed", what);
  };
  check(positives, "positives");
  check(candidates, "candidates");
  const std::vector<float> sorted =
      shared ? descending(floats_of(candidates)) : std::vector<float>();
  for (std::size_t i = 0; i < count; ++i) {
    const float score = positives.data()[i];
    if (shared) {
      const auto [first, last] =
          std::equal_range(sorted.begin(), sorted.end(), score, std::greater<>());
      above[i] = first - sorted.begin();
      ties[i] = last - first;
      continue;
    }
    const float* row = candidates.data() + i * each;
    above[i] = std::count_if(row, row + each, [&](float v) { return v > score; });
    ties[i] = std::count(row, row + each, score);
  }
  return rank_metric(name, {.above = above, .ties = ties, .candidates = sizes, .one_pool = shared});
}

std::string entries() {
  auto out = nlohmann::ordered_json::array();
  for (const MetricEntry* entry : metric_entries()) {
    auto forms = nlohmann::ordered_json::array();
    if (entry->of_classes != nullptr) forms.push_back("classes");
    if (entry->over_tasks != OverTasks::kNever) forms.push_back("tasks");
    if (entry->of_pool != nullptr) forms.push_back("pool");
    if (entry->of_ranks != nullptr) forms.push_back("ranks");
    out.push_back({{"name", entry->name},
                   {"words", entry->words},
                   {"doc", entry->doc},
                   {"at", entry->at},
                   {"settings", settings_json(entry->settings)},
                   {"forms", forms}});
  }
  return json_text(out, -1);
}

}  // namespace

void bind_metrics(nb::module_& m) {
  m.def("metric_entries", &entries);
  m.def(
      "metric_of_classes",
      [](const std::string& name, const Floats& scores, const Whole& labels) {
        const Matrix matrix = matrix_of(scores, "scores");
        return metric(name, matrix, labels_of(labels, matrix));
      },
      nb::arg("name"), nb::arg("scores"), nb::arg("labels"));
  m.def(
      "metric_of_tasks",
      [](const std::string& name, const Floats& scores, const Floats& answers) {
        return task_metric(name, matrix_of(scores, "scores"), matrix_of(answers, "answers"));
      },
      nb::arg("name"), nb::arg("scores"), nb::arg("answers"));
  m.def(
      "metric_of_pool",
      [](const std::string& name, const Floats& positives, const Floats& negatives) {
        return pool_metric(name, pool_of(positives, negatives));
      },
      nb::arg("name"), nb::arg("positives"), nb::arg("negatives"));
  m.def("metric_of_ranks", &rank_score, nb::arg("name"), nb::arg("positives"),
        nb::arg("candidates"));
}

}  // namespace cupel::python
