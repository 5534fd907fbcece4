// Readers of temporal graphs: what they take, what they refuse, and published data as counted by
// a few lines of Python.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/facts/facts_in_words.h"
#include "cupel/data/facts/renet_text.h"
#include "cupel/data/facts/temporal_csv.h"
#include "cupel/data/facts/temporal_edges.h"
#include "data/facts/made_facts.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

class FactReaders : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& content) {
    made::write_file(folder_ / name, content);
  }
  TemporalFacts renet(FactNotes* notes = nullptr) { return read_renet_text(folder_.path(), notes); }
  TemporalFacts edges(const std::string& content, FactNotes* notes = nullptr) {
    put("edges.txt", content);
    return read_temporal_edges(folder_ / "edges.txt", notes);
  }
  TemporalFacts csv(const std::string& content, FactNotes* notes = nullptr) {
    put("graph.csv", content);
    return read_temporal_csv(folder_ / "graph.csv", notes);
  }

  const made::Folder folder_;
};

TEST_F(FactReaders, RenetPartsNamesAndFifthColumns) {
  put("stat.txt", "4\t2\t3\n");
  put("train.txt", "0\t0\t1\t0\t0\n1\t1\t2\t0\t0\n");
  put("valid.txt", "2 0 0 24\n");
  put("test.txt", "3\t1\t0\t48\t-1\r\n3\t1\t0\t48\t-1");
  put("entity2id.txt", "<B>\t1\t1990-##-##\r\n<A, \"a\">\t0\n<D>\t3\n");
  put("relation2id.txt", "2\nknows\t1\nmet\t0\n");
  FactNotes notes;
  const TemporalFacts facts = renet(&notes);
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts),
            (std::vector<Quadruple>{
                {0, 0, 1, 0}, {1, 1, 2, 0}, {2, 0, 0, 24}, {3, 1, 0, 48}, {3, 1, 0, 48}}));
  EXPECT_EQ(facts.parts,
            (std::vector<FactPart>{{"train", 2, 0, 0}, {"valid", 1, 24, 24}, {"test", 2, 48, 48}}));
  EXPECT_EQ(facts.entities(), 4);
  EXPECT_EQ(facts.entity_name(0), "<A, \"a\">");
  EXPECT_EQ(facts.entity_name(1), "<B>");
  EXPECT_EQ(facts.entity_name(2), "2");
  EXPECT_EQ(facts.relations[0].name, "met");
  EXPECT_EQ(facts.relations[1].name, "knows");
  EXPECT_EQ(notes, (FactNotes{{"facts equal to an earlier one, kept", 1},
                              {"facts that stand more than once", 1}}));
}

TEST_F(FactReaders, RenetFaults) {
  const auto refused = [&](const std::string& file, const std::string& content,
                           const std::vector<std::string>& pieces) {
    put("stat.txt", "4 2\n");
    put("train.txt", "0 0 1 0\n");
    put("entity2id.txt", "a\t0\n");
    put(file, content);
    made::expect_error([&] { (void)renet(); }, pieces);
  };
  refused("train.txt", "0 0 1 0\n0 0 4 1\n", {"train.txt: line 2", "entity 4", "stat.txt", "4"});
  refused("train.txt", "0 2 1 0\n", {"train.txt: line 1", "relation 2 is out of range"});
  refused("train.txt", "-1 0 1 0\n", {"entity -1 is negative"});
  refused("train.txt", "0 0 1\n", {"train.txt: line 1", "3 of the 4 numbers", "cut off"});
  refused("train.txt", "0 0 1 1990-1995\n", {"line 1", "'1990-1995' is no point in time"});
  refused("train.txt", "0 0 1 [1990\n", {"line 1", "'[1990'"});
  refused("train.txt", "0 0 1 5 9\n", {"line 1", "fifth number, 9", "a line for each step"});
  refused("train.txt", "0 0 1 99999999999999999999\n", {"line 1", "'99999999999999999999'"});
  refused("train.txt", "0 0 1 0.5\n", {"line 1", "'0.5' is no whole number"});
  refused("train.txt", "0 0 1 0 0 0\n", {"line 1", "6 numbers"});
  refused("train.txt", "", {"holds no fact"});
  refused("stat.txt", "4\n", {"stat.txt: line 1", "numbers of entities and relations"});
  refused("stat.txt", "", {"stat.txt", "holds no numbers"});
  refused("stat.txt", "2000000000 2\n", {"stat.txt", "2000000000"});
  refused("stat.txt", "0 2\n", {"there cannot be 0 entities"});
  refused("entity2id.txt", "a\t0\nb\t0\n", {"entity2id.txt: line 2", "has a name already"});
  refused("entity2id.txt", "a\t7\n", {"entity2id.txt: line 1", "entity 7 is out of range"});
  refused("entity2id.txt", "a 0\n", {"entity2id.txt: line 1", "'a 0'"});
  refused("entity2id.txt", "a\t0\ncaf\xe9\t1\n", {"entity2id.txt: line 2", "is not UTF-8"});
}

