// What a metric is. One file per metric in metrics/, which defines `extern const MetricEntry
// metric_<file stem>`; the build lists them, and whoever needs to know a metric asks its entry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/options.h"
#include "cupel/learn/score/pool.h"
#include "cupel/learn/score/ranks.h"
#include "cupel/learn/score/scale.h"

namespace cupel {

// The forms of answers that scores are compared with.
enum class AnswerForm : std::uint8_t {
  kClasses,  // a class for each example
  kTasks,    // yes, no or not known, for each example and task
  kPool,     // positives and negatives in one pool
  kRanks,    // the place of each positive among its candidates
};

// What a metric of classes becomes where each example has several yes-or-no tasks.
enum class OverTasks : std::uint8_t {
  kNever,       // it is refused
  kMean,        // the mean over the tasks whose known answers are of both kinds
  kAllAnswers,  // one task of all known answers
};

struct MetricEntry {
  std::string name;   // in protocols, runs and stores: "roc-auc"
  std::string words;  // in reports: "ROC AUC"
  std::string doc;    // one sentence
  MetricScale scale = kFractions;
  std::vector<OptionSpec> settings = {};
  // The setting that has no default and is written behind '@': "k" of "hits@10". Whole.
  std::string at = {};
  // What every run keeps of it, where it is defined, whatever the run was selected by: names with
  // their settings.
  std::vector<std::string> kept = {};

  // The forms of answers it is for are those that it has a function for. Arguments have been
  // checked: sizes fit, nothing is empty or NaN, and there are both kinds of answers where it needs
  // them. `settings` are its own.
  double (*of_classes)(const Matrix& scores, std::span<const Index> labels) = nullptr;
  bool two_classes = false;  // of two classes only, and needs examples of both
  OverTasks over_tasks = OverTasks::kNever;
  // Of classes: it is the share of rows whose class is chosen, which a loss counts by the way.
  bool counts_hits = false;
  // Of classes: a random guess among C of them is expected to give 1 / C.
  bool guess_is_one_of_classes = false;
  // Of classes: `form` of `form_of`, for models whose released code ranks by other outputs.
  std::string form_of = {}, form = {};

  double (*of_pool)(const Pool& pool, const Options& settings) = nullptr;
  double (*of_ranks)(const Ranks& ranks, const Options& settings) = nullptr;
  // Of ranks: how many candidates each positive must have. Null: none.
  Offset (*candidates_needed)(const Options& settings) = nullptr;
};

// All of them, by name.
[[nodiscard]] const std::vector<const MetricEntry*>& metric_entries();

}  // namespace cupel
