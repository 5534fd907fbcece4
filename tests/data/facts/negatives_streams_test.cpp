// What negatives of facts depend on, and facts that leave little to draw.
#include "cupel/data/facts/negatives.h"

#include <gtest/gtest.h>

#include <limits>

#include "data/facts/asked_facts.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

// ---- streams

bool equal(const FactNegatives& a, const FactNegatives& b) {
  return a.source == b.source && a.target == b.target && a.filled == b.filled;
}

const std::vector<std::pair<std::string, Settings>> kAll = {
    {"random", {}},     {"random", {"avoid=true"}}, {"random", {"source=drawn"}},
    {"historical", {}}, {"inductive", {}},          {"inductive", {"among=all"}}};

TEST(FactNegatives, AreTheSameOnAnyNumberOfThreads) {
  AskedFacts asked = {random_facts(8, 12000, 300, 3, 600), 8000, 11500, 200, {0, 1, 0}};
  for (const Offset batch : {0, 9, 200, 3000})
    for (const auto& [kind, settings] : kAll) {
      asked.batch = batch, asked.threads = 1, asked.key = "a";
      const FactNegatives one = asked.draw(kind, settings);
      for (const int threads : {2, 5}) {
        asked.threads = threads;
        EXPECT_TRUE(equal(asked.draw(kind, settings), one)) << kind << " " << batch;
      }
      asked.key = "b";
      EXPECT_FALSE(equal(asked.draw(kind, settings), one));
    }
}

TEST(FactNegatives, OfALongerPartBeginAlike) {
  AskedFacts asked = {random_facts(8, 3000, 40, 3, 300), 2000, 2450, 50, {0, 1, 0}};
  for (const auto& [kind, settings] : kAll) {
    asked.end = 2450;
    const FactNegatives some = asked.draw(kind, settings);
    asked.end = 2999;
    FactNegatives more = asked.draw(kind, settings);
    more.source.resize(450), more.target.resize(450);
    EXPECT_TRUE(more.source == some.source && more.target == some.target) << kind;
  }
}

// What happens later, or in another relation, changes nothing.
TEST(FactNegatives, DependOnThePastAndTheirRelation) {
  AskedFacts asked = {random_facts(8, 3000, 40, 3, 300), 2000, 2900, 50};
  AskedFacts other = asked;
  for (std::size_t i = 2500; i < 3000; ++i) std::swap(other.made.source[i], other.made.target[i]);
  for (std::size_t i = 0; i < 2500; ++i)
    if (other.made.relation[i] == 2) other.made.target[i] = (other.made.target[i] * 3 + 1) % 40;
  for (auto [kind, settings] : kAll) {
    if (kind == "random" && settings != Settings{"avoid=true"}) continue;  // reads no facts
    std::erase(settings, "among=all");
    settings.push_back("among=all");
    const FactNegatives a = asked.draw(kind, settings), b = other.draw(kind, settings);
    Offset same = 0;
    for (std::size_t row = 0; row < 490; ++row) {  // a step reaches over the end of the last batch
      const bool equal = a.source[row] == b.source[row] && a.target[row] == b.target[row];
      EXPECT_TRUE(equal || asked.made.relation[row + 2000] == 2 || row >= 450) << kind << row;
      same += equal;
    }
    EXPECT_LT(same, 490);
  }
}

// ---- the ends of the world

TEST(FactNegatives, OfABatchThatHasAllPairsAreRefused) {
  AskedFacts asked;
  for (Index s = 0; s < 3; ++s)
    for (Index o = 3; o < 6; ++o) asked.made.add(s, 0, o, 7);
  asked.end = 9, asked.batch = 4;
  for (const auto& [kind, settings] : kAll) {
    if (kind == "random" && (settings.empty() || settings[0] == "source=drawn")) {
      EXPECT_EQ(asked.draw(kind, settings).filled, 0);
    } else if (settings == Settings{"among=all"}) {
      EXPECT_EQ(asked.draw(kind, settings).filled, 9);
    } else {
      const std::string said = error_of([&] { (void)asked.draw(kind, settings); });
      EXPECT_NE(said.find("made: at time 7 each pair"), std::string::npos) << said;
      EXPECT_NE(said.find("add among=all to the negatives"), std::string::npos);
    }
  }
}

// One pair is free, and nine negatives are wanted: it is drawn again and again.
TEST(FactNegatives, RepeatWhereTooFewPairsAreFree) {
  for (const bool undirected : {false, true}) {
    AskedFacts asked;
    asked.undirected = {undirected ? std::uint8_t{1} : std::uint8_t{0}};
    for (Index s = 0; s < 3; ++s)
      for (Index o = 0; o < 3; ++o)
        if (!(s == 1 && o == 2) && !(undirected && s == 2 && o == 1)) asked.made.add(s, 0, o, 7);
    asked.end = asked.made.columns().size();
    for (const char* kind : {"historical", "inductive"}) {
      const FactNegatives drawn = asked.draw(kind);
      EXPECT_EQ(drawn.filled, asked.end);
      for (std::size_t row = 0; row < drawn.source.size(); ++row)
        EXPECT_EQ(kept({drawn.source[row], drawn.target[row]}, undirected), Ends(1, 2));
    }
  }
}

TEST(FactNegatives, OfOneEntity) {
  AskedFacts asked;
  asked.made.add(0, 0, 0, 1);
  asked.made.add(0, 0, 0, 2);
  asked.begin = 1, asked.end = 2;
  EXPECT_EQ(asked.draw("random").target, std::vector<Index>{0});
  for (const auto& [kind, settings] : std::vector<std::pair<std::string, Settings>>{
           {"random", {"avoid=true"}}, {"historical", {}}, {"inductive", {"among=all"}}})
    EXPECT_NE(error_of([&] { (void)asked.draw(kind, settings); }), "no error");
}

TEST(FactNegatives, OfNothingAreNone) {
  AskedFacts asked = random_asked(1, 7);
  asked.end = asked.begin;
  for (const auto& [kind, settings] : kAll) {
    EXPECT_TRUE(asked.draw(kind, settings).source.empty());
    const AskedFacts none = {};
    EXPECT_TRUE(none.draw(kind, settings).source.empty());
  }
}

TEST(FactNegatives, KnowTheFirstAndLastOfAllTimes) {
  AskedFacts asked;
  for (Index i = 0; i < 6; ++i)
    asked.made.add(i, 0, i + 1,
                   i < 3 ? std::numeric_limits<std::int64_t>::min()
                         : std::numeric_limits<std::int64_t>::max());
  asked.begin = 3, asked.end = 6;
  const FactNegatives drawn = asked.draw("historical");
  EXPECT_EQ(drawn.filled, 0);
  EXPECT_EQ(std::set(drawn.source.begin(), drawn.source.end()), (std::set<Index>{0, 1, 2}));
}

TEST(FactNegatives, AreColumnsWithTheAskedTimes) {
  const AskedFacts asked = random_asked(2, 7);
  const FactNegatives drawn = asked.draw("inductive");
  const FactColumns part = asked.made.columns().part(asked.begin, asked.end);
  const FactColumns columns = drawn.columns(part);
  EXPECT_EQ(columns.size(), part.size());
  EXPECT_EQ(columns.source.data(), drawn.source.data());
  EXPECT_EQ(columns.target.data(), drawn.target.data());
  EXPECT_EQ(columns.time.data(), part.time.data());
  EXPECT_EQ(columns.relation.data(), part.relation.data());
  EXPECT_EQ(columns.nodes, 12);
}

}  // namespace
}  // namespace cupel
