// EdgeBank on CollegeMsg, where it is there, through split, task and holdout: against what DyGLib
// printed (Yu et al. 2023).
#include <gtest/gtest.h>

#include <cstdlib>

#include "cupel/base/error.h"
#include "cupel/data/facts/facts_folder.h"
#include "learn/events/made_events.h"
#include "real_data.h"

namespace cupel {
namespace {

constexpr const char* kFile = "college-msg/CollegeMsg.txt";

// Average precision in percent, as the mean over batches of 200.
double average_precision(const std::string& negatives, const std::string& memory, double holdout) {
  const auto facts = std::make_shared<const TemporalFacts>(
      read_facts(std::filesystem::path(std::getenv("CUPEL_DATA")) / kFile));
  const auto data = std::make_shared<const Dataset>(dataset_of(facts));
  const SplitScheme scheme = {"time",
                              {{"quantiles", std::string("0.7,0.85")}, {"holdout", holdout}}};
  const Task task = make_event_task({.data = std::make_shared<const TaskData>(data),
                                     .scheme = scheme,
                                     .split = make_split(*data, scheme, 0),
                                     .settings = Options("events", event_options(),
                                                         {{"question", std::string("whether")},
                                                          {"negatives", negatives},
                                                          {"average", std::string("batches")}}),
                                     .key = stream_key("edge-bank"),
                                     .metrics = {"average-precision"}});
  const ModelEntry& entry = *find_model("edge-bank");
  const Options settings("edge-bank", entry.options, {{"memory", memory}});
  const TrainRule rule;
  const auto trial =
      find_task_kind("events")->direct(task.view, {entry, settings, rule, "average-precision", {}});
  const auto test = task.answers->open();
  (void)trial->run(stream_key("run"), {}, *test);
  return 100 * test->score("average-precision");
}

struct Printed {
  const char *negatives, *memory;  // the best of the four variants
  double value;
};
constexpr Printed kPrinted[] = {{"random", "unlimited", 76.2},
                                {"historical", "quantile-window", 65.5},
                                {"inductive", "recurrence-window", 57.4}};
// Other nodes are held out and other negatives drawn than there: half a point of standard deviation
// over such draws would be much, and none of the three is a point away from the next variant's.
constexpr double kTolerance = 0.6;

TEST(EdgeBankPublished, CollegeMsg) {
  if (const std::string why = made::needs_data({kFile}); !why.empty()) GTEST_SKIP() << why;
  for (const auto& [negatives, memory, value] : kPrinted)
    EXPECT_NEAR(average_precision(negatives, memory, 0.1), value, kTolerance) << negatives;
}

// Without the holdout the value of historical negatives is missed by more than that.
TEST(EdgeBankPublished, CollegeMsgNeedsTheHoldout) {
  if (const std::string why = made::needs_data({kFile}); !why.empty()) GTEST_SKIP() << why;
  EXPECT_LT(average_precision("historical", "quantile-window", 0), 65.5 - kTolerance);
}

}  // namespace
}  // namespace cupel
