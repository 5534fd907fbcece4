// `cupel build expert`: what is made of papers, and what is refused.
#include <zlib.h>

#include "cli/made_papers.h"
#include "cupel/base/hash.h"

namespace cupel::test {
namespace {

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
  const json found = json::parse(read.out), splits = found["splits"];
  const int facts[] = {7, 3, 1};
  for (std::size_t part = 0; part < 3; ++part) {
    int sum = 0;
    for (const auto& [relation, counts] : found["groups"].items())
      if (relation != "all") sum += splits[part][relation].get<int>();
    EXPECT_EQ(sum, facts[part]);
  }
}

TEST(ExpertBuild, WhatItTakesOfMemoryIsToldBeforehand) {
  const Workplace place;
  write_all(place);
  const auto before = place.files();
  const auto build = [&](const std::vector<std::string>& from, const char* size) {
    return place.run(build_of(from, "out", {"--memory", size}));
  };
  const std::vector<std::string> both = {"acl=acl", "records=own.csv"};
  const Outcome refused = build(both, "1M");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  for (const char* part : {"expert: ", " of records in 3 files will take some 8.0 MB of memory, ",
                           "--memory allows 1.0 MB; allow more, or take fewer records"})
    EXPECT_TRUE(contains(refused.err, part)) << refused.err;
  EXPECT_EQ(place.files(), before);
  EXPECT_EQ(build(both, "much").code, 2);
  const Outcome told = build(both, "16M");
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(contains(told.err, " of memory; 16 MB are allowed.")) << told.err;
  fs::remove_all(place.path("out"));
  EXPECT_EQ(build(both, "1G").err, "");
  fs::remove_all(place.path("out"));

  // Nothing is known of nodes and links; a build of them ends where it would take more.
  const Outcome mixed = build({"expert=graph", "records=own.csv"}, "16M");
  EXPECT_TRUE(contains(mixed.err,
                       "in 1 file, without those of 'expert', of which nothing is known "
                       "yet, will take some 8.0 MB"))
      << mixed.err;
  fs::remove_all(place.path("out"));
  const Outcome graph = build({"expert=graph"}, "1K");
  EXPECT_EQ(graph.code, 2);
  EXPECT_TRUE(contains(graph.err, "with it, nodes and links take more than the 1.0 KB of memory"))
      << graph.err;
  EXPECT_EQ(place.files(), before);
  const Outcome other =
      place.run({"build", "wiki-cs", "--from", "own.csv", "--out", "w", "--memory", "1G"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(
      contains(other.err, "build: --memory is about facts over time, and wiki-cs makes none"))
      << other.err;
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

// By the names of files with numbers as numbers, then by folders; inputs in an order of their own.
TEST(ExpertBuild, FilesAreReadInTheOrderOfTheirNames) {
  const Workplace place;
  for (const char* folder : {"x/a", "y"}) fs::create_directories(place.path(folder));
  for (const char* file : {"x/part10", "x/a/part2", "y/part2", "y/Part3", "y/part1"})
    place.write(std::string(file) + ".csv",
                fmt::format("id,year,authors\n{},2019,Ann Lee;Bob Ray\n", file));
  place.write("works.jsonl", work("W1", 2019, "T", {{"Ann Lee", ""}, {"Bob Ray", ""}}));
  const std::vector<std::vector<std::string>> orders = {
      {"records=x", "openalex=works.jsonl", "records=y"},
      {"openalex=works.jsonl", "records=y", "records=x"}};
  for (const auto& from : orders) {
    fs::remove_all(place.path("out"));
    (void)built(place, from, "out");
    std::vector<std::string> papers;
    std::istringstream rows(place.read("out/authorships.csv"));
    for (std::string row; std::getline(rows, row);)
      if (contains(row, ",0,")) papers.push_back(row.substr(0, row.find(',')));
    EXPECT_EQ(papers, (std::vector<std::string>{"\"W1\"", "\"y/Part3\"", "\"y/part1\"",
                                                "\"x/a/part2\"", "\"y/part2\"", "\"x/part10\""}));
  }
}

// Partitions may lie elsewhere, and nobody knows in which case a system writes its names.
TEST(ExpertBuild, FoldersHaveFilesOfAnyCaseAndBehindLinks) {
  const Workplace place;
  for (const char* folder : {"f/deep", "elsewhere"}) fs::create_directories(place.path(folder));
  place.write("f/a.csv", "year,authors\n2019,A;B\n");
  place.write("f/deep/b.CSV", "year,authors\n2019,C;D\n");
  place.write("elsewhere/d.jsonl", R"({"year":2019,"authors":"G;H"})");
  write_gzip(place.path("f/c.json.gz"), R"([{"year":2019,"authors":"E;F"}])");
  fs::create_directory_symlink("../elsewhere", place.path("f/part"));
  fs::create_directory_symlink("..", place.path("f/deep/up"));
  EXPECT_EQ(six(built(place, {"records=f"}, "all")), (Six{8, 0, 0, 4, 0, 0}));
  // A file is read once, whatever leads to it.
  fs::create_symlink("a.csv", place.path("f/again.csv"));
  EXPECT_EQ(six(built(place, {"records=f"}, "linked", {"--set", "pairs=paper"})),
            (Six{8, 0, 0, 4, 0, 0}));
  const Outcome twice = place.run({"build", "expert", "--from", "records=f/a.csv", "--from",
                                   "records=f/again.csv", "--out", "none"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "f/again.csv is given twice")) << twice.err;
  for (const auto& [from, message] :
       {std::pair{"records=", "'records=' names nothing; write records=FILE"},
        std::pair{"record=f/a.csv", "there is no input 'record'; its inputs are acl, "}}) {
    const Outcome wrong = place.run({"build", "expert", "--from", from, "--out", "none"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_TRUE(contains(wrong.err, message)) << wrong.err;
  }
  fs::create_symlink("nowhere.csv", place.path("f/x.csv"));
  const Outcome broken = place.run({"build", "expert", "--from", "records=f", "--out", "none"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_TRUE(contains(broken.err, "x.csv: is called like a file of the input")) << broken.err;
}

// Of nodes and links too, which may lie in several folders.
TEST(ExpertBuild, NodesAndLinksAreReadFromAllFilesOfFolders) {
  const Workplace place;
  write_all(place);
  const std::string links = place.read("graph/S_Links_Belongs To.jsonl");
  const fs::path given = place.path("graph/S_Links_Belongs To.jsonl");
  fs::create_directories(place.path("graph/more"));
  fs::remove(given);
  for (const char* name : {"S_Links_Belongs To.JSONL", "more/S_Links_Belongs To.jsonl",
                           "S_Links_Belongs To.jsonl.gz", "S_Links_Belongs To.Json.GZ"}) {
    const fs::path path = place.path("graph") / name;
    if (path.stem().has_extension()) {
      write_gzip(path, links);
    } else {
      place.write("graph/" + std::string(name), links);
    }
    EXPECT_EQ(six(built(place, {"expert=graph"}, "out")), kByHand) << name;
    fs::remove(path);
    fs::remove_all(place.path("out"));
  }
  fs::create_directory(place.path("links"));
  place.write("links/S_Links_Belongs To.jsonl", links);
  EXPECT_EQ(six(built(place, {"expert=graph", "expert=links"}, "two")), kByHand);
}

TEST(ExpertBuild, WhatSomebodyPutBesideTheResultStays) {
  const Workplace place;
  write_all(place);
  fs::create_directory(place.path("exp.steps"));
  place.write("exp.steps/thesis.txt", "mine");
  place.write("exp.steps/other-0123456789abcdef.step", "of another build");
  (void)built(place, {"wos=wos.txt"}, "exp");
  EXPECT_EQ(place.read("exp.steps/thesis.txt"), "mine");
  EXPECT_EQ(place.read("exp.steps/other-0123456789abcdef.step"), "of another build");
  place.write("file.steps", "mine");
  (void)built(place, {"wos=wos.txt"}, "file");
  EXPECT_EQ(place.read("file.steps"), "mine");
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
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "one", {"--set", "years=2018"})),
            (Six{2, 0, 1, 1, 0, 2}));
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
  // What may stand between affiliations, else, may stand between authors.
  place.write("bars.csv", "year,authors,affiliations\n2019,Ann Lee|Bob Ray,MIT+CMU|ETH\n");
  EXPECT_EQ(six(built(place, {"records=bars.csv"}, "i", {"--set", "columns=separator:|"})),
            (Six{2, 3, 0, 1, 3, 0}));
  EXPECT_EQ(
      six(built(place, {"records=bars.csv"}, "j", {"--set", "columns=separator:|,within:none"})),
      (Six{2, 2, 0, 1, 2, 0}));
  EXPECT_TRUE(contains(place.read("f/entities.csv"), "\"capability\",\"reactors\""));
}

TEST(ExpertBuild, AListOfKeywordsIsAnInput) {
  const Workplace place;
  const std::string list = "# mine\nReactors\n";
  place.write("own.csv", "id,year,title,authors\np,2019,Fair reactors,Ann Lee;Bob Ray\n");
  place.write("mine.txt", list);
  (void)built(place, {"records=own.csv"}, "a", {"--set", "keywords=mine.txt"});
  const json inputs = json::parse(place.read("a/provenance.json"))["inputs"];
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0]["input"], "records");
  EXPECT_EQ(inputs[1], (json{{"input", "keywords"},
                             {"file", "mine.txt"},
                             {"bytes", list.size()},
                             {"sha256", sha256(list)}}));
  place.write("mine.txt", "fair\n");
  (void)built(place, {"records=own.csv"}, "b", {"--set", "keywords=mine.txt"});
  EXPECT_NE(json::parse(place.read("b/provenance.json"))["inputs"], inputs);
  // One that is named here is none.
  (void)built(place, {"records=own.csv"}, "c", {"--set", "keywords=nuclear"});
  EXPECT_EQ(json::parse(place.read("c/provenance.json"))["inputs"].size(), 1u);
}

// Two people of one name are taken apart by their papers, and stay apart when who is who is asked.
TEST(ExpertBuild, ATableOfPersonsTakesANameApart) {
  const Workplace place;
  place.write("own.csv",
              "id,year,title,authors\np1,2018,Fair,Yang Liu;Wei Wang\n"
              "p2,2019,Trees,Bob Ray;Yang Liu\np3,2020,Fair,Yang Liu;Wei Wang\n");
  const std::string table = "paper,position,name,person\np2,1,Yang Liu,of Oslo\n";
  place.write("persons.csv", table);
  const std::vector<std::string> set = {"--set", "persons=persons.csv"};
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "one"))[0], 3);
  const json counts = built(place, {"records=own.csv"}, "two", set);
  EXPECT_EQ(six(counts), (Six{4, 0, 1, 3, 0, 4}));
  EXPECT_EQ(counts["authorships of whom the table of persons tells"], 1);
  const json provenance = json::parse(place.read("two/provenance.json"));
  EXPECT_EQ(provenance["settings"]["persons"], "persons.csv");
  EXPECT_EQ(provenance["inputs"][1], (json{{"input", "persons"},
                                           {"file", "persons.csv"},
                                           {"bytes", table.size()},
                                           {"sha256", sha256(table)}}));
  // Again and again to the same bits.
  (void)built(place, {"records=own.csv"}, "again", set);
  for (const char* file : {"/quadruples.csv", "/entities.csv", "/authorships.csv"})
    EXPECT_EQ(place.read(std::string("again") + file), place.read(std::string("two") + file));
  const Outcome resolved =
      place.run({"resolve", "two", "--threshold", "0.01", "--out", "resolved"});
  ASSERT_EQ(resolved.code, 0) << resolved.err;
  const std::string entities = place.read("resolved/entities.csv");
  EXPECT_NE(entities.find("Yang Liu"), entities.rfind("Yang Liu")) << entities;

