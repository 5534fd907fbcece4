// Whether the graph helps, from stores made by hand.
#include <gtest/gtest.h>

#include <filesystem>

#include "cupel/judge/audit/store_audit.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/record/identity.h"
#include "temp_folder.h"

namespace cupel {
namespace {

// The same splits over and over: verdicts need ten.
std::vector<double> times(int count, const std::vector<double>& scores) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.insert(out.end(), scores.begin(), scores.end());
  return out;
}

class StoreAuditTest : public testing::Test {
 protected:
  struct Row {
    std::string row, model;
    std::vector<double> test;  // by split, fractions
    double valid = 0.5;
    std::string dataset = "this";
    std::string metric = "accuracy";
    std::string configuration = "";
    std::size_t diverged = 0;  // the first so many
  };

  // Every row as a command of its own asked for it.
  StoreAudit audit(const std::vector<Row>& rows) {
    Plan plan;
    plan.protocol = "made";
    plan.version = "1";
    for (const Row& row : rows) {
      FamilyFields fields;
      fields.dataset = row.dataset;
      fields.model = row.model;
      fields.metric = row.metric;
      fields.split.kind = "stored";
      fields.settings["configuration"] = row.configuration + row.row;
      auto family = std::make_shared<Family>();
      family->identity = family_identity(fields);
      family->id = identity_hash(family->identity);
      family->metric = row.metric;
      const int splits = static_cast<int>(row.test.size());
      PlannedCell cell;
      cell.table = "1";
      cell.dataset = row.dataset;
      cell.model = row.row;
      cell.configuration = row.configuration;
      cell.family = family;
      cell.splits = cell.full_splits = splits;
      cell.inits = cell.full_inits = 1;
      plan.cells.push_back(cell);
    }
    store_.register_plan(plan);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t split = 0; split < rows[r].test.size(); ++split) {
        RunRecord record;
        record.metric = rows[r].metric;
        record.test_score = rows[r].test[split];
        record.valid_score = rows[r].valid;
        if (split < rows[r].diverged) record.status = RunStatus::kDiverged;
        store_.put(plan.cells[r].family->identity, static_cast<int>(split), 0, record);
      }
    }
    return audit_store(store_, "this");
  }

  const TempFolder folder_;
  Store store_{folder_ / "s.sqlite"};
};

TEST_F(StoreAuditTest, ASentenceWhereThereAreNoRuns) {
  const StoreAudit empty = audit({});
  EXPECT_TRUE(empty.findings.empty());
  ASSERT_EQ(empty.notes.size(), 1u);
  EXPECT_NE(empty.notes[0].find("no finished run"), std::string::npos);
  const StoreAudit other = audit({{"gcn", "gcn", {0.9, 0.9}, 0.5, "another"}});
  EXPECT_EQ(other.notes, empty.notes);
}

TEST_F(StoreAuditTest, AGraphThatHelpsIsNoFinding) {
  const StoreAudit out = audit({{"gcn", "gcn", times(3, {0.80, 0.82, 0.81, 0.79})},
                                {"mlp", "mlp", times(3, {0.60, 0.63, 0.60, 0.59})},
                                {"sgc", "sgc", times(3, {0.60, 0.62, 0.61, 0.59})}});
  EXPECT_TRUE(out.findings.empty());
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_NE(out.notes[0].find("1 of 2 graph models is better than mlp"), std::string::npos)
      << out.notes[0];
  EXPECT_NE(out.notes[0].find("gcn 80.50 against mlp 60.50"), std::string::npos) << out.notes[0];
}

TEST_F(StoreAuditTest, AGraphThatDoesNotHelpIs) {
  // Differences 0.1, -0.1, 0.2, -0.16 points, three times: mean 0.01, sd 0.1548, t = 0.227; p =
  // 0.824 for 11 degrees.
  const StoreAudit out = audit({{"gcn", "gcn", times(3, {0.601, 0.619, 0.622, 0.6084})},
                                {"mlp", "mlp", times(3, {0.60, 0.62, 0.62, 0.61})},
                                {"majority", "majority", times(3, {0.2, 0.2, 0.2, 0.2}), 0.2}});
  ASSERT_EQ(out.findings.size(), 1u);
  const Finding& finding = out.findings[0];
  EXPECT_EQ(finding.id, "graph-does-not-help");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_TRUE(finding.title.starts_with("no graph model is better than mlp")) << finding.title;
  EXPECT_NE(finding.evidence.find("None is better by a point or more"), std::string::npos)
      << finding.evidence;
  EXPECT_EQ(finding.details["without_graph"], "mlp");
  EXPECT_NEAR(finding.details["graph_models"][0]["difference"].get<double>(), 0.01, 1e-9);
  EXPECT_NEAR(finding.details["graph_models"][0]["p_corrected"].get<double>(), 0.824, 1e-3);
}

