// Audit of facts over time: each check finds what was planted, and finds nothing in clean facts.
#include "cupel/data/audit/facts_audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cupel/base/calendar.h"
#include "cupel/base/random.h"
#include "cupel/data/facts/facts_folder.h"
#include "data/facts/made_facts.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using Ids = std::set<std::string>;

// Ten years in which ten new pairs of twenty people meet, so that nothing repeats.
std::vector<Quadruple> clean_pairs() {
  std::vector<Quadruple> out;
  for (std::int64_t year = 0; year < 10; ++year)
    for (std::int64_t k = 0; k < 10; ++k) out.push_back({k, 0, 10 + (k + year) % 10, 2000 + year});
  return out;
}

// Facts of scientists by name, who collaborate.
TemporalFacts people(const std::vector<Quadruple>& quadruples, std::vector<std::string> names) {
  TemporalFacts out = made_facts(static_cast<Index>(names.size()), 1, quadruples);
  out.types = {"scientist"};
  out.relations = {{"collaboration", 0, 0, true}};
  out.time_unit = "year";
  for (const std::string& name : names) out.entity_names.add(name);
  return out;
}

// "Ann Abel", "Bea Abel", ...: twenty names in which nothing is odd.
std::vector<std::string> clean_names() {
  const char* const first[] = {"Ann", "Bea", "Cleo", "Dora", "Eva"};
  const char* const last[] = {"Abel", "Boone", "Curie", "Dirac"};
  std::vector<std::string> out;
  for (const char* a : first)
    for (const char* b : last) out.push_back(std::string(a) + " " + b);
  return out;
}

TemporalFacts clean() { return people(clean_pairs(), clean_names()); }

FactSubject subject_of(const TemporalFacts& facts, std::optional<TimeCuts> cuts = {}) {
  FactSubject out = fact_subject(facts, cuts, {});
  out.this_year = 2026;
  return out;
}

Ids ids_of(const FactSubject& subject) {
  Ids out;
  for (const Finding& finding : audit_facts(subject)) {
    EXPECT_TRUE(out.insert(finding.id).second) << finding.id << " stands twice";
    EXPECT_FALSE(finding.title.empty() || finding.evidence.empty() || finding.advice.empty());
    EXPECT_GT(finding.count, 0) << finding.id;
  }
  return out;
}

Finding found(const FactSubject& subject, const std::string& id) {
  for (Finding& finding : audit_facts(subject))
    if (finding.id == id) return finding;
  ADD_FAILURE() << id << " is not found";
  return {};
}

void come_in(TemporalFacts& facts, std::vector<FactPart> parts) { facts.parts = std::move(parts); }

TEST(FactsAudit, CleanFactsHaveNothing) {
  const TemporalFacts facts = clean();
  EXPECT_EQ(ids_of(subject_of(facts)), Ids{});
  EXPECT_EQ(ids_of(subject_of(facts, TimeCuts{2005, 2006, 2009})), Ids{});
  TemporalFacts parted = clean();
  come_in(parted, {{"train", 60, 2000, 2005}, {"valid", 10, 2006, 2006}, {"test", 30, 2007, 2009}});
  EXPECT_EQ(ids_of(subject_of(parted)), Ids{});
  EXPECT_EQ(ids_of(subject_of(made_facts(20, 1, clean_pairs()))), Ids{});
}

TEST(FactsAudit, FactsToldAgain) {
  auto pairs = clean_pairs();
  pairs.push_back({pairs.back()[2], 0, pairs.back()[0], 2009});  // the other way round
  const TemporalFacts either = people(pairs, clean_names());
  const Finding finding = found(subject_of(either), "repeated-facts");
  EXPECT_EQ(finding.count, 1);
  EXPECT_EQ(ids_of(subject_of(made_facts(20, 1, pairs))), Ids{}) << "with a direction these differ";
  EXPECT_EQ(told_again(subject_of(either), 0, 101), (std::vector<ToldAgain>{{100, 99}}));
}