TEST_F(FactReaders, RenetSaysWhatItDoesNotRead) {
  put("stat.txt", "4 2\n");
  put("train.txt", "0 0 1 0\n");
  put("quadruples.txt", "0 0 1 0\n0 0 2 1\n");
  FactNotes notes;
  EXPECT_EQ(renet(&notes).facts(), 1);
  EXPECT_EQ(notes.size(), 1u);
  EXPECT_NE(notes.begin()->first.find("quadruples.txt"), std::string::npos);
}

TEST_F(FactReaders, EdgesAreNumberedSortedAndRepeated) {
  FactNotes notes;
  const TemporalFacts facts =
      edges("# made by hand\n70 5 100\n5,7,90\n\n70\t5\t100\r\n 5 5 -3 ", &notes);
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts),
            (std::vector<Quadruple>{{0, 0, 0, -3}, {0, 0, 1, 90}, {2, 0, 0, 100}, {2, 0, 0, 100}}));
  EXPECT_EQ(facts.entity_name(2), "70");
  EXPECT_EQ(notes["facts earlier than the one before them, sorted"], 2);
  EXPECT_EQ(notes["facts equal to an earlier one, kept"], 1);
}

// Few numbers far apart take another way than many.
TEST_F(FactReaders, EdgesWithGapsAreNumberedAscending) {
  const TemporalFacts facts = edges("2147483646 5 1\n1000000 2147483646 2\n");
  EXPECT_EQ(quadruples_of(facts), (std::vector<Quadruple>{{2, 0, 0, 1}, {1, 0, 2, 2}}));
  EXPECT_EQ(facts.entity_name(1), "1000000");
  std::string dense;
  for (int k = 3000; k > 0; --k) dense += fmt::format("{} {} {}\n", 3 * k, 3 * k + 1, -k);
  const TemporalFacts many = edges(dense);
  ASSERT_EQ(many.entities(), 6000);
  for (std::size_t k = 0; k < 3000; ++k) {
    ASSERT_EQ(many.entity_name(many.source[k]), std::to_string(3 * (3000 - k)));
    ASSERT_EQ(many.target[k], many.source[k] + 1);
  }
}

TEST_F(FactReaders, EdgeFaults) {
  const auto refused = [&](const std::string& content, const std::vector<std::string>& pieces) {
    made::expect_error([&] { (void)edges(content); }, pieces);
  };
  refused("1 2 3\n1 2", {"edges.txt: line 2", "2 of the 3 numbers", "cut off"});
  refused("1 2 3\n-1 2 3", {"edges.txt: line 2", "node -1 is out of range"});
  refused("2147483647 2 3", {"node 2147483647 is out of range"});
  refused("1 2 3 4", {"line 1", "four numbers", "stat.txt"});
  refused("1 2 1990-1995", {"'1990-1995' is no point in time"});
  refused("# nothing\n", {"edges.txt", "holds no fact"});
  refused("a b 3", {"line 1", "'a' is no whole number"});
  refused("1 2 3,", {"line 1", "a comma without a number beside it"});
  refused("1 2 99999999999999999999", {"line 1", "'99999999999999999999' is out of range"});
  refused("1 2 -99999999999999999999", {"line 1", "'-99999999999999999999' is out of range"});
  refused("1 2 -", {"line 1", "'-' is no whole number"});
}

