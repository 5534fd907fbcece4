#include "cupel/data/facts/academic.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "cupel/base/random.h"
#include "cupel/data/facts/facts_folder.h"
#include "data/facts/made_facts.h"
#include "data/formats/made_files.h"
#include "data/resolve/made_resolve.h"

namespace cupel {
namespace {

Publication paper(std::string id, std::optional<int> year, std::vector<std::string> names,
                  std::string title = "") {
  Publication out;
  out.id = std::move(id);
  out.year = year;
  out.title = std::move(title);
  for (std::string& name : names) out.authors.push_back({std::move(name), "", {}});
  return out;
}

AcademicSettings settings() {
  AcademicSettings out;
  out.keywords = read_keywords("ai");
  return out;
}

AcademicGraph graph_of(const std::vector<Publication>& papers, AcademicSettings how = settings()) {
  AcademicBuilder builder(std::move(how));
  for (const Publication& one : papers) builder.add(one);
  AcademicGraph out = std::move(builder).finish();
  check_invariants(out.facts);
  return out;
}

// "Ann -collaboration-> Bob 2018", fact by fact.
std::vector<std::string> told(const TemporalFacts& facts) {
  std::vector<std::string> out;
  for (const auto& [s, r, o, t] : quadruples_of(facts))
    out.push_back(fmt::format("{} {} {} {}", facts.entity_name(static_cast<Index>(s)),
                              facts.relations[static_cast<std::size_t>(r)].name,
                              facts.entity_name(static_cast<Index>(o)), t));
  return out;
}
using Told = std::vector<std::string>;

TEST(Academic, NamesAreComparedByWhatTheyAre) {
  EXPECT_EQ(compared_name(" Ren\xc3\xa9  O'Neil,\tJr. "), "ren\xc3\xa9 o'neil jr");
  EXPECT_EQ(compared_name("Rene\xcc\x81 O'Neil$Jr?"), compared_name("REN\xc3\x89 o'neil jr!"));
  EXPECT_EQ(compared_name("J.-P. Ng\xc2\xa0T"), "j -p ng t");
  EXPECT_EQ(compared_name("., !?$"), "");
  EXPECT_NE(compared_name("Jane Doe"), compared_name("Jane-Doe"));
}

TEST(Academic, PairsOnceAYearFromTheFirstPaper) {
  const std::vector<Publication> papers = {paper("p1", 2018, {"Bob", "Ann", "Cy"}),
                                           paper("p2", 2018, {"ann", "Bob."}),
                                           paper("p3", 2017, {"Ann", "Bob"})};
  const AcademicGraph year = graph_of(papers);
  EXPECT_EQ(told(year.facts), (Told{"Ann collaboration Bob 2017", "Bob collaboration Ann 2018",
                                    "Bob collaboration Cy 2018", "Ann collaboration Cy 2018"}));
  EXPECT_EQ(year.counts.at("facts told again in the same year, taken once"), 1);
  EXPECT_EQ(year.counts.at("scientists"), 3);
  EXPECT_EQ(year.counts.at("collaborations"), 4);
  AcademicSettings each = settings();
  each.pairs = PairRule::kPaper;
  EXPECT_EQ(
      told(graph_of(papers, each).facts),
      (Told{"Ann collaboration Bob 2017", "Bob collaboration Ann 2018", "Bob collaboration Cy 2018",
            "Ann collaboration Cy 2018", "Ann collaboration Bob 2018"}));
}

TEST(Academic, WhatIsNoPairStandsOnceAYearWhateverTheRule) {
  Publication first = paper("p1", 2018, {"Ann"}, "fair"),
              second = paper("p2", 2018, {"Ann"}, "fair");
  first.authors[0].affiliations = second.authors[0].affiliations = {"X"};
  AcademicSettings each = settings();
  each.pairs = PairRule::kPaper;
  EXPECT_EQ(told(graph_of({first, second}, each).facts),
            (Told{"Ann partnership X 2018", "Ann expertise fair 2018"}));
}

TEST(Academic, MarksOfFootnotesBelongToNamesOrDoNot) {
  Publication first = paper("p1", 2018, {"Ann Lee", "Bob"}),
              second = paper("p2", 2019, {"Ann Lee"});
  first.authors[0].with_marks = "Ann Lee*";
  EXPECT_EQ(graph_of({first, second}).facts.entities(), 2);
  AcademicSettings keep = settings();
  keep.keep_marks = true;
  const AcademicGraph graph = graph_of({first, second}, keep);
  EXPECT_EQ(graph.facts.entities(), 3);
  EXPECT_EQ(graph.facts.entity_name(0), "Ann Lee*");
}

// Counted here by a map, over papers in any order.
TEST(Academic, AnEntityHasTheNameThatIsPrintedMostOften) {
  Publication one = paper("p1", 2018, {"Smith, John", "Ann"}),
              two = paper("p2", 2019, {"Smith John", "ANN."}),
              three = paper("p3", 2020, {"SMITH John", "Ann"});
  one.authors[0].affiliations = {"U. of X"};
  two.authors[0].affiliations = {"U of X", "u of x"};  // once on the paper, printed in two ways
  three.authors[0].affiliations = {"u of x"};
  std::vector<Publication> papers = {one, two, three};
  do {
    const TemporalFacts facts = graph_of(papers).facts;
    std::set<std::string> names;
    for (Index k = 0; k < facts.entities(); ++k) names.insert(facts.entity_name(k));
    // Of "Smith John", printed in three ways, the smallest by bytes.
    EXPECT_EQ(names, (std::set<std::string>{"SMITH John", "Ann", "u of x"}));
    std::rotate(papers.begin(), papers.begin() + 1, papers.end());
  } while (papers[0].id != "p1");

  Stream draw(stream_key("names in any order"), 0);
  const std::vector<std::string> ways = {"Bo Li", "Bo Li.", "BO LI", "Bo, Li", "bo li"};
  for (int round = 0; round < 50; ++round) {
    std::map<std::string, int> times;
    papers.clear();
    for (int k = 0; k < 12; ++k) {
      const std::string& way = ways[draw.next_below(static_cast<std::uint32_t>(ways.size()))];
      ++times[way];
      papers.push_back(paper(fmt::format("q{}", k), 2018, {way, "Ann"}));
    }
    const auto most =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_EQ(graph_of(papers).facts.entity_name(0), most->first);
  }
}

TEST(Academic, WhoGoesByIdHasTheNameThatAnyPaperPrints) {
  AcademicSettings by_id = settings();
  by_id.identity = Identity::kId;
  Publication unnamed = paper("p1", 2018, {"", "Bob"}), named = paper("p2", 2019, {"zoe", "Bob"});
  unnamed.authors[0].id = named.authors[0].id = "A1";
  Publication again = unnamed;
  again.id = "p3";
  EXPECT_EQ(graph_of({unnamed, again}, by_id).facts.entity_name(0), "A1");
  EXPECT_EQ(graph_of({unnamed, again, named}, by_id).facts.entity_name(0), "zoe");
}

TEST(Academic, PapersOfYearsToComeAreTold) {
  AcademicSettings open = settings();
  open.last_year = 2100, open.this_year = 2026;
  const std::vector<Publication> papers = {paper("p1", 2026, {"Ann"}), paper("p2", 2027, {"Ann"}),
                                           paper("p3", 2101, {"Ann"}), paper("p4", 2062, {"Ann"})};
  EXPECT_EQ(graph_of(papers, open).counts.at("papers of a year that is to come"), 2);
  EXPECT_EQ(graph_of(papers, open).counts.at("papers taken"), 3);
  open.this_year = 0;
  EXPECT_FALSE(graph_of(papers, open).counts.contains("papers of a year that is to come"));
}

// Whatever source they are of.
TEST(Academic, NamesThatMayBeSeveralPeoplesAreCounted) {
  const AcademicGraph graph =
      graph_of({paper("p1", 2018, {"Ann Doe and Bob Ray", "Cy Poe & Di Fox", "H&M", "Ed Fu"}),
                paper("p2", 2018, {"Bo Wu; Cy Poe", "Andy", "Bo Wu；Di Fox"})});
  EXPECT_EQ(graph.counts.at("scientists"), 7);
  EXPECT_EQ(graph.counts.at("names with 'and' or '&', which may be two, left as they are"), 2);
  EXPECT_EQ(graph.counts.at("names with ';', which may be several, left as they are"), 2);
}

TEST(Academic, AuthorshipsKeepEveryPosition) {
  const AcademicGraph graph =
      graph_of({paper("p1", 2018, {"Ann", "...", "Bob", "ANN"}), paper("", 2019, {"Bob"})});
  EXPECT_EQ(told(graph.facts), Told{"ANN collaboration Bob 2018"});
  const Authorships& rows = graph.authorships;
  EXPECT_EQ(rows.paper, (std::vector<Index>{0, 0, 0, 1}));
  EXPECT_EQ(rows.position, (std::vector<Index>{0, 2, 3, 0}));
  EXPECT_EQ(rows.entity, (std::vector<Index>{0, 1, 0, 1}));
  EXPECT_EQ(rows.papers[0], "p1");
  EXPECT_EQ(rows.papers[1], "#2");
  EXPECT_EQ(graph.counts.at("authors who stand on a paper twice, taken once"), 1);
  EXPECT_EQ(graph.counts.at("authors without a name, left out"), 1);
}

TEST(Academic, WhoStandsTwiceIsAtTheInstitutionsOfBoth) {
  Publication one = paper("p1", 2018, {"Ann", "Bob", "ANN"});
  one.authors[0].affiliations = {"X"};
  one.authors[1].affiliations = {"Y"};
  one.authors[2].affiliations = {"X", "Z"};
  EXPECT_EQ(told(graph_of({one}).facts),
            (Told{"ANN collaboration Bob 2018", "ANN partnership X 2018", "ANN partnership Z 2018",
                  "Bob partnership Y 2018"}));
}

TEST(Academic, IdsOfTheSourceComeFirstIfAsked) {
  Publication first = paper("p1", 2018, {"Yang Liu", "Wei Wang"});
  first.authors[0].id = "yang-liu-1";
  Publication second = paper("p2", 2018, {"Yang Liu", "Wei Wang"});
  second.authors[0].id = "yang-liu-2";
  const Publication third = paper("p3", 2018, {"Yang Liu"});
  EXPECT_EQ(graph_of({first, second, third}).facts.entities(), 2);
  AcademicSettings by_id = settings();
  by_id.identity = Identity::kId;
  const AcademicGraph graph = graph_of({first, second, third}, by_id);
  EXPECT_EQ(graph.facts.entities(), 4) << "two with ids, one without, and Wei Wang";
  EXPECT_EQ(graph.authorships.entity, (std::vector<Index>{0, 1, 2, 1, 3}));
}

// Two sources may number their people alike.
TEST(Academic, IdsAreThoseOfOneSource) {
  Publication mine = paper("p1", 2018, {"Ann Lee"});
  Publication theirs = paper("p2", 2018, {"Ann B. Lee"});
  mine.authors[0].id = theirs.authors[0].id = "57188";
  AcademicSettings by_id = settings();
  by_id.identity = Identity::kId;
  AcademicBuilder builder(by_id);
  builder.add(mine, "records");
  builder.add(theirs, "scopus");
  mine.id = "p3";
  builder.add(mine, "records");
  EXPECT_EQ(std::move(builder).finish().authorships.entity, (std::vector<Index>{0, 1, 0}));
}

// An accent may be a mark of its own, in a list of keywords and in texts.
TEST(Academic, KeywordsAreFoundHoweverAccentsAreWritten) {
  const made::Folder folder;
  for (const char* listed : {"caf\xc3\xa9", "cafe\xcc\x81"}) {
    made::write_file(folder / "list.txt", listed);
    AcademicSettings how;
    how.keywords = read_keywords((folder / "list.txt").string());
    for (const char* title : {"Le Caf\xc3\xa9", "Le Cafe\xcc\x81"})
      EXPECT_EQ(graph_of({paper("p1", 2018, {"Ann"}, title)}, how).facts.facts(), 1) << title;
  }
  // A syllable of Hangul and its parts; alef with hamza above, and alef and hamza.
  for (const auto& [whole, parts] : {std::pair{"\xea\xb0\x80", "\xe1\x84\x80\xe1\x85\xa1"},
                                     std::pair{"\xd8\xa3", "\xd8\xa7\xd9\x94"}}) {
    for (const char* listed : {whole, parts}) {
      made::write_file(folder / "list.txt", listed);
      AcademicSettings how;
      how.keywords = read_keywords((folder / "list.txt").string());
      for (const char* title : {whole, parts})
        EXPECT_EQ(graph_of({paper("p1", 2018, {"Ann"}, title)}, how).facts.facts(), 1) << title;
    }
  }
}

TEST(Academic, AffiliationsAndKeywordsAreEntities) {
  Publication one = paper("p1", 2018, {"Ann", "Bob"}, "Fairness of DIALOGUE, and");
  one.abstract = "ethics";
  one.keywords = {"Language  models", "Language Models"};
  one.authors[0].affiliations = {"U. of X", "u of x", "Y"};
  one.authors[1].affiliations = {"U of X", "?"};
  const AcademicGraph graph = graph_of({one});
  EXPECT_EQ(
      told(graph.facts),
      (Told{"Ann collaboration Bob 2018", "Ann partnership U of X 2018", "Ann partnership Y 2018",
            "Bob partnership U of X 2018", "Ann expertise fair 2018", "Ann expertise ethic 2018",
            "Ann expertise dialog 2018", "Ann expertise language model 2018",
            "Bob expertise fair 2018", "Bob expertise ethic 2018", "Bob expertise dialog 2018",
            "Bob expertise language model 2018"}));
  EXPECT_EQ(graph.facts.entity_types, (std::vector<std::uint8_t>{0, 0, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(graph.counts.at("affiliations without a name, left out"), 1);
  EXPECT_TRUE(graph.facts.relations[0].undirected);
}

TEST(Academic, WhatIsLeftOutIsCounted) {
  AcademicSettings how = settings();
  how.filter = PaperFilter::kMatched;
  how.most_authors = 3;
  const AcademicGraph graph = graph_of(
      {paper("1", 2018, {}, "fair"), paper("2", {}, {"A"}, "fair"), paper("3", 1964, {"A"}, "fair"),
       paper("4", 2022, {"A"}, "fair"), paper("5", 2018, {"A", "B"}, "unrelated"),
       paper("6", 2018, {"A", "B", "C", "D"}, "fair"), paper("7", 2021, {"E"}, "fair"),
       paper("7", 1965, {"E"}, "fair")},
      how);
  EXPECT_EQ(told(graph.facts), (Told{"E expertise fair 1965", "E expertise fair 2021"}));
  EXPECT_EQ(graph.facts.entities(), 2) << "nobody of a paper that does not count";
  const std::map<std::string, std::int64_t> expected = {
      {"capabilities", 1},
      {"collaborations", 0},
      {"facts of expertise", 2},
      {"institutions", 0},
      {"papers of other years, left out", 2},
      {"papers of too many authors, left out", 1},
      {"papers read", 8},
      {"papers taken", 2},
      {"papers with the id of another one, which get a number behind it", 1},
      {"papers without a keyword", 1},
      {"papers without a keyword, left out", 1},
      {"papers without a year, left out", 1},
      {"papers without an author, left out", 1},
      {"partnerships", 0},
      {"scientists", 1}};
  EXPECT_EQ(graph.counts, expected);
}

// Numbers of a file are ids as well: what two papers have in common is told by their authors.
TEST(Academic, PapersOfOneId) {
  const AcademicGraph graph =
      graph_of({paper("1", 2018, {"Ann", "Bob"}), paper("1", 2018, {"Ann", "Cy"}),
                paper("1", 2018, {"Ann", "Bob"}), paper("1 (3)", 2018, {"Dee"}),
                paper("1", 2019, {"Ann", "Bob"})});
  const Authorships& rows = graph.authorships;
  std::vector<std::string> papers;
  for (const Index number : rows.paper) papers.emplace_back(rows.papers[number]);
  EXPECT_EQ(papers,
            (std::vector<std::string>{"1", "1", "1 (2)", "1 (2)", "1 (3)", "1 (4)", "1 (4)"}));
  EXPECT_EQ(graph.counts.at("papers with id, year and authors of an earlier one, taken as one"), 1);
  EXPECT_EQ(graph.counts.at("papers with the id of another one, which get a number behind it"), 2);
}

// Whatever numbers the authors have: no year stands for another, and no author for another.
TEST(Academic, PapersOfOneIdThatDifferInYearAndAuthorsAreTwo) {
  const AcademicGraph graph =
      graph_of({paper("x", 2017, {"Ann", "Bob"}), paper("1", 2018, {"Bob", "Cy"}),
                paper("1", 2019, {"Ann", "Cy"})});
  EXPECT_EQ(graph.counts.at("papers taken"), 3);
  EXPECT_EQ(graph.counts.at("collaborations"), 3);
  std::vector<Publication> papers;
  std::set<std::tuple<int, int, int>> different;
  Stream draw(stream_key("papers of one id"), 0);
  for (int i = 0; i < 5000; ++i) {
    const auto year = static_cast<int>(2000 + draw.next_below(20)),
               a = static_cast<int>(draw.next_below(40)), b = static_cast<int>(draw.next_below(40));
    if (a == b) continue;
    different.insert({year, a, b});
    papers.push_back(paper("7", year, {fmt::format("N{}", a), fmt::format("N{}", b)}));
  }
  EXPECT_EQ(graph_of(papers).counts.at("papers taken"), std::ssize(different));
}

// Also of the second paper that has the id.
TEST(Academic, APaperIsToldAgainWhicheverOfItsIdItIs) {
  AcademicSettings each = settings();
  each.pairs = PairRule::kPaper;
  const Publication second = paper("17", 2018, {"Cy", "Dee"});
  const AcademicGraph graph =
      graph_of({paper("17", 2017, {"Ann", "Bob"}), second, second, second}, each);
  EXPECT_EQ(graph.counts.at("papers taken"), 2);
  EXPECT_EQ(graph.counts.at("collaborations"), 2);
  EXPECT_EQ(graph.counts.at("papers with id, year and authors of an earlier one, taken as one"), 2);
  EXPECT_EQ(graph.authorships.papers.size(), 2);
}

// Two records of one paper say what each of them says, and nothing twice.
TEST(Academic, RecordsOfOnePaperAreOne) {
  const auto told = [](const std::string& affiliation) {
    return made::MadePaper{"1", 2018, {"Ann", "Bob"}, affiliation};
  };
  const AcademicGraph graph =
      made::academic({told("Lab"), told("Lab"), told("Home")}, PairRule::kPaper);
  EXPECT_EQ(graph.authorships.paper.size(), 2u);
  EXPECT_EQ(graph.counts.at("papers taken"), 1);
  EXPECT_EQ(graph.counts.at("collaborations"), 1);
  EXPECT_EQ(graph.counts.at("partnerships"), 4);
}

TEST(Keywords, ListsAndFiles) {
  EXPECT_EQ(read_keywords("ai").size(), 20u);
  EXPECT_EQ(read_keywords("nuclear").size(), 166u);
  const made::Folder folder;
  made::write_file(folder / "list.txt",
                   "\xef\xbb\xbf"
                   "Graph  Theory\r\n# no\n\nEthic\nethic \n");
  EXPECT_EQ(read_keywords((folder / "list.txt").string()), (Told{"graph theory", "ethic"}));
  made::write_file(folder / "bad.txt", "a\n\xff\n");
  made::expect_error([&] { (void)read_keywords((folder / "bad.txt").string()); },
                     {"bad.txt: line 2", "not UTF-8"});
  made::write_file(folder / "none.txt", "# a\n");
  made::expect_error([&] { (void)read_keywords((folder / "none.txt").string()); },
                     {"none.txt", "holds no keyword"});
}

TEST(Keywords, FoundAsSearchingForEachFindsThem) {
  Stream random({5, 6}, 1);
  for (int round = 0; round < 300; ++round) {
    const auto word = [&](std::uint32_t most) {
      std::string out;
      const auto size = 1 + random.next_below(most);
      for (std::uint32_t k = 0; k < size; ++k) out += static_cast<char>('a' + random.next_below(3));
      return out;
    };
    std::vector<std::string> keywords;
    while (keywords.size() < 8) {
      const std::string one = word(5);
      if (std::find(keywords.begin(), keywords.end(), one) == keywords.end())
        keywords.push_back(one);
    }
    const std::string text = word(12) + "d" + word(12);
    std::vector<std::int32_t> expected, found;
    for (std::size_t k = 0; k < keywords.size(); ++k)
      if (text.find(keywords[k]) != std::string::npos)
        expected.push_back(static_cast<std::int32_t>(k));
    KeywordFinder(keywords).find(text, found);
    ASSERT_EQ(found, expected) << text;
  }
  std::vector<std::int32_t> found = {1};
  KeywordFinder({}).find("text", found);
  EXPECT_TRUE(found.empty());
}

TEST(FactsFolder, IsReadBackAsItWas) {
  Publication one = paper("P18-1001", 2018, {"Ann \"A\", Lee", "Bob"}, "fair");
  one.authors[0].affiliations = {"X, Y\nZ"};
  AcademicGraph graph = graph_of({one, paper("q\"", 2019, {"Bob", "Cy"})});
  const auto facts = std::make_shared<const TemporalFacts>(std::move(graph.facts));
  const auto rows = std::make_shared<const Authorships>(std::move(graph.authorships));
  const made::Folder folder;
  write_facts_folder(facts, rows, "{}\n", folder / "out/");
  EXPECT_EQ(made::file_content(folder / "out/stat.txt"), "5\t3\n");
  EXPECT_EQ(made::file_content(folder / "out/quadruples.txt"),
            "0\t0\t1\t2018\n0\t1\t3\t2018\n0\t2\t4\t2018\n1\t2\t4\t2018\n1\t0\t2\t2019\n");
  EXPECT_EQ(made::file_content(folder / "out/entities.csv"),
            "id,type,name\n0,\"scientist\",\"Ann \"\"A\"\", Lee\"\n1,\"scientist\",\"Bob\"\n"
            "2,\"scientist\",\"Cy\"\n3,\"institution\",\"X, Y Z\"\n4,\"capability\",\"fair\"\n");
  EXPECT_EQ(made::file_content(folder / "out/authorships.csv"),
            "paper,position,entity\n\"P18-1001\",0,0\n\"P18-1001\",1,1\n\"q\"\"\",0,1\n"
            "\"q\"\"\",1,2\n");
  EXPECT_EQ(made::file_content(folder / "out/provenance.json"), "{}\n");
  const TemporalFacts read = read_facts(folder / "out");
  check_invariants(read);
  EXPECT_EQ(content_hash(read), content_hash(*facts));
  EXPECT_EQ(read.relations, facts->relations);
  EXPECT_EQ(read.types, facts->types);
  EXPECT_EQ(read.time_unit, "year");
  for (Index k = 0; k < 5; ++k) EXPECT_EQ(read.entity_name(k), facts->entity_name(k));
  const Authorships again = read_authorships(folder / "out", read);
  EXPECT_EQ(again.entity, rows->entity);
  EXPECT_EQ(again.papers[again.paper[3]], "q\"");
  made::expect_error([&] { write_facts_folder(facts, rows, "", folder / "out"); },
                     {"out", "holds something already"});

  const auto refused = [&](const std::string& file, const std::string& from, const std::string& to,
                           const std::vector<std::string>& pieces) {
    const std::string before = made::file_content(folder / ("out/" + file));
    std::string after = before;
    ASSERT_NE(after.find(from), std::string::npos);
    after.replace(after.find(from), from.size(), to);
    made::write_file(folder / ("out/" + file), after);
    made::expect_error([&] { (void)read_facts(folder / "out"); }, pieces);
    made::write_file(folder / ("out/" + file), before);
  };
  refused("quadruples.csv", "2018,0,3,1", "2018,0,5,1",
          {"csv: line 3", "entity 5", "entities.csv"});
  refused("quadruples.csv", "2018,0,3,1", "2018,0,4,1",
          {"csv: line 3", "entity 4 is of type 'capability'", "'partnership'", "'institution'"});
  refused("quadruples.csv", "2018,0,3,1", "2018,0,3,3", {"relation 3 is out of range"});
  refused("quadruples.csv", "tail", "tial", {"is not the header"});
  refused("entities.csv", "\n2,", "\n3,", {"entities.csv: line 4", "'3'", "2 comes next"});
  refused("relations.csv", "either", "both", {"relations.csv: line 2", "'both' is no direction"});
  // RE-Net's text beside them, which knows no types, is not read in their place.
  refused("relations.csv", "directed,\"year\"", "directed,\"day\"",
          {"relations.csv: line 3: times are in 'day' here and in 'year' before"});
  for (const std::string file : {"quadruples.csv", "entities.csv", "relations.csv"}) {
    const std::string before = made::file_content(folder / ("out/" + file));
    std::filesystem::remove(folder / ("out/" + file));
    EXPECT_TRUE(is_facts(folder / "out"));
    made::expect_error([&] { (void)read_facts(folder / "out"); }, {"out: lacks " + file});
    made::write_file(folder / ("out/" + file), before);
  }
}

TEST(FactsFolder, TypesAreOneHoweverTheirControlCharactersAreWritten) {
  const made::Folder folder;
  made::write_file(folder / "quadruples.csv", "timestamp,head,tail,relation_type\n1,0,299,0\n");
  made::write_file(folder / "relations.csv",
                   "id,name,head_type,tail_type,direction,time_unit\n0,r,a\tb,a b,directed,day\n");
  std::string rows = "id,type,name\n";
  for (int k = 0; k < 300; ++k) rows += fmt::format("{},a\tb,{}\n", k, k);
  made::write_file(folder / "entities.csv", rows);
  EXPECT_EQ(read_facts(folder.path()).types, (std::vector<std::string>{"a b"}));
}

TEST(FactsFolder, OneCutOffBehindAHeaderHoldsNoFact) {
  const made::Folder folder;
  made::write_file(folder / "quadruples.csv", "timestamp,head,tail,relation_type\n");
  made::write_file(folder / "relations.csv",
                   "id,name,head_type,tail_type,direction,time_unit\n0,r,n,n,directed,day\n");
  made::write_file(folder / "entities.csv", "id,type,name\n0,n,a\n");
  made::expect_error([&] { (void)read_facts(folder.path()); },
                     {"quadruples.csv: holds no fact", "cut off"});
}

TEST(FactsFolder, KeepsPartsAndFactsWithoutNames) {
  TemporalFacts made = made_facts(3, 2, {{0, 0, 1, -5}, {2, 1, 1, 7}, {2, 1, 1, 7}});
  made.parts = {{"train", 1, -5, -5}, {"test", 2, 7, 7}};
  const auto facts = std::make_shared<const TemporalFacts>(std::move(made));
  const made::Folder folder;
  write_facts_folder(facts, nullptr, "", folder / "out");
  const TemporalFacts read = read_facts(folder / "out");
  EXPECT_EQ(content_hash(read), content_hash(*facts));
  EXPECT_EQ(read.parts, facts->parts);
  // Parts that contradict the facts would be split in one way and audited in another.
  const std::string head = "part,facts,first,last\n";
  for (const char* rows : {"train,2,-5,-5\ntest,1,7,7\n", "train,1,-5,7\ntest,2,7,7\n",
                           "train,1,-5,-5\ntest,2,7,99\n", "train,1,-4,-5\ntest,2,7,7\n"}) {
    made::write_file(folder / "out/parts.csv", head + rows);
    made::expect_error([&] { (void)read_facts(folder / "out"); },
                       {"parts.csv: part '", "correct it"});
  }
  for (const char* rows : {"train,2,-5,7\ntest,1,-5,7\n", "train,3,-5,7\ntest,0,0,0\n"}) {
    made::write_file(folder / "out/parts.csv", head + rows);
    EXPECT_EQ(read_facts(folder / "out").parts.size(), 2U) << "parts may lie in one another";
  }
  made::write_file(folder / "out/parts.csv", head + "train,1,7,7\ntrain,1,-5,-5\ntest,1,7,7\n");
  made::expect_error([&] { (void)read_facts(folder / "out"); },
                     {"parts.csv: line 3: part 'train' stands twice; write one row for each"});
  EXPECT_TRUE(read.entity_names.empty());
  EXPECT_TRUE(read_authorships(folder / "out", read).paper.empty());
}

}  // namespace
}  // namespace cupel
