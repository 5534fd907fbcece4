// Each check of links on a split with exactly its leak, and none on one without.
#include <gtest/gtest.h>

#include <set>

#include "cupel/data/audit/link_area.h"
#include "data/audit/link_examples.h"
#include "data/audit/made.h"

namespace cupel {
namespace {

using made::find;
using made::LinkExample;
using Json = nlohmann::ordered_json;

std::set<std::string> ids_of(const LinkSubject& subject) {
  std::set<std::string> out;
  for (const Finding& finding : audit_links(subject)) {
    EXPECT_FALSE(finding.title.empty() || finding.evidence.empty() || finding.advice.empty());
    EXPECT_GT(finding.count, 0) << finding.id;
    out.insert(finding.id);
  }
  return out;
}

const std::set<std::string> kNone;

TEST(LinkChecks, ACleanSplitHasNoFinding) {
  const LinkExample example;
  EXPECT_EQ(ids_of(example.subject), kNone);
  // A directed graph drawn evenly has few ways back, which is no more than a fact.
  const LinkExample directed(true);
  for (const Finding& finding : audit_links(directed.subject)) {
    EXPECT_EQ(finding.id, "link-reversed");
    EXPECT_EQ(finding.severity, Severity::kInfo);
  }
}

TEST(LinkChecks, ValidationLinksMayCarryMessagesAtTestTime) {
  LinkExample example;
  example.add_messages(1, example.subject.parts[1]);
  EXPECT_EQ(ids_of(example.subject), kNone);
}

TEST(LinkChecks, LinksInTwoPartsAreFoundWhicheverWayRound) {
  for (const bool reversed : {false, true}) {
    LinkExample example;
    auto& [train, valid, test] = example.subject.parts;
    const auto turned = [&](Pair pair) { return reversed ? Pair{pair.target, pair.source} : pair; };
    valid.push_back(turned(test[0]));
    valid.push_back(turned(train[5]));
    train.push_back(turned(train[9]));
    // Messages were made before; what is in two parts is told by this check alone.
    example.subject.candidates = {};
    const auto findings = audit_links(example.subject);
    const Finding finding = find(findings, "link-overlap");
    EXPECT_EQ(finding.severity, Severity::kError);
    EXPECT_EQ(finding.count, 2);
    EXPECT_EQ(finding.details["validation_and_test"], 1);
    EXPECT_EQ(finding.details["training_and_validation"], 1);
    EXPECT_EQ(finding.details["training_and_test"], 0);
    EXPECT_EQ(finding.details["twice_in_one_part"], 1);
  }
}

TEST(LinkChecks, RepeatsAndLoopsWithinAPartAreAWarning) {
  LinkExample example;
  example.subject.parts[0].push_back(example.subject.parts[0][3]);
  example.subject.parts[0].push_back({7, 7});
  const auto findings = audit_links(example.subject);
  EXPECT_EQ(findings.size(), 1u);
  EXPECT_EQ(find(findings, "link-overlap").severity, Severity::kWarning);
  EXPECT_EQ(find(findings, "link-overlap").count, 2);
}

TEST(LinkChecks, DirectedLinksAndTheirWayBackAreTwoLinks) {
  LinkExample example(true);
  auto& [train, valid, test] = example.subject.parts;
  const auto before = audit_links(example.subject);
  const Offset few = made::has(before, "link-reversed") ? find(before, "link-reversed").count : 0;
  std::set<Pair> known(example.made.links.pairs.begin(), example.made.links.pairs.end());
  Offset added = 0;
  for (const Pair& pair : test) {
    if (known.insert({pair.target, pair.source}).second && ++added)
      train.push_back({pair.target, pair.source});
  }
  const auto findings = audit_links(example.subject);
  EXPECT_FALSE(made::has(findings, "link-overlap"));
  EXPECT_EQ(find(findings, "link-reversed").severity, Severity::kWarning);
  EXPECT_EQ(find(findings, "link-reversed").count, few + added);
}

TEST(LinkChecks, AWayBackMayCarryMessagesWithoutBeingInTraining) {
  LinkExample example(true);
  const std::set<Pair> known(example.made.links.pairs.begin(), example.made.links.pairs.end());
  const auto before = audit_links(example.subject);
  const Offset few = made::has(before, "link-reversed") ? find(before, "link-reversed").count : 0;
  std::vector<Pair> backs;
  for (const Pair& pair : example.subject.parts[2]) {
    const Pair back = {pair.target, pair.source};
    if (!known.contains(back) && backs.size() < 3) backs.push_back(back);
  }
  ASSERT_EQ(backs.size(), 3u);
  example.add_messages(1, backs);
  const Finding finding = find(audit_links(example.subject), "link-reversed");
  EXPECT_EQ(finding.count, few + 3);
  EXPECT_EQ(finding.details["messages_alone"], 3);
}

TEST(LinkChecks, NegativesThatAskNothingAreAWarning) {
  LinkExample example;
  example.subject.left_out = {{{2, 0}, {1, 4}}};
  const auto findings = audit_links(example.subject);
  EXPECT_EQ(findings.size(), 1u);
  const Finding finding = find(findings, "link-void-negatives");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.count, 7);
  EXPECT_EQ(finding.details["validation"]["loops"], 2);
  EXPECT_EQ(finding.details["test"]["repeats"], 4);
}

TEST(LinkChecks, MessagesOverAnswersAreFound) {
  LinkExample example;
  const auto& test = example.subject.parts[2];
  example.add_messages(1, {test[0], test[4]});
  example.add_messages(0, {test[1], example.subject.parts[1][2]});
  const auto findings = audit_links(example.subject);
  const Finding finding = find(findings, "link-messages");
  EXPECT_EQ(findings.front().id, "link-messages");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.count, 4);
  EXPECT_EQ(finding.details["test_in_test_messages"], 2);
  EXPECT_EQ(finding.details["test_in_validation_messages"], 1);
  EXPECT_EQ(finding.details["validation_in_validation_messages"], 1);
}

