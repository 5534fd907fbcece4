#include "cupel/data/facts/doi_duplicates.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

struct Told {
  std::string input;
  Publication paper;
};

Told record(std::string input, std::string id, std::string doi, int year, int authors,
            int affiliations = 0, bool abstract = false) {
  Told out{std::move(input), {}};
  out.paper.id = std::move(id), out.paper.doi = std::move(doi);
  if (year != 0) out.paper.year = year;
  for (int k = 0; k < authors; ++k) out.paper.authors.push_back({"A" + std::to_string(k), "", {}});
  for (int k = 0; k < affiliations && authors > 0; ++k)
    out.paper.authors[0].affiliations.push_back("X" + std::to_string(k));
  if (abstract) out.paper.abstract = "words";
  return out;
}

// Of each record: the input in whose favour it is left out, with "!" where the year is another one.
// Empty: it is kept.
std::vector<std::string> outcome(const std::vector<Told>& all, DuplicateRule rule,
                                 std::int64_t* unclear = nullptr) {
  DoiDuplicates duplicates(rule);
  for (const Told& one : all) duplicates.see(one.paper, one.input);
  duplicates.settle();
  std::vector<std::string> out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto fuller = duplicates.next();
    out.push_back(fuller ? std::string(fuller->input) + (fuller->other_year ? "!" : "") : "");
  }
  made::expect_error([&] { (void)duplicates.next(); }, {"have changed while they were read"});
  if (unclear != nullptr) *unclear = duplicates.unclear();
  return out;
}

using Outcome = std::vector<std::string>;

TEST(DoiDuplicates, TheFullestRecordIsKept) {
  const auto kept = [](const Told& a, const Told& b) {
    const Outcome out = outcome({a, b}, DuplicateRule::kInputs);
    EXPECT_NE(out[0].empty(), out[1].empty());
    EXPECT_EQ(outcome({b, a}, DuplicateRule::kInputs), (Outcome{out[1], out[0]}));
    return out[0].empty() ? a.input : b.input;
  };
  const auto a = [](auto... how) { return record("acl", "1", "10.1/a", how...); };
  const auto b = [](auto... how) { return record("wos", "2", "10.1/a", how...); };
  EXPECT_EQ(kept(a(0, 9, 9, true), b(2019, 1)), "wos");  // one without a year never counts
  EXPECT_EQ(kept(a(2019, 0, 0, true), b(2019, 1)), "wos");
  EXPECT_EQ(kept(a(2019, 2, 9, true), b(2020, 3)), "wos");
  EXPECT_EQ(kept(a(2019, 3, 1, true), b(2020, 3, 2)), "wos");
  EXPECT_EQ(kept(a(2019, 3, 2), b(2020, 3, 2, true)), "wos");
}

TEST(DoiDuplicates, OfEquallyFullOnesTheInputThatIsSeenFirstThenTheSmallerId) {
  const Told acl = record("acl", "9", "10.1/a", 2019, 2),
             wos = record("wos", "1", "10.1/a", 2020, 2);
  EXPECT_EQ(outcome({acl, wos}, DuplicateRule::kInputs), (Outcome{"", "acl!"}));
  const Told small = record("acl", "8", "10.1/a", 2019, 2);
  EXPECT_EQ(outcome({acl, small}, DuplicateRule::kDoi), (Outcome{"acl", ""}));
  EXPECT_EQ(outcome({small, acl}, DuplicateRule::kDoi), (Outcome{"", "acl"}));
}

TEST(DoiDuplicates, ADoiOfSeveralPapersOfOneInputJoinsNothing) {
  const std::vector<Told> all = {
      record("scopus", "1", "10.1/a", 2019, 1), record("scopus", "2", "10.1/a", 2019, 2),
      record("wos", "1", "10.1/a", 2019, 3),
      // One input alone has it: nothing was to be joined.
      record("wos", "2", "10.1/b", 2019, 3), record("wos", "3", "10.1/b", 2019, 3),
      // Nobody knows whether records without an id are one.
      record("scopus", "", "10.1/c", 2019, 1), record("scopus", "", "10.1/c", 2019, 1),
      record("wos", "4", "10.1/c", 2019, 3)};
  std::int64_t unclear = 0;
  EXPECT_EQ(outcome(all, DuplicateRule::kInputs, &unclear), Outcome(all.size()));
  EXPECT_EQ(unclear, 2);
  EXPECT_EQ(outcome(all, DuplicateRule::kDoi, &unclear),
            (Outcome{"wos", "wos", "", "", "wos", "wos", "wos", ""}));
  EXPECT_EQ(unclear, 0);
  EXPECT_EQ(outcome(all, DuplicateRule::kKeep), Outcome(all.size()));
}