  place.write("persons.csv", "paper,position,person\np2,2,of Oslo\n");
  const Outcome refused = place.run(build_of({"records=own.csv"}, "none", set));
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(
      contains(refused.err, "persons.csv: line 2: no paper 'p2' has an author at position 2"))
      << refused.err;
  EXPECT_FALSE(fs::exists(place.path("none")));
}

TEST(ExpertBuild, CountsSayWhichInputTheyAreOf) {
  const Workplace place;
  place.write("own.csv",
              "id,year,authors,author_ids\n"
              "p1,2019,Ann Lee;Bob Ray,a;\np2,2019,O&#x27;Hare;Cy Poe,o;c\n");
  place.write("works.jsonl",
              work("W1", 2020, "Trees", {{"Dee Fox", "X"}, {"Bob Ray", "Y"}}) +
                  R"({"id":"W2","title":"T","authorships":[{"raw_author_name":"Eve"}]})" + "\n" +
                  R"({"id":"W3","publication_year":2020,"title":"T",)" +
                  R"("authorships":[{"raw_author_name":"Eve"},{"raw_author_name":"Gus"}]})" + "\n");
  place.write("wos.txt", "FN X\nPT J\nAU Lee, A\nAF Lee, Ann\nPY 2019\nUT w\nER\nEF\n");
  const json counts = built(place, {"records=own.csv", "openalex=works.jsonl", "wos=wos.txt"},
                            "out", {"--set", "identity=id"});
  const auto has = [&](const char* what, int number) {
    EXPECT_EQ(counts.value(what, -1), number) << what << "\n" << counts.dump(1);
  };
  has("openalex: records without year", 1);
  has("records: lists with HTML entities, decoded", 1);
  // The work without a year does not count, nor do its authors.
  has("openalex: authors without an id, known by name", 2);
  has("records: authors without an id, known by name", 1);
  has("wos: authors without an id, known by name", 1);
  const json by_name = built(place, {"records=own.csv"}, "names");
  EXPECT_FALSE(by_name.contains("records: authors without an id, known by name"));
}

