#include "cupel/data/resolve/decisions_file.h"

#include <algorithm>

#include "data/resolve/made_resolve.h"

namespace cupel {
namespace {

using made::has;
using made::refusal;
using made::written;

// Entities: 0 Ann Lee, 1 Bob Ray, 2 A. Lee, 3 "Q" Ash, 4 B. Ray, 5 Lab, 6 Lab Inc.
TemporalFacts facts() {
  return made::academic({{"p1", 2018, {"Ann Lee", "Bob Ray"}, "Lab"},
                         {"p2", 2019, {"A. Lee", "\"Q\" Ash", "B. Ray"}, "Lab Inc"}})
      .facts;
}

constexpr const char* kHeader =
    "first_id,first_name,second_id,second_name,type,name_score,graph_score,score,evidence,verdict,"
    "by,first_authorship,second_authorship\n";

DecidedPairs read(const std::string& lines, const TemporalFacts& of = facts(),
                  const MergedNames& merged = {}, const Authorships& authorships = {}) {
  const TempFolder folder;
  return read_decisions(written(folder, "d.csv", lines), of, authorships, merged);
}
std::string refused(const std::string& lines, const MergedNames& merged = {}) {
  return refusal([&] { (void)read(lines, facts(), merged); });
}

TEST(DecisionsFile, IsReadBackAsItWasWritten) {
  const std::vector<DecidedPair> pairs = {
      {{0, 2, 0.75, 0.5, 0.625, "3 shared, \"all\" of 2018", MergeVerdict::kAccept},
       DecidedBy::kAutomatic,
       2},
      {{1, 4, 1, 0, 0.5, "", MergeVerdict::kOpen}, DecidedBy::kPerson, 3},
      {{3, 4, 0, 0, 0, "none", MergeVerdict::kReject}, DecidedBy::kPerson, 4},
      {{5, 6, 0.25, 0.25, 0.25, "x", MergeVerdict::kAccept}, DecidedBy::kAutomatic, 5}};
  const std::string text = decisions_csv(facts(), {}, pairs);
  EXPECT_TRUE(text.starts_with(kHeader)) << text;
  EXPECT_TRUE(has(text, "3,\"\"\"Q\"\" Ash\",4,\"B. Ray\",\"scientist\",0.0000,")) << text;
  EXPECT_EQ(read(text).pairs, pairs);
  EXPECT_EQ(read(text).counts, (std::map<std::string, std::int64_t>{{"lines of decisions", 4}}));
}

TEST(DecisionsFile, PeopleWriteLess) {
  const DecidedPairs found = read(
      "verdict,second_name,first_name,note\nreject,\"A. Lee\",B. Ray,mine\r\n\n"
      "accept,Lab,Lab Inc,\n");
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_EQ(found.pairs[0],
            (DecidedPair{{2, 4, 0, 0, 0, "", MergeVerdict::kReject}, DecidedBy::kPerson, 2}));
  EXPECT_EQ(found.pairs[1].decision.first, 5);
  EXPECT_EQ(found.pairs[1].line, 4u);
}

// Somebody changed the verdict and nothing else, or took the column away.
TEST(DecisionsFile, NoProgramRejectsAndNobodyLeavesOpen) {
  const auto by = [](const std::string& lines) { return read(lines).pairs.at(0).by; };
  const std::string names = "first_name,second_name,verdict,by\nAnn Lee,A. Lee,";
  EXPECT_EQ(by(names + "reject,automatic\n"), DecidedBy::kPerson);
  EXPECT_EQ(by(names + "accept,automatic\n"), DecidedBy::kAutomatic);
  EXPECT_EQ(by(names + "open,person\n"), DecidedBy::kPerson);
  EXPECT_EQ(by(names + "open,\n"), DecidedBy::kAutomatic);
  EXPECT_EQ(by("first_name,second_name,verdict\nAnn Lee,A. Lee,accept\n"), DecidedBy::kPerson);
}

TEST(DecisionsFile, NamesCountWhereIdsHaveChanged) {
  const DecidedPairs found = read(
      "first_id,first_name,second_id,second_name,verdict\n"
      "1,Ann Lee,900,A. Lee,accept\n");
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].decision.first, 0);
  EXPECT_EQ(found.pairs[0].decision.second, 2);
}

