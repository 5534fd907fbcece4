// `cupel build expert`: two papers in each of the eight forms, and what is done with what comes of
// them.
//
// "Fair machine translation" (2019) is by Ann Lee of X and Bob Ray of Y, "Causal trees" (2020) by
// Bob Ray and Cy Poe. By hand: three scientists and two collaborations; fair, machine translation
// and causal are capabilities, so that 2 x 2 + 2 x 1 = 6 facts of expertise; two partnerships.
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string acl(const std::string& id, const std::string& year, const std::string& title,
                const std::string& authors) {
  return "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"" + id +
         "\"><volume id=\"1\"><meta><booktitle>B</booktitle><year>" + year +
         "</year></meta><frontmatter><editor><first>No</first><last>Body</last></editor>"
         "</frontmatter><paper id=\"1\"><title>" +
         title + "</title>" + authors + "</paper></volume></collection>\n";
}

const std::string kAclFirst =
    acl("P19", "2019", "<fixed-case>F</fixed-case>air machine translation",
        "<author><first>Ann</first><last>Lee</last><affiliation>X</affiliation></author>"
        "<author><first>Bob</first><last>Ray</last><affiliation>Y</affiliation></author>");
const std::string kAclSecond = acl("P20", "2020", "Causal trees",
                                   "<author><first>Bob</first><last>Ray</last></author>"
                                   "<author><first>Cy</first><last>Poe</last></author>");

std::string tei(const std::string& year, const std::string& title, const std::string& authors) {
  return "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt><title>" +
         title + "</title></titleStmt><publicationStmt><date type=\"published\" when=\"" + year +
         "\"/></publicationStmt><sourceDesc><biblStruct><analytic>" + authors +
         "</analytic></biblStruct></sourceDesc></fileDesc></teiHeader></TEI>";
}

std::string tei_author(const std::string& first, const std::string& last,
                       const std::string& place) {
  return "<author><persName><forename type=\"first\">" + first + "</forename><surname>" + last +
         "</surname></persName>" +
         (place.empty() ? ""
                        : "<affiliation><orgName type=\"institution\">" + place +
                              "</orgName></affiliation>") +
         "</author>";
}

