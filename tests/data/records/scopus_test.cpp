#include "cupel/data/records/scopus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "data/formats/made_files.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

made::ReadPublications read(const std::string& content) {
  const made::Folder folder;
  made::write_file(folder / "a.csv", content);
  return made::read_publications<ScopusReader>(folder / "a.csv");
}

using Counts = std::map<std::string, std::int64_t>;

const std::string kHead =
    "Authors,Title,Year,DOI,Affiliations,Authors with affiliations,Abstract,Author Keywords,"
    "Index Keywords,EID\n";

TEST(Scopus, BothOldFormsOfNamesAreToldApart) {
  const std::string rest =
      ",\"A \"\"title\"\", x<inf>2</inf>\",2015,10.1/x,\"Dept, Univ A; Inst B, City\","
      "\"Pan, Y., Dept, Univ A; de la Cruz, M.-J., Inst B, City, Dept, Univ A; Group\","
      "[No abstract available],a; B ,b; a,2-s2.0-1\n";
  for (const char* authors :
       {"\"Pan, Y., de la Cruz, M.-J., Group\"", "\"Pan Y., de la Cruz M.-J., Group\"",
        "Pan Y.; de la Cruz M.-J.; Group"}) {
    const auto got = read("\xef\xbb\xbf" + kHead + authors + rest);
    EXPECT_EQ(got.error, "");
    ASSERT_EQ(got.all.size(), 1U);
    const Publication& one = got.all[0];
    std::string names = made::authors_of(one);
    std::erase(names, ',');
    EXPECT_EQ(names, "Pan Y.[Dept Univ A]; de la Cruz M.-J.[Inst B City|Dept Univ A]; Group");
    EXPECT_EQ(one.title, "A \"title\", x2");
    EXPECT_EQ(one.abstract, "");
    EXPECT_EQ(one.keywords, (std::vector<std::string>{"a", "B", "b"}));
    EXPECT_EQ(one.year, 2015);
    EXPECT_EQ(one.id, "2-s2.0-1");
    EXPECT_EQ(got.places[0], ": line 2");
    EXPECT_EQ(got.counts, Counts{});
  }
}

TEST(Scopus, WithoutAffiliationsInitialsTellWhereANameEnds) {
  const auto names = [](const std::string& authors) {
    std::vector<std::string> out;
    for (const std::string_view one : scopus_names(authors, {})) out.emplace_back(one);
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("Pan, Y., Yu, C., Carroll, A.L."), (Names{"Pan, Y.", "Yu, C.", "Carroll, A.L."}));
  EXPECT_EQ(names("Yagai T., Kimura Y."), (Names{"Yagai T.", "Kimura Y."}));
  EXPECT_EQ(names("Smith, J., Jr., Lee, Yu.A."), (Names{"Smith, J., Jr.", "Lee, Yu.A."}));
  EXPECT_EQ(names("Knudson Jr. A.G., Lee B."), (Names{"Knudson Jr. A.G.", "Lee B."}));
  EXPECT_EQ(names("Janko Wolfgang"), (Names{"Janko Wolfgang"}));
  EXPECT_EQ(names(""), Names{});
}

TEST(Scopus, NewExportsHaveFullNamesAndIds) {
  const auto got = read(
      "\"Authors\",\"Author full names\",\"Author(s) ID\",\"Title\",\"Year\",\"Affiliations\","
      "\"Authors with affiliations\"\n"
      "\"Pan Y.; Yu C.\",\"Pan, Ying (57188); Yu, Chengqun (123)\",\"57188;123\",\"T\",\"2023\","
      "\"Inst A, Lhasa; Inst B\",\"Pan Y., Inst A, Lhasa, email: p@x.cn; Yu C., Inst B\"\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Pan, Ying/57188[Inst A, Lhasa]; Yu, Chengqun/123[Inst B]");
  EXPECT_EQ(got.counts, Counts{});
}