TEST_F(FactReaders, CsvColumnsByName) {
  const TemporalFacts tgb = csv("timestamp,head,tail,relation_type\n20,Q5,Q7,P1\n10,Q7,Q9,P2\n");
  check_invariants(tgb);
  EXPECT_EQ(quadruples_of(tgb), (std::vector<Quadruple>{{1, 1, 2, 10}, {0, 0, 1, 20}}));
  EXPECT_EQ(tgb.entity_name(2), "Q9");
  EXPECT_EQ(tgb.relations[1].name, "P2");

  const TemporalFacts days =
      csv("day,src,dst,callsign\n1970-01-02,\"Paris, \"\"CDG\"\"\",b,x\n2019-01-31,b,c,\n");
  EXPECT_EQ(quadruples_of(days), (std::vector<Quadruple>{{0, 0, 1, 1}, {1, 0, 2, 17927}}));
  EXPECT_EQ(days.entity_name(0), "Paris, \"CDG\"");
  EXPECT_EQ(days.time_unit, "day");

  const TemporalFacts users =
      csv("user_id,item_id,timestamp,state_label,features\n0,0,0.0,0,.1,.2\n0,1,36.0,0,.1,.2\n");
  check_invariants(users);
  EXPECT_EQ(users.types, (std::vector<std::string>{"user", "item"}));
  EXPECT_EQ(quadruples_of(users), (std::vector<Quadruple>{{0, 0, 1, 0}, {0, 0, 2, 36}}));
  EXPECT_EQ(users.entity_types, (std::vector<std::uint8_t>{0, 1, 1}));
}

TEST_F(FactReaders, BlanksAroundQuotedFieldsDoNotCount) {
  const std::vector<Quadruple> wanted = {{0, 0, 1, 1}, {1, 0, 0, 2}, {0, 0, 2, 3}};
  for (const char* text :
       {"source,target,time\na,b,1\nb,a,2\na,\"c, d\",3\n",
        "source, \"target\", time\n\"a\", \"b\",1\n\"b\" , \"a\",2\n a,\t\"c, d\"\t,3\n",
        "source\ttarget\ttime\n \"a\" \t\"b\" \t1\n b\ta\t2\na\tc, d\t 3\n"}) {
    const TemporalFacts facts = csv(text);
    EXPECT_EQ(quadruples_of(facts), wanted) << text;
    EXPECT_EQ(facts.entity_name(1), "b");
    EXPECT_EQ(facts.entity_name(2), "c, d");
  }
  const TemporalFacts names =
      csv("time,source,target\n2001, \"Smith, J\", \"Doe, K\"\n2002, \"Smith, J\", \"\"\"Al\"\", "
          "R\"\n");
  EXPECT_EQ(quadruples_of(names), (std::vector<Quadruple>{{0, 0, 1, 2001}, {0, 0, 2, 2002}}));
  EXPECT_EQ(names.entity_name(2), "\"Al\", R");
}

// The seconds are those of Python's datetime.timestamp().
TEST_F(FactReaders, CsvWithTimesOfDay) {
  const TemporalFacts facts = csv(
      "source,target,time\n"
      "a,b,2014-05-01T01:02:03Z\na,c,2014-05-01 01:02\na,d,2014-05-01T01:02:05.000\n"
      "b,c,2014-05-01T03:02:06+02:00\nb,d,2014-04-30 20:32:07-04:30\nc,d,1969-12-31 23:59:59\n");
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts), (std::vector<Quadruple>{{2, 0, 3, -1},
                                                          {0, 0, 2, 1398906120},
                                                          {0, 0, 1, 1398906123},
                                                          {0, 0, 3, 1398906125},
                                                          {1, 0, 2, 1398906126},
                                                          {1, 0, 3, 1398906127}}));
  EXPECT_EQ(facts.time_unit, "second");
}