// Exports overlap: the same record comes in two files.
TEST(DoiDuplicates, ARecordThatIsToldTwiceIsOnePaper) {
  const std::vector<Told> all = {
      record("scopus", "1", "10.1/a", 2019, 1), record("wos", "7", "10.1/a", 2019, 2),
      record("scopus", "1", "10.1/a", 2019, 1), record("wos", "7", "10.1/a", 2019, 2)};
  for (const DuplicateRule rule : {DuplicateRule::kInputs, DuplicateRule::kDoi})
    EXPECT_EQ(outcome(all, rule), (Outcome{"wos", "", "wos", ""}));
}

// Every record against every other, as the header has the rule.
Outcome slowly(const std::vector<Told>& all, DuplicateRule rule) {
  Outcome out(all.size());
  const auto same = [&](std::size_t i, std::size_t j) {
    return all[i].input == all[j].input && all[i].paper.id == all[j].paper.id &&
           !all[i].paper.id.empty();
  };
  const auto places = [](const Publication& paper) {
    std::size_t sum = 0;
    for (const Author& author : paper.authors) sum += author.affiliations.size();
    return sum;
  };
  const auto beats = [&](std::size_t i, std::size_t j) {
    const Publication &a = all[i].paper, &b = all[j].paper;
    const bool whole_a = a.year && !a.authors.empty(), whole_b = b.year && !b.authors.empty();
    if (whole_a != whole_b) return whole_a;
    if (a.authors.size() != b.authors.size()) return a.authors.size() > b.authors.size();
    if (places(a) != places(b)) return places(a) > places(b);
    if (a.abstract.empty() != b.abstract.empty()) return b.abstract.empty();
    if (all[i].input != all[j].input) return all[i].input < all[j].input;
    return a.id == b.id ? i < j : a.id < b.id;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].paper.doi.empty()) continue;
    std::vector<std::size_t> group;
    for (std::size_t j = 0; j < all.size(); ++j)
      if (all[j].paper.doi == all[i].paper.doi) group.push_back(j);
    bool joined = rule == DuplicateRule::kDoi;
    if (rule == DuplicateRule::kInputs) {
      std::set<std::string> inputs;
      bool clear = true;
      for (const std::size_t j : group) {
        inputs.insert(all[j].input);
        for (const std::size_t k : group)
          if (j != k && all[j].input == all[k].input && !same(j, k)) clear = false;
      }
      joined = clear && inputs.size() > 1;
    }
    if (!joined) continue;
    std::size_t best = group[0];
    for (const std::size_t j : group)
      if (beats(j, best)) best = j;
    if (i == best || same(i, best)) continue;
    const Publication &mine = all[i].paper, &kept = all[best].paper;
    out[i] = all[best].input + (mine.year && kept.year && mine.year != kept.year ? "!" : "");
  }
  return out;
}

// Inputs in the order of their names, as they are read; records of each in any.
TEST(DoiDuplicates, AreThoseThatASlowSearchFinds) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int joined = 0;
  for (int round = 0; round < 300; ++round) {
    std::map<std::string, std::vector<Told>> by_input;
    const int dois = 1 + below(8);
    for (int k = 0; k < 20; ++k) {
      const std::string input = std::vector<std::string>{"acl", "scopus", "wos"}[random() % 3];
      const std::string doi = below(5) == 0 ? "" : "10.1/" + std::to_string(below(dois));
      const std::string id = below(9) == 0 ? "" : std::to_string(below(12));
      by_input[input].push_back(record(input, id, doi, below(4) == 0 ? 0 : 2018 + below(3),
                                       below(4), below(3), below(2) == 0));
    }
    std::vector<Told> all;
    for (const auto& [input, told] : by_input) all.insert(all.end(), told.begin(), told.end());
    for (const DuplicateRule rule :
         {DuplicateRule::kInputs, DuplicateRule::kDoi, DuplicateRule::kKeep}) {
      const Outcome out = outcome(all, rule);
      ASSERT_EQ(out, slowly(all, rule)) << round;
      for (const std::string& one : out) joined += !one.empty();
    }
  }
  EXPECT_GT(joined, 1000);
}

}  // namespace
}  // namespace cupel