TEST(ExpertBuild, YearsToComeAreCountedWhereTheyAreTaken) {
  const Workplace place;
  place.write("own.csv", "id,year,authors\n1,2019,Ann Lee;Bob Ray\n2,2999,Ann Lee;Bob Ray\n");
  const json open = built(place, {"records=own.csv"}, "open", {"--set", "years=1965-3000"});
  EXPECT_EQ(open.value("papers of a year that is to come", -1), 1) << open.dump(1);
  EXPECT_EQ(json::parse(place.read("open/provenance.json"))["counts"].value(
                "papers of a year that is to come", -1),
            1);
  EXPECT_FALSE(
      built(place, {"records=own.csv"}, "closed").contains("papers of a year that is to come"));
}

TEST(ExpertBuild, IdsOfWebOfScienceTellPeopleApart) {
  const Workplace place;
  const auto record = [](const char* ut, const char* more) {
    return fmt::format(
        "PT J\nAU Liu, Y\n   Poe, C\nAF Liu, Yang\n   Poe, Cy\nPY 2019\nUT {}\n{}ER\n", ut, more);
  };
  place.write("wos.txt", "FN X\nVR 1.0\n" + record("1", "OI Liu, Yang/0000-1\n") +
                             record("2", "RI Liu, Y./0000-2\n") +
                             record("3", "OI liu, yang/0000-1\n") + record("4", "") + "EF\n");
  const std::vector<std::string> open = {"--set", "identity=id"};
  const json counts = built(place, {"wos=wos.txt"}, "id", open);
  EXPECT_EQ(counts["scientists"], 4) << counts.dump(1);
  EXPECT_EQ(counts["wos: authors without an id, known by name"], 5);
  EXPECT_EQ(built(place, {"wos=wos.txt"}, "name")["scientists"], 2);
}