TEST(DecisionsFile, PairsThatAreOneByNowAreCounted) {
  MergedNames merged;
  merged.add("A. L.", 0);
  merged.add("Robert Ray", 1);
  const DecidedPairs found = read(
      "first_id,first_name,second_id,second_name,verdict\n0,Ann Lee,7,A. L.,accept\n"
      "7,A. L.,8,Robert Ray,open\n",
      facts(), merged);
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].decision.second, 1);
  EXPECT_EQ(found.counts.at("lines about entities that are merged already"), 1);
  EXPECT_TRUE(has(refused("first_name,second_name,verdict\nAnn Lee,A. L.,reject\n", merged),
                  "d.csv: line 2: keeps 'Ann Lee' and 'A. L.' apart, which are one entity"));
}

TEST(DecisionsFile, OrderOfLinesDoesNotCount) {
  std::vector<std::string> lines = {"0,Ann Lee,2,A. Lee,0.5,why,accept,automatic\n",
                                    "2,A. Lee,0,Ann Lee,0.7,other,accept,automatic\n",
                                    "0,Ann Lee,2,A. Lee,0.1,mine,accept,person\n",
                                    "0,Ann Lee,2,A. Lee,0.9,,open,person\n",
                                    "1,Bob Ray,4,B. Ray,0.2,,open,automatic\n"};
  std::sort(lines.begin(), lines.end());
  std::string first;
  do {
    std::string all = "first_id,first_name,second_id,second_name,score,evidence,verdict,by\n";
    for (const std::string& line : lines) all += line;
    const DecidedPairs found = read(all);
    const std::string text = decisions_csv(facts(), {}, found.pairs);
    if (first.empty()) first = text;
    EXPECT_EQ(text, first);
    EXPECT_EQ(found.pairs.size(), 2u);
    EXPECT_EQ(found.pairs[0].decision.evidence, "mine");
    EXPECT_EQ(found.counts.at("lines about a pair that another line has"), 3);
  } while (std::next_permutation(lines.begin(), lines.end()));
}

TEST(DecisionsFile, SaysWhatIsWrongAndWhere) {
  const std::string header = "first_id,first_name,second_id,second_name,type,score,verdict,by\n";
  const std::string good = "0,Ann Lee,2,A. Lee,scientist,0.5,accept,person\n";
  const std::pair<std::string, const char*> cases[] = {
      {"", "d.csv: is empty"},
      {"first_name;second_name;verdict\n", "there is no column 'first_name' among"},
      {"first_name,second_name,verdict,verdict\n", "column 'verdict' is there twice"},
      {header + good + "0,Ann Lee,2,A. L", "line 3: has 4 fields where the header has 8"},
      {header + "0,Ann Lee,2,A. Lee,scientist,0.5,yes,person\n", "line 2: 'yes' is no verdict"},
      {header + "0,Ann Lee,2,A. Lee,scientist,0.5,open,me\n", "'me' is no by; write automatic or"},
      {header + "0,Ann Lee,2,A. Lee,scientist,0,open,\n0,Ann Lee,2,A. Lee,robot,0,open,\n",
       "line 3: 'robot' is no type"},
      {header + "0,Ann Lee,2,A. Lee,scientist,nan,open,\n", "'nan' in column score is no number"},
      {header + "0,Ann Lee,2,A. Lee,scientist,1.5,open,\n", "'1.5' in column score is no number"},
      {header + "0,Ann Lee,x,A. Lee,,,open,\n", "'x' in column second_id is no whole number"},
      {header + "0,Ann Lee,5,Lab,,,open,\n",
       "entity 0 is of type 'scientist' and entity 5 of type 'institution'"},
      {header + "0,Ann Lee,5,Lab,scientist,,open,\n", "there is no scientist called 'Lab'"},
      {header + "0,Ann Lee,0,Ann Lee,,,open,\n", "entity 0, 'Ann Lee', stands there with itself"},
      {header + ",Ann Lee,,Ann Lee,,,open,\n", "entity 0, 'Ann Lee', stands there with itself"},
      {header + "0,Ann Lee,1,Zed,,,open,\n", "called 'Zed': entity 1 is 'Bob Ray'"},
      {header + "0,Ann Lee,99999999999,Zed,,,open,\n", "id 99999999999 is out of range"},
      {header + "0,Ann Lee,-1,Zed,,,open,\n", "id -1 is out of range"},
      {header + "0,Ann\xff Lee,2,A. Lee,,,open,\n", "line 2: is not UTF-8"},
      {header + good + "2,A. Lee,0,Ann Lee,scientist,0.5,reject,person\n",
       "line 3: says the contrary of line 2 about entities 0 and 2"}};
  for (const auto& [text, part] : cases) {
    const std::string said = refused(text);
    EXPECT_TRUE(has(said, part)) << said << "\nwanted: " << part;
    EXPECT_TRUE(has(said, "d.csv")) << said;
  }
}

