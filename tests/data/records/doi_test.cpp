#include "cupel/data/records/doi.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/data/records/acl_anthology.h"
#include "cupel/data/records/expert_json_lines.h"
#include "cupel/data/records/grobid_tei.h"
#include "cupel/data/records/open_alex.h"
#include "cupel/data/records/records_table.h"
#include "cupel/data/records/scopus.h"
#include "cupel/data/records/web_of_science.h"
#include "data/formats/made_files.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

TEST(Doi, HasOneForm) {
  for (const char* text :
       {"10.1000/xyz.1", "10.1000/XYZ.1", " 10.1000/xyz.1\t", "doi:10.1000/xyz.1",
        "DOI: 10.1000/Xyz.1", "https://doi.org/10.1000/xyz.1", "HTTP://DX.DOI.ORG/10.1000/xyz.1",
        "https://www.doi.org/10.1000/xyz.1", "doi.org/10.1000/xyz.1",
        "https://doi.org/doi:10.1000/xyz.1",
        "\xc2\xa0"
        "10.1000/xyz.1\xe2\x80\x8b"}) {
    std::string doi = "before";
    EXPECT_TRUE(read_doi(text, doi)) << text;
    EXPECT_EQ(doi, "10.1000/xyz.1") << text;
  }
  std::string doi;
  // What publishers put in it stays; letters beyond ASCII have no other case in a DOI.
  EXPECT_TRUE(read_doi("10.1002/(SICI)1097-4571(1999)50:1&lt;1::AID-ASI1&gt;3.0.CO;2-1", doi));
  EXPECT_EQ(doi, "10.1002/(sici)1097-4571(1999)50:1<1::aid-asi1>3.0.co;2-1");
  EXPECT_TRUE(read_doi("10.1000.10/a/b/\xc3\x89", doi));
  EXPECT_EQ(doi, "10.1000.10/a/b/\xc3\x89");
}

TEST(Doi, OrIsNotThere) {
  for (const char* text : {"", "  ", "NA", "None", " null "}) {
    std::string doi = "before";
    EXPECT_TRUE(read_doi(text, doi)) << text;
    EXPECT_EQ(doi, "") << text;
  }
}

// None is put together from what is left of it.
TEST(Doi, DamagedOnesAreNone) {
  for (const char* text :
       {"10.1000", "10.1000/", "1000/xyz", "10./xyz", "10.a/xyz", "10.1000./xyz", "10..1/xyz",
        "10.1000/x y", "10.1000/x; 10.1000/y", "10.1000%2Fxyz", "doi:", "https://doi.org/",
        "http://hdl.handle.net/2065/12142", "https://example.org/10.1000/xyz", "x10.1000/xyz",
        "10 .1000/xyz", "https://doi.org/ https://example.org/10.1000/xyz"}) {
    std::string doi = "before";
    EXPECT_FALSE(read_doi(text, doi)) << text;
    EXPECT_EQ(doi, "") << text;
  }
}

template <class Reader>
void expect_read(const std::string& name, const std::string& content) {
  const made::Folder folder;
  made::write_file(folder / name, content);
  const auto got = made::read_publications<Reader>(folder / name);
  EXPECT_EQ(got.error, "") << name;
  ASSERT_EQ(got.all.size(), 3U) << name;
  EXPECT_EQ(got.all[0].doi, "10.1000/one") << name;
  EXPECT_EQ(got.all[1].doi, "") << name;
  EXPECT_EQ(got.all[2].doi, "") << name;
  EXPECT_EQ(got.counts.at(kNoDoi), 1) << name;
}