TEST_F(StoreAuditTest, AGraphModelThatIsWorseIsNoBetter) {
  const StoreAudit out = audit({{"gcn", "gcn", times(3, {0.40, 0.50, 0.42, 0.45})},
                                {"mlp", "mlp", times(3, {0.60, 0.62, 0.62, 0.61})}});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].id, "graph-does-not-help");
}

// Differences of 4, -4, 8 and -6.4 points: their mean may as well be 3.
TEST_F(StoreAuditTest, NotSignificantIsNotNoBetter) {
  const std::vector<double> mlp = times(3, {0.60, 0.62, 0.62, 0.61});
  const StoreAudit out =
      audit({{"gcn", "gcn", times(3, {0.64, 0.58, 0.70, 0.546})}, {"mlp", "mlp", mlp}});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].id, "graph-not-shown-to-help");
  EXPECT_EQ(out.findings[0].severity, Severity::kInfo);
  EXPECT_TRUE(out.findings[0].title.starts_with("it is not shown")) << out.findings[0].title;
  EXPECT_EQ(out.findings[0].evidence.find("None is better"), std::string::npos);
  // One that is undecided leaves all of them so.
  const StoreAudit both = audit({{"gcn", "gcn", times(3, {0.64, 0.58, 0.70, 0.546})},
                                 {"sgc", "sgc", times(3, {0.601, 0.619, 0.622, 0.6084})},
                                 {"mlp", "mlp", mlp}});
  ASSERT_EQ(both.findings.size(), 1u);
  EXPECT_EQ(both.findings[0].id, "graph-not-shown-to-help");
}

// 24 points ahead, p = 0.156.
TEST_F(StoreAuditTest, TwoSplitsConcludeNothing) {
  const StoreAudit out = audit({{"gcn", "gcn", {0.81, 0.79}}, {"mlp", "mlp", {0.51, 0.61}}});
  EXPECT_TRUE(out.findings.empty());
  EXPECT_EQ(out.notes,
            (std::vector<std::string>{
                "Whether the graph helps is open (accuracy): no graph model has more than 2 splits "
                "in common with mlp, and below 10 common splits nothing is concluded."}));
}

TEST_F(StoreAuditTest, NeitherDoNineWhereAllAgree) {
  const StoreAudit out = audit(
      {{"gcn", "gcn", times(3, {0.81, 0.79, 0.80})}, {"mlp", "mlp", times(3, {0.51, 0.50, 0.51})}});
  EXPECT_TRUE(out.findings.empty());
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_NE(out.notes[0].find("is open"), std::string::npos) << out.notes[0];
}

// gat is 30 points ahead on the few splits that it has.
TEST_F(StoreAuditTest, AModelOfFewSplitsLeavesItOpenAndIsNamed) {
  const std::vector<double> mlp = times(3, {0.60, 0.62, 0.62, 0.61});
  const Row gat = {"gat", "gat", {0.90, 0.92, 0.92, 0.91, 0.90}};
  const Row sgc = {"sgc", "sgc", {0.90}};
  const std::string named =
      "Not judged, for fewer than 10 splits in common with mlp: gat (5 splits), sgc (1 split).";
  const StoreAudit none = audit(
      {{"mlp", "mlp", mlp}, {"gcn", "gcn", times(3, {0.601, 0.619, 0.622, 0.6084})}, gat, sgc});
  ASSERT_EQ(none.findings.size(), 1u);
  const Finding& finding = none.findings[0];
  EXPECT_EQ(finding.id, "graph-not-shown-to-help");
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_TRUE(finding.title.starts_with("it is not shown whether a graph model is better than mlp"))
      << finding.title;
  EXPECT_EQ(finding.evidence.find("None is better"), std::string::npos) << finding.evidence;
  EXPECT_TRUE(finding.evidence.ends_with(named)) << finding.evidence;
  EXPECT_EQ(finding.details["graph_models"].size(), 1u);
  EXPECT_EQ(
      finding.details["not_judged"],
      nlohmann::json::parse(R"([{"model": "gat", "splits": 5}, {"model": "sgc", "splits": 1}])"));
  // One more in the same store, which helps.
  const StoreAudit better =
      audit({{"mlp", "mlp", mlp}, {"sage", "sage", times(3, {0.80, 0.82, 0.81, 0.79})}});
  EXPECT_TRUE(better.findings.empty());
  ASSERT_EQ(better.notes.size(), 1u);
  EXPECT_NE(better.notes[0].find("1 of 2 graph models is better than mlp"), std::string::npos)
      << better.notes[0];
  EXPECT_TRUE(better.notes[0].ends_with(named)) << better.notes[0];
}

