// Trained models against means that other programs found on the same splits of the same data. A
// drift of training that no equation shows would show here.
//
// Tolerances are three to four standard errors of the difference of the two means. Splits are those
// of the other program, so that they do not add to it: what does is the spread over initialisations
// on one split, measured here once (GCN 0.6 points, MLP 1.1, logistic regression 0.04), times
// sqrt(2 / splits).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cupel/data/catalog/catalog.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "real_data.h"

namespace cupel {
namespace {

// Mean test score in percent of a row of a shipped protocol.
double mean_of(const Protocol& protocol, const Selection& selection) {
  made::TempFolder folder;
  Store store(folder / "s");
  const Plan plan = make_plan(protocol, selection, plan_sources(data_folder({})));
  EXPECT_EQ(plan.cells.size(), 1u);
  const ExecuteSummary summary = execute(pending_runs(plan, store), store, *make_executor(), {});
  EXPECT_TRUE(summary.failures.empty());
  double sum = 0;
  const std::vector<StoredRun> runs = store.runs(plan.cells.at(0).family->id);
  for (const StoredRun& run : runs) sum += 100 * run.record.test_score.value();
  EXPECT_EQ(static_cast<int>(runs.size()), selection.splits);
  return sum / static_cast<double>(runs.size());
}

double on_cora(const std::string& model, int splits, const Settings& settings = {}) {
  Protocol protocol = load_protocol("pitfalls");
  for (ModelRow& row : protocol.models)
    for (const auto& [name, value] : settings)
      if (row.name == model) row.settings[name] = value;
  return mean_of(protocol, {{"cora"}, {model}, {"1"}, splits, 1});
}

// An independent NumPy program found 81.58 with self-loops and 81.08 without, over all 100 splits.
// The error is 0.09: 0.3 is less than what lies between the two, so that neither passes for the
// other.
TEST(Acceptance, GcnOnCoraWithAndWithoutSelfLoops) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  EXPECT_NEAR(on_cora("gcn", 100), 81.58, 0.3);
  EXPECT_NEAR(on_cora("gcn", 100, {{"self_loops", false}}), 81.08, 0.3);
}

// The same program: 58.25 over the first 95 splits (error 0.17), and 57.52 over the first 77, where
// there is next to no chance.
TEST(Acceptance, ModelsWithoutAGraphOnCora) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  EXPECT_NEAR(on_cora("mlp", 95), 58.25, 0.5);
  EXPECT_NEAR(on_cora("logreg", 77), 57.52, 0.05);
}

// The same program over all 100 splits, to the digit. The rule that the released code means to
// have, patience of 50 iterations, makes 74.3 of the first.
TEST(Acceptance, LabelPropagationStopsAsReleased) {
  if (const std::string why = made::needs_data({"cora"}); !why.empty()) GTEST_SKIP() << why;
  EXPECT_NEAR(on_cora("labelprop", 100), 73.99, 0.006);
  EXPECT_NEAR(on_cora("labelprop-nl", 100), 73.54, 0.006);
  EXPECT_GT(on_cora("labelprop", 100, {{"patience", std::int64_t{50}}}), 74.2);
}

// Platonov et al. 2023 print 26.75 +- 3.64 for H2GCN on the ten splits that come with the data;
// with the graph that belongs to its features it is 36 to 39. Means of ten splits differ between
// initialisations by about 1 point.
TEST(Acceptance, H2gcnOnAGraphOfItsOwnAndOnAnothers) {
  const std::string data = "chameleon-filtered-directed";
  if (const std::string why = made::needs_data({data.c_str()}); !why.empty()) GTEST_SKIP() << why;
  const auto mean = [&](const std::string& model) {
    Selection selection{{data}, {model}, {"2"}, 10, 1};
    selection.choices = parse_choice_filters({"lr=0.01", "l2=0"});
    return mean_of(load_protocol("heterophily"), selection);
  };
  EXPECT_NEAR(mean("h2gcn-released"), 26.75, 3);
  EXPECT_NEAR(mean("h2gcn"), 37.5, 3);
}

}  // namespace
}  // namespace cupel
