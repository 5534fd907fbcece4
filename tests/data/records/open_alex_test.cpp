#include "cupel/data/records/open_alex.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cupel/base/random.h"
#include "data/formats/made_files.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

made::ReadPublications read(const std::string& content) {
  const made::Folder folder;
  made::write_file(folder / "part_000", content);
  return made::read_publications<OpenAlexReader>(folder / "part_000");
}

using Counts = std::map<std::string, std::int64_t>;

const std::string kWork =
    R"({"id": "https://openalex.org/W1", "doi": null, "display_name": "A <i>t</i>itle",)"
    R"( "title": "A <i>t</i>itle", "publication_year": 2014, "locations": [{"a": [1, {}]}, []],)"
    R"( "authorships": [{"author_position": "first", "author": {"id": "https://openalex.org/A5",)"
    R"( "display_name": "Jos\u00e9 Lee", "orcid": null}, "institutions": [{"id": "x",)"
    R"( "display_name": "Univ A"}, {"display_name": "Univ B"}, {"display_name": "Univ A"}],)"
    R"( "raw_author_name": "J. Lee*", "raw_affiliation_strings": ["Dept, Univ A"]},)"
    R"( {"author": {"id": null, "display_name": "Ann Smith"}, "institutions": [],)"
    R"( "raw_author_name": null, "raw_affiliation_strings": ["Inst C, City"]},)"
    R"( {"author": {"id": "https://openalex.org/A9", "display_name": null}}],)"
    R"( "keywords": [{"id": "k", "display_name": "Fuel", "score": 0.5}, {"keyword": "rod"}],)"
    R"( "concepts": [{"display_name": "Fuel", "level": 1}, {"display_name": "Physics"}],)"
    R"( "abstract_inverted_index": {"We": [0, 3], "\"test\"": [1], "it.": [2], "end": [5]}})";

TEST(OpenAlex, AWorkIsReadAsDocumented) {
  const auto got = read(kWork + "\n\n" + kWork + "\r\n");
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 2U);
  EXPECT_EQ(got.places[1], ": line 3");
  for (const Publication& one : got.all) {
    EXPECT_EQ(one.id, "https://openalex.org/W1");
    EXPECT_EQ(one.year, 2014);
    EXPECT_EQ(one.title, "A title");
    EXPECT_EQ(one.abstract, "We \"test\" it. We end");
    EXPECT_EQ(one.keywords, (std::vector<std::string>{"Fuel", "rod"}));
    EXPECT_EQ(made::authors_of(one),
              "J. Lee/https://openalex.org/A5[Univ A|Univ B]; Ann Smith[Inst C, City]");
  }
  EXPECT_EQ(got.counts, (Counts{{"authors without name, but with an id", 2},
                                {"names with marks of footnotes, taken off", 2}}));
}

TEST(OpenAlex, TheFileIsMeasuredAndHashed) {
  const made::Folder folder;
  made::write_file(folder / "a", kWork);
  OpenAlexReader reader(folder / "a");
  Publication one;
  ASSERT_TRUE(reader.next(one));
  EXPECT_FALSE(reader.next(one));
  EXPECT_EQ(reader.file_bytes(), kWork.size());
  EXPECT_EQ(reader.sha256().size(), 64U);
}

