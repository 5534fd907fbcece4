// What metrics say of themselves, and their names.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cupel/learn/score/metrics.h"
#include "error_of.h"

namespace cupel {
namespace {

using Names = std::vector<std::string>;

const std::vector<AnswerForm> kAll = {AnswerForm::kClasses, AnswerForm::kTasks, AnswerForm::kPool,
                                      AnswerForm::kRanks};

std::string canonical(const std::string& name) { return parse_metric("", name, kAll).name(); }

TEST(MetricNames, OfClassesAreThoseThatStoresHave) {
  EXPECT_EQ(metric_names({AnswerForm::kClasses}),
            (Names{"accuracy", "balanced-accuracy", "macro-f1", "roc-auc", "roc-auc-column",
                   "roc-auc-columns"}));
  const Names kept = {"accuracy", "balanced-accuracy", "macro-f1", "roc-auc"};
  EXPECT_EQ(metric_names({AnswerForm::kTasks}), kept);
  EXPECT_EQ(kept_metric_names({AnswerForm::kTasks}), kept);
  EXPECT_EQ(kept_metric_names({AnswerForm::kClasses}), kept);
}

TEST(MetricNames, OfLinks) {
  EXPECT_EQ(metric_names({AnswerForm::kPool}),
            (Names{"auc-ap-mean", "average-precision", "precision", "recall", "roc-auc"}));
  EXPECT_EQ(metric_names({AnswerForm::kRanks}), (Names{"hits@K", "mean-rank", "mrr"}));
}

TEST(MetricNames, HaveOneSpelling) {
  EXPECT_EQ(canonical("mrr"), "mrr");
  EXPECT_EQ(canonical("mrr:ties=mean"), "mrr");
  EXPECT_EQ(canonical("mrr:ties=optimistic"), "mrr:ties=optimistic");
  EXPECT_EQ(canonical("hits@050:ties=mean"), "hits@50");
  EXPECT_EQ(canonical("hits@50:ties=pessimistic"), "hits@50:ties=pessimistic");
  for (const MetricEntry* entry : metric_entries())
    for (const std::string& name : entry->kept) EXPECT_EQ(canonical(name), name);
}

TEST(MetricNames, InWords) {
  const auto words = [](const std::string& name) { return find_metric(name)->words(); };
  EXPECT_EQ(words("roc-auc"), "ROC AUC");
  EXPECT_EQ(words("hits@10"), "Hits@10");
  EXPECT_EQ(words("hits@3:ties=optimistic"), "Hits@3 (ties: optimistic)");
}

TEST(MetricNames, RefusedWithTheWayOut) {
  const auto message = [](const std::string& name, const std::vector<AnswerForm>& forms) {
    return error_of([&] { (void)parse_metric("p.toml:3", name, forms); });
  };
  EXPECT_EQ(message("acuracy", {AnswerForm::kTasks}),
            "p.toml:3: no metric is called 'acuracy' (did you mean 'accuracy'?); known are: "
            "accuracy, balanced-accuracy, macro-f1, roc-auc");
  EXPECT_EQ(message("mrr", {AnswerForm::kTasks}),
            "p.toml:3: metric 'mrr' is not one of several tasks; take one of: accuracy, "
            "balanced-accuracy, macro-f1, roc-auc");
  EXPECT_EQ(message("accuracy", {AnswerForm::kPool, AnswerForm::kRanks}),
            "p.toml:3: metric 'accuracy' is not one of a pool of positives and negatives or ranks; "
            "take one of: auc-ap-mean, average-precision, hits@K, mean-rank, mrr, precision, "
            "recall, roc-auc");
  const auto part = [&](const std::string& name, const char* text) {
    const std::string said = message(name, kAll);
    EXPECT_NE(said.find(text), std::string::npos) << name << ": " << said;
    EXPECT_FALSE(find_metric(name)) << name;
  };
  part("hits", "metric 'hits' needs a number; write hits@10");
  part("hits@", "'' is not a whole number");
  part("hits@ten", "'ten' is not a whole number");
  part("hits@0", "0");
  part("hits@10:k=20", "'k' is given twice");
  part("mrr@10", "metric 'mrr@10' has no number; write mrr");
  part("mrr:tie=mean", "did you mean 'ties'?");
  part("mrr:ties=best", "best");
  part("mrr:", "is not a setting; write name=value");
  part("mrr:ties=mean,", "is not a setting; write name=value");
  part("mrr:ties=mean,ties=mean", "'ties' is given twice");
  part("accuracy:ties=mean", "no setting is called 'ties'");
  part("", "no metric is called ''");
}

TEST(MetricEntries, SayWhatTheyAre) {
  for (const MetricEntry* entry : metric_entries()) {
    SCOPED_TRACE(entry->name);
    EXPECT_FALSE(entry->words.empty());
    EXPECT_FALSE(entry->doc.empty());
    EXPECT_TRUE(entry->of_classes || entry->of_pool || entry->of_ranks);
    EXPECT_TRUE(entry->over_tasks == OverTasks::kNever || entry->of_classes);
    // Reports print a fraction in percent, and the rest as it is.
    EXPECT_EQ(entry->scale.unit, entry->scale.most == 1 ? 100 : 1);
    for (const std::string& name : entry->kept) EXPECT_EQ(find_metric(name)->entry, entry);
  }
}

TEST(MetricEntries, BoundsAndDirection) {
  const MetricScale area = scale_of_metric("roc-auc"), rank = scale_of_metric("mean-rank");
  EXPECT_TRUE(area.is_in_bounds(0) && area.is_in_bounds(1 + 1e-12));
  EXPECT_FALSE(area.is_in_bounds(1.01) || area.is_in_bounds(-0.01));
  EXPECT_TRUE(rank.is_in_bounds(1) && rank.is_in_bounds(5000.5));
  EXPECT_FALSE(rank.is_in_bounds(0.9) || rank.is_in_bounds(1e200) ||
               rank.is_in_bounds(std::numeric_limits<double>::infinity()) ||
               rank.is_in_bounds(std::nan("")));
  EXPECT_TRUE(area.is_better(0.9, 0.8) && rank.is_better(2, 3));
  EXPECT_FALSE(scale_of_metric("mean-rank:ties=optimistic").larger_is_better);
  EXPECT_TRUE(scale_of_metric("what a store had").larger_is_better);
  EXPECT_FALSE(area.is_better(0.8, 0.8) || rank.is_better(3, 3) || rank.is_better(3, 2));
}

TEST(MetricForms, AreFoundByTheirNames) {
  EXPECT_EQ(form_of_metric("roc-auc", "columns"), "roc-auc-columns");
  EXPECT_EQ(form_of_metric("roc-auc", "margin"), "roc-auc");
  EXPECT_EQ(form_of_metric("accuracy", "column"), "accuracy");
}

}  // namespace
}  // namespace cupel
