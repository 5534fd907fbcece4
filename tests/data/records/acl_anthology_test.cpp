#include "cupel/data/records/acl_anthology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "cupel/base/hash.h"
#include "data/build/made_text.h"
#include "data/records/xml_reading.h"

namespace cupel {
namespace {

using made::authors_of;
using made::ReadPublications;
using test::Folder;

ReadPublications read(const std::string& text, bool packed = false) {
  const Folder folder;
  return made::read_publications<AclAnthologyReader>(packed ? folder.write_gz("a.xml", text)
                                                            : folder.write("a.xml", text));
}

// A collection of one volume; {} papers stand in line 3.
std::string collection(const std::string& papers, const std::string& id = "2020.acl",
                       const std::string& volume = "main") {
  return "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"" + id + "\"><volume id=\"" +
         volume + "\"><meta><year>2020</year></meta>\n" + papers + "\n</volume></collection>\n";
}

std::string named(const std::string& author) {
  return authors_of(read(collection("<paper id='1'>" + author + "</paper>")).all.at(0));
}

const std::string kWhole = R"(<?xml version='1.0' encoding='UTF-8'?>
<!-- <paper id="7"/> -->
<collection id="P18">
  <volume id="1" type="proceedings">
    <meta>
      <booktitle>Proceedings <title>no</title></booktitle>
      <editor><first>No</first><last>Editor</last></editor>
      <year> 2018 </year><year>1999</year>
      <paper id="9"><title>no</title></paper>
    </meta>
    <frontmatter><url>P18-1000</url><title>no</title><author><last>No</last></author></frontmatter>
    <paper id="1">
      <title>Fast<fixed-case>T</fixed-case>ext &amp; <tex-math>a_1</tex-math> &lt;s&gt;
         of&#160;<i>two <b>lines</b></i><!-- no --> <![CDATA[<p>]]></title>
      <author id="ben-a"><first> Ben </first><last>Athi&#8203;waratkun</last><affiliation>Cornell
        <b>University</b>,</affiliation><affiliation/><affiliation>-</affiliation>
        <variant script="hani"><first>no</first><last>no</last></variant></author>
      <author><last>文彬</last><first/></author>
      <editor><first>No</first><last>Editor</last></editor>
      <author><last>Lakshmanan, V.S.</last><first>Laks</first></author>
      <pages>1–11</pages>
      <abstract>Q\&amp;amp;A <url>x</url>y.</abstract>
      <title>second</title><abstract>second</abstract>
      <author><first>Ann</first><last>Lee*</last></author>
      <author><first>Ann</first><last>Lee</last></author>
      <author><first/><last>12 -</last></author><author/>
    </paper>
    <talk><title>no</title><author><last>No</last></author></talk>
    <paper id="23"><title/></paper>
  </volume>
  <event id="x"><meta><year>1990</year></meta><paper id="8"><title>no</title></paper></event>
  <volume id="2"><paper id="1"><title>Undated</title></paper><meta><year>20xx</year></meta>
    <paper id="2"/><paper><title>No id</title></paper></volume>
</collection>
)";

TEST(AclAnthologyReader, EtAlIsNobody) {
  const ReadPublications got =
      read(collection("<paper id='1'><author><first>Ann</first><last>Lee</last></author>"
                      "<author><first>et</first><last>al.</last></author></paper>"));
  EXPECT_EQ(authors_of(got.all.at(0)), "Ann Lee");
  EXPECT_EQ(got.counts.at("papers whose list of authors is cut short by 'et al.' or 'others'"), 1);
}

TEST(AclAnthologyReader, ReadsPapers) {
  const ReadPublications got = read(kWhole);
  ASSERT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 5U);
  const Publication& first = got.all[0];
  EXPECT_EQ(first.id, "P18-1001");
  EXPECT_EQ(first.year, 2018);
  EXPECT_EQ(first.title, "FastText & a_1 <s> of two lines <p>");
  EXPECT_EQ(first.abstract, "Q\\&A xy.");
  EXPECT_TRUE(first.keywords.empty());
  EXPECT_EQ(authors_of(first),
            "Ben Athiwaratkun/ben-a[Cornell University]; 文彬; Laks Lakshmanan, V.S.; Ann Lee; Ann "
            "Lee");
  EXPECT_EQ(got.all[1].id, "P18-1023");
  EXPECT_EQ(got.all[1].year, 2018);
  EXPECT_EQ(got.all[1].title + got.all[1].abstract + authors_of(got.all[1]), "");
  EXPECT_EQ(got.all[2].id, "P18-2001");
  EXPECT_EQ(got.all[2].year, std::nullopt);
  EXPECT_EQ(got.all[3].year, std::nullopt);
  EXPECT_EQ(got.all[4].id, "");
  EXPECT_EQ(got.places, (std::vector<std::string>{": line 12", ": line 29", ": line 32",
                                                  ": line 33", ": line 33"}));
}

