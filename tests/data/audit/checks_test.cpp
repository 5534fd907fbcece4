// Each check on a data set with exactly its fault, and none on one without.
#include <gtest/gtest.h>

#include <set>

#include "data/audit/examples.h"
#include "data/audit/made.h"

namespace cupel {
namespace {

using made::audit_of;
using made::clean_dataset;
using made::find;
using made::has;

class Checks : public testing::Test {
 protected:
  Dataset data_ = clean_dataset();
  Matrix& features() { return std::get<Matrix>(data_.features); }
  // Edges as a file has them, appended to what is there.
  void add_edges(std::vector<Edge> more) {
    for (Index i = 0; i < data_.nodes(); ++i) {
      for (const Index j : data_.adjacency.row_columns(i)) more.push_back({i, j});
    }
    data_.adjacency = from_edges(data_.nodes(), more);
  }
};

TEST_F(Checks, ACleanDataSetHasNoWarning) {
  for (const Finding& finding : audit_of(data_, {"symmetrise"})) {
    if (finding.id == "stored-once") continue;
    // A single split of 3,000 is below what one point takes; all three together are not.
    EXPECT_EQ(finding.id, "too-small") << finding.title;
    EXPECT_EQ(finding.severity, Severity::kInfo);
  }
  data_.stored_splits.clear();
  data_.adjacency = symmetrise(data_.adjacency);
  EXPECT_TRUE(audit_of(data_).empty());
}

TEST_F(Checks, EveryFindingSaysAllThereIsToSay) {
  add_edges({{5, 5}, {9, 8}});
  data_.repeated_arcs = 2;
  data_.stored_splits[0].train.push_back(data_.stored_splits[0].test[0]);
  data_.labels()[7] = 3;
  data_.class_names().push_back("7");
  const auto findings = audit_of(data_);
  EXPECT_GT(findings.size(), 5u);
  for (const Finding& finding : findings) {
    EXPECT_FALSE(finding.title.empty() || finding.evidence.empty() || finding.advice.empty())
        << finding.id;
    EXPECT_GT(finding.count, 0) << finding.id;
    EXPECT_EQ(finding.evidence.find("{}"), std::string::npos);
  }
  EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return a.severity > b.severity;
  })) << "errors first";
}

// Each check alone, on data sets with every fault.
TEST(ChecksAlone, EachFindsWhatItIsNamedAfter) {
  std::set<std::string> names, found;
  for (const AuditCheck* check : audit_checks()) names.insert(check->name);
  for (const Dataset& data : made::faulty_datasets()) {
    const AuditSubject subject(data, {});
    for (const AuditCheck* check : audit_checks()) {
      if (!applies(*check, data)) continue;
      std::vector<Finding> findings;
      check->run(subject, findings);
      for (const Finding& finding : findings) {
        if (finding.id == check->name) found.insert(finding.id);
      }
    }
  }
  EXPECT_EQ(found, names);
}

// ---- nodes that are copies ----------------------------------------------------------------------

TEST_F(Checks, EqualFeaturesThatStraddleAreCounted) {
  // 12 and 21 have class 0; in split 0, 12 is in training, 21 in test.
  std::copy_n(features().row(12), 4, features().row(21));
  ASSERT_TRUE(std::binary_search(data_.stored_splits[0].train.begin(),
                                 data_.stored_splits[0].train.end(), 12));
  ASSERT_TRUE(std::binary_search(data_.stored_splits[0].test.begin(),
                                 data_.stored_splits[0].test.end(), 21));
  const Finding finding = find(audit_of(data_), "duplicate-nodes-by-features");
  EXPECT_EQ(finding.count, 1);
  EXPECT_EQ(finding.details["nodes_in_groups"], 2);
  EXPECT_EQ(finding.details["examples"], (nlohmann::ordered_json{12, 21}));
  EXPECT_EQ(finding.details["straddling_per_split"][0], 1);
}

