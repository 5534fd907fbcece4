// A user's own tables of publications, as CSV and as JSON Lines: the same either way.
#include "cupel/data/records/records_table.h"

#include <gtest/gtest.h>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

class RecordsTable : public testing::Test {
 protected:
  std::vector<Publication> read(const std::string& content, const RecordsColumns& columns = {}) {
    made::write_file(folder_ / "own.txt", content);
    RecordsReader reader(folder_ / "own.txt", columns);
    std::vector<Publication> out;
    for (Publication one; reader.next(one);) out.push_back(one);
    counts_ = reader.counts();
    EXPECT_EQ(reader.file_bytes(), content.size());
    EXPECT_EQ(reader.sha256().size(), 64U);
    return out;
  }
  void says(const std::string& content, const std::string& what,
            const RecordsColumns& columns = {}) {
    const std::string message = error_of([&] { read(content, columns); });
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find("own.txt"), std::string::npos) << message;
  }
  made::Folder folder_;
  std::map<std::string, std::int64_t> counts_;
};

std::string told(const Publication& one) {
  std::string out = one.id + "|" + (one.year ? std::to_string(*one.year) : "-") + "|" + one.title +
                    "|" + one.abstract + "|";
  for (const std::string& keyword : one.keywords) out += "(" + keyword + ")";
  for (const Author& author : one.authors) {
    out += "[" + author.name + "#" + author.id;
    for (const std::string& place : author.affiliations) out += "@" + place;
    out += "]";
  }
  return out;
}

const std::string kTold =
    "p1|2019|On \"A\", B|Two lines.|(graphs)(trees)[Ann Lee#7@MIT@ETH][Bo Li#8]";

TEST_F(RecordsTable, CsvIsReadByItsColumns) {
  const auto got = read(
      "\xef\xbb\xbfKeywords,Author IDs,id,other,authors,AFFILIATIONS,Year,title,abstract\r\n"
      "graphs;trees,7;8,p1,x,Ann Lee*; Bo Li;,MIT+ETH;;,2019,\"On \"\"A\"\", B\",\"Two\r\n"
      "lines.\"\r\n\r\n,,p2,,,,,,\r\n");
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(told(got[0]), kTold);
  EXPECT_EQ(told(got[1]), "p2|-|||");
  EXPECT_EQ(counts_.at("papers without authors"), 1);
}

TEST_F(RecordsTable, JsonSaysTheSameInTextsOrLists) {
  const std::string head = R"({"id": "p1", "year": 2019, "title": "On \"A\", B", )"
                           R"("abstract": "Two\nlines.", )";
  const std::string lists =
      head + R"("keywords": ["graphs", "trees"], "authors": ["Ann Lee", "Bo Li"],
    "author_ids": [7, "8"], "affiliations": [["MIT", "ETH"], null], "more": {"x": [1]}})";
  const std::string texts = head + R"("keywords": "graphs;trees", "authors": "Ann Lee;Bo Li",
    "author_ids": "7;8", "affiliations": "MIT|ETH;"})";
  for (const std::string& content :
       {lists + "\n" + texts, "[" + lists + ",\n" + texts + "]", "  \n" + texts + texts}) {
    const auto got = read(content);
    ASSERT_EQ(got.size(), 2U) << content;
    EXPECT_EQ(told(got[0]), kTold);
    EXPECT_EQ(told(got[1]), kTold);
  }
}