TEST(LinkChecks, NegativesThatAreLinksOfAnotherPartAreFound) {
  LinkExample example;
  example.add_negative(0, example.subject.parts[2][0]);
  Finding finding = find(audit_links(example.subject), "link-negatives");
  EXPECT_EQ(finding.severity, Severity::kInfo) << "one of three hundred";
  EXPECT_EQ(finding.details["validation"]["test_links"], 1);
  for (int i = 1; i < 20; ++i) example.add_negative(0, example.subject.parts[2][i]);
  finding = find(audit_links(example.subject), "link-negatives");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.count, 20);
  example.add_negative(1, example.subject.parts[1][0]);
  finding = find(audit_links(example.subject), "link-negatives");
  EXPECT_EQ(finding.severity, Severity::kError) << "known when test is asked";
  EXPECT_EQ(finding.details["test"]["validation_links"], 1);
}

TEST(LinkChecks, TrainingLinksAndPositivesInAPoolAreErrors) {
  for (const std::size_t part : {0u, 2u}) {
    LinkExample example;
    example.add_negative(1, example.subject.parts[part][0]);
    const Finding finding = find(audit_links(example.subject), "link-negatives");
    EXPECT_EQ(finding.severity, Severity::kError);
    EXPECT_EQ(finding.count, 1);
  }
}

TEST(LinkChecks, UnfilteredTargetsAreCounted) {
  LinkExample example;
  const auto counted = [&](const char* filtered) {
    example.subject.candidates[1] =
        example.made.draw("all", LinkPart::kTest, {std::string("filtered=") + filtered});
    return audit_links(example.subject);
  };
  EXPECT_FALSE(made::has(counted("true"), "link-negatives"));
  const Finding finding = find(counted("false"), "link-negatives");
  // Every end of a test link is asked about, and ranked against its other neighbours.
  const Csr arcs = arcs_of(example.made.links.pairs, 400, false);
  Offset wanted = 0;
  for (const Pair& pair : example.subject.parts[2])
    wanted += arcs.row_size(pair.source) + arcs.row_size(pair.target) - 2;
  EXPECT_EQ(finding.count, wanted);
}

// A link of training and test is the positive of its questions, which rank it against no other.
TEST(LinkChecks, APositiveIsNoNegativeOfItsOwnWhereverElseItIs) {
  LinkExample example;
  auto& [train, valid, test] = example.subject.parts;
  train = {{0, 63}, {1, 2}}, valid = {{50, 60}}, test = {{2, 33}, {0, 63}};
  example.subject.candidates[0].reset();
  example.subject.candidates[1] =
      AllTargets{0, 400, arcs_of(std::vector<Pair>(), example.made.links.nodes, false)};
  const Finding finding = find(audit_links(example.subject), "link-negatives");
  EXPECT_EQ(finding.count, 1) << "1, where 33 is asked about from 2";
  EXPECT_EQ(finding.details["test"]["training_links"], 1);
}