TEST(Scopus, AffiliationsMayStandBehindFullNames) {
  const auto got = read(
      "Authors,Author full names,Title,Year,Affiliations,Authors with affiliations\n"
      "\"Pan, Y.; Yu, C.\",\"Pan, Ying (57188); Yu, Chengqun (123)\",T,2024,"
      "\"Inst A, Lhasa; Inst B\",\"Pan, Ying, Inst A, Lhasa, Inst B; Yu, Chengqun, Inst B\"\n"
      "\"Pan Y.; Yu C.\",\"Pan, Ying (57188); Yu, Chengqun (123)\",T,2024,\"Inst A; Inst B\","
      "\"Pan, Yin, Inst A; Yu C., Inst B\"\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Pan, Ying[Inst A, Lhasa|Inst B]; Yu, Chengqun[Inst B]");
  EXPECT_EQ(made::authors_of(got.all.at(1)), "Pan, Ying; Yu, Chengqun[Inst B]");
  EXPECT_EQ(got.counts, (Counts{{"affiliations of another name than the author's", 1}}));
}

TEST(Scopus, WhereNobodyKnowsWhoBelongsWhereItIsCounted) {
  const auto got = read(kHead + "\"Pan, Y., Yu, C.\",T,,,X,\"Pan, Y., X\",,,,e\n" +
                        "\"Pan Y., Yu C.\",T,20x5,d,X,\"Pan, Y., X; Yu, C.X\",,,,\n" +
                        "[No author name available],T,1999,,,[No author name available],,,,\n"
                        "Anon,T,1999,,,Anon,,,,\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Pan, Y.; Yu, C.");
  EXPECT_EQ(made::authors_of(got.all.at(1)), "Pan Y.[X]; Yu C.");
  EXPECT_EQ(got.all.at(1).id, "d");
  EXPECT_EQ(got.counts, (Counts{{"records whose affiliations are not a part for each author", 1},
                                {"affiliations of another name than the author's", 1},
                                {"records without year", 1},
                                {"years that are none", 1},
                                {"DOIs that are none", 1},
                                {"authors without name", 2},
                                {"records without authors", 2}}));
}

TEST(Scopus, AffiliationsOfSeveralAuthorsAreNobodysAlone) {
  const auto got = read(
      "Authors,Title,Year,Affiliations,EID\n\"A B.; C D.\",t,2019,\"Univ A, X; Univ B, Y\",e1\n"
      "A B.,t,2018,\"Univ A, X\",e2");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "A B.; C D.");
  EXPECT_EQ(made::authors_of(got.all.at(1)), "A B.[Univ A, X]");
  EXPECT_EQ(got.counts,
            (Counts{{"records whose affiliations cannot be told to belong to an author", 1},
                    {"files whose last line has no end, as if they were cut off", 1}}));
}

TEST(Scopus, NamesLoseTheirMarkupAndYearsTheirPoint) {
  const auto got = read(kHead +
                        "Lee A.<sup>1</sup>; Poe B.,T<sup>2</sup>,2019.0,,\"<sup>1</sup>Inst A, "
                        "Lhasa; Inst B\",\"Lee A.<sup>1</sup>, <sup>1</sup>Inst A, Lhasa; Poe B., "
                        "Inst B\",,,,e\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Lee A.[Inst A, Lhasa]; Poe B.[Inst B]");
  EXPECT_EQ(got.all[0].title, "T2");
  EXPECT_EQ(got.all[0].year, 2019);
  EXPECT_EQ(got.counts, (Counts{{"affiliations with markup, taken out", 1},
                                {"names with markup, taken out", 1},
                                {"names with marks of footnotes, taken off", 1}}));
}

TEST(Scopus, AffiliationsWithoutALetterAreCounted) {
  const auto got = read(kHead + "Lee A.; Poe B.,T,2019,,,\"Lee A., -; Poe B., X\",,,,e\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Lee A.; Poe B.[X]");
  EXPECT_EQ(got.counts, (Counts{{"affiliations without a letter, left out", 1}}));
}

TEST(Scopus, EtAlIsNobody) {
  const std::string rest = ",T,2015,,X; Y,\"Kim D., X; Lee B., Y\",,,,e\n";
  for (const char* authors :
       {"\"Kim D., Lee B., et al.\"", "\"Kim, D., Lee, B. et al\"", "Kim D.; Lee B.; and others"}) {
    const auto got = read(kHead + authors + rest);
    std::string names = made::authors_of(got.all.at(0));
    std::erase(names, ',');
    EXPECT_EQ(names, "Kim D.[X]; Lee B.[Y]");
    EXPECT_EQ(got.counts,
              (Counts{{"papers whose list of authors is cut short by 'et al.' or 'others'", 1}}));
  }
}

