// Two papers in each of the eight forms that `cupel build expert` takes.
//
// "Fair machine translation" (2019) is by Ann Lee of X and Bob Ray of Y, "Causal trees" (2020) by
// Bob Ray and Cy Poe. By hand: three scientists and two collaborations; fair, machine translation
// and causal are capabilities, so that 2 x 2 + 2 x 1 = 6 facts of expertise; two partnerships.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/program.h"

namespace cupel::test {

using nlohmann::json;
namespace fs = std::filesystem;

inline std::string acl(const std::string& id, const std::string& year, const std::string& title,
                       const std::string& authors) {
  return "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"" + id +
         "\"><volume id=\"1\"><meta><booktitle>B</booktitle><year>" + year +
         "</year></meta><frontmatter><editor><first>No</first><last>Body</last></editor>"
         "</frontmatter><paper id=\"1\"><title>" +
         title + "</title>" + authors + "</paper></volume></collection>\n";
}

inline const std::string kAclFirst =
    acl("P19", "2019", "<fixed-case>F</fixed-case>air machine translation",
        "<author><first>Ann</first><last>Lee</last><affiliation>X</affiliation></author>"
        "<author><first>Bob</first><last>Ray</last><affiliation>Y</affiliation></author>");
inline const std::string kAclSecond = acl("P20", "2020", "Causal trees",
                                          "<author><first>Bob</first><last>Ray</last></author>"
                                          "<author><first>Cy</first><last>Poe</last></author>");

inline std::string tei(const std::string& year, const std::string& title,
                       const std::string& authors) {
  return "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt><title>" +
         title + "</title></titleStmt><publicationStmt><date type=\"published\" when=\"" + year +
         "\"/></publicationStmt><sourceDesc><biblStruct><analytic>" + authors +
         "</analytic></biblStruct></sourceDesc></fileDesc></teiHeader></TEI>";
}

inline std::string tei_author(const std::string& first, const std::string& last,
                              const std::string& place) {
  return "<author><persName><forename type=\"first\">" + first + "</forename><surname>" + last +
         "</surname></persName>" +
         (place.empty() ? ""
                        : "<affiliation><orgName type=\"institution\">" + place +
                              "</orgName></affiliation>") +
         "</author>";
}

inline std::string work(const std::string& id, int year, const std::string& title,
                        const std::vector<std::pair<std::string, std::string>>& authors) {
  json out = {{"id", id}, {"publication_year", year}, {"title", title}};
  for (const auto& [name, place] : authors) {
    json one = {{"author", {{"id", "https://openalex.org/" + name}, {"display_name", name}}},
                {"institutions", json::array()}};
    if (!place.empty()) one["institutions"].push_back({{"display_name", place}});
    out["authorships"].push_back(one);
  }
  return out.dump() + "\n";
}

// Records of one paper a year, from 2017 to 2020.
constexpr const char* kFourPapers =
    "id,year,title,authors,affiliations\n"
    "1,2017,Fair,Ann Lee;Bob Ray,X;Y\n"
    "2,2018,Trees,Bob Ray;Cy Poe,\n"
    "3,2019,Fair,Ann Lee;Cy Poe,\n"
    "4,2020,Fair,Bob Ray;Ann Lee;Dee Fox,X;;Z\n";

// Writes the two papers in every form: folders acl, paperlists, tei and expert, files for others.
inline void write_all(const Workplace& place) {
  for (const char* folder : {"acl", "paperlists", "tei", "graph"})
    fs::create_directory(place.path(folder));
  place.write("acl/P19.xml", kAclFirst);
  place.write("acl/P20.xml", kAclSecond);
  place.write("paperlists/v2019.json",
              R"([{"id":"a","title":"Fair machine translation","status":"Poster",)"
              R"("author":"Ann Lee;Bob Ray","aff":"X;Y"},)"
              R"({"id":"r","title":"Causal","status":"Reject","author":"No;Body"}])");
  place.write("paperlists/v2020.json",
              R"([{"id":"b","title":"Causal trees","author":"Bob Ray, Cy Poe"}])");
  place.write("tei/one.tei.xml",
              tei("2019", "Fair machine translation",
                  tei_author("Ann", "Lee", "X") + tei_author("Bob", "Ray", "Y")));
  place.write("tei/two.tei.xml", tei("2020-05-01", "Causal trees",
                                     tei_author("Bob", "Ray", "") + tei_author("Cy", "Poe", "")));
  place.write("wos.txt",
              "FN Clarivate Analytics Web of Science\nVR 1.0\n"
              "PT J\nAU Lee, A\n   Ray, B\nAF Lee, Ann\n   Ray, Bob\nTI Fair machine\n"
              "   translation\nC1 [Lee, Ann] X.\n   [Ray, Bob] Y.\nPY 2019\nUT WOS:1\nER\n\n"
              "PT J\nAU Ray, B\n   Poe, C\nAF Ray, Bob\n   Poe, Cy\nTI Causal trees\nPY 2020\n"
              "UT WOS:2\nER\n\nEF\n");
  place.write(
      "scopus.csv",
      "\xef\xbb\xbf"
      "Authors,Title,Year,Affiliations,Authors with affiliations,EID\n"
      "\"Lee A., Ray B.\",Fair machine translation,2019,\"X; Y\",\"Lee A., X; Ray B., Y\",e1\n"
      "\"Ray B., Poe C.\",Causal trees,2020,,,e2\n");
  place.write(
      "graph/S_Nodes_Paper.jsonl",
      "{\"nodeType\":\"Paper\",\"nodeID\":\"1\",\"title\":\"Fair machine translation\","
      "\"year\":2019}\n"
      "{\"nodeType\":\"Paper\",\"nodeID\":\"2\",\"title\":\"Causal trees\",\"year\":2020}\n");
  place.write("graph/S_Nodes_Scientist.jsonl",
              "{\"nodeType\":\"Scientist\",\"nodeID\":\"a\",\"displayName\":\"Ann Lee\"}\n"
              "{\"nodeType\":\"Scientist\",\"nodeID\":\"b\",\"displayName\":\"Bob Ray\"}\n"
              "{\"nodeType\":\"Scientist\",\"nodeID\":\"c\",\"displayName\":\"Cy Poe\"}\n");
  place.write("graph/S_Links_Author Of.jsonl",
              "{\"from\":\"a\",\"to\":\"1\",\"edgeType\":\"Author Of\"}\n"
              "{\"from\":\"b\",\"to\":\"1\",\"edgeType\":\"Author Of\"}\n"
              "{\"from\":\"b\",\"to\":\"2\",\"edgeType\":\"Author Of\"}\n"
              "{\"from\":\"c\",\"to\":\"2\",\"edgeType\":\"Author Of\"}\n");
  place.write("graph/S_Links_Belongs To.jsonl",
              "{\"from\":\"a\",\"to\":\"X\",\"edgeType\":\"Belongs To\",\"date\":2019}\n"
              "{\"from\":\"b\",\"to\":\"Y\",\"edgeType\":\"Belongs To\",\"date\":2019}\n");
  place.write("works.jsonl",
              work("W1", 2019, "Fair machine translation", {{"Ann Lee", "X"}, {"Bob Ray", "Y"}}) +
                  work("W2", 2020, "Causal trees", {{"Bob Ray", ""}, {"Cy Poe", ""}}));
  place.write("own.csv",
              "id,year,title,authors,affiliations\n"
              "p1,2019,Fair machine translation,Ann Lee;Bob Ray,X;Y\n"
              "p2,2020,Causal trees,Bob Ray;Cy Poe,\n");
}

inline std::vector<std::string> build_of(const std::vector<std::string>& from,
                                         const std::string& out,
                                         const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"build", "expert", "--out", out};
  for (const std::string& one : from) all.insert(all.end(), {"--from", one});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

inline json built(const Workplace& place, const std::vector<std::string>& from,
                  const std::string& out, std::vector<std::string> more = {}) {
  more.push_back("--json");
  const Outcome outcome = place.run(build_of(from, out, more));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.code == 0 ? json::parse(outcome.out)["counts"] : json();
}

using Six = std::vector<int>;
inline Six six(const json& counts) {
  Six out;
  for (const char* what : {"scientists", "institutions", "capabilities", "collaborations",
                           "partnerships", "facts of expertise"})
    out.push_back(counts.value(what, -1));
  return out;
}
inline const Six kByHand = {3, 2, 3, 2, 2, 6};

}  // namespace cupel::test