TEST_F(Checks, ManyEqualFeaturesAreCopiesIfLabelsAgreeAndCoarseIfNot) {
  for (Index i = 0; i < 1200; i += 2)
    std::copy_n(features().row(i * 3), 4, features().row(i * 3 + 3));
  const Finding copies = find(audit_of(data_), "duplicate-nodes-by-features");
  EXPECT_EQ(copies.severity, Severity::kWarning);
  EXPECT_EQ(copies.count, 600);
  Dataset coarse = clean_dataset();
  auto& x = std::get<Matrix>(coarse.features);
  for (float& v : x.values) v = v < 0.5f ? 0.0f : 1.0f;
  const Finding finding = find(audit_of(coarse), "duplicate-nodes-by-features");
  EXPECT_EQ(finding.severity, Severity::kInfo) << "16 patterns say nothing of copies";
  EXPECT_LT(finding.details["best_accuracy_from_features"].get<double>(), 0.4);
}

TEST_F(Checks, TheLeakIsAnErrorOnlyWhereChanceIsNoExplanation) {
  // Copies of node 3's out-set, entered by nothing. 90 copies with 4 out-neighbours each.
  const Index first = 11000;
  std::vector<Edge> edges;
  for (Index i = 0; i + 1 < first; ++i) edges.push_back({i, i + 1});
  edges.push_back({10, 3});  // both directions occur
  for (Index j : {100, 200, 300}) edges.push_back({3, j});
  for (Index i = first; i < 12000; ++i) {
    edges.push_back({i, 4});
    if (i < first + 300 && data_.labels()[i] == data_.labels()[3])
      for (Index j : {100, 200, 300}) edges.push_back({i, j});
  }
  data_.adjacency = from_edges(12000, edges);
  const Finding finding = find(audit_of(data_), "duplicate-nodes");
  EXPECT_EQ(finding.count, 100);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_LT(finding.details["expected_by_chance"], 1.0);
  EXPECT_EQ(finding.details["by_out_degree"][0]["copies"], 100);
  // The group is 3 and its copies. Counted here by hand for every split.
  for (std::size_t s = 0; s < 3; ++s) {
    const auto in = [&](const std::vector<Index>& part) {
      return std::count_if(part.begin(), part.end(), [&](Index i) {
        return i == 3 || (i >= first && i < first + 300 && i % 3 == 0);
      });
    };
    const auto tests = in(data_.stored_splits[s].test);
    EXPECT_GT(tests, 0);
    EXPECT_EQ(finding.details["straddling_per_split"][s], tests);
  }
}

// ---- edges --------------------------------------------------------------------------------------

TEST_F(Checks, SelfLoopsIsolatedNodesAndComponents) {
  Dataset data = clean_dataset(30);
  data.adjacency =
      from_edges(30, std::vector<Edge>{{0, 1}, {1, 2}, {3, 4}, {5, 5}, {6, 7}, {7, 8}});
  const auto findings = audit_of(data);
  EXPECT_EQ(find(findings, "self-loops").count, 1);
  EXPECT_EQ(find(findings, "self-loops").details["examples"], nlohmann::ordered_json{5});
  EXPECT_EQ(find(findings, "isolated-nodes").count, 22) << "a loop is no neighbour";
  EXPECT_EQ(find(findings, "several-components").count, 3);
  for (const char* id : {"self-loops", "isolated-nodes", "several-components"})
    EXPECT_EQ(find(findings, id).severity, Severity::kWarning) << id;
  const auto prepared = audit_of(data, {"drop-self-loops", "largest-component"});
  for (const char* id : {"self-loops", "isolated-nodes", "several-components"})
    EXPECT_EQ(find(prepared, id).severity, Severity::kInfo) << id;
}

TEST_F(Checks, AGraphWithoutEdgesIsNone) {
  data_.adjacency = from_edges(data_.nodes(), std::vector<Edge>{});
  const Finding finding = find(audit_of(data_), "isolated-nodes");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.count, 12000);
}

TEST_F(Checks, ReversedEdgesOfAGraphStoredOnce) {
  add_edges({{1, 0}, {2, 1}, {3, 2}});
  const auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "reversed-edges").count, 3);
  EXPECT_EQ(find(findings, "reversed-edges").severity, Severity::kWarning);
  EXPECT_FALSE(has(findings, "directed"));
}

