#include "cupel/data/records/grobid_tei.h"

#include <gtest/gtest.h>

#include "cupel/base/hash.h"
#include "data/build/made_text.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

using made::authors_of;
using made::ReadPublications;
using test::Folder;
using test::replaced;

ReadPublications read(const std::string& text, const std::string& name = "P18-1001.tei.xml") {
  const Folder folder;
  return made::read_publications<GrobidTeiReader>(folder.write(name, text));
}

// As GROBID 0.7 writes it, with what other versions have besides.
const std::string kWhole = R"(<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
	<teiHeader xml:lang="en">
		<fileDesc>
			<titleStmt>
				<title level="a" type="main">Context graphs
 of <hi rend="italic">science</hi></title>
				<funder ref="#_a"><orgName type="full">A Funder</orgName></funder>
			</titleStmt>
			<publicationStmt>
				<publisher>ACM</publisher>
				<date type="submitted" when="2017-01-02">no</date>
				<date type="published" when="2019-07-28">July 28, 2019</date>
			</publicationStmt>
			<sourceDesc>
				<biblStruct>
					<analytic>
						<author role="corresp">
							<persName><roleName>Dr.</roleName><surname>Horawalavithana</surname><forename type="first">Sameera</forename><forename type="middle">B</forename><genName>Jr</genName></persName>
							<email>a@b.org</email>
							<idno type="ORCID">https://orcid.org/0000-0002-1825-0097</idno><idno type="other">no</idno>
							<affiliation key="aff0">
								<note type="raw_affiliation">no</note>
								<orgName type="department">Data Sciences</orgName>
								<orgName type="institution" key="instit1">Pacific Northwest <lb/>National Laboratory</orgName>
								<orgName type="institution" key="instit2">University of South Florida</orgName>
								<address><settlement>Richland</settlement><country key="US">USA</country></address>
							</affiliation>
							<affiliation key="aff1"><orgName type="institution">University of South Florida</orgName></affiliation>
						</author>
						<author>
							<persName><forename type="first">Ellyn</forename><surname>Ayton<ref type="foot">2</ref></surname></persName>
							<affiliation><orgName type="department">Physics</orgName><orgName type="laboratory">Lab 3</orgName></affiliation>
							<affiliation key="aff2"><address><country key="LV">Latvia</country></address></affiliation>
						</author>
						<author><affiliation><orgName type="institution">Nobody's</orgName></affiliation></author>
						<author><persName><surname>3</surname></persName></author>
						<title level="a" type="main">no</title>
					</analytic>
					<monogr>
						<author><persName><surname>No</surname></persName></author>
						<title level="m">no</title><imprint><date type="published" when="2018">no</date></imprint>
					</monogr>
					<idno type="DOI">10.1/2</idno>
				</biblStruct>
			</sourceDesc>
		</fileDesc>
		<encodingDesc><appInfo><application version="0.7.0" ident="GROBID"/></appInfo></encodingDesc>
		<profileDesc>
			<textClass><keywords><term>dynamic graph</term><term> AI </term><term>AI</term><term/></keywords></textClass>
			<abstract>
<div xmlns="http://www.tei-c.org/ns/1.0"><head>Summary</head><p><s>We build graphs.</s><s>They are large (<ref>1</ref>).</s></p><p>The end.</p></div>
			</abstract>
		</profileDesc>
	</teiHeader>
	<text xml:lang="en">
		<body><div><head>Introduction</head><p>no</p></div></body>
		<back><div type="references"><listBibl><biblStruct><analytic><title>no</title><author><persName><surname>No</surname></persName></author></analytic></biblStruct></listBibl></div>
		<teiHeader><fileDesc><titleStmt><title>no</title></titleStmt></fileDesc></teiHeader></back>
	</text>
</TEI>
)";

TEST(GrobidTeiReader, ReadsTheHeader) {
  const ReadPublications got = read(kWhole);
  ASSERT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 1U);
  const Publication& one = got.all[0];
  EXPECT_EQ(one.id, "P18-1001");
  EXPECT_EQ(one.year, 2019);
  EXPECT_EQ(one.title, "Context graphs of science");
  EXPECT_EQ(one.abstract, "Summary We build graphs. They are large (1). The end.");
  EXPECT_EQ(one.keywords, (std::vector<std::string>{"dynamic graph", "AI"}));
  EXPECT_EQ(authors_of(one),
            "Sameera B Horawalavithana Jr/0000-0002-1825-0097[Pacific Northwest National "
            "Laboratory|University of South Florida]; Ellyn Ayton[Physics, Lab 3]");
  EXPECT_EQ(got.places.at(0), ": line 2");
  const std::map<std::string, std::int64_t> expected = {
      {"affiliations without organisation, left out", 1},
      {"authors without name, left out", 1},
      {"names of authors with marks of footnotes, taken off", 1},
      {"names of authors without a letter, left out", 1}};
  EXPECT_EQ(got.counts, expected);
}

