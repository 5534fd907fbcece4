// What goes together: every kind of task with every kind of data, model and metric.
#include <gtest/gtest.h>

#include "cupel/learn/model.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/rule.h"
#include "error_of.h"
#include "learn/made_task.h"

namespace cupel {
namespace {

std::string refusal(const char* task, const TaskFacts& facts, const char* model,
                    const std::string& metric = "", const TrainRule& rule = {}) {
  return error_of([&] {
    find_task_kind(task)->check("row", facts, model == nullptr ? nullptr : find_model(model), rule,
                                metric);
  });
}

const TaskFacts kGraph = {.dataset = "one"}, kSet = {.dataset = "many", .set_of_graphs = true},
                kFacts = {.dataset = "events", .over_time = true};
const char* const kRefused = "";  // by whatever sentence

// `expected`: "no error", kRefused, or how the message goes on behind "row: ".
void expect(const std::string& got, const std::string& expected, const std::string& what) {
  if (expected == "no error") {
    EXPECT_EQ(got, expected) << what;
    return;
  }
  EXPECT_TRUE(got.starts_with("row: " + expected)) << what << ": " << got;
  EXPECT_EQ(std::ranges::count(got, '\n'), 0) << what;
}

TEST(TaskKinds, EachIsOneOfItsModelsData) {
  const struct {
    const char* task;
    const TaskFacts& facts;
    const char* model;
    std::string refused;
  } cases[] = {
      {"node-classification", kGraph, "gcn", "no error"},
      {"node-classification", kGraph, "labelprop", "no error"},
      {"node-classification", kGraph, nullptr, "no error"},
      {"node-classification", kGraph, "gin", "model 'gin' classifies graphs"},
      {"node-classification", kGraph, "gae", "model 'gae' scores pairs of nodes"},
      {"node-classification", kGraph, "katz", "model 'katz' scores pairs of nodes"},
      {"node-classification", kSet, "gcn", "the task is about nodes, and data set 'many' is a set"},
      {"graph-classification", kSet, "gin", "no error"},
      {"graph-classification", kSet, "wl-svm", "no error"},
      {"graph-classification", kSet, nullptr, "no error"},
      {"graph-classification", kSet, "gcn", "model 'gcn' classifies nodes"},
      {"graph-classification", kSet, "vgae", "model 'vgae' scores pairs of nodes"},
      {"graph-classification", kGraph, "gin",
       "the task is about graphs, and data set 'one' is one"},
      {"links", kGraph, "gcn", "no error"},
      {"links", kGraph, "gae", "no error"},
      {"links", kGraph, "katz", "no error"},
      {"links", kGraph, nullptr, "no error"},
      {"links", kGraph, "gin", "model 'gin' classifies graphs, and links are asked about"},
      {"links", kGraph, "labelprop", "model 'labelprop' gives classes and no embeddings"},
      {"links", kGraph, "majority", "model 'majority' gives classes and no embeddings"},
      {"links", kSet, "gcn",
       "links are asked of one graph, and data set 'many' is a set of graphs"},
      {"links", kSet, "gin", "links are asked of one graph"},
  };
  for (const auto& one : cases)
    expect(refusal(one.task, one.facts, one.model), one.refused,
           fmt::format("{} of {} by {}", one.task, one.facts.dataset,
                       one.model == nullptr ? "a program" : one.model));
}

// No model of the registry slips between the kinds, whatever it is of.
TEST(TaskKinds, EveryModelIsForTheKindsOfItsUnit) {
  for (const ModelEntry* entry : models()) {
    const char* name = entry->name.c_str();
    const auto is_for = [&](const char* task, const TaskFacts& facts) {
      return refusal(task, facts, name) == "no error";
    };
    EXPECT_EQ(is_for("node-classification", kGraph), entry->unit == Unit::kNode) << name;
    EXPECT_EQ(is_for("graph-classification", kSet), entry->unit == Unit::kGraph) << name;
    EXPECT_EQ(is_for("links", kGraph), entry->unit == Unit::kPair || (entry->unit == Unit::kNode &&
                                                                      entry->trainable != nullptr))
        << name;
    EXPECT_EQ(is_for("events", kFacts), entry->unit == Unit::kFact) << name;
    for (const TaskKind* kind : task_kinds()) {
      EXPECT_FALSE(is_for(kind->name.c_str(), kind->unit == Unit::kGraph ? kGraph : kSet)) << name;
      if (kind->unit != Unit::kFact) {
        EXPECT_FALSE(is_for(kind->name.c_str(), kFacts)) << name;
      }
    }
  }
}

TEST(TaskKinds, MetricsAreOfTheirAnswers) {
  const TaskFacts several = {.dataset = "many", .set_of_graphs = true, .tasks = 12};
  for (const char* metric : {"accuracy", "macro-f1", "balanced-accuracy"}) {
    expect(refusal("links", kGraph, "gae", metric), kRefused, metric);
    expect(refusal("node-classification", kGraph, "gcn", metric), "no error", metric);
    expect(refusal("graph-classification", kSet, "gin", metric), "no error", metric);
  }
  for (const char* metric : {"mrr", "hits@10", "mean-rank", "auc-ap-mean"}) {
    expect(refusal("links", kGraph, "gae", metric), "no error", metric);
    expect(refusal("node-classification", kGraph, "gcn", metric), kRefused, metric);
    expect(refusal("graph-classification", kSet, "gin", metric), kRefused, metric);
    expect(refusal("graph-classification", several, "gin", metric), kRefused, metric);
  }
  for (const char* task : {"links", "node-classification"})
    expect(refusal(task, kGraph, "gcn", "roc-auc"), "no error", task);
  expect(refusal("links", kGraph, "gae", "roc-ouc"), kRefused, "a metric that is none");
  expect(refusal("graph-classification", several, "wl-svm"), "model 'wl-svm' learns one label",
         "several tasks");
  // Whatever the registry has: a metric is of a task exactly if it is of a form of its answers.
  for (const TaskKind* kind : task_kinds())
    for (const MetricEntry* entry : metric_entries()) {
      const std::string name = entry->at.empty() ? entry->name : entry->name + "@3";
      const bool fits = std::ranges::any_of(
          kind->forms, [&](AnswerForm form) { return find_metric(name)->is_of(form); });
      const bool sets = kind->unit == Unit::kGraph, facts = kind->unit == Unit::kFact;
      EXPECT_EQ(refusal(kind->name.c_str(),
                        sets    ? kSet
                        : facts ? kFacts
                                : kGraph,
                        sets    ? "gin"
                        : facts ? "recurrency"
                                : "gcn",
                        name) == "no error",
                fits)
          << kind->name << ", " << name;
    }
}

TEST(TaskKinds, ClassesAreTwoOrMore) {
  TaskFacts graph = kGraph, set = kSet;
  graph.classes = set.classes = 1;
  for (const char* model : {"gcn", "majority", static_cast<const char*>(nullptr)})
    expect(refusal("node-classification", graph, model),
           "all nodes of data set 'one' that have a label are of one class", "nodes");
  expect(refusal("graph-classification", set, "gin"),
         "all graphs of data set 'many' that have a label are of one class", "graphs");
  expect(refusal("links", graph, "gcn"), "no error", "links, which have no classes");
  graph.classes = set.classes = 2;
  expect(refusal("node-classification", graph, "gcn"), "no error", "two classes");
  expect(refusal("graph-classification", set, "gin"), "no error", "two classes");
  set.classes = 1;
  set.tasks = 1;
  expect(refusal("graph-classification", set, "gin", "roc-auc"), "no error", "one task");
  // A view says how many there are.
  for (const Index classes : {1, 2}) {
    const ClassTask task = made_task({.classes = classes});
    expect(refusal("node-classification", task.view.facts(), "majority"),
           classes == 1 ? "all nodes of data set 'made'" : "no error", "a view");
  }
}

TEST(TaskKinds, ALossOfSetsIsForThem) {
  TrainRule rule;
  rule.loss = "binary-cross-entropy";
  expect(refusal("links", kGraph, "gae", "roc-auc", rule),
         "loss = \"binary-cross-entropy\" is for sets of graphs; a row's pair_loss", "links");
  expect(refusal("node-classification", kGraph, "gcn", "", rule),
         "loss = \"binary-cross-entropy\" is for sets of graphs, and data set 'one' is one graph",
         "nodes");
  expect(refusal("graph-classification", kSet, "gin", "", rule), "no error", "graphs");
}

}  // namespace
}  // namespace cupel