TEST(DecisionsFile, NamesakesAreToldByIdOnly) {
  TemporalFacts two = facts();
  two.entity_names = {};
  for (const char* name : {"Yang Liu", "Bob Ray", "Yang Liu", "Q", "B. Ray", "Lab", "Lab Inc"})
    two.entity_names.add(name);
  const std::string header = "first_id,first_name,second_id,second_name,verdict\n";
  EXPECT_EQ(read(header + "0,Yang Liu,2,Yang Liu,accept\n", two).pairs.size(), 1u);
  const std::string said =
      refusal([&] { (void)read(header + "0,Yang Liu,3,Yang Liu,accept\n", two); });
  EXPECT_TRUE(has(said, "line 2: several")) << said;
  EXPECT_TRUE(has(said, "entity 3 is not one of them; give the id")) << said;
}

// Two of one name, whom a table told apart, are one by now.
TEST(DecisionsFile, NamesakesThatAreOneByNowAreCounted) {
  const std::string header = "first_name,second_name,verdict,first_authorship,second_authorship\n";
  const AcademicGraph graph =
      made::academic({{"p1", 2018, {"Yang Liu"}}, {"p2", 2019, {"Yang Liu"}}});
  const auto of = [&](const std::string& text) {
    return read(text, graph.facts, {}, graph.authorships);
  };
  const DecidedPairs found = of(header + "Yang Liu,Yang Liu,accept,0 of p1,0 of p2\n");
  EXPECT_EQ(found.pairs.size(), 0u);
  EXPECT_EQ(found.counts.at("lines about entities that are merged already"), 1);
  EXPECT_EQ(read("first_id,first_name,second_id,second_name,verdict\n0,Ann Lee,1,Ann Lee,open\n")
                .counts.at("lines about entities that are merged already"),
            1);
  const auto said = [&](const std::string& line) {
    return refusal([&] { (void)of(header + line); });
  };
  EXPECT_TRUE(has(said("Yang Liu,Yang Liu,reject,0 of p1,0 of p2\n"), "which are one entity"));
  EXPECT_TRUE(has(said("Yang Liu,Yang Liu,accept,0 of p1,0 of p1\n"), "with itself"));
}

// Papers of namesakes by id: 0 Yang Liu, 1 Bob Ray, 2 Yang Liu, 3 Cy.
AcademicGraph namesakes(bool with_more) {
  AcademicSettings settings;
  settings.identity = Identity::kId;
  AcademicBuilder builder(settings);
  const auto add = [&](const char* id, std::vector<std::pair<const char*, const char*>> authors) {
    Publication paper;
    paper.id = id, paper.year = 2018;
    for (const auto& [name, key] : authors) paper.authors.push_back({name, key, {}});
    builder.add(paper);
  };
  if (with_more) add("p0", {{"Yang Liu", "y2"}, {"Dee", "d"}});
  add("p1", {{"Yang Liu", "y1"}, {"Bob Ray", "b"}});
  add("p2", {{"Yang Liu", "y2"}, {"Cy", "c"}});
  return std::move(builder).finish();
}

