// `cupel build expert` from inputs that tell the same papers: they are joined by their DOIs.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "cli/made_papers.h"

namespace cupel::test {
namespace {

// One paper in three exports. Scopus has it in another year and its whole list of authors.
void write_shared(const Workplace& place) {
  place.write(
      "wos.txt",
      "FN X\nPT J\nAF Lee, Ann\n   Ray, Bob\nTI Fair\nC1 [Lee, Ann] X.\n"
      "DI 10.1000/Shared\nPY 2019\nUT WOS:1\nER\n"
      "PT J\nAF Poe, Cy\n   Fox, Dee\nTI Trees\nDI 10.1000/a b\nPY 2019\nUT WOS:2\nER\nEF\n");
  place.write("scopus.csv",
              "Authors,Title,Year,DOI,EID\n"
              "\"Lee, Ann; Ray, Bob; Poe, Cy\",Fair,2020,10.1000/SHARED,e1\n");
  json shared = json::parse(work("W1", 2019, "Fair", {{"Ann Lee", "X"}, {"Bob Ray", "Y"}}));
  shared["doi"] = "https://doi.org/10.1000/shared";
  place.write("works.jsonl", shared.dump() + "\n");
}

std::vector<std::string> papers_of(const Workplace& place, const std::string& folder) {
  std::vector<std::string> out;
  std::istringstream rows(place.read(folder + "/authorships.csv"));
  for (std::string row; std::getline(rows, row);)
    if (contains(row, ",0,")) out.push_back(row.substr(0, row.find(',')));
  return out;
}

TEST(ExpertDuplicates, APaperOfThreeExportsIsOne) {
  const Workplace place;
  write_shared(place);
  const std::vector<std::string> from = {"wos=wos.txt", "scopus=scopus.csv",
                                         "openalex=works.jsonl"};
  const json counts = built(place, from, "one");
  const auto has = [&](const char* what, int number) {
    EXPECT_EQ(counts.value(what, -1), number) << what << "\n" << counts.dump(1);
  };
  has("papers read", 4);
  has("papers taken", 2);
  has("papers with the DOI of a fuller record, left out", 2);
  has("openalex: papers with the DOI of a fuller record of scopus", 1);
  has("wos: papers with the DOI of a fuller record of scopus", 1);
  has("papers with the DOI of a fuller record of another year", 2);
  has("wos: DOIs that are none", 1);
  EXPECT_EQ(six(counts), (Six{4, 0, 1, 4, 0, 3}));
  EXPECT_EQ(papers_of(place, "one"), (std::vector<std::string>{"\"e1\"", "\"WOS:2\""}));
  const json provenance = json::parse(place.read("one/provenance.json"));
  EXPECT_EQ(provenance["settings"]["duplicates"], "inputs");
  EXPECT_EQ(provenance["inputs"].size(), 3u);  // each file once, though it was read twice
  EXPECT_EQ(provenance["counts"]["papers with the DOI of a fuller record, left out"], 2);

  const json kept = built(place, from, "kept", {"--set", "duplicates=keep"});
  EXPECT_EQ(kept["papers taken"], 4);
  EXPECT_FALSE(kept.contains("papers with the DOI of a fuller record, left out"));
  EXPECT_EQ(papers_of(place, "kept"),
            (std::vector<std::string>{"\"W1\"", "\"e1\"", "\"WOS:1\"", "\"WOS:2\""}));
}

// What one input says it has twice stays, unless it is asked for; then it says which are left out.
TEST(ExpertDuplicates, OneInputIsTakenAtItsWord) {
  const Workplace place;
  place.write("own.csv",
              "id,doi,year,authors\n1,10.1/a,2019,Ann Lee;Bob Ray\n"
              "2,doi:10.1/A,2019,Ann Lee;Bob Ray;Cy Poe\n");
  const json alone = built(place, {"records=own.csv"}, "alone");
  EXPECT_EQ(alone["papers taken"], 2);
  EXPECT_EQ(alone.dump(),
            built(place, {"records=own.csv"}, "kept", {"--set", "duplicates=keep"}).dump());
  const json joined = built(place, {"records=own.csv"}, "doi", {"--set", "duplicates=doi"});
  EXPECT_EQ(joined["papers taken"], 1);
  EXPECT_EQ(joined["records: papers with the DOI of a fuller record of records"], 1);
  EXPECT_EQ(papers_of(place, "doi"), (std::vector<std::string>{"\"2\""}));
  // Which of the two a second input tells is not known.
  place.write("works.jsonl", R"({"id":"W1","doi":"10.1/a","publication_year":2019,"authorships":[)"
                             R"({"raw_author_name":"Dee Fox"}]})"
                             "\n");
  const json unclear = built(place, {"records=own.csv", "openalex=works.jsonl"}, "unclear");
  EXPECT_EQ(unclear["papers taken"], 3);
  EXPECT_EQ(unclear["DOIs that one input has at several papers, which join nothing"], 1);
}

TEST(ExpertDuplicates, WhatCannotBeAskedForIsOneSentence) {
  const Workplace place;
  write_shared(place);
  const Outcome outcome =
      place.run(build_of({"wos=wos.txt"}, "out", {"--set", "duplicates=title"}));
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"duplicates", "title", "inputs", "doi", "keep"})
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  EXPECT_FALSE(fs::exists(place.path("out")));
}

