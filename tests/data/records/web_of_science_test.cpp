#include "cupel/data/records/web_of_science.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "data/formats/made_files.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

made::ReadPublications read(const std::string& content) {
  const made::Folder folder;
  made::write_file(folder / "a.txt", content);
  return made::read_publications<WebOfScienceReader>(folder / "a.txt");
}

using Counts = std::map<std::string, std::int64_t>;

const std::string kHead = "FN Clarivate Analytics Web of Science\nVR 1.0\n";
const std::string kRecord =
    "PT J\n"
    "AU Smith, J\n   Lee, A\n"
    "AF Smith, John\n   Lee, Ann B.\n"
    "TI A title over\n   two lines\n"
    "SO J TEST\n   AND MORE\n"
    "DE fuel rod; Uranium\nID URANIUM; fuel\n   rod cladding; Uranium\n"
    "AB CO<sub>2</sub> &lt; 5 %.\n"
    "C1 [Smith, John; Lee, Ann B.] Univ A, Dept B, Town, Land.\n   [Lee, A] Inst C, City, Land.\n"
    "PY 2016\nDI 10.1/x\nUT WOS:1\nER\n\n";

TEST(WebOfScience, AFieldIsWhatItsTagSays) {
  for (const char* mark : {"", "\xef\xbb\xbf"}) {
    const auto got = read(mark + kHead + kRecord + "EF\n");
    EXPECT_EQ(got.error, "");
    ASSERT_EQ(got.all.size(), 1U);
    const Publication& one = got.all[0];
    EXPECT_EQ(one.id, "WOS:1");
    EXPECT_EQ(one.year, 2016);
    EXPECT_EQ(one.title, "A title over two lines");
    EXPECT_EQ(one.abstract, "CO2 < 5 %.");
    EXPECT_EQ(one.keywords,
              (std::vector<std::string>{"fuel rod", "Uranium", "URANIUM", "fuel rod cladding"}));
    EXPECT_EQ(made::authors_of(one),
              "Smith, John[Univ A, Dept B, Town, Land]; "
              "Lee, Ann B.[Univ A, Dept B, Town, Land|Inst C, City, Land]");
    EXPECT_EQ(got.places[0], ": line 3");
    EXPECT_EQ(got.counts, (Counts{{"texts with HTML entities, decoded", 1}}));
  }
}

// The same record as a row, with the columns in another order and one that nothing reads.
const std::string kColumns = "PT\tAU\tAF\tTI\tSO\tDE\tID\tC1\tAB\tUT\tPY\tDI";
const std::string kRow =
    "J\tSmith, J; Lee, A\tSmith, John; Lee, Ann B.\tA title over two lines\tJ TEST AND MORE\t"
    "fuel rod; Uranium\tURANIUM; fuel rod cladding; Uranium\t"
    "[Smith, John; Lee, Ann B.] Univ A, Dept B, Town, Land; [Lee, A] Inst C, City, Land\t"
    "CO<sub>2</sub> &lt; 5 %.\tWOS:1\t2016\t10.1/x";

TEST(WebOfScience, EtAlIsNobody) {
  std::string record = kRecord;
  record.replace(record.find("AF Smith"), 0, "   et al.\n");
  record.replace(record.find("TI A title"), 0, "   et al\n");
  const auto got = read(kHead + record + "EF\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Smith, John[Univ A, Dept B, Town, Land]; "
            "Lee, Ann B.[Univ A, Dept B, Town, Land|Inst C, City, Land]");
  EXPECT_EQ(got.counts.at("papers whose list of authors is cut short by 'et al.' or 'others'"), 1);
}

TEST(WebOfScience, ATableHasWhatTaggedTextHas) {
  const auto tagged = read(kHead + kRecord + "EF\n");
  // With and without a tab behind the last column, in the first line and in rows.
  for (const char* header_end : {"\n", "\t\n", "\r\n"}) {
    for (const char* row_end : {"\n", "\t\n", "\r\n", ""}) {
      const auto got = read("\xef\xbb\xbf" + kColumns + header_end + "\n" + kRow + row_end);
      EXPECT_EQ(got.error, "");
      ASSERT_EQ(got.all.size(), 1U);
      const Publication& one = got.all[0];
      const Publication& same = tagged.all.at(0);
      EXPECT_EQ(one.id, same.id);
      EXPECT_EQ(one.year, same.year);
      EXPECT_EQ(one.title, same.title);
      EXPECT_EQ(one.abstract, same.abstract);
      EXPECT_EQ(one.keywords, same.keywords);
      EXPECT_EQ(made::authors_of(one), made::authors_of(same));
      EXPECT_EQ(got.places[0], ": line 3");
      Counts counts = tagged.counts;
      if (*row_end == 0) counts["files whose last line has no end, as if they were cut off"] = 1;
      EXPECT_EQ(got.counts, counts);
    }
  }
}