TEST(AclAnthologyReader, CountsWhatIsLeftOutAndMended) {
  const std::map<std::string, std::int64_t> expected = {
      {"abstracts with HTML entities, decoded", 1},
      {"affiliations without a letter, left out", 1},
      {"authors without name, left out", 1},
      {"names of authors with marks of footnotes, taken off", 1},
      {"names of authors with unseen characters, taken out", 1},
      {"names of authors without a letter, left out", 1},
      {"papers without authors", 4},
      {"papers without id", 1},
      {"papers without year", 1},
      {"years that are none", 2}};
  EXPECT_EQ(read(kWhole).counts, expected);
}

TEST(AclAnthologyReader, PutsIdsTogetherAsTheAnthologyDoes) {
  const auto id = [](const std::string& collected, const std::string& volume,
                     const std::string& paper) {
    return read(collection("<paper id='" + paper + "'/>", collected, volume)).all.at(0).id;
  };
  // As in the urls of these papers.
  EXPECT_EQ(id("P18", "1", "1"), "P18-1001");
  EXPECT_EQ(id("J79", "1", "36"), "J79-1036");
  EXPECT_EQ(id("W00", "1", "2"), "W00-0102");
  EXPECT_EQ(id("W19", "45", "11"), "W19-4511");
  EXPECT_EQ(id("C69", "1", "1"), "C69-0101");
  EXPECT_EQ(id("D19", "1", "1"), "D19-1001");
  EXPECT_EQ(id("D19", "50", "1"), "D19-5001");
  EXPECT_EQ(id("2020.acl", "main", "1"), "2020.acl-main.1");
  EXPECT_EQ(id("2023.acl", "long", "report"), "2023.acl-long.report");
  EXPECT_EQ(id("1952.earlymt", "1", "4"), "1952.earlymt-1.4");
  EXPECT_EQ(id("P18", "x", "1"), "P18-x.1");
  EXPECT_EQ(id("P18", "1", "99999"), "P18-1.99999");
}

TEST(AclAnthologyReader, CleansNames) {
  EXPECT_EQ(named("<author><first>Yuki</first><last>Arase†</last></author>"), "Yuki Arase");
  EXPECT_EQ(named("<author><first>Nicholas</first><last>Tatonetti1,</last></author>"),
            "Nicholas Tatonetti");
  EXPECT_EQ(named("<author><first>Conan O&amp;#x27;</first><last>Brien</last></author>"),
            "Conan O' Brien");
  EXPECT_EQ(named("<author><first>J</first><first>no</first><last>Q</last></author>"), "J Q");
  EXPECT_EQ(named("<author>no<first>J<i>o</i>e</first>no</author>"), "Joe");
  EXPECT_EQ(named("<author><last><x/></last></author>"), "");
}

TEST(AclAnthologyReader, ReadsPackedFilesAndEncodings) {
  EXPECT_EQ(read(kWhole, true).counts, read(kWhole).counts);
  EXPECT_EQ(read(kWhole, true).places, read(kWhole).places);
  const ReadPublications latin = read(
      "<?xml version='1.0' encoding='ISO-8859-1'?><collection id='2020.x'><volume id='1'>"
      "<paper id='1'><author><first>Andr\xe9</first></author></paper></volume></collection>");
  ASSERT_EQ(latin.error, "");
  EXPECT_EQ(authors_of(latin.all.at(0)), "André");
}

TEST(AclAnthologyReader, GivesNameSizeAndHashOfTheFile) {
  const Folder folder;
  const auto path = folder.write_gz("P18.xml.gz", kWhole);
  AclAnthologyReader reader(path);
  for (Publication one; reader.next(one);) continue;
  EXPECT_EQ(reader.name(), path.string());
  EXPECT_EQ(reader.file_bytes(), std::filesystem::file_size(path));
  EXPECT_EQ(reader.sha256(), sha256_file(path));
}