// Tabs, and semicolons where there are no tabs either, once the first line has no comma.
TEST_F(RecordsTable, OtherMarksMayStandBetweenColumns) {
  const std::string told_so = "p1|2019|On A, B||[Ann Lee#][Bo Li#]";
  EXPECT_EQ(
      told(read("id\tyear\ttitle\tauthors; all\nx\t2018\t\tA\n", {.authors = "authors; all"})[0]),
      "x|2018|||[A#]");
  EXPECT_EQ(told(read("id\tyear\ttitle\tauthors\np1\t2019\tOn A, B\tAnn Lee; Bo Li\n")[0]),
            told_so);
  EXPECT_EQ(told(read("id;\"year\";title;authors\r\np1;2019;On A, B;\"Ann Lee; Bo Li\"\r\n")[0]),
            told_so);
  EXPECT_EQ(told(read("id,\"a;b\",year,title,authors\np1,,2019,\"On A, B\",Ann Lee; Bo Li\n")[0]),
            told_so);
  EXPECT_EQ(told(read("authors\nAnn Lee; Bo Li\n")[0]), "|-|||[Ann Lee#][Bo Li#]");
}

TEST_F(RecordsTable, ColumnsMayHaveOtherNames) {
  RecordsColumns columns;
  columns.authors = "who", columns.year = "Published", columns.separator = '/';
  EXPECT_EQ(told(read("who,published\nA B/C D,2001-05-03\n", columns)[0]), "|2001|||[A B#][C D#]");
  says("who,year\nA,2001\n", "line 1: no column is called 'Published', there are 'who', 'year'",
       columns);
  says("{\"who\": \"A\"}", "no object has the key 'Published'", columns);
  columns.within = "/";
  EXPECT_NE(error_of([&] { read("who\n", columns); }).find("cannot stand both"), std::string::npos);
  columns = {};
  columns.title = "abstract";
  EXPECT_NE(error_of([&] { read("authors\n", columns); }).find("are both read from the column"),
            std::string::npos);
}

TEST_F(RecordsTable, YearsAreReadOrMissingOrRefused) {
  for (const auto& [text, year] :
       std::map<std::string, std::string>{{"2019", "2019"},
                                          {"2019.0", "2019"},
                                          {"2019-05-03", "2019"},
                                          {"2019/5", "2019"},
                                          {"2019-05-03T10:00:00Z", "2019"},
                                          {"", "-"},
                                          {"NA", "-"},
                                          {"nan", "-"},
                                          {"None", "-"},
                                          {" 3019 ", "3019"}})
    EXPECT_EQ(told(read("authors,year\nA," + text + "\n")[0]), "|" + year + "|||[A#]") << text;
  for (const char* text : {"19", "20190", "May 2019", "2019.5", "-2019", "2019 BC", "2019-"})
    says("authors,year\n\nA," + std::string(text) + "\n",
         "line 3: the year is '" + std::string(text) + "'");
  says("{\"authors\": \"A\", \"year\": true}", "'year' holds 'true'");
  EXPECT_EQ(told(read("{\"authors\": \"A\", \"year\": 2019.0}")[0]), "|2019|||[A#]");
}

TEST_F(RecordsTable, WhatIsNotClearIsCounted) {
  const auto got = read(
      "authors,affiliations,author_ids\n"
      "\"Lee, Ann, Li, Bo\",MIT,1\n"
      "A;B;C,MIT;ETH,1;2\n"
      "Tim O&#x27;Hare;12;,X;Y;,a;b;\n");
  EXPECT_EQ(told(got[0]), "|-|||[Lee, Ann, Li, Bo#1@MIT]");
  EXPECT_EQ(told(got[1]), "|-|||[A#][B#][C#]");
  EXPECT_EQ(told(got[2]), "|-|||[Tim O'Hare#a@X]");
  EXPECT_EQ(counts_.at("lists of authors without ';' but with commas, read as one name"), 1);
  EXPECT_EQ(counts_.at("papers with more or fewer ids than authors: ids not known"), 1);
  EXPECT_EQ(counts_.at("names of authors without a letter, left out"), 1);
  EXPECT_EQ(told(read("authors\n\"Ann Lee\nBo Li\"\nA B | C D\nA B|C D;E F\n")[0]),
            "|-|||[Ann Lee Bo Li#]");
  EXPECT_EQ(counts_.at("lists of authors without ';' but with '|', '/' or line ends, read as one "
                       "name"),
            2);
}