TEST(FactsAudit, StepsCutAndFactsLeaked) {
  TemporalFacts facts = clean();
  come_in(facts, {{"train", 65, 2000, 2006}, {"valid", 5, 2006, 2006}, {"test", 30, 2007, 2009}});
  EXPECT_EQ(ids_of(subject_of(facts)), Ids{"time-step-cut"});
  // An empty part keeps nothing apart.
  come_in(facts, {{"train", 65, 2000, 2006}, {"valid", 0, 0, 0}, {"test", 35, 2006, 2009}});
  EXPECT_TRUE(ids_of(subject_of(facts)).contains("time-step-cut"));

  auto pairs = clean_pairs();
  pairs.insert(pairs.begin() + 70, pairs[65]);  // of 2006, at its end: the first of test
  TemporalFacts leaky = people(pairs, clean_names());
  come_in(leaky, {{"train", 60, 2000, 2005}, {"valid", 10, 2006, 2006}, {"test", 31, 2006, 2009}});
  EXPECT_EQ(ids_of(subject_of(leaky)),
            (Ids{"repeated-facts", "test-in-training", "time-step-cut"}));
  const Finding leak = found(subject_of(leaky), "test-in-training");
  EXPECT_EQ(leak.count, 1);
  EXPECT_EQ(leak.severity, Severity::kError);

  // What test alone says twice was not shown before.
  pairs = clean_pairs();
  pairs.insert(pairs.begin() + 70, 3, {3, 0, 17, 2006});
  TemporalFacts twice = people(pairs, clean_names());
  come_in(twice, {{"train", 60, 2000, 2005}, {"valid", 10, 2006, 2006}, {"test", 33, 2006, 2009}});
  EXPECT_EQ(ids_of(subject_of(twice)), (Ids{"repeated-facts", "time-step-cut"}));
  // Nor can more of test be shown than there is.
  come_in(twice, {{"train", 60, 2000, 2008}, {"valid", 42, 2006, 2009}, {"test", 1, 2006, 2006}});
  EXPECT_EQ(found(subject_of(twice), "test-in-training").count, 1);

  // Parts that lie in one another: which fact is whose is not known any more.
  come_in(leaky, {{"train", 60, 2000, 2008}, {"valid", 10, 2006, 2006}, {"test", 31, 2006, 2009}});
  const Finding upper = found(subject_of(leaky), "test-in-training");
  EXPECT_EQ(upper.count, 1);
  EXPECT_TRUE(upper.title.starts_with("up to 1 fact")) << upper.title;
  EXPECT_TRUE(upper.evidence.starts_with("These are at most 3.2 % of")) << upper.evidence;
}

TEST(FactsAudit, WhatRepetitionAnswers) {
  std::vector<Quadruple> pairs;
  for (std::int64_t year = 2000; year < 2010; ++year)
    for (std::int64_t k = 0; k < 10; ++k) pairs.push_back({k, 0, 10 + k, year});
  const TemporalFacts facts = people(pairs, clean_names());
  const Finding finding =
      found(subject_of(facts, TimeCuts{2005, 2006, 2009}), "answered-by-repetition");
  EXPECT_EQ(finding.count, 30);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(ids_of(subject_of(facts)), Ids{}) << "without parts there is no test";
}

TEST(FactsAudit, CoarseAndMadeUpTimes) {
  auto pairs = clean_pairs();
  for (auto& pair : pairs) pair[3] = (pair[3] - 2000) * 24;
  EXPECT_EQ(ids_of(subject_of(made_facts(20, 1, pairs))), Ids{"coarse-times"});
  for (auto& pair : pairs) pair[3] = pair[3] >= 120;
  EXPECT_TRUE(ids_of(subject_of(made_facts(20, 1, pairs))).contains("coarse-times"));
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k][3] = 7 + static_cast<std::int64_t>(k);
  EXPECT_EQ(ids_of(subject_of(made_facts(20, 1, pairs))), Ids{"fake-times"});
  // Most facts of the day where Unix begins to count.
  for (std::size_t k = 0; k < pairs.size(); ++k)
    pairs[k][3] = k < 60 ? 0 : static_cast<std::int64_t>(3000 + k * k);
  EXPECT_EQ(ids_of(subject_of(made_facts(20, 1, pairs))), Ids{"fake-times"});
}