TEST_F(Checks, SymmetricStorageIsNoFault) {
  data_.adjacency = symmetrise(data_.adjacency);
  EXPECT_FALSE(has(audit_of(data_), "reversed-edges"));
  EXPECT_FALSE(has(audit_of(data_), "directed"));
}

TEST_F(Checks, DirectedGraphsAreToldFromUndirectedOnes) {
  add_edges({{900, 5}, {901, 6}, {1, 0}});
  const auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "directed").severity, Severity::kInfo);
  EXPECT_EQ(find(findings, "reversed-edges").severity, Severity::kInfo);
}

TEST_F(Checks, RepeatsAndWeights) {
  data_.repeated_arcs = 4;
  EXPECT_EQ(find(audit_of(data_), "duplicate-edges").count, 4);
  data_.repeated_arcs = 0;
  data_.adjacency.values.assign(data_.adjacency.columns.size(), 1.0f);
  data_.adjacency.values[7] = 0;
  data_.adjacency.values[8] = 2.5f;
  const auto findings = audit_of(data_);
  EXPECT_FALSE(has(findings, "duplicate-edges"));
  EXPECT_EQ(find(findings, "edge-weights").count, 2);
  EXPECT_EQ(find(findings, "edge-weights").severity, Severity::kWarning) << "a zero is an oddity";
}

// ---- classes ------------------------------------------------------------------------------------

TEST_F(Checks, TinyClasses) {
  data_.class_names() = {"0", "1", "2", "5", "9"};
  data_.labels()[40] = 3;
  for (Index i : {50, 60, 70, 80}) data_.labels()[i] = 4;
  const auto findings = audit_of(data_);
  EXPECT_EQ(findings.front().id, "tiny-class");
  EXPECT_EQ(findings.front().severity, Severity::kError);
  EXPECT_EQ(findings.front().count, 1);
  EXPECT_EQ(findings.front().details["classes"][0]["class"], "5");
  EXPECT_EQ(findings.front().details["classes"][0]["nodes"], 1);
  EXPECT_EQ(find(findings, "labels-renumbered").details["mapping"],
            (nlohmann::ordered_json{{"0", 0}, {"1", 1}, {"2", 2}, {"5", 3}, {"9", 4}}));
  // Masked out, as in the version of texas with four classes, the single node does no harm.
  for (Split& split : data_.stored_splits) {
    for (auto* part : {&split.train, &split.valid, &split.test}) std::erase(*part, 40);
  }
  const auto masked = audit_of(data_);
  EXPECT_FALSE(has(masked, "tiny-class"));
  EXPECT_EQ(find(masked, "unused-class").severity, Severity::kInfo);
  EXPECT_EQ(find(masked, "small-class").count, 1);
  EXPECT_EQ(find(masked, "split-leaves-out").count, 1);
}

TEST_F(Checks, ImbalanceMakesAccuracyTheWrongMetric) {
  data_.class_names() = {"0", "1"};
  for (Index i = 0; i < data_.nodes(); ++i) data_.labels()[i] = i % 5 == 0;
  const Finding finding = find(audit_of(data_), "class-imbalance");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_DOUBLE_EQ(finding.details["majority_share"].get<double>(), 0.8);
  EXPECT_NE(finding.advice.find("ROC AUC"), std::string::npos);
  for (Index& label : data_.labels()) label = 0;
  data_.class_names() = {"0"};
  EXPECT_EQ(find(audit_of(data_), "one-class").severity, Severity::kError);
}

// 1.959964^2 * (0.1 - 0.0001) / 0.01^2 = 3837.6...
TEST_F(Checks, SmallDataSetsAreToldHowManyNodesTheyNeed) {
  Dataset small = clean_dataset(1200);
  const Finding finding = find(audit_of(small), "too-small");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.details["test_nodes_needed"], 3838);
  EXPECT_EQ(finding.details["test_nodes_per_split"], 300);
  EXPECT_EQ(finding.details["distinct_test_nodes"], 900);
  EXPECT_TRUE(finding.details["splits_needed"].is_null()) << "there are 1,200 nodes in all";
  const Finding large = find(audit_of(data_), "too-small");
  EXPECT_EQ(large.severity, Severity::kInfo);
  EXPECT_EQ(large.details["splits_needed"], 2);
}