TEST(ExpertBuild, ColumnsMayHaveCommasInTheirNames) {
  const Workplace place;
  place.write("own.csv", "Jahr,\"Authors, \"\"all\"\"\"\n2019,\"Ann Lee,Bob Ray\"\n");
  const std::string quoted = R"(columns=authors:"Authors, ""all""",year:Jahr,separator:comma)";
  EXPECT_EQ(six(built(place, {"records=own.csv"}, "a", {"--set", quoted})),
            (Six{2, 0, 0, 1, 0, 0}));
  for (const char* wrong : {R"(columns=authors:"Authors, ""all"")", R"(columns=authors:"A"B)",
                            R"(columns=authors:")", R"(columns=authors:"")", R"(columns="A")"}) {
    const Outcome outcome = place.run(build_of({"records=own.csv"}, "b", {"--set", wrong}));
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_TRUE(contains(outcome.err, "is no FIELD:COLUMN")) << outcome.err;
  }
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
  place.write("commas.csv", "id,year,title,authors\np1,2019,T,\"Ann Lee, Bob Ray\"\n");
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
      {{"records=head.csv"}, {"head.csv", "authors", "columns=authors:Names"}},
      {{"records=commas.csv"},
       {"give no fact", "lists of authors without ';' but with commas, read as one name: 1",
        "columns=separator:comma"}},
      {{"records=late.csv"}, {"give no fact", "1965-2021", "1 papers of other years"}},
      {{"paperlists=v.json"}, {"v.json"}},
      {{"wos=bad.txt"}, {"bad.txt"}},
      {{"scopus=head.csv"}, {"head.csv"}},
      {{"tei=acl/P19.xml"}, {"P19.xml", "TEI"}},
      {{"expert=tei"}, {"tei", "'expert'", "*.jsonl"}},
      {{"acl=nowhere"}, {"nowhere"}},
      {{"acl=graph"}, {"graph", "*.xml"}},
      {{"records=span.csv"}, {"span.csv", "line 2", "2019-2020"}},
      {{"records=own.csv", "records=own.csv"}, {"own.csv", "given twice"}},
      {{"own.csv"}, {"own.csv", "INPUT=own.csv", "records"}},
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
      {"years=2021-", "first and the last"},       {"years=-2021", "or one year"},
      {"years=2021-1965", "first and the last"},   {"identity=email", "name"},
      {"keywords=none.txt", "none.txt"},           {"filter=some", "matched"},
      {"columns=author:Names", "no FIELD:COLUMN"}, {"most-authors=0", "most-authors"}};
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

}  // namespace
}  // namespace cupel::test