// Years as their first of January and months as their first, whose distances have nothing in
// common.
TEST(FactsAudit, YearsAndMonthsWrittenAsDays) {
  auto pairs = clean_pairs();
  const auto dated = [&](const char* unit, std::int64_t one, const auto& day_of_fact) {
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k][3] = one * *day_of_fact(k);
    std::ranges::stable_sort(pairs, {}, [](const Quadruple& pair) { return pair[3]; });
    TemporalFacts out = made_facts(20, 1, pairs);
    out.time_unit = unit;
    return out;
  };
  const auto first_of_year = [](std::size_t k) {
    return day_of(fmt::format("{}-01-01", 2000 + k / 10));
  };
  const auto first_of_month = [](std::size_t k) {
    return day_of(fmt::format("{}-{:02}-01", 2000 + k / 10, 1 + k % 10));
  };
  for (const auto& [unit, one] : {std::pair{"day", 1}, std::pair{"second", 86400}}) {
    const TemporalFacts years = dated(unit, one, first_of_year);
    const Finding of_years = found(subject_of(years), "coarse-times");
    EXPECT_EQ(of_years.severity, Severity::kWarning);
    EXPECT_EQ(of_years.title, "all facts are dated the first of January");
    EXPECT_EQ(of_years.details["written_as"], "year");
    EXPECT_EQ(of_years.details["steps"], 10);
    const TemporalFacts months = dated(unit, one, first_of_month);
    EXPECT_EQ(found(subject_of(months), "coarse-times").title,
              "all facts are dated the first of a month");
    // Four in a hundred have their own day; then more, and it is no rule.
    const auto mostly = [&](std::size_t others) {
      return dated(unit, one, [&](std::size_t k) {
        return k < 100 - others ? first_of_year(k)
                                : day_of(fmt::format("2011-06-{:02}", 1 + k % 28));
      });
    };
    const TemporalFacts most = mostly(4);
    const Finding of_most = found(subject_of(most), "coarse-times");
    EXPECT_EQ(of_most.details["share"], 0.96);
    EXPECT_TRUE(of_most.title.starts_with("96.0 % of facts")) << of_most.title;
    const TemporalFacts some = mostly(20);
    for (const Finding& finding : audit_facts(subject_of(some)))
      EXPECT_FALSE(finding.details.contains("written_as")) << finding.title;
    // A stream of one first of January is of that day.
    TemporalFacts one_day = made_facts(20, 1, pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      one_day.time[k] = 10957 * one + (one > 1 ? static_cast<std::int64_t>(k * k) : 0);
    one_day.time_unit = unit;
    for (const Finding& finding : audit_facts(subject_of(one_day)))
      EXPECT_FALSE(finding.details.contains("written_as")) << finding.title;
  }
}

TEST(FactsAudit, TrainingAndTestSuffice) {
  auto pairs = clean_pairs();
  for (std::size_t k = 90; k < 100; ++k) pairs[k] = {pairs[k - 90][0], 0, pairs[k - 90][2], 2009};
  TemporalFacts facts = made_facts(20, 1, pairs);
  come_in(facts, {{"train", 90, 2000, 2008}, {"test", 10, 2009, 2009}});
  EXPECT_EQ(ids_of(subject_of(facts)), Ids{"answered-by-repetition"});
}

TEST(FactsAudit, NodesThatAreNeverSeen) {
  const TemporalFacts wide = made_facts(23, 1, clean_pairs());
  EXPECT_EQ(found(subject_of(wide), "nodes-without-facts").count, 3);
  auto pairs = clean_pairs();
  for (std::size_t k = 90; k < 100; ++k) pairs[k][2] = 20 + static_cast<std::int64_t>(k - 90);
  const TemporalFacts late = made_facts(30, 1, pairs);
  EXPECT_EQ(ids_of(subject_of(late)), Ids{});
  EXPECT_EQ(subject_of(late, TimeCuts{2005, 2006, 2009}).shares->nodes, 30);
  EXPECT_FALSE(subject_of(late).shares);
  EXPECT_EQ(found(subject_of(late, TimeCuts{2005, 2006, 2009}), "unseen-nodes").count, 10);
}