// ---- features -----------------------------------------------------------------------------------

TEST_F(Checks, ConstantRepeatedAndMissingFeatures) {
  auto& x = features();
  for (Index i = 0; i < x.rows; ++i) x(i, 1) = 0.25f, x(i, 3) = x(i, 0);
  auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "constant-features").details["examples"], nlohmann::ordered_json{1});
  EXPECT_EQ(find(findings, "duplicate-features").details["examples"],
            nlohmann::ordered_json::array({{0, 3}}));
  for (float& v : x.values) v = 0;
  findings = audit_of(data_);
  EXPECT_EQ(find(findings, "constant-features").severity, Severity::kWarning);
  EXPECT_EQ(find(findings, "zero-features").count, 12000);
  EXPECT_FALSE(has(findings, "duplicate-nodes-by-features"))
      << "nodes without features are no copies";
  data_.features = Matrix(12000, 0);
  findings = audit_of(data_);
  EXPECT_EQ(find(findings, "no-features").severity, Severity::kWarning);
  EXPECT_FALSE(has(findings, "constant-features"));
}

TEST_F(Checks, IdentityFeaturesAreNotTakenForContent) {
  Csr identity;
  identity.rows = identity.cols = data_.nodes();
  for (Index i = 0; i < data_.nodes(); ++i) {
    identity.columns.push_back(i);
    identity.row_ptr.push_back(i + 1);
  }
  data_.features = identity;
  const auto findings = audit_of(data_);
  EXPECT_EQ(find(findings, "no-features").severity, Severity::kInfo);
  EXPECT_FALSE(has(findings, "label-revealing-features"));
  EXPECT_FALSE(has(findings, "duplicate-features"));
}

// Formats that hold dense features alone hold identities as such, and preparation may permute them.
TEST_F(Checks, IdentitiesMayBeDenseAndInAnyOrder) {
  Dataset data = clean_dataset(60);
  Matrix dense(60, 60);
  for (Index i = 0; i < 60; ++i) dense(i, (7 * i + 3) % 60) = 1;
  data.features = dense;
  EXPECT_EQ(find(audit_of(data), "no-features").count, 60);
  Csr sparse;  // with a zero that is stored
  sparse.rows = sparse.cols = 60;
  for (Index i = 0; i < 60; ++i) {
    sparse.columns.push_back(i == 59 ? 0 : i);
    sparse.values.push_back(i == 59 ? 0.0f : 1.0f);
    if (i == 59) {
      sparse.columns.push_back(59);
      sparse.values.push_back(1);
    }
    sparse.row_ptr.push_back(std::ssize(sparse.columns));
  }
  data.features = sparse;
  EXPECT_TRUE(has(audit_of(data), "no-features"));
  // Not those: a column of two nodes, a node of two columns, another value, a node without one.
  for (const auto& [node, column, value] :
       {std::tuple{0, 10, 1.0f}, {5, 6, 1.0f}, {5, 38, 2.0f}, {5, 38, 0.0f}}) {
    Matrix other = dense;
    if (node == 0) other(0, 3) = 0;
    other(node, column) = value;
    data.features = other;
    EXPECT_FALSE(has(audit_of(data), "no-features")) << node << " " << column << " " << value;
  }
}