TEST(AclAnthologyReader, ReadsFiveThousandAuthorsAndManyPapersAcrossBlocks) {
  std::string many = "<paper id='1'>", papers;
  for (int k = 0; k < 5000; ++k)
    many += "<author><first>Ana" + std::string(static_cast<std::size_t>(k % 7), 'a') +
            "</first><last>L" + std::string(static_cast<std::size_t>(k % 11), 'x') +
            "</last></author>";
  many += "</paper>";
  for (int k = 2; k < 3000; ++k)
    papers += "\n<paper id='" + std::to_string(k) + "'><title>žuvs " + std::to_string(k) +
              "</title></paper>";
  const ReadPublications got = read(collection(many + papers));
  ASSERT_EQ(got.error, "");
  ASSERT_EQ(got.all.size(), 2999U);
  ASSERT_EQ(got.all[0].authors.size(), 5000U);
  EXPECT_EQ(got.all[0].authors[4999].name, "Anaa Lxxxxx");  // 4999 = 7*714 + 1 = 11*454 + 5
  for (int k = 2; k < 3000; ++k) {
    ASSERT_EQ(got.all[static_cast<std::size_t>(k - 1)].title, "žuvs " + std::to_string(k));
    ASSERT_EQ(got.places[static_cast<std::size_t>(k - 1)], ": line " + std::to_string(k + 2));
  }
}

TEST(AclAnthologyReader, RefusesWhatIsNone) {
  const auto error = [](const std::string& text) { return read(text).error; };
  EXPECT_EQ(
      error("<volume id='P18'>\n</volume>"),
      ": line 1: this is no file of the ACL Anthology: it is 'volume', not <collection>; give "
      "a file of its data/xml");
  EXPECT_EQ(error(""), ": the file is empty; get it again");
  EXPECT_EQ(error("P18-1001\tA title\n"),
            ": line 1: this is not well-formed XML (syntax error); correct it, or get the file "
            "again");
  EXPECT_EQ(error("<?xml version='1.0'?>\n<!DOCTYPE c [<!ENTITY a 'aa'>]>\n<collection/>"),
            ": line 2: there is a document type, which could define what expands without end; "
            "remove <!DOCTYPE ...>");
  EXPECT_EQ(error(collection("<paper id='1'><title>&eacute;</title></paper>")),
            ": line 3: this is not well-formed XML (undefined entity); correct it, or get the file "
            "again");
  EXPECT_EQ(error(collection("<paper id='1'><title>\xe9t\xe9</title></paper>")),
            ": line 3: '\\xe9' is not UTF-8; convert the file to UTF-8, or name its encoding in "
            "<?xml ...?>");
  EXPECT_EQ(error("<?xml version='1.0' encoding='x-klingon'?><collection/>"),
            ": line 1: the encoding that it declares, x-klingon, is not known; convert the file to "
            "UTF-8");
  EXPECT_EQ(error(collection("<paper id='1'></title></paper>")),
            ": line 3: this is not well-formed XML (mismatched tag); correct it, or get the file "
            "again");
}

TEST(AclAnthologyReader, RefusesFilesThatAreCutOff) {
  // The end of the last tag is the first place where the document is whole.
  const std::size_t whole = kWhole.rfind('>') + 1;
  for (std::size_t size = 1; size < whole; size += size % 31 + 1) {
    const std::string error = read(kWhole.substr(0, size)).error;
    ASSERT_TRUE(error.ends_with("the document has no end here; the file is cut off, get it again"))
        << size << error;
  }
  EXPECT_EQ(read(kWhole.substr(0, whole)).error, "");
  const Folder folder;
  const std::string packed = Folder::gzip(kWhole);
  const auto cut = folder.write("a.xml", packed.substr(0, packed.size() - 9));
  EXPECT_NE(made::read_publications<AclAnthologyReader>(cut).error.find("cut off"),
            std::string::npos);
}