TEST(DecisionsFile, NamesakesWhoAreAuthorsAreToldByAuthorships) {
  const AcademicGraph before = namesakes(false), more = namesakes(true);
  ASSERT_EQ(before.facts.entity_name(2), "Yang Liu");
  const DecidedPairs pairs = {
      .file = "",
      .pairs = {{{0, 1, 0, 0, 0, "", MergeVerdict::kAccept}, DecidedBy::kPerson, 2}},
      .counts = {}};
  const std::string text = decisions_csv(before.facts, before.authorships, pairs.pairs);
  EXPECT_TRUE(has(text, R"("0 of p1","1 of p1")")) << text;
  const DecidedPairs found = read(text, more.facts, {}, more.authorships);
  ASSERT_EQ(found.pairs.size(), 1u);
  // Behind y2 and Dee, who are new in front.
  EXPECT_EQ(found.pairs[0].decision.first, 2);
  EXPECT_EQ(found.pairs[0].decision.second, 3);
  const std::string bare =
      "first_id,first_name,second_id,second_name,verdict\n0,Yang Liu,1,Bob Ray,accept\n";
  const std::string said = refusal([&] { (void)read(bare, more.facts, {}, more.authorships); });
  EXPECT_TRUE(has(said, "d.csv: line 2: several of type 'entity' are called 'Yang Liu'")) << said;
  EXPECT_TRUE(has(said, "first_authorship")) << said;
  const std::string none = refusal([&] {
    (void)read("first_name,second_name,verdict\nYang Liu,Bob Ray,accept\n", more.facts, {},
               more.authorships);
  });
  EXPECT_TRUE(
      has(none, "several of type 'entity' are called 'Yang Liu'; say in the columns first_"))
      << none;
}

// "Ann Lee" has the name that one had who went into Bob Ray.
TEST(DecisionsFile, NamesThatOneHasAndAnotherHadAreNotGuessed) {
  MergedNames merged;
  merged.add("Ann Lee", 1);
  const std::string header = "first_id,first_name,second_id,second_name,verdict\n";
  const DecidedPairs found = read(header + "0,Ann Lee,1,Bob Ray,accept\n", facts(), merged);
  EXPECT_EQ(found.pairs.size(), 0u);
  EXPECT_EQ(found.counts.at("lines about entities that are merged already"), 1);
  const std::string said = refused(header + "0,Ann Lee,2,A. Lee,accept\n", merged);
  EXPECT_TRUE(has(said,
                  "line 2: one of type 'entity' is called 'Ann Lee', and another one that "
                  "was went into 'Bob Ray'"))
      << said;
  const AcademicGraph graph = made::academic(
      {{"p1", 2018, {"Ann Lee", "Bob Ray"}, "Lab"}, {"p2", 2019, {"A. Lee", "Cy"}, "Lab Inc"}});
  const DecidedPairs told =
      read("first_name,second_name,verdict,first_authorship\nAnn Lee,A. Lee,accept,0 of p1\n",
           graph.facts, merged, graph.authorships);
  ASSERT_EQ(told.pairs.size(), 1u);
  EXPECT_EQ(told.pairs[0].decision.first, 0);
  EXPECT_EQ(told.pairs[0].decision.second, 2);
  // A name that one had before, and has again.
  MergedNames again;
  again.add("Ann Lee", 0);
  EXPECT_EQ(read(header + "0,Ann Lee,2,A. Lee,accept\n", facts(), again).pairs.size(), 1u);
}