struct Record {
  std::string id, doi;  // in lower case
  int year = 0;
  std::vector<std::pair<std::string, std::vector<std::string>>> authors;
};
using Records = std::map<std::string, std::vector<Record>>;  // by input

std::string spelled(const std::string& doi, std::mt19937& random) {
  std::string upper = doi;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  const std::vector<std::string> ways = {doi, upper, "https://doi.org/" + doi, "doi:" + upper,
                                         "http://dx.doi.org/" + doi};
  return doi.empty() ? "" : ways[random() % ways.size()];
}

Records made_records(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const char* const names[] = {"Ann Lee", "Bob Ray", "Cy Poe", "Dee Fox", "Eve Roy", "Gus Ott"};
  Records out;
  for (const char* input : {"openalex", "records", "wos"}) {
    for (int k = 0; k < 12; ++k) {
      Record one;
      one.id = std::string(input) + std::to_string(k);
      if (below(4) > 0) one.doi = "10.1000/p" + std::to_string(below(20));
      one.year = 2015 + below(3);
      std::vector<std::string> all(std::begin(names), std::end(names));
      std::shuffle(all.begin(), all.end(), random);
      all.resize(static_cast<std::size_t>(1 + below(4)));
      for (const std::string& name : all) {
        one.authors.push_back({name, {}});
        for (int place = 0, places = below(3); place < places; ++place)
          one.authors.back().second.push_back("Place " + std::to_string(place));
      }
      out[input].push_back(one);
    }
  }
  return out;
}

void write_records(const Workplace& place, const Records& records, std::mt19937& random) {
  std::string wos = "FN X\n", own = "id,DOI,year,authors,affiliations\n", works;
  for (const Record& one : records.at("wos")) {
    wos += "PT J\nAF ";
    for (std::size_t k = 0; k < one.authors.size(); ++k)
      wos += (k == 0 ? "" : "   ") + one.authors[k].first + "\n";
    std::string addresses;
    for (const auto& [name, places] : one.authors)
      for (const std::string& at : places)
        addresses += (addresses.empty() ? "C1 [" : "   [") + name + "] " + at + ".\n";
    wos += addresses + (one.doi.empty() ? "" : "DI " + spelled(one.doi, random) + "\n") +
           fmt::format("PY {}\nUT {}\nER\n", one.year, one.id);
  }
  for (const Record& one : records.at("records")) {
    std::vector<std::string> names, places;
    for (const auto& [name, at] : one.authors) {
      names.push_back(name);
      places.push_back(fmt::format("{}", fmt::join(at, "+")));
    }
    own += fmt::format("{},{},{},{},{}\n", one.id, spelled(one.doi, random), one.year,
                       fmt::join(names, ";"), fmt::join(places, ";"));
  }
  for (const Record& one : records.at("openalex")) {
    json line = {{"id", one.id}, {"publication_year", one.year}, {"doi", nullptr}};
    if (!one.doi.empty()) line["doi"] = spelled(one.doi, random);
    for (const auto& [name, places] : one.authors) {
      json author = {{"raw_author_name", name}, {"institutions", json::array()}};
      for (const std::string& at : places) author["institutions"].push_back({{"display_name", at}});
      line["authorships"].push_back(author);
    }
    works += line.dump() + "\n";
  }
  place.write("wos.txt", wos + "EF\n");
  place.write("own.csv", own);
  place.write("works.jsonl", works);
}