// Five planted copies of 2,000 random nodes: chance explains none of them, and they are too few to
// matter. Thirty are an error.
TEST_F(Checks, FewCopiesBeyondChanceAreToldAsSuch) {
  const auto with_copies = [](Index copies) {
    const Index nodes = 2000;
    Dataset out;
    out.name = "planted";
    std::mt19937 random(5);
    std::vector<std::set<Index>> targets(static_cast<std::size_t>(nodes));
    std::vector<Edge> edges;
    for (Index i = 0; i < nodes + copies; ++i) {
      const Index like = i < nodes ? i : i - nodes;
      auto& own = targets[static_cast<std::size_t>(like)];
      while (own.size() < 5) own.insert(static_cast<Index>(random() % nodes));
      for (const Index j : own) edges.push_back({i, j});
      out.labels().push_back(like % 3);
    }
    for (Index i = 0; i < nodes; ++i) edges.push_back({i, (i + 1) % nodes});  // all are entered
    for (Index i = nodes; i < nodes + copies; ++i) edges.push_back({i, i - nodes + 1});
    out.adjacency = from_edges(nodes + copies, edges);
    Matrix features(nodes + copies, 3);
    for (float& v : features.values) v = static_cast<float>(random() % 1000000);
    out.features = std::move(features);
    out.class_names() = {"0", "1", "2"};
    return out;
  };
  const Finding few = find(audit_of(with_copies(5)), "duplicate-nodes");
  EXPECT_EQ(few.severity, Severity::kInfo);
  EXPECT_EQ(few.count, 5);
  EXPECT_NE(few.title.find("5 nodes have the look of another beyond chance"), std::string::npos)
      << few.title;
  EXPECT_NE(few.evidence.find("Beyond chance are nodes 2000, 2001, 2002, 2003, 2004: too few"),
            std::string::npos)
      << few.evidence;
  EXPECT_EQ(few.advice.find("Nothing to mend"), std::string::npos) << few.advice;
  const Finding many = find(audit_of(with_copies(30)), "duplicate-nodes");
  EXPECT_EQ(many.severity, Severity::kError);
  EXPECT_EQ(many.evidence.find("too few"), std::string::npos) << many.evidence;
}

TEST_F(Checks, AFeatureMadeFromTheLabelIsFound) {
  std::mt19937 random(5);
  struct Case {
    const char* what;
    float (*value)(Index label, unsigned noise);
  };
  const Case cases[] = {
      {"the label itself", [](Index c, unsigned) { return static_cast<float>(c); }},
      {"names in another order", [](Index c, unsigned) { return c == 1 ? 7.0f : 5.0f + c; }},
      {"one class marked, nearly always",
       [](Index c, unsigned noise) { return c == 2 && noise % 200 != 0 ? 1.0f : 0.0f; }},
      {"label and noise",
       [](Index c, unsigned noise) { return -3.0f * c + static_cast<float>(noise % 1000) / 999; }},
  };
  for (const Case& c : cases) {
    for (Index i = 0; i < data_.nodes(); ++i)
      features()(i, 2) = c.value(data_.labels()[i], static_cast<unsigned>(random()));
    const Finding finding = find(audit_of(data_), "label-revealing-features");
    EXPECT_EQ(finding.severity, Severity::kError) << c.what;
    EXPECT_EQ(finding.count, 1) << c.what;
    EXPECT_EQ(finding.details["features"][0]["feature"], 2) << c.what;
  }
}

TEST_F(Checks, ATellingWordIsALesserMatter) {
  for (Index i = 0; i < data_.nodes(); ++i) features()(i, 2) = i % 24 == 1 ? 1.0f : 0.0f;
  const auto findings = audit_of(data_);  // 500 nodes, all of class 1
  const Finding finding = find(findings, "label-revealing-values");
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_EQ(finding.details["values"][0]["nodes"], 500);
  EXPECT_EQ(finding.details["values"][0]["class"], "1");
}

TEST_F(Checks, FeaturesThatPredictWellButNotAlmostAlwaysAreFine) {
  std::mt19937 random(6);
  for (Index i = 0; i < data_.nodes(); ++i)
    features()(i, 2) = random() % 4 == 0 ? static_cast<float>(random() % 3)
                                         : static_cast<float>(data_.labels()[i]);
  EXPECT_FALSE(has(audit_of(data_), "label-revealing-features"));
}

TEST_F(Checks, FewNodesAndManyFeaturesRevealNothingByChance) {
  std::mt19937 random(8);
  Dataset small = clean_dataset(24);
  Csr x;
  x.rows = 24;
  x.cols = 5000;
  for (Index i = 0; i < 24; ++i) {
    for (Index c = 0; c < x.cols; ++c) {
      if (random() % 3 == 0) x.columns.push_back(c);
    }
    x.row_ptr.push_back(static_cast<Offset>(x.columns.size()));
  }
  small.features = x;
  EXPECT_FALSE(has(audit_of(small), "label-revealing-features"));
}

}  // namespace
}  // namespace cupel