// As JODIE's reddit.csv has them, where seconds are few beside the time that passes.
TEST_F(FactReaders, FractionsOfTimesAreTakenDownAndCounted) {
  FactNotes notes;
  const TemporalFacts facts =
      csv("ts,src,dst\n-0.5,a,b\n0.000,a,c\n6.979000091552734,b,c\n8.,c,a\n", &notes);
  EXPECT_EQ(quadruples_of(facts),
            (std::vector<Quadruple>{{0, 0, 1, -1}, {0, 0, 2, 0}, {1, 0, 2, 6}, {2, 0, 0, 8}}));
  EXPECT_EQ(notes["times with a fraction, taken down to whole numbers"], 2);
  EXPECT_EQ(facts.time_unit, "");
  notes.clear();
  EXPECT_EQ(
      quadruples_of(csv("time,u,v\n1970-01-01T00:00:07.5Z,a,b\n1970-01-01 00:00:09,b,c\n", &notes)),
      (std::vector<Quadruple>{{0, 0, 1, 7}, {1, 0, 2, 9}}));
  EXPECT_EQ(notes["times with a fraction, taken down to whole numbers"], 1);
  // As many whole numbers as facts are enough, and fewer are not.
  EXPECT_EQ(csv("ts,src,dst\n1.5,a,b\n2.5,a,c\n3.5,b,c\n").time.all().back(), 3);
  made::expect_error([&] { (void)csv("ts,src,dst\n1.5,a,b\n1.75,a,c\n2.5,b,c\n"); },
                     {"3 facts lie from 1 to 2"});
}

// As SNAP's soc-redditHyperlinks has them.
TEST_F(FactReaders, ColumnsBetweenTabs) {
  const std::string text =
      "SOURCE_SUBREDDIT\tTARGET_SUBREDDIT\tPOST_ID\tTIMESTAMP\tLINK_SENTIMENT\tPROPERTIES\n"
      "leagueoflegends\tteamredditteams\t1u4nrps\t2013-12-31 16:39:58\t1\t345.0,298.0,0.75\n"
      "theredlion\tsoccer\t1u4qkd\t2013-12-31 18:18:37\t-1\t101.0,98.0\n";
  const TemporalFacts facts = csv(text);
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts),
            (std::vector<Quadruple>{{0, 0, 1, 1388507998}, {2, 0, 3, 1388513917}}));
  EXPECT_EQ(facts.entity_name(3), "soccer");
  EXPECT_TRUE(is_facts(folder_ / "graph.csv"));
}

// As spreadsheets save tables where a comma stands before decimals.
TEST_F(FactReaders, ColumnsBetweenSemicolons) {
  const TemporalFacts facts =
      csv("source;target;time;weight\nAnn;\"Lee; Bo\";2019-01-31;0,5\nAnn;Cy, Jr;2019-02-01;1\n");
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts), (std::vector<Quadruple>{{0, 0, 1, 17927}, {0, 0, 2, 17928}}));
  EXPECT_EQ(facts.entity_name(1), "Lee; Bo");
  EXPECT_EQ(facts.entity_name(2), "Cy, Jr");
  EXPECT_TRUE(is_facts(folder_ / "graph.csv"));
}

// Whoever reads facts of a file that names columns hears which name is missing.
TEST_F(FactReaders, HeadersThatLackAColumn) {
  const auto refused = [&](const std::string& content, const std::vector<std::string>& pieces) {
    put("graph.csv", content);
    made::expect_error([&] { (void)read_facts(folder_ / "graph.csv"); }, pieces);
  };
  refused("year,nation,trading nation,weight\n1986,a,b,1\n",
          {"graph.csv: line 1", "names no column of the source", "call it source"});
  refused("from,to,timestamp\n1,2,3\n", {"line 1", "names no column of the source"});
  refused("source;goal;time\n1;2;3\n", {"line 1", "names no column of the target"});
  refused("src dst  time\n1 2 3\n", {"line 1", "blanks between", "commas, tabs or semicolons"});
  refused("a b c\n1 2 3\n", {"line 1", "'a' is no whole number"});
  put("graph.csv", "# src dst time\n1 2 3\n");
  EXPECT_EQ(read_facts(folder_ / "graph.csv").facts(), 1);
}