// Which papers stand, by comparing every record with every other.
std::vector<std::pair<std::string, Record>> standing(const Records& records) {
  std::vector<std::pair<std::string, Record>> all, out;
  for (const auto& [input, told] : records)
    for (const Record& one : told) all.emplace_back(input, one);
  const auto fullness = [](const std::pair<std::string, Record>& told) {
    int places = 0;
    for (const auto& [name, at] : told.second.authors) places += static_cast<int>(at.size());
    return std::tuple(-static_cast<int>(told.second.authors.size()), -places, told.first);
  };
  for (const auto& one : all) {
    bool stands = true, clear = true;
    for (const auto& a : all)
      for (const auto& b : all)
        if (&a != &b && a.first == b.first && a.second.doi == one.second.doi &&
            b.second.doi == one.second.doi)
          clear = false;
    for (const auto& other : all)
      if (&other != &one && other.second.doi == one.second.doi && fullness(other) < fullness(one))
        stands = false;
    if (one.second.doi.empty() || !clear || stands) out.push_back(one);
  }
  return out;
}

TEST(ExpertDuplicates, GraphsAreThoseOfASlowCount) {
  std::mt19937 random(3);
  std::int64_t joined = 0, unclear = 0;
  for (int round = 0; round < 12; ++round) {
    const Workplace place;
    const Records records = made_records(random);
    write_records(place, records, random);
    const auto left = standing(records);
    std::set<std::string> ids;
    std::set<std::tuple<std::string, std::string, int>> pairs, places;
    for (const auto& [input, paper] : left) {
      ids.insert("\"" + paper.id + "\"");
      for (const auto& [name, at] : paper.authors) {
        for (const auto& [other, nowhere] : paper.authors)
          if (name < other) pairs.emplace(name, other, paper.year);
        for (const std::string& where : at) places.emplace(name, where, paper.year);
      }
    }
    const json counts =
        built(place, {"wos=wos.txt", "records=own.csv", "openalex=works.jsonl"}, "out");
    EXPECT_EQ(counts["papers taken"], left.size());
    EXPECT_EQ(counts["papers read"], 36);
    EXPECT_EQ(counts["collaborations"], pairs.size());
    EXPECT_EQ(counts["partnerships"], places.size());
    const auto papers = papers_of(place, "out");
    EXPECT_EQ(std::set(papers.begin(), papers.end()), ids);
    joined += counts.value("papers with the DOI of a fuller record, left out", 0);
    unclear += counts.value("DOIs that one input has at several papers, which join nothing", 0);
    (void)built(place, {"openalex=works.jsonl", "wos=wos.txt", "records=own.csv"}, "turned");
    for (const char* file : {"/quadruples.csv", "/authorships.csv", "/provenance.json"})
      EXPECT_EQ(place.read(std::string("turned") + file), place.read(std::string("out") + file));
  }
  EXPECT_GT(joined, 40);
  EXPECT_GT(unclear, 10);
}

}  // namespace
}  // namespace cupel::test