TEST_F(StoreAuditTest, ManyModelsNeedMoreThanOneLuckyOne) {
  // scipy.stats.ttest_rel: alone, p = 0.030; with Holm's correction for three, three times that.
  const std::vector<double> mlp(10, 0.60);
  const std::vector<double> lucky = {0.63, 0.59, 0.62, 0.61, 0.63, 0.59, 0.62, 0.60, 0.62, 0.61};
  const std::vector<double> equal = times(5, {0.61, 0.59});
  EXPECT_TRUE(audit({{"gcn", "gcn", lucky}, {"mlp", "mlp", mlp}}).findings.empty());
  const StoreAudit out = audit(
      {{"gcn", "gcn", lucky}, {"sgc", "sgc", equal}, {"gat", "gat", equal}, {"mlp", "mlp", mlp}});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].id, "graph-not-shown-to-help");
  EXPECT_EQ(out.findings[0].count, 3);
}

// Nobody knows what a program looks at, unless its row is called like a model that sees no graph.
TEST_F(StoreAuditTest, ProgramsAreNoGraphModels) {
  const std::vector<double> mlp = times(3, {0.60, 0.62, 0.61, 0.60});
  const StoreAudit out = audit({{"gcn", "gcn", times(3, {0.61, 0.62, 0.60, 0.60})},
                                {"no-graph-at-all", "external", times(3, {0.1, 0.12, 0.1, 0.11})},
                                {"mlp", "external", mlp}});
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_EQ(out.findings[0].count, 1);
  EXPECT_EQ(out.findings[0].details["without_graph"], "mlp");
}

TEST_F(StoreAuditTest, ConfigurationsAreChosenByValidation) {
  const StoreAudit out =
      audit({{"gcn", "gcn", times(4, {0.9, 0.91, 0.9}), 0.5, "this", "accuracy", "a"},
             {"gcn", "gcn", times(4, {0.5, 0.51, 0.5}), 0.6, "this", "accuracy", "b"},
             {"mlp", "mlp", times(4, {0.6, 0.62, 0.6})}});
  ASSERT_EQ(out.findings.size(), 1u) << "the better one on test is not the better one to choose";
  EXPECT_NEAR(out.findings[0].details["graph_models"][0]["mean"].get<double>(), 50.33, 0.01);
}

TEST_F(StoreAuditTest, MetricsAreNotMixedAndRowsMayHaveAnyName) {
  const StoreAudit out = audit({{"gcn", "gcn", {0.9, 0.91}, 0.5, "this", "roc-auc"},
                                {"ours", "resnet", {0.6, 0.62}},
                                {"mlp", "external", {0.6, 0.62}, 0.7}});
  EXPECT_TRUE(out.findings.empty());
  EXPECT_EQ(out.notes.size(), 2u) << "open under either metric";
}

// A diverged run whose rule restored earlier parameters has a score, and counts as in reports.
TEST_F(StoreAuditTest, DivergedRunsWithAScoreCount) {
  std::vector<Row> rows = {{"gcn", "gcn", times(3, {0.80, 0.82, 0.81, 0.79})},
                           {"mlp", "mlp", times(3, {0.60, 0.63, 0.60, 0.59})}};
  rows[0].diverged = 4;
  const StoreAudit out = audit(rows);
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_NE(out.notes[0].find("12 splits"), std::string::npos) << out.notes[0];
}

}  // namespace
}  // namespace cupel
