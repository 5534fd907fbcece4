// Statistics and audits of what `cupel build expert` has made.
#include "cli/made_papers.h"

namespace cupel::test {
namespace {

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

TEST(ExpertBuild, StatisticsHaveTheirPromisedForm) {
  const Workplace place;
  place.write("own.csv", kFourPapers);
  (void)built(place, {"records=own.csv"}, "out");
  const Outcome outcome = place.run({"stats", "out", "--split", "2018,2019,2020", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  using Keys = std::vector<std::string>;  // in the order of the alphabet
  EXPECT_EQ(keys_of(found), (Keys{"complexity", "groups", "splits", "staleness"}));
  EXPECT_EQ(keys_of(found["complexity"]["all"]),
            (Keys{"c_ind", "c_ind_share", "c_trans", "c_trans_share"}));
  const json train = found["splits"][0], test = found["splits"][2];
  EXPECT_EQ(keys_of(train), (Keys{"capabilities", "collaboration", "expertise", "from",
                                  "institutions", "part", "partnership", "scientists", "to"}));
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

TEST(ExpertBuild, StatisticsWithoutPartsAreCounts) {
  const Workplace place;
  place.write("own.csv", kFourPapers);
  (void)built(place, {"records=own.csv"}, "out");
  const Outcome outcome = place.run({"stats", "out", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["steps"], 4);
  EXPECT_EQ(found["first"], 2017);
  EXPECT_EQ(found["last"], 2020);
  EXPECT_EQ(found["time_unit"], "year");
  EXPECT_EQ(found["types"][0], (json{{"name", "scientist"}, {"entities", 4}}));
  std::map<std::string, int> facts;
  int all = 0;
  for (const json& relation : found["relations"]) {
    facts[relation["name"]] = relation["facts"];
    all += relation["facts"].get<int>();
  }
  EXPECT_EQ(facts, (std::map<std::string, int>{
                       {"collaboration", 6}, {"partnership", 4}, {"expertise", 7}}));
  EXPECT_EQ(found["facts"], all);
  const Outcome card = place.run({"stats", "out"});
  for (const char* part : {"2017 to 2020, by year; 4 steps", "scientist    ", "--split"})
    EXPECT_TRUE(contains(card.out, part)) << card.out;
  // What is of parts wants them.
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--splits", "2"}, {"--published", "acl"}}) {
    std::vector<std::string> arguments = {"stats", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_TRUE(contains(place.run(arguments).err, "name the last time of each")) << more[0];
  }
}

TEST(Stats, DaysAndSecondsAreToldAsDates) {
  const Workplace place;
  place.write("days.csv", "date,u,v\n2011-06-14,a,b\n2011-06-15,a,b\n2011-06-16,b,a\n");
  place.write("seconds.csv",
              "time,u,v\n2011-06-14T23:59:59Z,a,b\n2011-06-15 00:00,a,b\n2011-06-16 01:02,b,a\n");
  const std::string days =
      place.run({"stats", "./days.csv", "--split", "2011-06-14,2011-06-15,2011-06-16"}).out;
  for (const char* part : {"train to 15139 (2011-06-14), valid to 15140 (2011-06-15)",
                           "test   15141 (2011-06-16)  15141 (2011-06-16)"})
    EXPECT_TRUE(contains(days, part)) << days;
  for (const char* command : {"stats", "show"}) {
    const std::string seconds = place.run({command, "./seconds.csv"}).out;
    EXPECT_TRUE(contains(seconds, "1308095999 (2011-06-14 23:59:59)")) << seconds;
    EXPECT_TRUE(contains(seconds, "(2011-06-16")) << seconds;
    EXPECT_TRUE(contains(seconds, "01:02:00), by second; 3 steps")) << seconds;
  }
}

TEST(ExpertBuild, PositionsAreThoseOfThePaper) {
  const Workplace place;
  place.write("P18.xml", acl("P18", "2018", "Fair",
                             "<author><last>***</last></author><author><last>Ann</last></author>"));
  place.write("own.csv", "id,year,authors\nr,2018,Bob; 12 ;Cy\n");
  place.write("lists2018.json", R"([{"id": "l", "title": "T", "author": "*; Dee"}])");
  place.write("w.txt", "FN X\nPT J\nAU 1\n   Eva, E\nPY 2018\nUT w\nER\nEF\n");
  place.write("s.csv", "Authors,Year,EID\n\"1; Fox F.\",2018,s\n");
  place.write("o.jsonl",
              R"({"id": "https://openalex.org/W1", "publication_year": 2018, "authorships": [)"
              R"({"raw_author_name": "1"}, {"raw_author_name": "Gus"}, )"
              R"({"raw_author_name": "Hal"}]})");
  (void)built(place,
              {"acl=P18.xml", "records=own.csv", "paperlists=lists2018.json", "wos=w.txt",
               "scopus=s.csv", "openalex=o.jsonl"},
              "out");
  const std::string rows = place.read("out/authorships.csv");
  for (const char* row : {"\",1,0\n", "\"r\",0,", "\"r\",2,", "\"l\",1,", "\"w\",1,", "\"s\",1,",
                          "W1\",1,", "W1\",2,"})
    EXPECT_TRUE(contains(rows, row)) << row << "\n" << rows;
}

// A line has room for few relations; ICEWS has 256.
TEST(Stats, ManyRelationsStandBelowEachOther) {
  const Workplace place;
  std::string few = "timestamp,head,tail,relation_type\n", many = few;
  for (int t = 0; t < 30; ++t) {
    few += fmt::format("{},a,b,r{}\n", t, t % 3);
    many += fmt::format("{},a,b,r{}\n", t, t % 10);
  }
  place.write("few.csv", few);
  place.write("many.csv", many);
  const std::string beside = place.run({"stats", "./few.csv", "--split", "9,19,29"}).out,
                    below = place.run({"stats", "./many.csv", "--split", "9,19,29"}).out;
  EXPECT_TRUE(contains(beside, "NODE  R0  R1  R2\n")) << beside;
  EXPECT_TRUE(contains(below, "NODE\n")) << below;
  EXPECT_TRUE(contains(below, "FACTS OF RELATION  TRAIN  VALID  TEST\n")) << below;
  EXPECT_TRUE(contains(below, "r7                     1      1     1\n")) << below;
}

// Times 0 to 9, one fact each.
TEST(ExpertBuild, ListsOfEdgesAreToldByLooking) {
  const Workplace place;
  std::string lines = "# a comment\n";
  for (int t = 0; t < 10; ++t) lines += fmt::format("{} {} {}\n", t % 3, 3 + t % 2, t);
  place.write("edges.txt", lines);
  const Outcome bare = place.run({"stats", "./edges.txt"});
  EXPECT_EQ(bare.code, 2);
  for (const char* part : {"edges.txt: holds facts over time", "2018,2019,2021", "0.7,0.85"})
    EXPECT_TRUE(contains(bare.err, part)) << bare.err;
  const Outcome shares = place.run({"stats", "./edges.txt", "--split", "0.5,0.8", "--json"});
  ASSERT_EQ(shares.code, 0) << shares.err;
  const Outcome times = place.run({"stats", "./edges.txt", "--split", "4,7,9", "--json"});
  EXPECT_EQ(shares.out, times.out);
  const Outcome wrong = place.run({"stats", "./edges.txt", "--split", "0.8,0.5"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--split: '0.8,0.5' are not two ascending shares")) << wrong.err;
  const Outcome audit = place.run({"audit", "./edges.txt", "--split", "0.5,0.8", "--json"});
  EXPECT_EQ(json::parse(audit.out)["split"]["training"], 5) << audit.out;
}

// Figure 4: each row is what a split at that cut says.
TEST(ExpertBuild, ComplexityIsAStatisticOverCuts) {
  const Workplace place;
  std::string lines;
  for (int t = 0; t < 12; ++t)
    lines += fmt::format("{} {} {}\n{} {} {}\n", t % 3, 3 + t % 2, t, t / 4, 4 + t / 3, t);
  place.write("edges.txt", lines);
  const Outcome all =
      place.run({"stats", "./edges.txt", "--split", "4,5,7", "--splits", "3", "--json"});
  ASSERT_EQ(all.code, 0) << all.err;
  const json rows = json::parse(all.out)["cuts"];
  ASSERT_EQ(rows.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const std::string split = fmt::format("{},{},{}", 4 + k, 5 + k, 7 + k);
    const json one =
        json::parse(place.run({"stats", "./edges.txt", "--split", split, "--json"}).out);
    const json& row = rows[static_cast<std::size_t>(k)];
    EXPECT_EQ(row["test"], 7 + k);
    EXPECT_EQ(row["groups"], one["groups"]);
    EXPECT_EQ(row["complexity"], one["complexity"]);
  }
  const Outcome text = place.run({"stats", "./edges.txt", "--split", "4,5,7", "--splits", "2"});
  EXPECT_TRUE(contains(text.out, "Complexity of later and later cuts")) << text.out;
  const Outcome many = place.run({"stats", "./edges.txt", "--split", "4,5,7", "--splits", "9"});
  EXPECT_EQ(many.code, 2) << "there are five";
}

// Only counting finds that cuts lie behind all facts. Errors that are told instead of that one were
// found before it.
TEST(Stats, TypingErrorsAreRefusedBeforeFactsAreCounted) {
  const Workplace place;
  place.write("edges.txt", "0 1 0\n1 2 1\n2 0 2\n0 2 3\n");
  for (const bool as_json : {false, true}) {
    const auto refused = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"stats", "./edges.txt", "--split", "7,8,9"});
      if (as_json) more.push_back("--json");
      const Outcome outcome = place.run(more);
      EXPECT_EQ(outcome.code, 2);
      return outcome.err;
    };
    EXPECT_TRUE(contains(refused({}), "no fact for validation after 7"));
    EXPECT_TRUE(contains(refused({"--published", "foo"}), "--published 'foo'"));
    EXPECT_TRUE(contains(refused({"--splits", "2"}), "2 splits by time are asked for"));
  }
}

TEST(ExpertBuild, PublishedCountsStandBeside) {
  const Workplace place;
  place.write("P18.xml", acl("P18", "2018", "Fair", "<author><last>Ann</last></author>"));
  place.write("P19.xml", acl("P19", "2019", "Fair", "<author><last>Ann</last></author>"));
  place.write("P20.xml", acl("P20", "2020", "Fair", "<author><last>Ann</last></author>"));
  (void)built(place, {"acl=P18.xml", "acl=P19.xml", "acl=P20.xml"}, "out");
  place.write("mine.txt", "fair\n");
  (void)built(place, {"acl=P18.xml", "acl=P19.xml", "acl=P20.xml"}, "mine",
              {"--set", "keywords=mine.txt"});
  EXPECT_TRUE(contains(place.run({"stats", "mine", "--split", "2018,2019,2021"}).out, "38,436"))
      << "a list of keywords has no records";
  const Outcome plain = place.run({"stats", "out", "--split", "2018,2019,2021", "--json"});
  EXPECT_EQ(keys_of(json::parse(plain.out)).size(), 4u) << "the same keys for all facts";
  const Outcome json_text =
      place.run({"stats", "out", "--split", "2018,2019,2021", "--published", "acl", "--json"});
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
  // Shares are told however small they are.
  EXPECT_EQ(report["known_before"], (json{{"in_training", 3},
                                          {"share_in_training", 1.0},
                                          {"before", 3},
                                          {"share_before", 1.0},
                                          {"test_nodes", 3},
                                          {"unseen_nodes", 0},
                                          {"share_unseen_nodes", 0.0}}));
  const json late =
      json::parse(place.run({"audit", "out", "--split", "2019,2020,2021", "--json"}).out);
  EXPECT_EQ(late["known_before"]["share_before"], 0.0);
  EXPECT_DOUBLE_EQ(late["known_before"]["share_unseen_nodes"], 2.0 / 3);
  EXPECT_FALSE(json::parse(place.run({"audit", "out", "--json"}).out).contains("known_before"));
  EXPECT_EQ(place.run({"audit", "out", "--fail-on", "warning"}).code, 1);
  EXPECT_EQ(place.run({"audit", "out", "--fail-on", "error"}).code, 0);
  const Outcome wrong = place.run({"audit", "out", "--fix", "--out", "x.npz"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--fix is of graphs")) << wrong.err;
  EXPECT_EQ(place.run({"audit", "out", "--split", "2018,2017,2020"}).code, 2);
}

TEST(ExpertBuild, AuditSeesThatAFileWasCutBetweenLines) {
  const Workplace place;
  place.write("own.csv",
              "id,year,title,authors\n1,2018,Fair,Ann Lee;Bob Ray\n2,2019,Fair,Ann Lee;Bob Ray\n");
  (void)built(place, {"records=own.csv"}, "out");
  EXPECT_EQ(place.run({"audit", "out", "--fail-on", "error"}).code, 0);
  std::string lines = place.read("out/quadruples.csv");
  lines.erase(lines.rfind('\n', lines.size() - 2) + 1);
  place.write("out/quadruples.csv", lines);
  const Outcome told = place.run({"audit", "out", "--fail-on", "error"});
  EXPECT_EQ(told.code, 1);
  EXPECT_TRUE(contains(told.out, "1 fact fewer than were written")) << told.out;
  const Outcome resolved = place.run({"resolve", "out", "--out", "merged"});
  EXPECT_TRUE(contains(resolved.err, "has 5 facts, and provenance.json counts 6")) << resolved.err;
  place.write("out/provenance.json", "{\"recipe\":");
  EXPECT_TRUE(contains(place.run({"audit", "out"}).out, "provenance.json cannot be read"));
}

}  // namespace
}  // namespace cupel::test