TEST(FactsAudit, AnEmptyPart) {
  TemporalFacts facts = people(clean_pairs(), clean_names());
  const Offset all = facts.facts();
  come_in(facts, {{"train", all - 2}, {"valid", 2}, {"test", 0}});
  const Finding empty = found(subject_of(facts), "empty-part");
  EXPECT_EQ(empty.severity, Severity::kError);
  EXPECT_NE(empty.title.find("test"), std::string::npos) << empty.title;
  come_in(facts, {{"train", all - 2}, {"valid", 1}, {"test", 1}});
  EXPECT_FALSE(ids_of(subject_of(facts)).contains("empty-part"));
}

TEST(FactsAudit, AnotherNumberOfFactsThanWereBuilt) {
  const TemporalFacts facts = people(clean_pairs(), clean_names());
  FactSubject subject = subject_of(facts);
  subject.built = facts.facts();
  EXPECT_FALSE(ids_of(subject).contains("facts-unlike-the-build"));
  subject.built = facts.facts() + 3;
  EXPECT_EQ(found(subject, "facts-unlike-the-build").count, 3);
  EXPECT_EQ(found(subject, "facts-unlike-the-build").severity, Severity::kError);
  subject.built = facts.facts() - 1;
  EXPECT_EQ(found(subject, "facts-unlike-the-build").severity, Severity::kWarning);
}

TEST(FactsAudit, FactsAfterTheLastPaper) {
  auto pairs = clean_pairs();
  pairs.push_back({0, 0, 1, 2012});
  pairs.push_back({0, 0, 1, 2106});
  const TemporalFacts facts = people(pairs, clean_names());
  FactSubject subject = subject_of(facts);
  EXPECT_EQ(found(subject, "facts-in-the-future").count, 1);
  subject.last_year = 2010;
  EXPECT_EQ(found(subject, "facts-after-the-last-paper").count, 2);
  subject.last_year = 2012;  // what is in the future is told as that
  EXPECT_FALSE(ids_of(subject).contains("facts-after-the-last-paper"));
  const FactSubject parted = subject_of(facts, TimeCuts{2005, 2006, 2009});
  EXPECT_EQ(found(parted, "facts-after-test").count, 2);
  // Days since 1970: of 2026 the last is the 20,818th.
  for (const int late : {0, 1}) {
    TemporalFacts days = made_facts(2, 1, {{0, 0, 1, 20'000}, {1, 0, 0, 20'818 + late}});
    days.time_unit = "day";
    EXPECT_EQ(ids_of(subject_of(days)).contains("facts-in-the-future"), late == 1);
    // 2026-12-31T23:59:59Z, and a second later.
    TemporalFacts seconds = made_facts(2, 1, {{0, 0, 1, 20'000}, {1, 0, 0, 1'798'761'599 + late}});
    seconds.time_unit = "second";
    EXPECT_EQ(ids_of(subject_of(seconds)).contains("facts-in-the-future"), late == 1);
  }
  // Seconds of a file that does not say so are no years.
  pairs.back()[3] = 1'083'921'420;
  for (std::size_t k = 0; k + 1 < pairs.size(); ++k) pairs[k][3] = 1'082'000'000 + 17 * pairs[k][3];
  EXPECT_FALSE(ids_of(subject_of(made_facts(20, 1, pairs))).contains("facts-in-the-future"));
}

TEST(FactsAudit, TimesOutOfOrderInTheSource) {
  const TemporalFacts facts = clean();
  FactSubject subject = subject_of(facts);
  subject.notes["facts earlier than the one before them, sorted"] = 3;
  EXPECT_EQ(found(subject, "out-of-order").count, 3);
}

// From the files on, as the notes of readers are words that checks must know.
TEST(FactsAudit, WhatReadersLeftOut) {
  const made::Folder folder;
  made::write_file(folder / "a.csv", "ts,src,dst\n0.5,a,b\n3,a,c\n7.25,b,c\n9.0,c,a\n");
  FactNotes notes;
  const TemporalFacts cut = read_facts(folder / "a.csv", &notes);
  FactSubject subject = subject_of(cut);
  EXPECT_FALSE(ids_of(subject).contains("fractional-times"));
  subject.notes = notes;
  EXPECT_EQ(found(subject, "fractional-times").count, 2);
  EXPECT_FALSE(ids_of(subject).contains("out-of-order"));

  std::filesystem::create_directory(folder / "r");
  made::write_file(folder / "r" / "stat.txt", "3 1\n");
  made::write_file(folder / "r" / "train.txt", "0 0 1 5\n1 0 2 4\n");
  made::write_file(folder / "r" / "test.txt", "0 0 2 6\n");
  const auto ids = [&folder] {
    FactNotes told;
    const TemporalFacts facts = read_facts(folder / "r", &told);
    FactSubject audited = subject_of(facts);
    audited.notes = told;
    return ids_of(audited);
  };
  EXPECT_TRUE(ids().contains("out-of-order"));
  EXPECT_FALSE(ids().contains("unread-file"));
  made::write_file(folder / "r" / "quadruples.txt", "0 0 1 7\n");
  EXPECT_TRUE(ids().contains("unread-file"));
}