// OpenAlex gives two ids to authors whom it cannot tell apart, and to those it took out.
TEST(OpenAlex, IdsOfNobodyAreNone) {
  const auto got =
      read(R"({"id":"W1","publication_year":2019,"authorships":[)"
           R"({"author":{"id":"https://openalex.org/A9999999999"},"raw_author_name":"Ann Lee"},)"
           R"({"author":{"id":"a5317838346"},"raw_author_name":"Bo Wu"},)"
           R"({"author":{"id":"https://openalex.org/A99999999990"},"raw_author_name":"Cy Poe"},)"
           R"({"author":{"id":"https://openalex.org/A9999999999"},"raw_author_name":null}]})");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Ann Lee; Bo Wu; Cy Poe/https://openalex.org/A99999999990");
  EXPECT_EQ(got.counts, (Counts{{"authors whose id is OpenAlex's for nobody, known by name", 2},
                                {"authors without name", 1}}));
}

TEST(OpenAlex, YearsMayBeWrittenAsPandasDoes) {
  const auto got = read(
      "{\"id\":\"W1\",\"publication_year\":2020.0}\n{\"id\":\"W2\",\"publication_year\":2020.5}\n"
      "{\"id\":\"W3\",\"publication_year\":20200}\n{\"id\":\"W4\",\"publication_year\":null}\n");
  EXPECT_EQ(got.all.at(0).year, 2020);
  EXPECT_EQ(got.all.at(1).year, std::nullopt);
  EXPECT_EQ(got.all.at(2).year, std::nullopt);
  EXPECT_EQ(got.counts.at("years that are none"), 2);
  EXPECT_EQ(got.counts.at("records without year"), 1);
}

TEST(OpenAlex, NamesLoseTheirMarkup) {
  const auto got = read(R"({"id":"W1","publication_year":2019,"authorships":[{"raw_author_name":)"
                        R"("Ann Lee<sup>1</sup>","raw_affiliation_strings":)"
                        R"(["<sup>1</sup>Dept of X, <i>MIT</i>","Dept of X, MIT"]}]})");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Ann Lee[Dept of X, MIT]");
  EXPECT_EQ(got.counts, (Counts{{"affiliations with markup, taken out", 1},
                                {"names with markup, taken out", 1},
                                {"names with marks of footnotes, taken off", 1}}));
}

TEST(OpenAlex, AffiliationsWithoutALetterAreCounted) {
  const auto got = read(R"({"id":"W1","publication_year":2019,"authorships":[{"raw_author_name":)"
                        R"("Ann Lee","raw_affiliation_strings":["-","NA","MIT",""]}]})");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Ann Lee[NA|MIT]");
  EXPECT_EQ(got.counts,
            (Counts{{"affiliations without a letter, left out", 1},
                    {"affiliations that say there is none, as 'N/A', left as they are", 1}}));
}

// Of one author an institution, a list of affiliations, their objects, or nothing.
TEST(OpenAlex, AffiliationsAreThoseThatItTellsBest) {
  const std::string objects =
      R"("affiliations":[{"raw_affiliation_string":"Dept, X","institution_ids":[]},)"
      R"({"raw_affiliation_string":"Lab Y"},{"raw_affiliation_string":null}])";
  const auto got = read(R"({"id":"W1","publication_year":2019,"authorships":[)"
                        R"({"raw_author_name":"A",)" +
                        objects +
                        R"(,"institutions":[{"display_name":"Univ A"}]},)"
                        R"({"raw_author_name":"B",)" +
                        objects +
                        R"(,"raw_affiliation_strings":["Inst B"]},)"
                        R"({"raw_author_name":"C","institutions":[],)" +
                        objects +
                        R"(},)"
                        R"({"raw_author_name":"D","affiliations":null}]})");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "A[Univ A]; B[Inst B]; C[Dept, X|Lab Y]; D");
  EXPECT_EQ(got.counts, Counts{});
}

TEST(OpenAlex, WhatIsMissingIsEmptyAndNothingIsLeftOfTheWorkBefore) {
  const auto got = read(kWork + "\n{\"id\":\"W2\"}\n" +
                        R"({"id":"W3","publication_year":"2001","authorships":{},"title":7,)"
                        R"("display_name":"D","abstract_inverted_index":null,"keywords":[1]})");
  EXPECT_EQ(got.error, "");
  const Publication& two = got.all.at(1);
  EXPECT_EQ(two.year, std::nullopt);
  EXPECT_TRUE(two.title.empty() && two.abstract.empty() && two.keywords.empty());
  EXPECT_TRUE(two.authors.empty());
  EXPECT_EQ(got.all.at(2).title, "D");
  EXPECT_EQ(got.counts.at("fields of another kind than documented"), 4);
  EXPECT_EQ(got.counts.at("records without year"), 2);
  EXPECT_EQ(got.counts.at("records without authors"), 2);
}

TEST(OpenAlex, EtAlIsNobody) {
  const auto got =
      read(R"({"id":"W1","publication_year":2001,"authorships":[{"raw_author_name":"Kim D."},)"
           R"({"author":{"id":"A1","display_name":"Et Al"},"raw_author_name":"et al."}]})");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Kim D.");
  EXPECT_EQ(got.counts,
            (Counts{{"papers whose list of authors is cut short by 'et al.' or 'others'", 1}}));
}

TEST(OpenAlex, WhatHasNoNameOrMayNotCountIsCounted) {
  const auto got =
      read(R"({"id":"W1","publication_year":2001,"is_retracted":true,"is_paratext":false,)"
           R"("authorships":[{"raw_author_name":"Kim D.","institutions":[{"id":"I1",)"
           R"("display_name":null},{"id":"I2","display_name":"Univ A"}]},{"author":{"id":null}}]})"
           "\n"
           R"({"id":"W2","publication_year":2001,"is_retracted":null,"is_paratext":true,)"
           R"("is_authors_truncated":true,)"
           R"("authorships":[{"raw_author_name":"Lee B."},)"
           R"({"author":{"id":"https://openalex.org/A9","display_name":null}}]})");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Kim D.[Univ A]");
  EXPECT_EQ(made::authors_of(got.all.at(1)), "Lee B.");
  EXPECT_EQ(got.counts, (Counts{{"authors without name", 1},
                                {"authors without name, but with an id", 1},
                                {"institutions without name", 1},
                                {"works that are paratext, taken like others", 1},
                                {"works that are retracted, taken like others", 1},
                                {"works with more authors than are listed", 1}}));
}

TEST(OpenAlex, PlacesThatAreNotOneWordsAreNoAbstract) {
  std::string text;
  const std::string word(600, 'w');
  for (const std::string& index :
       {std::string(R"({"a":[0],"b":[0]})"), std::string(R"({"a":[-1]})"),
        std::string(R"({"a":[1e3]})"), std::string(R"({"a":[4000000]})")})
    text += R"({"id":"W1","abstract_inverted_index":)" + index + "}\n";
  std::string places = "0";  // over 1 MiB of text in 14 KiB
  for (int k = 1; k < 2000; ++k) places += "," + std::to_string(k);
  text += R"({"id":"W1","abstract_inverted_index":{")" + word + "\":[" + places + "]}}\n";
  const auto got = read(text);
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 5U);
  for (const Publication& one : got.all) EXPECT_EQ(one.abstract, "");
  EXPECT_EQ(got.counts.at("abstracts that cannot be put together"), 5);
}