// A folder has the name that came first: an earlier paper may print it otherwise.
TEST(DecisionsFile, NamesPrintedOtherwiseAreFound) {
  const AcademicGraph before = made::academic({{"p1", 2018, {"Zo\u00eb Lee", "Bob Ray"}}}),
                      more = made::academic({{"p0", 2017, {"Cy", "BOB RAY", "Zoe\u0308 Lee"}},
                                             {"p1", 2018, {"Zo\u00eb Lee", "Bob Ray"}}});
  ASSERT_EQ(more.facts.entity_name(2), "Zoe\u0308 Lee");
  const DecidedPairs pairs = {
      .file = "",
      .pairs = {{{0, 1, 0, 0, 0, "", MergeVerdict::kAccept}, DecidedBy::kPerson, 2}},
      .counts = {}};
  const std::string table = decisions_csv(before.facts, before.authorships, pairs.pairs);
  for (const std::string& text :
       {table, std::string("first_name,second_name,verdict\nZOE\u0308 LEE,bob ray.,accept\n")}) {
    const DecidedPairs found = read(text, more.facts, {}, more.authorships);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_EQ(found.pairs[0].decision.first, 1);
    EXPECT_EQ(found.pairs[0].decision.second, 2);
  }
  MergedNames merged;
  merged.add("Zo\u00eb Leigh", 0);
  EXPECT_EQ(read("first_name,second_name,verdict\nZOE\u0308 LEIGH,Cy,accept\n", more.facts, merged)
                .counts.at("lines about entities that are merged already"),
            1);
  // What is there to the letter is meant, also where ids make two of a name.
  TemporalFacts two = facts();
  two.entity_names = {};
  for (const char* name : {"Yang Liu", "Bob Ray", "YANG LIU", "?", "B. Ray", "Lab", "Lab Inc"})
    two.entity_names.add(name);
  const std::string header = "first_id,first_name,second_id,second_name,verdict\n";
  EXPECT_EQ(read(header + ",YANG LIU,,Bob Ray,accept\n", two).pairs.at(0).decision.second, 2);
  EXPECT_EQ(read(header + "2,yang liu,1,Bob Ray,accept\n", two).pairs.at(0).decision.second, 2);
  const std::pair<const char*, const char*> cases[] = {
      {",yang liu,,Bob Ray,accept\n", "several of type 'entity' are called 'yang liu'"},
      {",Bob Ray,3,!,accept\n", "there is no entity called '!': entity 3 is '?'"},
      {",Bob Ray,,,accept\n", "line 2: has nothing in column 'second_name'"}};
  for (const auto& [line, part] : cases) {
    const std::string said = refusal([&] { (void)read(header + line, two); });
    EXPECT_TRUE(has(said, part)) << said << "\nwanted: " << part;
  }
}

TEST(DecidedPairs, TheFileHoldsAgainstProposals) {
  const std::vector<MergeDecision> proposals = {{0, 2, 0.9, 0.9, 0.9, "new", MergeVerdict::kAccept},
                                                {1, 4, 0.8, 0.8, 0.8, "new", MergeVerdict::kAccept},
                                                {2, 3, 0.4, 0.4, 0.4, "new", MergeVerdict::kOpen}};
  DecidedPairs file;
  file.file = "d.csv";
  file.pairs = {{{0, 1, 0, 0, 0, "old", MergeVerdict::kReject}, DecidedBy::kPerson, 7},
                {{0, 2, 0.1, 0, 0, "old", MergeVerdict::kAccept}, DecidedBy::kAutomatic, 9},
                {{1, 4, 0.1, 0, 0, "old", MergeVerdict::kOpen}, DecidedBy::kAutomatic, 8},
                {{5, 6, 0, 0, 0, "old", MergeVerdict::kAccept}, DecidedBy::kAutomatic, 2}};
  const DecidedPairs found = decided_pairs(proposals, file);
  ASSERT_EQ(found.pairs.size(), 5u);
  EXPECT_EQ(found.pairs[0], file.pairs[0]);
  EXPECT_EQ(found.pairs[1], (DecidedPair{proposals[0], DecidedBy::kAutomatic, 9}));
  // Accepted by the program, set to open by somebody.
  EXPECT_EQ(found.pairs[2].decision.verdict, MergeVerdict::kOpen);
  EXPECT_EQ(found.pairs[2].decision.evidence, "new");
  EXPECT_EQ(found.pairs[2].by, DecidedBy::kPerson);
  EXPECT_EQ(found.pairs[3], (DecidedPair{proposals[2], DecidedBy::kAutomatic, 0}));
  EXPECT_EQ(found.pairs[4], file.pairs[3]);
}

}  // namespace
}  // namespace cupel