TEST(FactsAudit, NamesThatAreNone) {
  auto names = clean_names();
  names[0] = "ann@abel.org", names[1] = "Nicholas Tatonetti1", names[2] = "IsoQuest, Inc.";
  names[3] = "***", names[4] = "Ann Abel and Bob Curie", names[5] = "Q.";
  names[6] = "Eric Nyberg, Jr.";  // is one
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "odd-names");
  EXPECT_EQ(finding.count, 6);
  for (const char* key : {"address", "digit", "comma", "no_letter", "several", "one_letter"})
    EXPECT_EQ(finding.details[key], 1) << key;
}

// What `cupel build` counts and leaves as it is printed.
TEST(FactsAudit, NamesThatAreDamagedOrSayNothing) {
  auto names = clean_names();
  names[0] = "Anonymous", names[1] = "JosÃ© Pombal", names[2] = "Jos\xef\xbf\xbd Garcia";
  names[3] = "Ann \\textbf{Lee}", names[4] = "David Harwath*", names[5] = "N/A";
  names[6] = "Eric H. Nyberg 3rd";  // is one
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "odd-names");
  EXPECT_EQ(finding.count, 6);
  for (const char* key : {"nobody", "damaged"}) EXPECT_EQ(finding.details[key], 2) << key;
  for (const char* key : {"latex", "footnote"}) EXPECT_EQ(finding.details[key], 1) << key;
}

TEST(FactsAudit, LetterCountsAreOfCharacters) {
  auto names = clean_names();
  names[0] = "\xc3\x89.";
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "odd-names");
  EXPECT_EQ(finding.details["one_letter"], 1);
}

// As indexes of publications print them, all over a source.
TEST(FactsAudit, LastNamesFirst) {
  auto names = clean_names();
  for (std::string& name : names) {
    const std::size_t blank = name.rfind(' ');
    name = name.substr(blank + 1) + ", " + name.substr(0, blank);
  }
  EXPECT_FALSE(ids_of(subject_of(people(clean_pairs(), names))).contains("odd-names"));
  names[0] = "Abel, Ann; Curie, Bob", names[1] = "Abel, Ann, Bob", names[2] = "Abel,";
  EXPECT_EQ(found(subject_of(people(clean_pairs(), names)), "odd-names").details["comma"], 3);
  names[0] = "Smith, John R.", names[1] = "Smith, J. R.", names[2] = "Bo, Ann", names[3] = "Bo, A.";
  const Finding torn = found(subject_of(people(clean_pairs(), names)), "torn-names");
  EXPECT_EQ(torn.details["initials"], 2);
  EXPECT_EQ(torn.count, 2);
}

TEST(FactsAudit, NamesTornIntoSeveral) {
  auto names = clean_names();
  names[0] =
      "Jos\xc3\xa9 Garc\xc3\xad"
      "a",
  names[1] = "Jose Garcia";                                          // accents
  names[2] = "Jun-ichi Oda", names[3] = "Jun Ichi Oda";              // signs between letters
  names[4] = "J. Doe", names[5] = "Jane Doe";                        // initials
  names[6] = "M. Roe", names[7] = "Mary Roe", names[8] = "Max Roe";  // of whom?
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "torn-names");
  EXPECT_EQ(finding.count, 3);
  EXPECT_EQ(finding.details["accents"], 2);
  EXPECT_EQ(finding.details["initials"], 1);
}

