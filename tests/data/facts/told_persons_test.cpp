#include "cupel/data/facts/told_persons.h"

#include <gtest/gtest.h>

#include <random>

#include "cupel/data/facts/academic.h"
#include "data/facts/made_facts.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

Publication paper_of(std::string id, int year, const std::vector<std::string>& names,
                     const std::string& title = "Fair trees") {
  Publication out;
  out.id = std::move(id), out.year = year, out.title = title;
  for (const std::string& name : names) out.authors.push_back({name, "", {"Place of " + name}});
  return out;
}

AcademicGraph graph_of(const std::vector<Publication>& papers, const std::string& persons = "",
                       Identity identity = Identity::kName) {
  AcademicSettings settings;
  settings.keywords = {"fair"};
  settings.persons = persons;
  settings.identity = identity;
  AcademicBuilder builder(std::move(settings));
  for (const Publication& one : papers) builder.add(one);
  return std::move(builder).finish();
}

// As if the paper printed another name of its own for each person.
TEST(ToldPersons, TakeANameApartAsOtherNamesWould) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const made::Folder folder;
  const std::string table = (folder / "persons.csv").string();
  std::int64_t told = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<Publication> papers, renamed;
    std::string lines = "paper,position,name,person,note\n";
    for (int k = 0; k < 12; ++k) {
      std::vector<std::string> names = {"Yang Liu", "Ann Lee", "Bob Ray", "YANG LIU."};
      std::shuffle(names.begin(), names.end(), random);
      names.resize(static_cast<std::size_t>(1 + below(4)));
      papers.push_back(paper_of("P" + std::to_string(k), 2015 + below(3), names));
      renamed.push_back(papers.back());
      for (std::size_t at = 0; at < names.size(); ++at) {
        if (!names[at].starts_with('Y') || below(3) == 0) continue;
        const std::string person = std::to_string(below(3));
        lines += fmt::format("P{},{},{},{},\n", k, at, below(2) == 0 ? "" : "yang  liu", person);
        renamed.back().authors[at].name = "Person number " + person;
        ++told;
      }
    }
    made::write_file(table, lines);
    for (const Identity identity : {Identity::kName, Identity::kId}) {
      const AcademicGraph apart = graph_of(papers, table, identity), other = graph_of(renamed);
      check_invariants(apart.facts);
      EXPECT_EQ(quadruples_of(apart.facts), quadruples_of(other.facts)) << lines;
      EXPECT_EQ(apart.authorships.entity, other.authorships.entity);
      EXPECT_EQ(apart.authorships.position, other.authorships.position);
      for (Index k = 0; k < apart.facts.entities(); ++k) {
        if (!other.facts.entity_name(k).starts_with("Person number")) continue;
        EXPECT_EQ(compared_name(apart.facts.entity_name(k)), "yang liu");
      }
    }
  }
  EXPECT_GT(told, 500);
}

TEST(ToldPersons, GoBeforeIdsOfTheSource) {
  Publication one = paper_of("P1", 2019, {"Yang Liu"}), two = paper_of("P2", 2019, {"Y. Liu"});
  one.authors[0].id = "A1", two.authors[0].id = "A2";
  const made::Folder folder;
  made::write_file(folder / "p.csv", "paper,position,person\nP1,0,yang\nP2,0,yang\n");
  const AcademicGraph graph = graph_of({one, two}, (folder / "p.csv").string(), Identity::kId);
  EXPECT_EQ(graph.counts.at("scientists"), 1);
  EXPECT_EQ(graph.counts.at("authorships of whom the table of persons tells"), 2);
}

// A record that is told again, or that years leave out, does not make the table wrong.
TEST(ToldPersons, AreOfPapersThatCount) {
  const made::Folder folder;
  made::write_file(folder / "p.csv", "paper,position,person\nP1,0,a\nold,1,b\n#3,0,c\n");
  Publication unnamed = paper_of("", 2019, {"Yang Liu"});
  const AcademicGraph graph =
      graph_of({paper_of("P1", 2019, {"Yang Liu"}), paper_of("old", 1900, {"Ann Lee"}), unnamed,
                paper_of("P1", 2019, {"Yang Liu"}), paper_of("P2", 2019, {"Yang Liu"})},
               (folder / "p.csv").string());
  EXPECT_EQ(graph.counts.at("scientists"), 3);
  EXPECT_EQ(graph.counts.at("authorships of whom the table of persons tells"), 2);
  EXPECT_EQ(graph.counts.at("lines of the table of persons about papers that are left out"), 1);
  EXPECT_EQ(graph.counts.at("papers with id, year and authors of an earlier one, taken as one"), 1);
  EXPECT_FALSE(
      graph_of({unnamed}).counts.contains("authorships of whom the table of persons tells"));
}

TEST(ToldPersons, LinesAboutNobodyAreRefused) {
  const made::Folder folder;
  const std::string table = (folder / "p.csv").string();
  const std::vector<Publication> papers = {paper_of("P1", 2019, {"Yang Liu", "Ann Lee"}),
                                           paper_of("17", 2019, {"Bob Ray"}),
                                           paper_of("17", 2019, {"Cy Poe"})};
  const auto refused = [&](const std::string& lines, std::vector<std::string> pieces) {
    made::write_file(table, lines);
    pieces.push_back("p.csv: line ");
    made::expect_error([&] { (void)graph_of(papers, table); }, pieces);
  };
  const std::string head = "paper,position,name,person\n";
  refused(head + "P1,0,,a\nP9,0,,a\n", {"line 3: no paper 'P9' has an author at position 0"});
  refused(head + "P1,2,,a\n", {"no paper 'P1' has an author at position 2"});
  refused(head + "P1,1,Yang Liu,a\n", {"author 1 of paper 'P1' is called 'Ann Lee' and not"});
  refused(head + "P1,-1,,a\n", {"'-1' is no position"});
  refused(head + "P1,first,,a\n", {"'first' is no position"});
  refused(head + "P1,0,,\n", {"has nothing in column 'person'"});
  refused(head + ",0,,a\n", {"has nothing in column 'paper'"});
  refused(head + "P1,0,Yang Liu,a\nP1,0,,b\n", {"line 3: says who author 0", "and so does line 2"});
  refused(head + "17,0,,a\n", {"several papers have the id '17'"});
  refused("paper,place,person\nP1,0,a\n", {"where paper, position and person are needed"});
  made::expect_error([&] { (void)graph_of(papers, (folder / "none.csv").string()); }, {"none.csv"});
  // Its name tells which of two papers of one id is meant.
  made::write_file(table, head + "17,0,Cy Poe,a\n");
  EXPECT_EQ(graph_of(papers, table).counts.at("scientists"), 4);
}

}  // namespace
}  // namespace cupel