TEST(WebOfScience, RowsOfATableThatAreCutOffAreCounted) {
  const auto got = read(kColumns + "\n" + kRow + "\n" + kRow.substr(0, 40) + "\n" + kRow +
                        "\tmore\n" + "J\t\"Lee\", A\t\t\t\t\t\tUniv A; Univ B\t\t\t\t\n");
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 2U);
  EXPECT_EQ(made::authors_of(got.all[1]), "\"Lee\", A[Univ A|Univ B]");
  EXPECT_EQ(got.counts.at("rows of another number of fields than the first line"), 2);
  EXPECT_EQ(got.counts.at("records without year"), 1);
}

// Semicolons of entities part nothing, and a spreadsheet's quotes are none of the text.
TEST(WebOfScience, CellsOfATableAreReadAsTheyAreMeant) {
  const auto got = read(
      "PT\tAU\tTI\tC1\tPY\tUT\n"
      "J\t\"M&uuml;ller, H; O&#39;Neil, S\"\t\"On \"\"it\"\"\"\t[Muller, H] X; "
      "[M&uuml;ller, H] Texas A&amp;M\t2018\t1\n"
      "J\tLee, A\t\"Smart\" and \"odd\"\tX\t2018\t2\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Müller, H[Texas A&M]; O'Neil, S");
  EXPECT_EQ(got.all[0].title, "On \"it\"");
  EXPECT_EQ(got.all.at(1).title, "\"Smart\" and \"odd\"");
  EXPECT_EQ(got.counts, (Counts{{"fields in quotation marks, taken out of them", 2},
                                {"lists with HTML entities, decoded", 2},
                                {"names at addresses that are not one author's", 1}}));
}

// What is not yet in an issue has no PY.
TEST(WebOfScience, YearsOfEarlyAccessStandInForThatOfTheIssue) {
  std::string text = kHead;
  for (const char* years : {"PY 2020\nEY 2019\nEA NOV 2019\n", "EY 2019\nEA NOV 2018\n",
                            "EA NOV 2019\n", "EA NOV\n", "PY 2019.0\n", ""})
    text += "PT J\nAU Lee, A\n" + std::string(years) + "ER\n";
  const auto got = read(text + "EF\n");
  std::vector<int> years;
  for (const Publication& one : got.all) years.push_back(one.year.value_or(0));
  EXPECT_EQ(years, (std::vector<int>{2020, 2019, 2019, 0, 2019, 0}));
  EXPECT_EQ(got.counts, (Counts{{"records without year", 1},
                                {"years of early access, as there is no other", 2},
                                {"years that are none", 1}}));
}

TEST(WebOfScience, NobodyIsLostWhereFullNamesAreFewer) {
  const auto got =
      read("PT\tAU\tAF\tPY\tUT\nJ\tSmith, J; Lee, K; Roe, P\tSmith, John; Lee, Kay\t2019\tW1\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Smith, J; Lee, K; Roe, P");
  EXPECT_EQ(got.counts, (Counts{{"records with other full names than authors", 1}}));
}