TEST(AclAnthologyReader, RefusesWhatIsTooMuch) {
  const auto error = [](const std::string& text) { return read(text).error; };
  std::string deep, end;
  for (int k = 0; k < 300; ++k) deep += "<a>", end += "</a>";
  EXPECT_EQ(error(collection(deep + end)),
            ": line 3: elements are nested deeper than 256; correct the file");
  EXPECT_EQ(error(collection("<" + std::string(2000, 'a') + "/>")),
            ": line 3: an element's name has more than 1024 bytes; correct the file");
  EXPECT_EQ(error(collection("<a b='" + std::string(2 << 20, 'a') + "'/>")),
            ": line 3: a tag, comment or instruction has more than 1 MiB; correct the file");
  EXPECT_EQ(error(collection("<paper id='1'><title>" + std::string(17 << 20, 'a') + "</title>")),
            ": line 3: the publication of line 3 has more than 16 MiB of text; take it out of the "
            "file");
  std::string many = "<paper id='1'>";
  for (int k = 0; k < 100'001; ++k) many += "<author><last>a</last></author>";
  EXPECT_EQ(error(collection(many)),
            ": line 3: the publication of line 3 has more than 100000 authors, affiliations and "
            "keywords; take it out of the file");
}

// Counts and digest by Python's ElementTree: of every paper id, year, title, abstract, and name, id
// and affiliations of its authors, files by name; text is "".join(itertext()), without the
// characters of base/visible.h, split() at white space; names are mended by regular expressions.
TEST(AclAnthologyReader, AgreesWithElementTreeOnTheAnthology) {
  const char* data = std::getenv("CUPEL_DATA");
  std::filesystem::path folder;
  for (const char* place : {"acl-anthology/xml", "expert/acl-anthology/xml"})
    if (data && std::filesystem::exists(std::filesystem::path(data) / place))
      folder = std::filesystem::path(data) / place;
  if (folder.empty()) GTEST_SKIP() << "CUPEL_DATA has no acl-anthology";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  ASSERT_EQ(files.size(), 1211U);
  std::int64_t papers = 0, early = 0, abstracts = 0, authors = 0, ids = 0, affiliations = 0;
  std::size_t most = 0;
  std::map<std::string, std::int64_t> counts;
  Hasher digest;
  for (const auto& file : files) {
    AclAnthologyReader reader(file);
    for (Publication one; reader.next(one);) {
      ++papers;
      early += one.year <= 2018;
      abstracts += !one.abstract.empty();
      most = std::max(most, one.authors.size());
      std::string row = one.id + '\x1f' + std::to_string(one.year.value_or(0)) + '\x1f' +
                        one.title + '\x1f' + one.abstract;
      for (const Author& author : one.authors) {
        ++authors;
        ids += !author.id.empty();
        affiliations += std::ssize(author.affiliations);
        row += '\x1f' + author.name + '\x1e' + author.id;
        for (const std::string& name : author.affiliations) row += '\x1e' + name;
      }
      row += '\n';
      digest.bytes(row.data(), row.size());
    }
    for (const auto& [what, number] : reader.counts()) counts[what] += number;
  }
  EXPECT_EQ(papers, 90'038);
  EXPECT_EQ(early, 54'169);
  EXPECT_EQ(abstracts, 46'932);
  EXPECT_EQ(authors, 300'762);
  EXPECT_EQ(most, 95U);
  EXPECT_EQ(ids, 1'780);
  EXPECT_EQ(affiliations, 28'173);
  EXPECT_EQ(digest.hex(), "b7dd46ebb5113e8dc704ecf14e61786ff580e5fbc4ea39cafe015c5292f1170c");
  const std::map<std::string, std::int64_t> expected = {
      {"DOIs that are none", 531},
      {"abstracts with HTML entities, decoded", 4},
      {"abstracts with unseen characters, taken out", 503},
      {"affiliations that look like UTF-8 read as another encoding, left as they are", 6},
      {"affiliations that say there is none, as 'N/A', left as they are", 23},
      {"affiliations with U+FFFD, which stands for lost letters, left as they are", 6},
      {"affiliations without a letter, left out", 19},
      {"names of authors that look like UTF-8 read as another encoding, left as they are", 1},
      {"names of authors with marks of footnotes, taken off", 5},
      {"names of authors with unseen characters, taken out", 1},
      {"papers without authors", 717},
      {"titles with unseen characters, taken out", 2}};
  EXPECT_EQ(counts, expected);
}

}  // namespace
}  // namespace cupel