TEST_F(FactReaders, CsvFaults) {
  const auto refused = [&](const std::string& content, const std::vector<std::string>& pieces) {
    made::expect_error([&] { (void)csv(content); }, pieces);
  };
  refused("", {"graph.csv", "empty"});
  refused("a,b,c\n1,2,3\n", {"graph.csv: line 1", "names no column of the time", "timestamp"});
  for (const char* header : {"start,end,source,target", "source,target,timestamp,End"})
    refused(header + std::string("\n1,2,3,4\n"), {"graph.csv: line 1", "column 'end'", "points"});
  refused("ts,src,dst\n", {"holds no fact"});
  refused("ts,src,dst\n1,2,3\n1,2", {"line 3", "2 fields where 3"});
  refused("ts,src,dst\n1,2,\n", {"line 2", "nothing for the target"});
  refused("ts,src,dst\n1.5,2,3\n1.7,2,3\n", {"graph.csv: 2 facts", "a fraction", "a thousandfold"});
  refused("ts,src,dst\n2019-02-03T10:00:00.5,2,3\n2019-02-03T10:00:00.7,2,3\n",
          {"graph.csv: 2 facts", "a fraction", "milliseconds"});
  refused("ts;src;dst\n1;2;3;4\n", {"line 2", "4 fields", "a semicolon in double quotes"});
  refused("ts,src,dst\n1.5e3,2,3\n", {"line 2", "'1.5e3' is no point in time"});
  refused("ts,src,dst\n1990-1995,2,3\n", {"line 2", "'1990-1995' is no point in time"});
  refused("ts,src,dst\n2019-02-30,2,3\n", {"line 2", "'2019-02-30'"});
  refused("ts,src,dst\n2019-02-03,2,3\n7,2,3\n", {"line 3", "is a number where", "days"});
  refused("ts,src,dst\n2019-02-03T24:00,2,3\n",
          {"line 2", "'2019-02-03T24:00' is no point in time", "2019-01-31T23:59:59"});
  refused("ts,src,dst\n2019-02-03T10:00,2,3\n2019-02-03,2,3\n",
          {"line 3", "is a day where", "times of day"});
  refused("ts\tsrc\tdst\n1\t2,3\n", {"line 2", "2 fields where 3"});
  refused("ts,src,dst\n1,\"2,3\n", {"line 2", "no closing quote"});
  refused("ts,src,dst\n1,\"Weird Al\" Yankovic,3\n", {"line 2", "follows a closing quote"});
  refused("ts,src,dst\n2001,Smith, J,Doe\n",
          {"line 2", "4 fields where the header names 3", "a comma in double quotes"});
  refused("ts\tsrc\tdst\n1\t2\t3\t4\n", {"line 2", "4 fields", "a tab in double quotes"});
  refused("ts,src,dst\n1,caf\xe9,3\n", {"graph.csv: line 2", "is not UTF-8"});
  refused("year,timestamp,src,dst\n1,2,3,4\n", {"line 1", "may be the time", "'timestamp'"});
  refused("user_id,item_id,u,i,ts\n1,2,3,4,5\n", {"line 1", "may be the source", "'u'"});
  refused("src,dst,ts,src\n1,2,3,4\n", {"line 1", "may be the source", "'src'"});
}