TEST(GrobidTeiReader, TakesTheYearOfPublication) {
  const auto year = [](const std::string& when, const std::string& imprint = "2018") {
    const std::string text =
        replaced(replaced(kWhole, "when=\"2019-07-28\"", when), "when=\"2018\"",
                 imprint.empty() ? "" : "when=\"" + imprint + "\"");
    const ReadPublications got = read(text);
    return std::pair(got.all.at(0).year, got.counts.contains("years that are none")   ? "none"
                                         : got.counts.contains("papers without year") ? "without"
                                                                                      : "");
  };
  using Year = std::optional<int>;
  EXPECT_EQ(year("when=\"2021\""), std::pair(Year(2021), ""));
  EXPECT_EQ(year("when=\"2021-12\""), std::pair(Year(2021), ""));
  EXPECT_EQ(year(""), std::pair(Year(2018), ""));
  EXPECT_EQ(year("when=\"July 2021\""), std::pair(Year(2018), ""));
  EXPECT_EQ(year("", "20189"), std::pair(Year(), "none"));
  EXPECT_EQ(year("", ""), std::pair(Year(), "without"));
  EXPECT_EQ(year("when=\"2021-2022\"", ""), std::pair(Year(), "none"));
  EXPECT_EQ(year("when=\"2021-13\"", ""), std::pair(Year(), "none"));
  EXPECT_EQ(year("when=\"2021-07-28T10:00:00Z\"", ""), std::pair(Year(2021), ""));
}

TEST(GrobidTeiReader, TakesTheOtherTitleWhereTheFirstIsEmpty) {
  const std::string empty =
      replaced(kWhole, "Context graphs\n of <hi rend=\"italic\">science</hi>", "");
  EXPECT_EQ(read(empty).all.at(0).title, "no");
}

TEST(GrobidTeiReader, NamesThePaperAfterTheFile) {
  const auto id = [](const std::string& name) { return read(kWhole, name).all.at(0).id; };
  EXPECT_EQ(id("2020.acl-main.1.tei.xml"), "2020.acl-main.1");
  EXPECT_EQ(id("a.grobid.tei.xml"), "a");
  EXPECT_EQ(id("b.pdf.tei.xml"), "b");
  EXPECT_EQ(id("c.xml"), "c");
  EXPECT_EQ(id("C.TEI.XML"), "C");
  EXPECT_EQ(id("d"), "d");
  EXPECT_EQ(id(".xml"), ".xml");
  const Folder folder;
  const auto packed = folder.write_gz("e.tei.xml.gz", kWhole);
  GrobidTeiReader reader(packed);
  Publication one;
  ASSERT_TRUE(reader.next(one));
  EXPECT_EQ(one.id, "e");
  EXPECT_FALSE(reader.next(one));
  EXPECT_EQ(reader.sha256(), sha256_file(packed));
}

TEST(GrobidTeiReader, ReadsACorpusAndPrefixes) {
  const std::string tei = kWhole.substr(kWhole.find("<TEI"));
  const ReadPublications got = read(
      "<teiCorpus><teiHeader><fileDesc><titleStmt><title>no</title></titleStmt></fileDesc>"
      "</teiHeader>" +
      tei +
      "<t:TEI xmlns:t='x'><t:teiHeader><t:fileDesc><t:titleStmt>"
      "<t:title>Second</t:title></t:titleStmt></t:fileDesc></t:teiHeader></t:TEI><TEI/>"
      "</teiCorpus>");
  ASSERT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 3U);
  EXPECT_EQ(authors_of(got.all[0]), authors_of(read(kWhole).all[0]));
  EXPECT_EQ(got.all[0].id, "P18-1001");
  EXPECT_EQ(got.all[1].id, "P18-1001#2");
  EXPECT_EQ(got.all[1].title, "Second");
  EXPECT_EQ(got.all[1].year, std::nullopt);
  EXPECT_EQ(got.all[2].id, "P18-1001#3");
  EXPECT_EQ(got.all[2].title, "");
}

TEST(GrobidTeiReader, RefusesWhatIsNone) {
  EXPECT_EQ(read("<collection id='P18'/>").error,
            ": line 1: this is no TEI: it is 'collection', not <TEI>; give what GROBID's "
            "processFulltextDocument makes");
  // What GROBID answers where it could not read a PDF.
  EXPECT_EQ(read("[NO_BLOCKS] PDF parsing resulted in empty content").error,
            ": line 1: this is not well-formed XML (syntax error); correct it, or get the file "
            "again");
  EXPECT_EQ(read(replaced(kWhole, "<TEI", "<!DOCTYPE TEI><TEI")).error,
            ": line 2: there is a document type, which could define what expands without end; "
            "remove <!DOCTYPE ...>");
  const std::size_t whole = kWhole.rfind('>') + 1;
  for (std::size_t size = 1; size < whole; size += size % 61 + 1) {
    const std::string error = read(kWhole.substr(0, size)).error;
    ASSERT_TRUE(error.ends_with("the document has no end here; the file is cut off, get it again"))
        << size << error;
  }
}

}  // namespace
}  // namespace cupel