// Two of one name are two because ids say so. Another way of printing it may be either.
TEST(FactsAudit, NamesakesAreNotTorn) {
  auto names = clean_names();
  names[0] = "Olga Park", names[1] = "OLGA PARK";
  EXPECT_FALSE(ids_of(subject_of(people(clean_pairs(), names))).contains("torn-names"));
  names[2] = "Park, Olga";
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "torn-names");
  EXPECT_EQ(finding.details["examples"].dump(), R"([["Olga Park","Park, Olga"]])");
}

TEST(FactsAudit, NamesTornByLettersThatKeyboardsLack) {
  auto names = clean_names();
  const std::pair<const char*, const char*> torn[] = {
      {"Tim O\u2019Gorman", "Tim O'Gorman"},
      {"\u0141ukasz Kobyli\u0144ski", "Lukasz Kobylinski"},
      {"Jon Gau\u00df", "Jon Gauss"}};
  for (std::size_t k = 0; k < 3; ++k)
    names[2 * k] = torn[k].first, names[2 * k + 1] = torn[k].second;
  EXPECT_EQ(found(subject_of(people(clean_pairs(), names)), "torn-names").details["accents"], 3);
}

TEST(FactsAudit, InitialsFitAtTheirPlaces) {
  auto names = clean_names();
  names[0] = "Jane Mary Doe", names[1] = "J. A. Doe";
  names[2] = "Mary Ann Roe", names[3] = "M. A. Roe", names[4] = "Max Roe";
  names[5] = "Bo Lee", names[16] = "B. Lee";  // who have a fact together
  const Finding finding = found(subject_of(people(clean_pairs(), names)), "torn-names");
  EXPECT_EQ(finding.count, 1);
  EXPECT_EQ(finding.details["examples"].dump(), R"([["Mary Ann Roe","M. A. Roe"]])");
}

TEST(FactsAudit, NamesOfSeveralPeople) {
  // In one year the first writes with nine pairs of people who are strangers to the other pairs.
  std::vector<Quadruple> pairs;
  std::vector<std::string> names;
  for (const char* last : {" Abel", " Boone"})
    for (char c = 'A'; c <= 'T'; ++c) names.push_back(std::string(3, c) + last);
  for (std::int64_t k = 0; k < 9; ++k) {
    pairs.push_back({0, 0, 1 + 2 * k, 2000});
    pairs.push_back({0, 0, 2 + 2 * k, 2000});
    pairs.push_back({1 + 2 * k, 0, 2 + 2 * k, 2000});
  }
  const Finding many = found(subject_of(people(pairs, names)), "merged-names");
  EXPECT_EQ(many.count, 1);
  EXPECT_EQ(many.details["groups"][0]["entity"], 0);
  // One large paper of the same people is none of that.
  std::vector<Quadruple> together;
  for (std::int64_t a = 0; a < 40; ++a)
    for (std::int64_t b = a + 1; b < 40; ++b) together.push_back({a, 0, b, 2000});
  EXPECT_FALSE(ids_of(subject_of(people(together, names))).contains("merged-names"));
  // Nor are as many pairs of different years.
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k][3] = 2000 + static_cast<int>(k / 3);
  EXPECT_FALSE(ids_of(subject_of(people(pairs, names))).contains("merged-names"));
  // Facts from 1950 and from 2015 are of two.
  pairs.insert(pairs.begin(), {0, 0, 39, 1950});
  pairs.push_back({0, 0, 38, 2015});
  EXPECT_EQ(found(subject_of(people(pairs, names)), "merged-names").details["years"].size(), 1u);
}

// Larger facts, planted in many places, at any number of threads.
TEST(FactsAudit, TheSameOnAnyNumberOfThreads) {
  std::vector<Quadruple> facts;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto bits = philox({5, 9}, 0, 0, i, 0);
    facts.push_back({bits[0] % 500, bits[1] % 3, bits[2] % 500, i / 1000});
  }
  const TemporalFacts made = made_facts(500, 3, facts);
  const auto told = [&](int threads) {
    std::string out;
    for (const Finding& finding :
         audit_facts(fact_subject(made, TimeCuts{12, 15, 18}, Threads{threads})))
      out += finding.id + std::to_string(finding.count) + finding.evidence;
    return out;
  };
  EXPECT_FALSE(told(1).empty());
  EXPECT_EQ(told(1), told(4));
}

}  // namespace
}  // namespace cupel