// As ICEWS14 is released: days since 1970 are those of Python's datetime.
TEST_F(FactReaders, WordsInParts) {
  put("train.txt",
      "South Korea\tMake statement\tFrance\t2014-05-13\n"
      "France\tConsult\tSouth Korea\t2014-05-12\r\n\n");
  put("valid.txt", "Citizen (France)\tConsult\tFrance\t2014-05-14\t0\n");
  put("test", "Citizen (France)\tConsult\t 7 \t2014-05-16");
  FactNotes notes;
  ASSERT_TRUE(is_facts(folder_.path()));
  const TemporalFacts facts = read_facts(folder_.path(), &notes);
  check_invariants(facts);
  EXPECT_EQ(quadruples_of(facts),
            (std::vector<Quadruple>{
                {1, 1, 0, 16202}, {0, 0, 1, 16203}, {2, 1, 1, 16204}, {2, 1, 3, 16206}}));
  EXPECT_EQ(facts.parts, (std::vector<FactPart>{{"train", 2, 16202, 16203},
                                                {"valid", 1, 16204, 16204},
                                                {"test", 1, 16206, 16206}}));
  EXPECT_EQ(facts.entity_name(0), "South Korea");
  EXPECT_EQ(facts.entity_name(3), "7");
  EXPECT_EQ(facts.relations[1].name, "Consult");
  EXPECT_EQ(facts.time_unit, "day");
  EXPECT_EQ(facts.types, (std::vector<std::string>{"entity"}));
  EXPECT_EQ(notes["facts earlier than the one before them, sorted"], 1);
}

TEST_F(FactReaders, WordsInOneFileAndNumbersThatAreNames) {
  put("events.tsv", "a\tsees\tb\t3\nb\tsees\tc\t2\n");
  ASSERT_TRUE(is_facts(folder_ / "events.tsv"));
  const TemporalFacts file = read_facts(folder_ / "events.tsv");
  EXPECT_EQ(quadruples_of(file), (std::vector<Quadruple>{{1, 0, 2, 2}, {0, 0, 1, 3}}));
  EXPECT_TRUE(file.parts.empty());
  put("numbers.tsv", "1\t2\t3\t4\n");
  EXPECT_FALSE(is_facts_in_words(folder_ / "numbers.tsv")) << "which of these is the time?";
  put("train", "12 0 15 24\n15 1 12 48\n");
  ASSERT_TRUE(is_facts(folder_.path())) << "without stat.txt, but of known columns";
  const TemporalFacts folder = read_facts(folder_.path());
  EXPECT_EQ(quadruples_of(folder), (std::vector<Quadruple>{{0, 0, 1, 24}, {1, 1, 0, 48}}));
  EXPECT_EQ(folder.entity_name(1), "15");
  put("train", "12 0 15\n");
  EXPECT_FALSE(is_facts(folder_.path()));
}

TEST_F(FactReaders, FaultsOfWords) {
  const auto refused = [&](const std::string& content, const std::vector<std::string>& pieces) {
    put("train.txt", content);
    made::expect_error([&] { (void)read_facts_in_words(folder_.path()); }, pieces);
  };
  refused("", {"holds no fact"});
  refused("a\tr\tb\t1\na\tr\tb", {"train.txt: line 2", "3 fields where four", "cut off"});
  refused("a\tr\tb\t1\na r b 1\n", {"line 2", "has 1 field where four", "blanks where tabs"});
  refused("a r b 1\na r b\n", {"line 2", "has 3 fields where four", "cut off"});
  refused("a\tr\t\t1\n", {"train.txt: line 1", "nothing for the target"});
  refused("a\tr\tb\t1990-1995\n", {"line 1", "'1990-1995' is no point in time"});
  refused("a\tr\tb\t1990\t1995\n", {"line 1", "'1995' behind the time", "each step"});
  refused("a\tr\tb\t1\t0\t0\n", {"line 1", "behind the time"});
  refused("a\tr\tb\t2019-02-03\na\tr\tb\t7\n", {"line 2", "is a number where", "days"});
  refused("a\tr\tb\t1\na\tr\tcaf\xe9\t1\n", {"line 2", "is not UTF-8"});
}