// People give their ids with a name of their own choice.
TEST(WebOfScience, IdsAreThoseOfTheAuthorsWhomTheyName) {
  const std::string record =
      "PT J\nAU Smith, J\n   Lee, A\n   Poe, C\n   Lee, K\n"
      "AF Smith, John\n   Lee, Ann B.\n   Poe, Cy\n   Lee, Kim\n"
      "RI smith, JOHN/A-1-2010; Poe, Cyrus/P-2-2011;\n   Nobody, N/N-3-2012\n"
      "OI Lee, Ann B./0000-0002-1825-0097; Smith, John/https://orcid.org/0000-0001-1; \n"
      "   Lee, A/0000-0009-9; Stray\nPY 2016\nUT 1\nER\n";
  const auto got = read(kHead + record + "EF\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Smith, John/0000-0001-1; Lee, Ann B./0000-0002-1825-0097; Poe, Cy/P-2-2011; Lee, Kim");
  EXPECT_EQ(got.counts, (Counts{{"ids of authors that stand behind no name", 1},
                                {"ids of authors who have another one of that kind", 1},
                                {"ids of authors whose name is not one author's", 1}}));
  // Of a table as well. Two of one name, or of one initial, are not told apart.
  const auto row = read(
      "PT\tAU\tOI\tRI\tPY\tUT\nJ\tLee, A; Lee, A; Roe, B; Roe, Bo; Fox, D\t"
      "Lee, A/0-1; Roe, Bob/0-2; Roe, B/0-3\tfox, dee/F-4\t2018\t1\n");
  EXPECT_EQ(made::authors_of(row.all.at(0)), "Lee, A; Lee, A; Roe, B/0-3; Roe, Bo; Fox, D/F-4");
  EXPECT_EQ(row.counts, (Counts{{"ids of authors whose name is not one author's", 2}}));
}

TEST(WebOfScience, CarriageReturnsAndExportsInARowAreRead) {
  std::string text;
  for (const char c : kHead + kRecord) text += c == '\n' ? "\r\n" : std::string(1, c);
  const auto got = read(text + "EF\r\n\xef\xbb\xbf" + kHead + kRecord + "EF");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.all.size(), 2U);
  EXPECT_EQ(got.counts, (Counts{{"texts with HTML entities, decoded", 2}}));
}

TEST(WebOfScience, AddressesWithoutNamesAreThoseOfAnOnlyAuthor) {
  const std::string address = "C1 Univ A, Town.\n   Inst B, City.\nPY 1\nUT 7\nER\n";
  const auto one = read(kHead + "PT J\nAU Lee, A\n" + address + "EF\n");
  EXPECT_EQ(made::authors_of(one.all.at(0)), "Lee, A[Univ A, Town|Inst B, City]");
  EXPECT_EQ(one.counts, (Counts{{"years that are none", 1}}));
  const auto two = read(kHead + "PT J\nAU Lee, A\n   Smith, J\n" + address + "EF\n");
  EXPECT_EQ(made::authors_of(two.all.at(0)), "Lee, A; Smith, J");
  EXPECT_EQ(two.counts.at("addresses without names of authors"), 2);
}

// Tables have no lost tags: an address that ends like a sentence says nothing of the others.
TEST(WebOfScience, AddressesWithoutALetterAreCounted) {
  const auto got = read("PT\tAU\tTI\tC1\tPY\tUT\nJ\tLee, A\tX\t[Lee, A] -; -; Univ A\t2018\t1\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Lee, A[Univ A]");
  EXPECT_EQ(got.counts, (Counts{{"affiliations without a letter, left out", 2}}));
}

TEST(WebOfScience, AddressesOfATableMayEndAsTheyLike) {
  const auto got = read(
      "PT\tAU\tC1\tPY\tUT\n"
      "J\tSmith, J; Lee, A\t[Smith, J] Univ A, Washington, D.C.; [Lee, A] Univ B, "
      "Korea\t2018\t1\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)),
            "Smith, J[Univ A, Washington, D.C]; Lee, A[Univ B, Korea]");
  EXPECT_EQ(got.counts, Counts());
}

TEST(WebOfScience, ANameAtAnAddressIsOneAuthorsOrCounted) {
  const auto got =
      read(kHead +
           "PT J\nAU Lee, A\n   Lee, A\n   Smith, J\n"
           "C1 [Lee, A; Smith, J; Nobody, N] Univ A.\n   [Smith, J] Univ A.\nER\nEF\n");
  EXPECT_EQ(made::authors_of(got.all.at(0)), "Lee, A[Univ A]; Lee, A[Univ A]; Smith, J[Univ A]");
  EXPECT_EQ(got.counts.at("names at addresses that are not one author's"), 1);
  EXPECT_EQ(got.counts.at("records without year"), 1);
  const auto two = read(kHead +
                        "PT J\nAU Lee, A\n   Lee, A\nAF Lee, Ann\n   Lee, Amy\n"
                        "C1 [Lee, A] Univ A.\n   [Lee, Amy] Univ B.\nER\nEF\n");
  EXPECT_EQ(made::authors_of(two.all.at(0)), "Lee, Ann; Lee, Amy[Univ B]");
  EXPECT_EQ(two.counts.at("names at addresses that are not one author's"), 1);
}