// The first paper has a DOI, the second none, the third a damaged one.
TEST(Doi, IsReadFromEverySourceThatHasIt) {
  expect_read<WebOfScienceReader>("a.txt",
                                  "PT J\nAU A, B\nPY 2019\nDI 10.1000/ONE\nUT 1\nER\n"
                                  "PT J\nAU A, B\nPY 2019\nUT 2\nER\n"
                                  "PT J\nAU A, B\nPY 2019\nDI 10.1000/a\n   b\nUT 3\nER\nEF\n");
  expect_read<WebOfScienceReader>("b.txt",
                                  "PT\tAU\tDI\tPY\tUT\nJ\tA, B\t10.1000/One\t2019\t1\n"
                                  "J\tA, B\t\t2019\t2\nJ\tA, B\t1000/a\t2019\t3\n");
  expect_read<ScopusReader>("a.csv",
                            "Authors,Year,DOI,EID\n\"A, B.\",2019,10.1000/ONE,1\n"
                            "\"A, B.\",2019,,2\n\"A, B.\",2019,10.1000,3\n");
  const std::string work = R"({"id":"https://openalex.org/W)";
  expect_read<OpenAlexReader>(
      "works.jsonl", work + "1\",\"doi\":\"https://doi.org/10.1000/one\"}\n" + work +
                         "2\",\"doi\":null}\n" + work + "3\",\"doi\":\"https://doi.org/\"}\n");
  const auto paper = [](const std::string& doi) {
    return "<paper id=\"1\"><author><first>A</first></author>" + doi + "</paper>";
  };
  expect_read<AclAnthologyReader>(
      "P19.xml", "<collection id=\"P19\"><volume id=\"1\"><meta><year>2019</year></meta>" +
                     paper("<doi>10.1000/ONE</doi>") + paper("") + paper("<doi>1000/a</doi>") +
                     "</volume></collection>");
  const auto tei = [](const std::string& inside) {
    return "<TEI><teiHeader><fileDesc><sourceDesc><biblStruct>" + inside +
           "</biblStruct></sourceDesc></fileDesc></teiHeader><text><back><biblStruct>"
           "<idno type=\"DOI\">10.1000/other</idno></biblStruct></back></text></TEI>";
  };
  expect_read<GrobidTeiReader>(
      "a.xml", "<teiCorpus>" +
                   tei("<idno type=\"MD5\">12</idno><idno type=\"DOI\">10.1000/ONE</idno>") +
                   tei("<analytic><author><idno type=\"ORCID\">1</idno></author></analytic>") +
                   tei("<analytic><idno type=\"DOI\">a</idno></analytic>") + "</teiCorpus>");
  expect_read<RecordsReader>(
      "a.csv", "id,year,authors,DOI\n1,2019,A,10.1000/ONE\n2,2019,A,NA\n3,2019,A,a\n");
  expect_read<RecordsReader>(
      "a.jsonl",
      "{\"authors\":\"A\",\"doi\":\"10.1000/ONE\"}\n"
      "{\"authors\":\"A\",\"doi\":null}\n{\"authors\":\"A\",\"doi\":\"a\"}\n");
}

TEST(Doi, OfAContextGraphIsThatOfThePapersNode) {
  const made::Folder folder;
  made::write_file(folder / "a.jsonl",
                   R"({"nodeType":"Paper","nodeID":"1","year":2019,"doi":"10.1000/ONE"})"
                   "\n"
                   R"({"nodeType":"Paper","nodeID":"2","year":2019,"doi":7})"
                   "\n"
                   R"({"nodeType":"Paper","nodeID":"3","year":2019,"doi":"a"})"
                   "\n"
                   R"({"from":"a","to":"1","edgeType":"Author Of"})"
                   "\n"
                   R"({"from":"a","to":"4","edgeType":"Author Of"})"
                   "\n");
  ExpertReader reader({folder / "a.jsonl"});
  std::vector<std::string> dois;
  for (Publication one; reader.next(one);) dois.push_back(one.doi);
  EXPECT_EQ(dois, (std::vector<std::string>{"10.1000/one", "", "", ""}));
  EXPECT_EQ(reader.counts().at(kNoDoi), 1);
}

// A table may have its DOIs for ids.
TEST(Doi, AndIdMayBeOneColumn) {
  const made::Folder folder;
  made::write_file(folder / "a.csv", "doi,year,authors\n10.1000/ONE,2019,A\n7,2019,A\n");
  RecordsColumns columns;
  columns.id = "doi";
  RecordsReader reader(folder / "a.csv", columns);
  Publication one;
  ASSERT_TRUE(reader.next(one));
  EXPECT_EQ(one.id, "10.1000/ONE");
  EXPECT_EQ(one.doi, "10.1000/one");
  ASSERT_TRUE(reader.next(one));
  EXPECT_EQ(one.id, "7");
  EXPECT_EQ(one.doi, "");
  EXPECT_EQ(reader.counts().at(kNoDoi), 1);
}

}  // namespace
}  // namespace cupel