TEST(OpenAlex, BrokenLinesAreCountedWhereTheFileGoesOn) {
  const auto got = read(kWork + "\n{\"id\": \"W2\",\n[1]\n{\"id\":\"https://openalex.org/A7\"}\n" +
                        kWork + "\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.all.size(), 2U);
  EXPECT_EQ(got.counts.at("lines that cannot be read"), 1);
  EXPECT_EQ(got.counts.at("lines that are no works"), 2);
}

TEST(OpenAlex, PartsWithoutAWorkAreCounted) {
  for (const char* content : {"", "\n\n"}) {
    const auto got = read(content);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.counts, (std::map<std::string, std::int64_t>{{"files without a work", 1}}));
  }
}

TEST(OpenAlex, OtherFilesAreRefusedInOneSentence) {
  const std::map<std::string, std::string> refused = {
      {"id,title\n", ": line 1: is no JSON: byte 1: a value is needed"},
      {kWork + "\n" + kWork.substr(0, 300), ": line 2: is no JSON: byte 301: it is cut off"},
      {R"({"meta":{},"results":[]})", ": line 1: is an answer of the API"},
      {"{\n  \"meta\": {},\n  \"results\": []\n}\n",
       ": line 1: begins one JSON document that goes on over the next lines, where one work a line "
       "is wanted; write its works one a line, as jq -c '.results[]? // .' does"},
      {"\n[\n" + kWork + ",\n" + kWork + "\n]\n",
       ": line 2: begins one JSON document that goes on over the next lines, where one work a line "
       "is wanted; write its works one a line, as jq -c '.[]' does"},
      {kWork.substr(0, 300) + "\n" + kWork + "\n", ": line 1: is no JSON: byte 301: it is cut off"},
      {"[" + kWork + "]\n", ": line 1: is a list, no work; give OpenAlex works, one a line, as jq"},
      {"7\n", ": line 1: is no object; give OpenAlex works, one a line"},
      {R"({"title":"x"})", ": line 1: is an object without 'id'"},
      {R"({"id":"https://openalex.org/A1"})", ": line 1: has the id 'https://openalex.org/A1'"},
      {kWork + "\n{\"id\":\"G\xf6\"}\n", ": line 2: is not UTF-8"},
  };
  for (const auto& [content, message] : refused) {
    const std::string error = read(content).error;
    EXPECT_TRUE(error.starts_with(message)) << error;
  }
}

bool is_json(std::string_view line) {
  try {
    JsonLine json(line);
    json.skip();
    json.end();
    return true;
  } catch (const JsonProblem& problem) {
    EXPECT_LE(problem.byte, line.size());
    return false;
  }
}

// Against another reader: JSON with one or two characters changed.
TEST(JsonLine, AcceptsWhatIsJson) {
  const std::string start =
      R"({"a":[1,-0.5e+3,"x\u00e9\ud83d\ude00\n",true,false,null,{}],"bcdefghijk":[[],[{"c":""}]]})";
  constexpr std::string_view kOther = R"({}[]",:\0u1e+-.tx )";
  int good = 0, bad = 0;
  for (std::uint32_t k = 0; k < 20000; ++k) {
    Stream random(stream_key("changed JSON"), 1, 0, k);
    std::string text = start;
    for (std::uint32_t changes = 1 + random.next_below(2); changes > 0; --changes) {
      const std::size_t at = random.next_below(static_cast<std::uint32_t>(text.size()));
      const char other = kOther[random.next_below(std::uint32_t{kOther.size()})];
      if (random.next_below(3) == 0) {
        text.erase(at, 1);
      } else {
        text[at] = other;
      }
    }
    const bool json = nlohmann::json::accept(text);
    ++(json ? good : bad);
    ASSERT_EQ(is_json(text), json) << text;
  }
  EXPECT_GT(good, 500);
  EXPECT_GT(bad, 5000);
  const std::string deep(JsonLine::kDeepest, '['), close(JsonLine::kDeepest, ']');
  EXPECT_TRUE(is_json(deep + close));
  EXPECT_FALSE(is_json("[" + deep + close + "]"));
}

}  // namespace
}  // namespace cupel