TEST(WebOfScience, WhatIsBrokenIsCountedAndTheRestIsRead) {
  const auto got =
      read(kHead +
           "PT J\nAULee, A\n   Lost, L\nAF Lee, Ann\nUT 1\nER\n"        // a tag
           "PT J\nAU Lost, L\nUT 2\n"                                   // no ER
           "PT J\nAU A, A\nAU B, B\nUT 3\nER\n"                         // twice
           "AU Stray, S\n   Stray, T\nER\n"                             // outside
           "PT J\nAU [Anonymous]\n   12\nTI No one\nDI 10.1/d\nER\n");  // nobody, no EF
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 2U);
  EXPECT_EQ(made::authors_of(got.all[0]), "Lee, Ann");
  EXPECT_EQ(got.all[1].id, "10.1/d");
  EXPECT_EQ(got.counts, (Counts{{"lines without tag", 1},
                                {"records without ER", 1},
                                {"records with a field twice", 1},
                                {"lines outside of records", 3},
                                {"authors without name", 2},
                                {"records without authors", 1},
                                {"records without year", 2},
                                {"files without EF at their end", 1}}));
}

TEST(WebOfScience, OtherFilesAreRefusedInOneSentence) {
  const std::map<std::string, std::string> refused = {
      {"", ": has no line"},
      {"PT\tTI\tBA\n", ": line 1: has no column AF or AU"},
      {"PT\tAU\tAU\n", ": line 1: two columns are called AU; rename one of them"},
      {"PT\tAU\nJ\tG\xf6"
       "del, K\n",
       ": line 2: is not UTF-8"},
      {"\n@article{x,\n", ": line 2: begins with '@article{x,' where exports of Web of Science"},
      {std::string("\xff\xfe") + std::string("F\0N\0", 4), ": line 1: is UTF-16"},
      {std::string("F\0N\0", 4), ": line 1: is UTF-16"},
      {std::string("\0F\0N", 4), ": line 1: is UTF-16"},
      {"FN x\rVR 1.0\rPT J\r", ": line 1: ends lines with carriage returns alone"},
      {kHead + "PT J\nAU G\xf6"
               "del, K\nER\nEF\n",
       ": line 4: is not UTF-8"},
      {kHead + "PT J\nAU Lee, A\n", ": line 3: the file ends within the record"},
  };
  for (const auto& [content, message] : refused) {
    const std::string error = read(content).error;
    EXPECT_TRUE(error.starts_with(message)) << error;
  }
}

// Records, authors, affiliations of authors, keywords, characters of titles, sum of years: counted
// by a loop of Python over the lines.
TEST(WebOfScience, RealExportsCountAsPlainPythonCounts) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "needs CUPEL_DATA";
  std::filesystem::path folder;
  for (const char* place : {"records", "expert/records"})
    if (std::filesystem::exists(std::filesystem::path(data) / place / "wos.txt"))
      folder = std::filesystem::path(data) / place;
  if (folder.empty()) GTEST_SKIP() << "CUPEL_DATA has no records/wos.txt";
  using Row = std::array<std::int64_t, 6>;
  const std::map<std::string, Row> expected = {{"testFile.isi", {34, 75, 20, 62, 2994, 67537}},
                                               {"badFile.isi", {32, 66, 20, 60, 2816, 63530}},
                                               {"wos.txt", {10, 51, 0, 146, 1164, 20125}},
                                               {"wos2.txt", {100, 484, 529, 1102, 10109, 201500}}};
  for (const auto& [file, row] : expected) {
    const auto got = made::read_publications<WebOfScienceReader>(folder / file);
    Row sums{};
    for (const Publication& one : got.all) {
      ++sums[0], sums[1] += std::ssize(one.authors), sums[3] += std::ssize(one.keywords);
      for (const Author& author : one.authors) sums[2] += std::ssize(author.affiliations);
      sums[4] += std::ssize(one.title), sums[5] += one.year.value_or(0);
    }
    EXPECT_EQ(got.error, "") << file;
    EXPECT_EQ(sums, row) << file;
    EXPECT_EQ(got.counts.contains("files without EF at their end"), file == "badFile.isi");
  }
}

}  // namespace
}  // namespace cupel
