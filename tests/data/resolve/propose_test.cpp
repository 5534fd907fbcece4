// Proposals over small made facts whose answer is plain, and over facts numbered otherwise.
#include "cupel/data/resolve/propose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "cupel/base/error.h"

namespace cupel {
namespace {

struct Paper {
  int year;
  std::vector<std::string> authors;
  std::string place;  // of the first
};

AcademicGraph built(const std::vector<Paper>& papers) {
  AcademicBuilder builder({});
  int number = 0;
  for (const Paper& paper : papers) {
    Publication one;
    one.id = "p" + std::to_string(number++);
    one.year = paper.year;
    for (const std::string& name : paper.authors) {
      Author author;
      author.name = name;
      one.authors.push_back(author);
    }
    if (!paper.place.empty()) one.authors[0].affiliations = {paper.place};
    builder.add(one);
  }
  return std::move(builder).finish();
}

// Of names: first, second, verdict.
using Named = std::set<std::tuple<std::string, std::string, MergeVerdict>>;

Named named(const TemporalFacts& facts, const Proposals& proposals) {
  Named out;
  for (const MergeDecision& one : proposals.decisions) {
    std::string a = facts.entity_name(one.first), b = facts.entity_name(one.second);
    if (b < a) std::swap(a, b);
    out.emplace(a, b, one.verdict);
  }
  return out;
}

MergeVerdict verdict(const AcademicGraph& graph, const std::string& a, const std::string& b) {
  const Proposals all =
      propose_merges(graph.facts, graph.authorships, {.threshold = 0.9, .show = 0.05}, Threads{1});
  for (const MergeDecision& one : all.decisions) {
    const std::string x = graph.facts.entity_name(one.first),
                      y = graph.facts.entity_name(one.second);
    if ((x == a && y == b) || (x == b && y == a)) return one.verdict;
  }
  return MergeVerdict::kReject;  // not proposed
}

constexpr const char* kFriends[] = {"Ada Zwolle", "Pierre Morand", "Ming Guo", "Olga Weiss"};

std::vector<Paper> with_friends(const std::string& a, const std::string& b) {
  std::vector<Paper> out;
  for (int k = 0; k < 4; ++k) {
    const std::string by = kFriends[k];
    out.push_back({2010 + k, {a, by}, ""});
    out.push_back({2011 + k, {b, by}, ""});
  }
  return out;
}

TEST(Propose, AcceptsNamesAlikeOfOneCircle) {
  for (const auto& [a, b] :
       {std::pair{"Jörg Tiedemann", "Jorg Tiedemann"},
        std::pair{"Dragomir Radev", "Dragomir R. Radev"},
        std::pair{"Tim Baldwin", "Timothy Baldwin"}, std::pair{"K. Sarasola", "Kepa Sarasola"}})
    EXPECT_EQ(verdict(built(with_friends(a, b)), a, b), MergeVerdict::kAccept) << a;
}

TEST(Propose, LeavesOpenWhatNamesAloneSay) {
  const AcademicGraph graph = built({{2001, {"J. Tiedemann", "Ada Berg"}, ""},
                                     {2020, {"Jorg Tiedemann", "Bo Cohn"}, ""},
                                     {2020, {"Jorg Tiedemann", "Di Dorn"}, ""}});
  EXPECT_EQ(verdict(graph, "J. Tiedemann", "Jorg Tiedemann"), MergeVerdict::kOpen);
}

TEST(Propose, NeverAcceptsTwoAuthorsOfOnePaper) {
  auto papers = with_friends("Jan Hajič", "Jan Hajic");
  ASSERT_EQ(verdict(built(papers), "Jan Hajič", "Jan Hajic"), MergeVerdict::kAccept);
  papers.push_back({2015, {"Jan Hajič", "Jan Hajic"}, ""});
  EXPECT_EQ(verdict(built(papers), "Jan Hajič", "Jan Hajic"), MergeVerdict::kOpen);
}

TEST(Propose, DoesNotChainJohnAndJane) {
  auto papers = with_friends("John Smithers", "Jane Smithers");
  for (int k = 0; k < 4; ++k)
    papers.push_back(
        {2012, {"J. Smithers", papers[static_cast<std::size_t>(2 * k)].authors[1]}, ""});
  const AcademicGraph graph = built(papers);
  EXPECT_EQ(verdict(graph, "John Smithers", "Jane Smithers"), MergeVerdict::kReject);
  EXPECT_EQ(verdict(graph, "J. Smithers", "John Smithers"), MergeVerdict::kOpen);
  EXPECT_EQ(verdict(graph, "J. Smithers", "Jane Smithers"), MergeVerdict::kOpen);
}

TEST(Propose, SaysWhy) {
  const AcademicGraph graph = built(with_friends("Jörg Tiedemann", "Jorg Tiedemann"));
  const Proposals all = propose_merges(graph.facts, graph.authorships, {}, Threads{1});
  ASSERT_EQ(all.decisions.size(), 1u);
  EXPECT_EQ(
      all.decisions[0].evidence,
      "the same name but for accents, hyphens, blanks or case; 4 shared co-authors: Ada Zwolle, "
      "Ming Guo, Olga Weiss and 1 more; 2010-2013 and 2011-2014");
  EXPECT_LT(all.decisions[0].first, all.decisions[0].second);
}

// Two exports of the same papers, of which one prints the last name first.
TEST(Propose, CountsCoAuthorsHoweverTheyArePrinted) {
  std::vector<Paper> papers;
  for (const char* by : {"Ada Zwolle", "Pierre Morand"}) {
    papers.push_back({2015, {"Olga Park", by, "Hao Costa"}, ""});
    const std::string name = by;
    const std::size_t blank = name.find(' ');
    papers.push_back(
        {2015,
         {"Park, Olga", name.substr(blank + 1) + ", " + name.substr(0, blank), "Costa, H."},
         ""});
  }
  const AcademicGraph graph = built(papers);
  EXPECT_EQ(verdict(graph, "Olga Park", "Park, Olga"), MergeVerdict::kAccept);
  const Proposals all = propose_merges(graph.facts, graph.authorships, {}, Threads{1});
  const auto olga = std::ranges::find_if(all.decisions, [&](const MergeDecision& one) {
    return graph.facts.entity_name(one.first) == "Olga Park";
  });
  ASSERT_NE(olga, all.decisions.end());
  EXPECT_EQ(olga->evidence,
            "the same name, in one with the last name first; 2 shared co-authors: Ada Zwolle, "
            "Morand, Pierre; both 2015");
}

TEST(Propose, KnowsInstitutions) {
  const AcademicGraph graph = built({{2020, {"A Aa"}, "Univ. of Toronto"},
                                     {2020, {"B Bb"}, "University of Toronto"},
                                     {2020, {"C Cc"}, "University of California, Davis"},
                                     {2020, {"D Dd"}, "University of California, Berkeley"}});
  EXPECT_EQ(verdict(graph, "Univ. of Toronto", "University of Toronto"), MergeVerdict::kAccept);
  EXPECT_EQ(verdict(graph, "University of California, Davis", "University of California, Berkeley"),
            MergeVerdict::kReject);
  EXPECT_TRUE(propose_merges(graph.facts, graph.authorships, {.institutions = false}, Threads{1})
                  .decisions.empty());
}

TEST(Propose, HoldsInstitutionsApartByOrderAndCountry) {
  const std::string york = "York University", of_york = "University of York";
  std::vector<Paper> papers = {{2020, {"A Aa"}, york}, {2020, {"B Bb"}, of_york}};
  EXPECT_EQ(verdict(built(papers), york, of_york), MergeVerdict::kOpen);
  papers.push_back({2021, {"A Aa"}, of_york});
  EXPECT_EQ(verdict(built(papers), york, of_york), MergeVerdict::kAccept);
  const std::string china = "Northeastern University, China", usa = "Northeastern University, USA",
                    us = "Northeastern University (US)";
  const AcademicGraph graph =
      built({{2020, {"A Aa"}, china}, {2021, {"A Aa"}, usa}, {2019, {"A Aa"}, us}});
  EXPECT_EQ(verdict(graph, china, usa), MergeVerdict::kOpen);
  EXPECT_EQ(verdict(graph, china, us), MergeVerdict::kOpen);
  EXPECT_EQ(verdict(graph, usa, us), MergeVerdict::kAccept);
}

// Names of few words, so that many are alike, and papers by chance.
std::vector<Paper> made_papers() {
  std::mt19937 bits(3);
  const std::vector<std::string> firsts = {"Ana",   "Aña", "A.",     "Bo",  "Bo C.", "Li-Wei",
                                           "Liwei", "L.",  "Robert", "Bob", "Tim",   "Timothy"};
  const std::vector<std::string> lasts = {"Kim",         "Müller", "Muller", "Wang",
                                          "Sierra-Diaz", "Sierra", "Ng"};
  const std::vector<std::string> places = {"MIT", "Univ. of X", "University of X", "X University"};
  std::vector<Paper> out;
  for (int k = 0; k < 300; ++k) {
    Paper paper{1990 + static_cast<int>(bits() % 30), {}, places[bits() % places.size()]};
    const int authors = 1 + static_cast<int>(bits() % 4);
    for (int a = 0; a < authors; ++a)
      paper.authors.push_back(firsts[bits() % firsts.size()] + " " + lasts[bits() % lasts.size()]);
    out.push_back(paper);
  }
  return out;
}

// The same facts, with entities, facts and papers numbered otherwise.
AcademicGraph renumbered(const AcademicGraph& from) {
  std::mt19937 bits(11);
  const auto size = static_cast<std::size_t>(from.facts.entities());
  std::vector<Index> place(size), number(size);
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), bits);
  AcademicGraph out;
  out.facts.types = from.facts.types, out.facts.relations = from.facts.relations;
  out.facts.time_unit = from.facts.time_unit;
  for (std::size_t k = 0; k < size; ++k) {
    number[static_cast<std::size_t>(place[k])] = static_cast<Index>(k);
    out.facts.entity_names.add(from.facts.entity_names[place[k]]);
    out.facts.entity_types.push_back(from.facts.entity_types[static_cast<std::size_t>(place[k])]);
  }
  const auto of = [&](Index e) { return number[static_cast<std::size_t>(e)]; };
  std::vector<std::size_t> rows(from.facts.time.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::shuffle(rows.begin(), rows.end(), bits);
  for (const std::size_t k : rows)
    out.facts.push(of(from.facts.source[k]), from.facts.relation[k], of(from.facts.target[k]),
                   from.facts.time[k]);
  sort_by_time(out.facts);
  const Authorships& papers = from.authorships;
  for (Index p = papers.papers.size(); p-- > 0;) out.authorships.papers.add(papers.papers[p]);
  for (std::size_t k = papers.paper.size(); k-- > 0;) {
    out.authorships.paper.push_back(papers.papers.size() - 1 - papers.paper[k]);
    out.authorships.position.push_back(papers.position[k]);
    out.authorships.entity.push_back(of(papers.entity[k]));
  }
  return out;
}

// What is proposed, of names, to the bit.
auto in_full(const TemporalFacts& facts, const Proposals& proposals) {
  std::set<std::tuple<std::string, std::string, double, double, double, std::string, MergeVerdict>>
      out;
  for (const MergeDecision& one : proposals.decisions) {
    std::string a = facts.entity_name(one.first), b = facts.entity_name(one.second);
    if (b < a) std::swap(a, b);
    out.emplace(a, b, one.name_score, one.graph_score, one.score, one.evidence, one.verdict);
  }
  return out;
}

TEST(Propose, GivesTheSameInAnyOrderOfInputAndOnThreads) {
  const AcademicGraph graph = built(made_papers()), other = renumbered(graph);
  const ProposeSettings settings{.threshold = 0.6, .show = 0.01};
  const Proposals all = propose_merges(graph.facts, graph.authorships, settings, Threads{1});
  const Proposals again = propose_merges(other.facts, other.authorships, settings, Threads{4});
  EXPECT_GT(all.decisions.size(), 50u);
  EXPECT_EQ(in_full(graph.facts, all), in_full(other.facts, again));
  EXPECT_EQ(all.counts, again.counts);
  const auto verdicts = named(graph.facts, all);
  EXPECT_TRUE(std::any_of(verdicts.begin(), verdicts.end(), [](const auto& one) {
    return std::get<2>(one) == MergeVerdict::kAccept;
  }));
  EXPECT_TRUE(std::is_sorted(again.decisions.begin(), again.decisions.end(),
                             [](const MergeDecision& a, const MergeDecision& b) {
                               return std::pair(a.first, a.second) < std::pair(b.first, b.second);
                             }));
}

TEST(Propose, TakesFactsWherePapersAreNotKnown) {
  const AcademicGraph graph = built(with_friends("Jörg Tiedemann", "Jorg Tiedemann"));
  const Proposals all = propose_merges(graph.facts, {}, {.show = 0.1}, Threads{1});
  ASSERT_EQ(all.decisions.size(), 1u);
  EXPECT_NE(all.decisions[0].evidence.find("4 shared co-authors"), std::string::npos);
}

TEST(Propose, TakesWhatHasNoNamesOrNothing) {
  EXPECT_TRUE(propose_merges({}, {}, {}, Threads{1}).decisions.empty());
  TemporalFacts numbers;
  numbers.types = {"scientist"}, numbers.entity_types = {0, 0};
  EXPECT_TRUE(propose_merges(numbers, {}, {}, Threads{1}).decisions.empty());
  EXPECT_THROW(static_cast<void>(propose_merges({}, {}, {.threshold = 2}, Threads{1})), Error);
}

}  // namespace
}  // namespace cupel
