// Lists of Paperlists: what counts as a paper, who its authors are, and faults.
#include "cupel/data/records/paperlists.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

struct Got {
  std::vector<Publication> papers;
  std::map<std::string, std::int64_t> counts;
};

class Paperlists : public testing::Test {
 protected:
  Got read(const std::string& content, const std::string& name = "iclr2019.json") {
    made::write_file(folder_ / name, content);
    PaperlistsReader reader(folder_ / name);
    Got out;
    for (Publication one; reader.next(one);) out.papers.push_back(one);
    out.counts = reader.counts();
    return out;
  }
  std::string error(const std::string& content) {
    return error_of([&] { read(content); });
  }
  made::Folder folder_;
};

std::string names(const Publication& paper) {
  std::string out;
  for (const Author& author : paper.authors) {
    out += "[" + author.name;
    for (const std::string& one : author.affiliations) out += " @" + one;
    out += "]";
  }
  return out;
}

std::string paper(const std::string& fields) {
  return R"({"id": "p", "title": "T", )" + fields + "}";
}

TEST_F(Paperlists, APaperHasAllThatIsSaidOfIt) {
  const Got got = read(R"([{"id": "x1", "title": "On  &lt;b&gt;Graphs&lt;/b&gt; &amp; more",
    "status": "Poster", "author": "Ann Lee*;Bo O&amp;#x27;Hare 2;C\\'eline Roy",
    "authorids": "ann@x.org;~Bo1;c@y.fr", "aff": "MIT+ETH Zurich;;Universit\u00e9 Paris 13",
    "keywords": "graphs; learning;;graphs", "abstract": "We show.", "pdf_size": 0,
    "bibtex": {"any": [1, 2]}}])");
  ASSERT_EQ(got.papers.size(), 1U);
  const Publication& one = got.papers[0];
  EXPECT_EQ(one.id, "x1");
  EXPECT_EQ(one.year, 2019);
  EXPECT_EQ(one.title, "On Graphs & more");
  EXPECT_EQ(one.abstract, "We show.");
  EXPECT_EQ(one.keywords, (std::vector<std::string>{"graphs", "learning"}));
  EXPECT_EQ(names(one), "[Ann Lee @MIT @ETH Zurich][Bo O'Hare][Céline Roy @Université Paris 13]");
  EXPECT_EQ(one.authors[1].id, "~Bo1");
  EXPECT_EQ(got.counts.at("names of authors with marks of footnotes, taken off"), 2);
}

TEST_F(Paperlists, StatusSaysWhatCounts) {
  std::string list;
  for (const char* status :
       {"Poster", "Oral", "Spotlight", "Talk", "Top-5%", "Top-25%", "", "Highlight", "Reject",
        "Withdraw", "Desk Reject", "Active", "Workshop", "Oral Workshop", "Poster Workshop",
        "Journal", "withdrawn", "Interactive Poster", "Interactive Talk (Active)"})
    list += paper("\"author\": \"A\", \"status\": \"" + std::string(status) + "\"") + "\n";
  list += paper(R"("author": "A")");
  const Got got = read(list);  // as JSON Lines
  EXPECT_EQ(got.papers.size(), 10U);
  EXPECT_EQ(got.counts.at("papers with status 'Desk Reject', left out"), 1);
  EXPECT_EQ(got.counts.at("papers with status 'Highlight', which is not known, taken as accepted"),
            1);
  EXPECT_EQ(got.counts.size(), 11U);
}