TEST_F(FactReaders, TheFormIsRecognised) {
  put("edges.txt", "1 2 3\n");
  put("graph.csv", "ts,src,dst\n1,2,3\n");
  put("list.txt", "1 2\n");
  put("m.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 3\n");
  EXPECT_FALSE(is_facts(folder_ / "m.mtx")) << "its first line of numbers is no fact";
  EXPECT_TRUE(is_facts(folder_ / "edges.txt"));
  EXPECT_TRUE(is_facts(folder_ / "graph.csv"));
  put("lasting.csv", "start,end,source,target\n1,2,3,4\n");
  EXPECT_TRUE(is_facts(folder_ / "lasting.csv")) << "so that it is refused as such";
  put("edges.csv", "start,end\n1,2\n");
  EXPECT_FALSE(is_facts(folder_ / "edges.csv"));
  EXPECT_FALSE(is_facts(folder_ / "list.txt"));
  EXPECT_FALSE(is_facts(folder_.path()));
  EXPECT_FALSE(is_facts(folder_ / "none"));
  EXPECT_EQ(read_facts(folder_ / "graph.csv").facts(), 1);
  made::expect_error([&] { (void)read_facts(folder_.path()); },
                     {"is no folder of facts", "the file itself"});
  made::expect_error([&] { (void)read_facts(folder_ / "none"); }, {"there is no such file"});
  put("stat.txt", "3 1\n");
  put("quadruples.txt", "0 0 1 7\n");
  EXPECT_TRUE(is_facts(folder_.path()));
  EXPECT_TRUE(read_facts(folder_.path()).parts.empty());
}

struct Published {
  std::string path;
  std::int64_t facts, used, entities, relations, steps, first, last, back, repeats, distinct;
};

// Counted by Python: sets and a Counter over split lines.
TEST(PublishedFacts, AreAsPythonCountsThem) {
  const char* root = std::getenv("CUPEL_DATA");
  std::filesystem::path data;
  for (const char* place : {"temporal", "expert/temporal"})
    if (root && std::filesystem::exists(std::filesystem::path(root) / place))
      data = std::filesystem::path(root) / place;
  if (data.empty()) GTEST_SKIP() << "CUPEL_DATA has no temporal graphs";
  const Published all[] = {
      {"ICEWS18", 468558, 23033, 23033, 256, 304, 0, 7272, 0, 0, 0},
      {"YAGO", 201089, 10585, 10623, 10, 189, 0, 188, 0, 0, 0},
      {"CollegeMsg/CollegeMsg.txt", 59835, 1899, 1899, 1, 58911, 1082040961, 1098777142, 0, 37, 36},
      {"email-Eu-core-temporal/email-Eu-core-temporal.txt.gz", 332334, 986, 986, 1, 207880, 0,
       69459254, 2, 4998, 4969}};
  for (const Published& one : all) {
    FactNotes notes;
    const TemporalFacts facts = read_facts(data / one.path, &notes);
    check_invariants(facts);
    std::set<Index> used(facts.source.all().begin(), facts.source.all().end());
    used.insert(facts.target.all().begin(), facts.target.all().end());
    const std::set<std::int64_t> steps(facts.time.all().begin(), facts.time.all().end());
    EXPECT_EQ(facts.facts(), one.facts) << one.path;
    EXPECT_EQ(std::ssize(used), one.used) << one.path;
    EXPECT_EQ(facts.entities(), one.entities) << one.path;
    EXPECT_EQ(std::ssize(facts.relations), one.relations) << one.path;
    EXPECT_EQ(std::ssize(steps), one.steps) << one.path;
    EXPECT_EQ(*steps.begin(), one.first) << one.path;
    EXPECT_EQ(*steps.rbegin(), one.last) << one.path;
    EXPECT_EQ(notes["facts earlier than the one before them, sorted"], one.back) << one.path;
    EXPECT_EQ(notes["facts equal to an earlier one, kept"], one.repeats) << one.path;
    EXPECT_EQ(notes["facts that stand more than once"], one.distinct) << one.path;
  }
  const TemporalFacts icews = read_facts(data / "ICEWS18");
  EXPECT_EQ(icews.parts, (std::vector<FactPart>{{"train", 373018, 0, 5736},
                                                {"valid", 45995, 5760, 6456},
                                                {"test", 49545, 6480, 7272}}));
  EXPECT_EQ(icews.entity_name(1), "Media Personnel (Afghanistan)");
  EXPECT_EQ(icews.relations[1].name, "Make an appeal or request");
}

}  // namespace
}  // namespace cupel