std::string work(const std::string& id, int year, const std::string& title,
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

// Writes the two papers in every form: folders acl, paperlists, tei and expert, files for others.
void write_all(const Workplace& place) {
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

std::vector<std::string> build_of(const std::vector<std::string>& from, const std::string& out,
                                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = {"build", "expert", "--out", out};
  for (const std::string& one : from) all.insert(all.end(), {"--from", one});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

json built(const Workplace& place, const std::vector<std::string>& from, const std::string& out,
           std::vector<std::string> more = {}) {
  more.push_back("--json");
  const Outcome outcome = place.run(build_of(from, out, more));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.code == 0 ? json::parse(outcome.out)["counts"] : json();
}

using Six = std::vector<int>;
Six six(const json& counts) {
  Six out;
  for (const char* what : {"scientists", "institutions", "capabilities", "collaborations",
                           "partnerships", "facts of expertise"})
    out.push_back(counts.value(what, -1));
  return out;
}
const Six kByHand = {3, 2, 3, 2, 2, 6};

void write_gzip(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(file), Z_OK);
}

TEST(ExpertBuild, EightFormsOfTheSamePapersAreTheSameGraph) {
  const Workplace place;
  write_all(place);
  const char* const inputs[] = {
      "acl=acl",           "paperlists=paperlists", "tei=tei",        "expert=graph", "wos=wos.txt",
      "scopus=scopus.csv", "openalex=works.jsonl",  "records=own.csv"};
  for (const char* input : inputs) {
    const std::string kind = std::string(input).substr(0, std::string(input).find('='));
    EXPECT_EQ(six(built(place, {input}, "out-" + kind)), kByHand) << input;
    // Names differ in some, numbers do not.
    EXPECT_EQ(place.read("out-" + kind + "/quadruples.csv"), place.read("out-acl/quadruples.csv"))
        << input;
  }
}

TEST(ExpertBuild, TheFolderIsWhatItsReaderAndOthersTake) {
  const Workplace place;
  write_all(place);
  const Outcome outcome = place.run(build_of({"records=own.csv"}, "out"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"3  scientists", "2  collaborations", "6  facts of expertise",
                           "out/provenance.json tells inputs"})
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
  EXPECT_EQ(place.read("out/quadruples.txt"),
            "0\t0\t1\t2019\n0\t1\t3\t2019\n1\t1\t4\t2019\n0\t2\t5\t2019\n0\t2\t6\t2019\n"
            "1\t2\t5\t2019\n1\t2\t6\t2019\n1\t0\t2\t2020\n1\t2\t7\t2020\n2\t2\t7\t2020\n");
  EXPECT_EQ(place.read("out/stat.txt"), "8\t3\n");
  const std::string entities = place.read("out/entities.csv");
  for (const char* row : {"id,type,name\n0,\"scientist\",\"Ann Lee\"\n",
                          "\n3,\"institution\",\"X\"\n", "\n7,\"capability\",\"causal\"\n"})
    EXPECT_TRUE(contains(entities, row)) << entities;
  EXPECT_EQ(place.read("out/authorships.csv"),
            "paper,position,entity\n\"p1\",0,0\n\"p1\",1,1\n\"p2\",0,1\n\"p2\",1,2\n");
  const json provenance = json::parse(place.read("out/provenance.json"));
  EXPECT_EQ(provenance["inputs"][0]["file"], "own.csv");
  EXPECT_EQ(provenance["inputs"][0]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(provenance["settings"]["years"], "1965-2021");
  EXPECT_EQ(provenance["settings"]["identity"], "name");
  EXPECT_FALSE(provenance["unstated_by_the_paper"].empty());

  // RE-Net's text by itself, cut into its parts: names are lost, numbers stay.
  fs::create_directory(place.path("renet"));
  const std::string text = place.read("out/quadruples.txt");
  const std::size_t cut = text.find("1\t0\t2");
  place.write("renet/stat.txt", "8\t3\n");
  place.write("renet/train.txt", text.substr(0, cut));
  place.write("renet/valid.txt", text.substr(cut));
  place.write("renet/test.txt", "0\t0\t2\t2021\n");
  const Outcome read = place.run({"stats", "renet", "--json"});
  ASSERT_EQ(read.code, 0) << read.err;
  const json splits = json::parse(read.out)["splits"];
  EXPECT_EQ(splits[0]["facts"], 7);
  EXPECT_EQ(splits[1]["facts"], 3);
  EXPECT_EQ(splits[2]["facts"], 1);
}

TEST(ExpertBuild, SeveralInputsFoldersAndGzipMakeOneGraph) {
  const Workplace place;
  write_all(place);
  const std::string own = place.read("own.csv");
  write_gzip(place.path("own.csv.gz"), own);
  EXPECT_EQ(six(built(place, {"records=own.csv.gz"}, "gz")), kByHand);
  EXPECT_EQ(place.read("gz/quadruples.csv"),
            (built(place, {"records=own.csv"}, "plain"), place.read("plain/quadruples.csv")));
  // The same papers three times: everything is told again, nobody is new.
  const json all = built(place, {"acl=acl", "records=own.csv", "openalex=works.jsonl"}, "several");
  EXPECT_EQ(six(all), kByHand);
  EXPECT_EQ(all["papers taken"], 6);
  EXPECT_EQ(all["facts told again in the same year, taken once"], 20);
  // A collaboration for each paper; what is no collaboration stands once a year.
  const json each = built(place, {"acl=acl", "records=own.csv", "openalex=works.jsonl"}, "each",
                          {"--set", "pairs=paper"});
  EXPECT_EQ(six(each), (Six{3, 2, 3, 6, 2, 6}));
  // Inputs in another order are the same result.
  (void)built(place, {"openalex=works.jsonl", "records=own.csv", "acl=acl"}, "turned");
  EXPECT_EQ(place.read("turned/provenance.json"), place.read("several/provenance.json"));
}

TEST(ExpertBuild, SettingsDoWhatTheySay) {
  const Workplace place;
  place.write("own.csv",
              "id,year,title,authors,author_ids\n"
              "p1,2018,Fair,Yang Liu;Wei Wang,y1;w1\n"
              "p2,2019,Radiation of reactors,Yang Liu;WEI WANG.,y2;w1\n"
              "p3,1964,Fair,Ann Lee;Bob Ray,a;b\n");
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "a")), (Six{2, 0, 1, 2, 0, 2}));
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "b", {"--set", "identity=id"})),
            (Six{3, 0, 1, 2, 0, 2}));
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "c", {"--set", "filter=matched"})),
            (Six{2, 0, 1, 1, 0, 2}));
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "d", {"--set", "years=1964-2018"})),
            (Six{4, 0, 1, 2, 0, 4}));
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "e", {"--set", "keywords=nuclear"})),
            (Six{2, 0, 1, 2, 0, 2}));
  place.write("mine.txt", "# mine\nReactors\n");
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "f", {"--set", "keywords=mine.txt"})),
            (Six{2, 0, 1, 2, 0, 2}));
  // Names as printed are told apart by their marks, unless these are dropped.
  place.write("marks.csv", "Jahr;x,Wer\n2019,\"Ann Lee*, Bob Ray1\"\n2019,\"Ann Lee, Bob Ray\"\n");
  const std::string columns = "columns=year:Jahr;x,authors:Wer,separator:comma";
  const json kept = built(place, {"records=marks.csv"}, "g", {"--set", columns});
  EXPECT_EQ(six(kept), (Six{4, 0, 0, 2, 0, 0}));
  EXPECT_EQ(kept["records: names of authors with marks of footnotes, kept"], 2);
  const json dropped =
      built(place, {"records=marks.csv"}, "h", {"--set", columns, "--set", "marks=drop"});
  EXPECT_EQ(six(dropped), (Six{2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(dropped["records: names of authors with marks of footnotes, taken off"], 2);
  EXPECT_TRUE(contains(place.read("f/entities.csv"), "\"capability\",\"reactors\""));
}

TEST(ExpertBuild, BadInputIsOneSentenceAndLeavesNothing) {
  const Workplace place;
  write_all(place);
  place.write("cut.xml", kAclFirst.substr(0, kAclFirst.size() / 2));
  place.write("latin.xml",
              "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"P19\">"
              "<volume id=\"1\"><meta><year>2019</year></meta><paper id=\"1\">"
              "<title>Caf\xe9</title></paper></volume></collection>");
  place.write("no.xml", "<html/>");
  place.write("cut.jsonl", work("W1", 2019, "T", {{"A", ""}}).substr(0, 40));
  place.write("year.csv", "id,year,title,authors\np1,soon,T,Ann Lee\n");
  place.write("span.csv", "id,year,title,authors\np1,2019-2020,T,Ann Lee\n");
  place.write("head.csv", "id,year,title\np1,2019,T\n");
  place.write("late.csv", "id,year,title,authors\np1,2099,T,Ann Lee;Bob Ray\n");
  place.write("v.json", "[{\"title\":\"T\",\"author\":\"A;B\"");
  place.write("bad.txt", "This is no export\n");
  const auto before = place.files();
  const std::pair<std::vector<std::string>, std::vector<std::string>> cases[] = {
      {{"acl=cut.xml"}, {"cut.xml"}},
      {{"acl=latin.xml"}, {"latin.xml", "UTF-8"}},
      {{"acl=no.xml"}, {"no.xml", "no file of the ACL Anthology"}},
      {{"openalex=cut.jsonl"}, {"cut.jsonl", "line 1"}},
      {{"records=year.csv"}, {"year.csv", "line 2", "soon"}},
      {{"records=head.csv"}, {"head.csv", "authors"}},
      {{"records=late.csv"}, {"give no fact", "1965-2021", "1 papers of other years"}},
      {{"paperlists=v.json"}, {"v.json"}},
      {{"wos=bad.txt"}, {"bad.txt"}},
      {{"scopus=head.csv"}, {"head.csv"}},
      {{"tei=acl/P19.xml"}, {"P19.xml", "TEI"}},
      {{"expert=tei"}, {"tei"}},
      {{"acl=nowhere"}, {"nowhere"}},
      {{"acl=graph"}, {"graph", "*.xml"}},
      {{"records=span.csv"}, {"span.csv", "line 2", "2019-2020"}},
      {{"records=own.csv", "records=own.csv"}, {"own.csv", "given twice"}},
      {{"own.csv"}, {"own.csv", "INPUT=FILE"}},
      {{}, {"--from"}}};
  for (const auto& [from, parts] : cases) {
    const Outcome outcome = place.run(build_of(from, "out"));
    const std::string what = from.empty() ? "nothing" : from.front();
    EXPECT_EQ(outcome.code, 2) << what;
    EXPECT_EQ(outcome.out, "") << what;
    for (const std::string& part : parts)
      EXPECT_TRUE(contains(outcome.err, part)) << what << ": " << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(place.files(), before) << what;
  }
  const std::pair<const char*, const char*> settings[] = {
      {"years=2021", "first and the last"}, {"years=2021-1965", "first and the last"},
      {"identity=email", "name"},           {"keywords=none.txt", "none.txt"},
      {"filter=some", "matched"},           {"columns=author:Names", "no FIELD:COLUMN"},
      {"most-authors=0", "most-authors"}};
  for (const auto& [setting, part] : settings) {
    const Outcome outcome = place.run(build_of({"records=own.csv"}, "out", {"--set", setting}));
    EXPECT_EQ(outcome.code, 2) << setting;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_EQ(place.files(), before) << setting;
  }
}

TEST(ExpertBuild, OddRecordsAreCounted) {
  const Workplace place;
  std::string crowd;
  for (int k = 0; k < 1000; ++k) crowd += (k == 0 ? "" : ";") + ("Author N" + std::to_string(k));
  place.write("own.csv",
              "id,year,title,authors\n"
              "p1,2019,T,Ann Lee*;Bob Ray;***;Ann Lee\n"
              "p2,2019,T,O&#x27;Hare;H\\'el\\`ene Roy\n"
              "p3,,T,Ann Lee\n"
              "p4,2099,T,Ann Lee\n"
              "p5,2019,T,\n"
              "p6,2020,T," +
                  crowd + "\n");
  const json counts = built(place, {"records=own.csv"}, "out",
                            {"--set", "most-authors=900", "--set", "marks=drop"});
  const auto has = [&](const char* what, int number) {
    EXPECT_EQ(counts.value(what, -1), number) << what << "\n" << counts.dump(1);
  };
  has("papers of too many authors, left out", 1);
  has("papers without a year, left out", 1);
  has("papers of other years, left out", 1);
  has("papers without an author, left out", 1);
  has("authors who stand on a paper twice, taken once", 1);
  has("records: lists with HTML entities, decoded", 1);
  has("records: names of authors with LaTeX accents, written as letters", 1);
  EXPECT_EQ(six(counts), (Six{4, 0, 0, 2, 0, 0}));
  EXPECT_TRUE(contains(place.read("out/entities.csv"), "\"O'Hare\""))
      << place.read("out/entities.csv");
  // 1,000 authors are 499,500 pairs.
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "all"))[3], 4 + 1000 * 999 / 2);
}