TEST_F(Paperlists, SemicolonsOfEntitiesPartNoNames) {
  EXPECT_EQ(names(read("[" + paper(R"("author": "Tim O&#x27;Hare, Bo Li")") + "]").papers[0]),
            "[Tim O'Hare][Bo Li]");
  EXPECT_EQ(names(read("[" + paper(R"("author": "Tim O&amp;#x27;Hare;Bo Li")") + "]").papers[0]),
            "[Tim O'Hare][Bo Li]");
}

TEST_F(Paperlists, CommasPartNamesWhereNoSemicolonDoes) {
  const auto of = [&](const std::string& fields) {
    return names(read("[" + paper(fields) + "]").papers[0]);
  };
  EXPECT_EQ(of(R"("author": "A B, C D,  , E F,")"), "[A B][C D][E F]");
  EXPECT_EQ(of(R"("author": "A B, and C D")"), "[A B][C D]");
  EXPECT_EQ(of(R"("author": "A B, Jr., C D")"), "[A B, Jr.][C D]");
  EXPECT_EQ(of(R"("author": "A B and C D")"), "[A B and C D]");
  EXPECT_EQ(of(R"("author": "Lee, V.S.;C D;")"), "[Lee, V.S.][C D]");
  EXPECT_EQ(of(R"("authors": ["A B", "C, D"])"), "[A B][C, D]");
  EXPECT_EQ(of(R"("author": "A B, C D", "aff": "MIT;ETH")"), "[A B @MIT][C D @ETH]");
}

TEST_F(Paperlists, SeveralPeopleInOneNameAreLeftAsTheyAre) {
  const Got got = read("[" + paper(R"("author": "A B and C D;E & F;and G")") + "," +
                       paper(R"("author": "A B and C D, and E F, et al.")") + "," +
                       paper(R"("authors": ["A; B", "C"])") + "]");
  EXPECT_EQ(names(got.papers[0]), "[A B and C D][E & F][G]");
  EXPECT_EQ(names(got.papers[1]), "[A B and C D][E F]");
  EXPECT_EQ(got.counts,
            (std::map<std::string, std::int64_t>{
                {"names behind 'and' or '&', which is taken off", 2},
                {"papers whose list of authors is cut short by 'et al.' or 'others'", 1}}));
}

TEST_F(Paperlists, AffiliationsThatAreNotAsManyAreNotKnown) {
  const Got got = read("[" + paper(R"("author": "A;B;C", "aff": "MIT;ETH", "authorids": "a;b")") +
                       "," + paper(R"("author": "A;B", "aff": ";")") + "," +
                       paper(R"("author": "A;;B;7", "aff": "X;Y;Z;W;")") + "," +
                       paper(R"("author": "A;B;", "aff": "X;Y;")") + "]");
  EXPECT_EQ(names(got.papers[0]), "[A][B][C]");
  EXPECT_EQ(names(got.papers[1]), "[A][B]");
  EXPECT_EQ(names(got.papers[2]), "[A][B]");
  EXPECT_EQ(names(got.papers[3]), "[A @X][B @Y]");
  EXPECT_EQ(got.counts.at("papers with more or fewer affiliations than authors: affiliations not "
                          "known"),
            2);
  EXPECT_EQ(got.counts.at("papers with more or fewer ids than authors: ids not known"), 1);
  EXPECT_EQ(got.counts.at("empty names of authors, left out"), 1);
  EXPECT_EQ(got.counts.at("names of authors without a letter, left out"), 1);
}

TEST_F(Paperlists, TheYearIsTheFieldsThenTheNames) {
  const std::string plain = "[" + paper(R"("author": "A")") + "]";
  EXPECT_EQ(read(plain, "nips2021.json").papers[0].year, 2021);
  EXPECT_EQ(read(plain, "icml_1999_v2.json").papers[0].year, 1999);
  EXPECT_EQ(read(plain, "list12345.json").papers[0].year, std::nullopt);
  EXPECT_EQ(read("[" + paper(R"("year": 2016)") + "]", "nips2021.json").papers[0].year, 2016);
  EXPECT_EQ(read("[" + paper(R"("year": "2016")") + "]", "nips2021.json").papers[0].year, 2016);
}

TEST_F(Paperlists, FaultsAreSentencesWithFileAndLine) {
  const auto says = [&](const std::string& content, const std::string& what) {
    const std::string message = error(content);
    EXPECT_NE(message.find("iclr2019.json: "), std::string::npos) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  says("", "holds no paper");
  says("[]", "holds no paper");
  says("x", "line 1: begins with 'x'");
  says("[\n\n{\"title\": \"T\"", "line 3: the object that begins here has no end");
  says("[{\"title\": \"T\"}", "line 1: the list has no end");
  says("[{\"title\": \"T\"}\n{\"title\": \"U\"}]", "line 2: '{\"title\": \"U\"}]' where a comma");
  says("[{\"title\": \"T\"}] 7", "follows the list");
  says("[{\"title\": \"T\"}, 7]", "where an object is needed");
  says("[{\"title\": \"T\"},\n{\"title\":\n NaN}]", "line 3: is no JSON behind");
  says("[{\"title\": \"T\", \"title\": \"U\"}]", "key 'title' is given twice");
  says("[{\"title\": \"\xff\"}]", "is not UTF-8");
  says(std::string("\xff\xfe[\0{\0", 6), "line 1: is UTF-16; save the file as UTF-8");
  says("[{\"title\": [1]}]", "'title' holds '[1]' where a text is needed");
  says("[{\"title\": 1.5e999}]", "too large");
  says("[{\"title\": \"T\", \"author\": [7]}]", "'author' holds '7' where a name is needed");
  says("[{\"title\": \"T\", \"year\": \"MMXX\"}]", "'year' holds 'MMXX', which is no year");
  says("[{\"name\": \"T\"}]", "has neither 'title' nor 'author'");
  says("[{\"title\": " + std::string(40, '[') + "}]", "nested deeper");
  says("[{\"title\": \"T\"}", "cut off");
}

// Plain Python, no more of it in common than the rule: json.load; papers whose status is none of
// the eight that are left out; html.unescape, characters of category Cf dropped; split(";" if ";"
// in author else ","); trailing blanks, digits, stars, "[1]" and U+00B7 and leading stars off by
// re.sub; names without a letter out; affiliations split at ";" where as many as names, else
// unaligned, then at "+"; keywords at
// ";".
TEST(PaperlistsOnRealData, CountsAreThoseOfPython) {
  const char* data = std::getenv("CUPEL_DATA");
  std::filesystem::path folder;
  for (const char* place : {"paperlists/iclr", "expert/paperlists/iclr"})
    if (data != nullptr && std::filesystem::exists(std::filesystem::path(data) / place))
      folder = std::filesystem::path(data) / place;
  if (folder.empty()) GTEST_SKIP() << "CUPEL_DATA has no paperlists/iclr";
  // Papers, authorships, different names, affiliations, keywords, abstracts, unaligned.
  using Row = std::array<std::int64_t, 7>;
  const std::map<int, Row> expected = {
      {2013, {23, 69, 64, 0, 0, 23, 0}},
      {2014, {69, 217, 187, 0, 0, 69, 0}},
      {2017, {198, 798, 666, 0, 382, 198, 0}},
      {2018, {337, 1419, 1208, 0, 1293, 337, 0}},
      {2019, {502, 2145, 1779, 0, 1983, 0, 0}},
      {2020, {687, 3045, 2550, 0, 2404, 0, 0}},
      {2021, {860, 3836, 3119, 1626, 3234, 0, 425}},
      {2022, {1095, 5117, 4117, 363, 3851, 0, 901}},
      {2023, {1575, 7610, 5947, 0, 5200, 0, 0}},
  };
  for (const auto& [year, row] : expected) {
    PaperlistsReader reader(folder / ("iclr" + std::to_string(year) + ".json"));
    Row sums{};
    std::set<std::string> different;
    for (Publication one; reader.next(one);) {
      EXPECT_EQ(one.year, year);
      ++sums[0], sums[1] += std::ssize(one.authors), sums[4] += std::ssize(one.keywords);
      sums[5] += one.abstract.empty() ? 0 : 1;
      for (const Author& author : one.authors) {
        different.insert(author.name);
        sums[3] += std::ssize(author.affiliations);
      }
    }
    sums[2] = std::ssize(different);
    const auto& counts = reader.counts();
    const auto unaligned =
        counts.find("papers with more or fewer affiliations than authors: affiliations not known");
    sums[6] = unaligned == counts.end() ? 0 : unaligned->second;
    EXPECT_EQ(sums, row) << year;
    EXPECT_EQ(reader.sha256().size(), 64U);
  }
}

}  // namespace
}  // namespace cupel