TEST(Scopus, FieldsGoOverLinesAndOddRowsAreCounted) {
  const auto got = read("Authors,Title,Year\nLee A.,\"one\n\ntwo\",2001\n\nodd,row\nB C.,x,2002\n");
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 2U);
  EXPECT_EQ(got.all[0].title, "one two");
  EXPECT_EQ(got.places[1], ": line 7");
  EXPECT_EQ(got.counts, (Counts{{"rows of another number of fields than the first line", 1}}));
}

// As a spreadsheet saves the table again where commas stand before decimals.
TEST(Scopus, SemicolonsOrTabsMayStandBetweenColumns) {
  for (const char mark : {';', '\t'}) {
    std::string text =
        "Authors|\"Title, full\"|Year|Affiliations|Authors with affiliations\n"
        "\"Pan Y.; Yu C.\"|x, y|2019|\"A, B; C\"|\"Pan Y., A, B; Yu C., C\"\n";
    std::ranges::replace(text, '|', mark);
    const auto got = read(text);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(made::authors_of(got.all.at(0)), "Pan Y.[A, B]; Yu C.[C]");
    EXPECT_EQ(got.all[0].year, 2019);
    EXPECT_EQ(got.counts, Counts{});
  }
}

TEST(Scopus, OtherFilesAreRefusedInOneSentence) {
  const std::map<std::string, std::string> refused = {
      {"", ": is empty"},
      {"a,b\n1,2\n",
       ": line 1: has no column Authors, which exports of Scopus have; its columns "
       "are 'a', 'b'"},
      {"Authors\tTitle\n", ": line 1: has no column Year"},
      {"\"Authors\";\"Title\"\n", ": line 1: has no column Year"},
      {"Authors,Title\nA,b\n", ": line 1: has no column Year, without which no record counts"},
      {"Authors,Year\n\nA,\"b\nc\n", ": line 3: a quoted field has no closing quote"},
      {"Authors,Year\nA,\"b\"c\n", ": line 2: text follows a closing quote"},
      {"\"Authors\",\"Year\"\r\"A\",\"2001\"\r",
       ": line 1: ends lines with carriage returns alone"},
      {"Authors,Year\rA,2001\r", ": line 1: ends lines with carriage returns alone"},
      {"Year,Authors\r2001,\r", ": line 1: ends lines with carriage returns alone"},
      {"Authors,Year\nA,\"b\nG\xf6\"\n", ": line 3: is not UTF-8"},
      {"Authors,Year\nA\nB\n", ": line 3: has 1 fields where line 1 has 2"},
  };
  for (const auto& [content, message] : refused) {
    const std::string error = read(content).error;
    EXPECT_TRUE(error.starts_with(message)) << error;
  }
}

// Rows, authors, affiliations of authors (whole parts of the column Affiliations, by search with
// turning back), sum of years: counted by Python's csv and re.
TEST(Scopus, RealExportsCountAsPlainPythonCounts) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "needs CUPEL_DATA";
  std::filesystem::path folder;
  for (const char* place : {"records", "expert/records"})
    if (std::filesystem::exists(std::filesystem::path(data) / place / "scopus.csv"))
      folder = std::filesystem::path(data) / place;
  if (folder.empty()) GTEST_SKIP() << "CUPEL_DATA has no records/scopus.csv";
  using Row = std::array<std::int64_t, 4>;
  const std::map<std::string, Row> expected = {
      {"scopus.csv", {20, 90, 117, 40319}},
      // Python has 2031 names, of which one is "Anon".
      {"scopus_testing.csv.scopus", {220, 2030, 2190, 440126}}};
  for (const auto& [file, row] : expected) {
    const auto got = made::read_publications<ScopusReader>(folder / file);
    Row sums{};
    for (const Publication& one : got.all) {
      ++sums[0], sums[1] += std::ssize(one.authors), sums[3] += one.year.value_or(0);
      for (const Author& author : one.authors) sums[2] += std::ssize(author.affiliations);
    }
    EXPECT_EQ(got.error, "") << file;
    EXPECT_EQ(sums, row) << file;
  }
}

}  // namespace
}  // namespace cupel