// One score for each pair, and the area over every n-th link counted by hand.
TEST(LinkChecks, ManyPairsAreSampledByLinks) {
  LinkExample example;
  const auto score = [](Pair pair) {
    return static_cast<float>((pair.source * 31 + pair.target * 17) % 101);
  };
  using Settings = std::vector<std::string>;
  for (const auto& [kind, settings] :
       {std::pair{"uniform", Settings{}}, std::pair{"heart", Settings{"count=20"}},
        std::pair{"all", Settings{}}}) {
    example.subject.candidates[1] = example.made.draw(kind, LinkPart::kTest, settings);
    const Offset rows = example.subject.ranking(1)->asked.rows();
    const auto whole = shortcut_area(example.subject, score, rows);
    ASSERT_TRUE(whole) << kind;
    EXPECT_EQ(whole->every, 1);
    const auto part = shortcut_area(example.subject, score, rows / 3);
    ASSERT_TRUE(part) << kind;
    EXPECT_GE(part->every, 3);
    const Ranking ranking = *example.subject.ranking(1, part->every);
    EXPECT_LT(ranking.asked.rows(), rows) << kind;
    const Ranking all = *example.subject.ranking(1);
    RankCounter counter(all);
    std::vector<float> scores;
    for (Offset row = 0; row < all.asked.rows(); ++row)
      scores.push_back(score(all.asked.pair(row)));
    counter.add(scores);
    const RankCounts counts = counter.finish();
    double sum = 0;
    Offset questions = 0;
    for (Offset q = 0; q < all.questions.size(); ++q) {
      if (q / all.questions.per_positive % part->every != 0) continue;
      sum +=
          1 - (counts.above[q] + counts.ties[q] / 2.0) / static_cast<double>(counts.candidates[q]);
      ++questions;
    }
    // A pool keeps every n-th negative alone, so that the area is only near.
    const double area = sum / static_cast<double>(questions);
    EXPECT_NEAR(part->area, std::max(area, 1 - area), std::string(kind) == "uniform" ? 0.1 : 1e-9)
        << kind;
  }
}

TEST(LinkChecks, LinksThatFeaturesTellAreFound) {
  LinkExample example;
  // Like features along links: both ends of a test link get a feature of their own.
  Matrix features(400, 400);
  for (Index i = 0; i < 400; ++i) features(i, i) = 0.1f;
  for (const Pair& pair : example.subject.parts[2]) {
    features(pair.source, pair.source) = 1;
    features(pair.target, pair.source) = 1;
  }
  example.made.data.features = features;
  const auto findings = audit_links(example.subject);
  const Finding finding = find(findings, "link-features");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_GT(finding.details["area"].get<double>(), 0.9);
  EXPECT_EQ(findings.size(), 1u);
}

// Test links join the nodes that training links join most often.
TEST(LinkChecks, LinksThatDegreesTellAreFound) {
  LinkExample example;
  std::vector<Pair> hubs;
  for (Index i = 0; i < 300; ++i) hubs.push_back({i % 3, 100 + i});
  for (Index i = 0; i < 3; ++i) hubs.push_back({i, 3 + i});
  example.subject.parts[0] = hubs;
  example.subject.parts[1] = {{50, 60}};
  example.subject.parts[2].clear();
  CandidatePool pool;
  for (Index i = 0; i < 120; ++i) {
    example.subject.parts[2].push_back({i % 3, 150 + (i + 1 + i / 100) % 120});
    pool.pairs.push_back({10 + i, 250 + i});
  }
  const Csr messages = arcs_of(hubs, 400, false);
  example.subject.messages = {messages, messages};
  example.subject.candidates = {std::nullopt, pool};
  const Finding finding = find(audit_links(example.subject), "link-degree");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_FALSE(finding.details["low_is_link"].get<bool>());
}

TEST(LinkChecks, TooFewPairsAreFound) {
  LinkExample example;
  const Offset negatives = std::ssize(example.pool(1).pairs);
  example.subject.ks = {10, negatives + 1};
  EXPECT_EQ(find(audit_links(example.subject), "link-few").severity, Severity::kError);
  example.subject.ks = {10, negatives / 4};
  Finding finding = find(audit_links(example.subject), "link-few");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.details["k_near_guessing"], Json::array({negatives / 4}));
  example.subject.ks = {};
  example.subject.parts[2].resize(99);
  finding = find(audit_links(example.subject), "link-few");
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_EQ(finding.count, 99);
}

TEST(LinkChecks, FindingsHaveTheNamesOfTheirChecks) {
  std::set<std::string> names, met;
  for (const LinkCheck* check : link_checks()) names.insert(check->name);
  for (const auto& findings : made::faulty_link_audits()) {
    for (const Finding& finding : findings) met.insert(finding.id);
  }
  EXPECT_EQ(met, names);
}

}  // namespace
}  // namespace cupel