TEST(ExpertBuild, StatisticsHaveTheirPromisedForm) {
  const Workplace place;
  place.write("own.csv",
              "id,year,title,authors,affiliations\n"
              "1,2017,Fair,Ann Lee;Bob Ray,X;Y\n"
              "2,2018,Trees,Bob Ray;Cy Poe,\n"
              "3,2019,Fair,Ann Lee;Cy Poe,\n"
              "4,2020,Fair,Bob Ray;Ann Lee;Dee Fox,X;;Z\n");
  (void)built(place, {"records=own.csv"}, "out");
  const Outcome outcome = place.run({"stats", "out", "--split", "2018,2019,2020", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  const json train = found["splits"][0], test = found["splits"][2];
  const std::map<std::string, json> row = {
      {"part", "train"},    {"from", 2017},      {"to", 2018},
      {"scientists", 3},    {"institutions", 2}, {"capabilities", 1},
      {"collaboration", 2}, {"partnership", 2},  {"expertise", 2}};
  for (const auto& [key, value] : row) EXPECT_EQ(train[key], value) << key;
  EXPECT_EQ(test["part"], "test");
  EXPECT_EQ(test["scientists"], 3);
  // Ann and Bob repeat, the other way round; Bob-Dee and Ann-Dee are seen to unseen.
  const json pairs = found["groups"]["collaboration"];
  EXPECT_EQ(pairs, (json{{"repeated", 1},
                         {"first_time", 0},
                         {"seen_to_unseen", 2},
                         {"unseen_to_seen", 0},
                         {"unseen_to_unseen", 0}}));
  // Bob-X is new between seen ends, Dee-Z of unseen ones. Fair is Ann's and Bob's, Dee is unseen.
  EXPECT_EQ(found["groups"]["partnership"]["first_time"], 1);
  EXPECT_EQ(found["groups"]["partnership"]["unseen_to_unseen"], 1);
  EXPECT_EQ(found["groups"]["expertise"]["repeated"], 2);
  EXPECT_EQ(found["groups"]["expertise"]["unseen_to_seen"], 1);
  EXPECT_EQ(found["groups"]["all"]["repeated"], 3);
  const json complexity = found["complexity"]["collaboration"];
  EXPECT_EQ(complexity["c_trans"], 0);
  EXPECT_EQ(complexity["c_trans_share"], 0);
  EXPECT_EQ(complexity["c_ind"], 2);
  EXPECT_DOUBLE_EQ(complexity["c_ind_share"].get<double>(), 2.0 / 3);
  // Subjects of pairs in 2020: Bob twice, of 2018, and Ann, of 2019.
  EXPECT_EQ(found["staleness"]["collaboration"],
            (json{{"1", 1}, {"2", 2}, {"3-5", 0}, {">5", 0}, {"never", 0}}));
  EXPECT_EQ(found["staleness"]["all"]["never"], 2);
  const Outcome card = place.run({"stats", "out", "--split", "2018,2019,2020"});
  for (const char* part : {"C_TRANS", "SEEN TO UNSEEN", "train to 2018, valid to 2019"})
    EXPECT_TRUE(contains(card.out, part)) << card.out;
  EXPECT_FALSE(contains(card.out, "Published counts")) << "records may be anybody's";
}

TEST(ExpertBuild, PublishedCountsStandBeside) {
  const Workplace place;
  place.write("P18.xml", acl("P18", "2018", "Fair", "<author><last>Ann</last></author>"));
  place.write("P19.xml", acl("P19", "2019", "Fair", "<author><last>Ann</last></author>"));
  place.write("P20.xml", acl("P20", "2020", "Fair", "<author><last>Ann</last></author>"));
  (void)built(place, {"acl=P18.xml", "acl=P19.xml", "acl=P20.xml"}, "out");
  const Outcome json_text = place.run({"stats", "out", "--split", "2018,2019,2021", "--json"});
  ASSERT_EQ(json_text.code, 0) << json_text.err;
  const json published = json::parse(json_text.out)["published"];
  EXPECT_EQ(published["graph"], "acl");
  ASSERT_EQ(published["counts"].size(), 18u);
  EXPECT_EQ(published["counts"][0], (json{{"part", "train"},
                                          {"count", "scientists"},
                                          {"published", 38436},
                                          {"ours", 1},
                                          {"difference", -38435},
                                          {"verdict", "different"}}));
  const Outcome card = place.run({"stats", "out", "--split", "2018,2019,2021"});
  for (const char* part : {"38,436", "-38,435", "0.27 published facts", "PDFs"})
    EXPECT_TRUE(contains(card.out, part)) << part << "\n" << card.out;
  const Outcome other = place.run({"stats", "out", "--split", "2018,2019,2020"});
  EXPECT_TRUE(contains(other.out, "--split 2018,2019,2021")) << other.out;
  const Outcome osti =
      place.run({"stats", "out", "--split", "2018,2019,2020", "--published", "OSTI"});
  EXPECT_TRUE(contains(osti.out, "likely a slip")) << osti.out;
  const Outcome wrong =
      place.run({"stats", "out", "--split", "2018,2019,2020", "--published", "acm"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "acl, icml, iclr, neurips, wos, scopus, osti")) << wrong.err;
}

TEST(ExpertBuild, AuditLooksAtFacts) {
  const Workplace place;
  place.write("own.csv",
              "id,year,title,authors\n"
              "1,2018,Fair,Ann Lee;Bob Ray\n2,2019,Fair,Ann Lee;Bob Ray\n"
              "3,2020,Fair,Ann Lee;Bob Ray\n4,2021,Fair,ann@lee.org;Cy Poe\n");
  (void)built(place, {"records=own.csv"}, "out");
  const Outcome told = place.run({"audit", "out", "--split", "2018,2019,2020", "--json"});
  ASSERT_EQ(told.code, 0) << told.err;
  const json report = json::parse(told.out);
  std::vector<std::string> ids;
  for (const json& finding : report["findings"]) ids.push_back(finding["id"]);
  for (const char* id : {"answered-by-repetition", "facts-after-test", "odd-names", "coarse-times"})
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id << "\n" << told.out;
  EXPECT_EQ(report["facts"]["facts"], 12);
  EXPECT_EQ(report["split"]["test"], 3);
  EXPECT_EQ(place.run({"audit", "out", "--fail-on", "warning"}).code, 1);
  EXPECT_EQ(place.run({"audit", "out", "--fail-on", "error"}).code, 0);
  const Outcome wrong = place.run({"audit", "out", "--fix", "--out", "x.npz"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--fix is of graphs")) << wrong.err;
  EXPECT_EQ(place.run({"audit", "out", "--split", "2018,2017,2020"}).code, 2);
}

}  // namespace
}  // namespace cupel::test