// "2019-05-03/2021-06-03" is no point in time.
TEST_F(RecordsTable, SpansOfDatesAreRefused) {
  for (const std::string text : {"2019-05-03/2021-06-03", "2018-01 - 2020-03", "2019-2020"}) {
    says("authors,year\nA,2019\nA," + text + "\n", "line 3: the year is '" + text + "'");
    says("{\"authors\": \"A\", \"year\": \"" + text + "\"}", "line 1: the year is '" + text + "'");
  }
}

// As R and pandas write what is not there.
TEST_F(RecordsTable, FieldsThatSayThereIsNoneAreEmpty) {
  const auto got = read(
      "id,year,authors,affiliations,author_ids,keywords\n"
      "NA,NA,NA,NA,NA,NA\n"
      "p,2019,Na,None;ETH,null,nan\n"
      "q,2019,Ann Lee;None,nan,N/A,na\n");
  EXPECT_EQ(told(got[0]), "|-|||");
  EXPECT_EQ(told(got[1]), "p|2019|||[Na#]");
  EXPECT_EQ(told(got[2]), "q|2019|||(na)[Ann Lee#][None#]");
  EXPECT_EQ(counts_.at("fields that say there is none, as 'NA', taken as empty"), 9);
  EXPECT_EQ(counts_.at("names of authors that say there is none, as 'N/A', left as they are"), 2);
  EXPECT_EQ(told(read(R"({"authors": "None", "keywords": ["None"]})")[0]), "|-|||(None)");
}

TEST_F(RecordsTable, JuniorsAreNobodyAloneBetweenCommas) {
  RecordsColumns columns;
  columns.separator = ',';
  const auto got = read(
      "authors,author_ids,affiliations\n\"Ann Lee, Jr., Bob Ray, III, and Cy Poe\",\"1,2,3\","
      "\"MIT,ETH,CMU\"\n\"Jr., Ann Lee, Jr.\",,\n",
      columns);
  EXPECT_EQ(told(got[0]), "|-|||[Ann Lee, Jr.#1@MIT][Bob Ray, III#2@ETH][Cy Poe#3@CMU]");
  EXPECT_EQ(told(got[1]), "|-|||[Jr.#][Ann Lee, Jr.#]");
  EXPECT_EQ(counts_.size(), 1U);  // of "and"
  EXPECT_EQ(told(read("authors\nAnn Lee; Jr.\n")[0]), "|-|||[Ann Lee#][Jr.#]");
}

TEST_F(RecordsTable, EtAlIsNobodyAndMayHaveNothingBesideIt) {
  const auto got = read(
      "authors,affiliations,author_ids\n"
      "Kim D.; et al.,MIT,1;\n"
      "Kim D.; et al.; Lee B.,MIT;;ETH,1;2;3\n"
      "Kim D.* et al.,MIT,1\n"
      "and others,,\n");
  EXPECT_EQ(told(got[0]), "|-|||[Kim D.#1@MIT]");
  EXPECT_EQ(told(got[1]), "|-|||[Kim D.#1@MIT][Lee B.#3@ETH]");
  EXPECT_EQ(told(got[2]), "|-|||[Kim D.#1@MIT]");
  EXPECT_EQ(told(got[3]), "|-|||");
  EXPECT_EQ(counts_, (std::map<std::string, std::int64_t>{
                         {"names of authors with marks of footnotes, taken off", 1},
                         {"papers whose list of authors is cut short by 'et al.' or 'others'", 4},
                         {"papers without authors", 1}}));
}

TEST_F(RecordsTable, TablesThatMayBeCutOffAreCounted) {
  (void)read("authors\nAnn Lee\nBob R");
  EXPECT_EQ(counts_.at("files whose last line has no end, as if they were cut off"), 1);
  (void)read("authors\nAnn Lee\n");
  EXPECT_TRUE(counts_.empty());
}

TEST_F(RecordsTable, SeveralPeopleInOneNameAreLeftAsTheyAre) {
  const auto got = read("authors\nAnn Doe and Bob Ray;H&amp;M;Cy Poe & Di Fox;and Zoe Wu*\n");
  EXPECT_EQ(told(got[0]), "|-|||[Ann Doe and Bob Ray#][H&M#][Cy Poe & Di Fox#][Zoe Wu#]");
  EXPECT_EQ(got[0].authors[3].with_marks, "Zoe Wu*");
  EXPECT_EQ(counts_.at("names behind 'and' or '&', which is taken off"), 1);
  RecordsColumns columns;
  columns.separator = ',';
  EXPECT_EQ(told(read("authors\n\"Ann Doe; Bob Ray, Cy Poe;\"\n", columns)[0]),
            "|-|||[Ann Doe; Bob Ray#][Cy Poe#]");
}

// Where JSON says what one affiliation is, no character of it parts it.
TEST_F(RecordsTable, AffiliationsAreTakenApartInTextsAlone) {
  const std::string what = "affiliations of one author that are taken apart at one of '+|'";
  EXPECT_EQ(told(read(R"({"authors": ["A", "B", "C"],
                          "affiliations": [["MIT", "C++ Inst + X", null], "Y | Z", []]})")[0]),
            "|-|||[A#@MIT@C++ Inst + X][B#@Y | Z][C#]");
  EXPECT_TRUE(counts_.empty());
  EXPECT_EQ(told(read(R"({"authors": "A", "affiliations": [[""]]})")[0]), "|-|||[A#]");
  EXPECT_TRUE(counts_.empty());
  const std::string table = "authors,affiliations\nA;B,Dept A | Dept B;C++ Inst\n";
  EXPECT_EQ(told(read(table)[0]), "|-|||[A#@Dept A@Dept B][B#@C@Inst]");
  EXPECT_EQ(counts_.at(what), 2);
  RecordsColumns columns;
  columns.within = "";
  EXPECT_EQ(told(read(table, columns)[0]), "|-|||[A#@Dept A | Dept B][B#@C++ Inst]");
  EXPECT_TRUE(counts_.empty());
}

TEST_F(RecordsTable, FaultsAreSentencesWithFileAndLine) {
  says("", "is empty");
  says(" \n\n", "is empty");
  says("id,title\n", "no column is called 'authors', there are 'id', 'title'");
  says("id;names\n", "no column is called 'authors', there are 'id', 'names'");
  says("id;authors\n1;Ann Lee; Bo Li\n",
       "line 2: has 3 fields where the first line has 2; give one for each column, in quotes where "
       "it holds a semicolon");
  says("authors,Authors\n", "two columns are called 'authors'");
  says("authors,id\nA,1\nB\n", "line 3: has 1 fields where the first line has 2");
  says("authors\n\"A\nB", "no closing quote");
  says("authors\nJos\xe9\n", "line 2: is not UTF-8");
  says(std::string("a\0u\0t\0h\0\n\0", 10), "line 1: holds a character of code 0, as UTF-16 does");
  says("{\"authors\": \"A\"}\n{\"authors\": \"B\"", "line 2: the object that begins here");
  says("{\"authors\": \"A\", \"Authors\": \"B\"}", "two keys mean 'authors'");
  says("{\"authors\": \"A\", \"title\": [\"x\"]}", "'title' holds a list where a text is needed");
  says("{\"authors\": [{\"name\": \"A\"}]}", "'authors' holds an object where a text is needed");
  EXPECT_NE(error_of([&] { RecordsReader(folder_ / "none.csv"); }).find("none.csv"),
            std::string::npos);
}

TEST_F(RecordsTable, FiveThousandAuthorsAreAuthors) {
  std::string row = "authors\n";
  for (int k = 0; k < 5000; ++k)
    row += "Author " + std::string(1, static_cast<char>('A' + k % 26)) + ";";
  EXPECT_EQ(read(row)[0].authors.size(), 5000U);
}

}  // namespace
}  // namespace cupel
