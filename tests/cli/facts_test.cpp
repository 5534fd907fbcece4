// Facts over time, in whatever form they come: each command takes them, or says what does.
#include "cli/made_papers.h"

namespace cupel::test {
namespace {

// A folder of each kind, and a file of each: six facts at times 0 to 5.
void write_facts(const Workplace& place) {
  place.write("own.csv", kFourPapers);
  (void)built(place, {"records=own.csv"}, "made");
  fs::create_directory(place.path("quads"));
  place.write("quads/stat.txt", "4\t2\n");
  place.write("quads/train.txt", "0\t0\t1\t0\n1\t1\t2\t1\n0\t0\t1\t2\n2\t1\t3\t3\n");
  place.write("quads/valid.txt", "0\t0\t1\t4\n");
  place.write("quads/test.txt", "1\t1\t3\t5\n");
  place.write("snap.txt", "# u v t\n0 1 0\n1 2 1\n0 1 2\n2 3 3\n0 1 4\n1 3 5\n");
  place.write("tgb.csv", "ts,u,i,w\n0,a,b,1\n1,b,c,1\n2,a,b,1\n3,c,d,1\n4,a,b,1\n5,b,d,1\n");
}

json shown(const Workplace& place, const std::string& path) {
  const Outcome outcome = place.run({"show", path, "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

TEST(Facts, ACardHasTypesRelationsTimesAndWhatTheyWereBuiltOf) {
  const Workplace place;
  write_facts(place);
  const json card = shown(place, "made"), found = card["found"], time = found["over_time"];
  EXPECT_EQ(card["kind"], "facts");
  EXPECT_EQ(time["first"], 2017);
  EXPECT_EQ(time["last"], 2020);
  EXPECT_EQ(time["time_unit"], "year");
  EXPECT_EQ(time["types"], (json{{{"name", "scientist"}, {"entities", 4}},
                                 {{"name", "institution"}, {"entities", 3}},
                                 {{"name", "capability"}, {"entities", 1}}}));
  // By hand: one pair of 2017, 2018 and 2019 each, three of 2020.
  EXPECT_EQ(time["relations"][0], (json{{"name", "collaboration"},
                                        {"head_type", "scientist"},
                                        {"tail_type", "scientist"},
                                        {"direction", "either"},
                                        {"facts", 6}}));
  std::int64_t all = 0;
  for (const json& relation : time["relations"]) all += relation["facts"].get<std::int64_t>();
  EXPECT_EQ(found["raw"]["facts"], all);
  EXPECT_EQ(card["built"]["recipe"], "expert");
  EXPECT_EQ(card["built"]["inputs"], (json{{{"input", "records"}, {"files", 1}}}));
  EXPECT_EQ(card["built"]["settings"]["pairs"], "year");
  const std::string text = place.run({"show", "./made"}).out;
  for (const char* part : {"2017 to 2020, by year; 4 steps", "collaboration", "institution",
                           "cupel build expert", "records (1 file)", "Content hash"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(Facts, EveryFormHasACard) {
  const Workplace place;
  write_facts(place);
  for (const char* path : {"quads", "./quads/", "snap.txt", "./tgb.csv"}) {
    const json card = shown(place, path);
    EXPECT_EQ(card["found"]["raw"]["facts"], 6) << path;
    EXPECT_EQ(card["found"]["over_time"]["last"], 5) << path;
    EXPECT_FALSE(card.contains("built")) << path;
  }
  const std::string text = place.run({"show", "quads"}).out;
  for (const char* part : {"0 to 5; 6 steps", "valid     4   4      1"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(Facts, APictureIsOfAGraph) {
  const Workplace place;
  write_facts(place);
  const auto before = place.files();
  for (const char* path : {"made", "./quads", "snap.txt", "tgb.csv"}) {
    const Outcome outcome = place.run({"picture", path});
    EXPECT_EQ(outcome.code, 2);
    for (const char* part : {path, "is facts over time", "cupel stats"})
      EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
  EXPECT_EQ(place.files(), before);
}

// A list of two columns has no times, and stays a graph.
TEST(Facts, ListsOfEdgesWithTimesAreConverted) {
  const Workplace place;
  write_facts(place);
  for (const char* path : {"snap.txt", "./tgb.csv"}) {
    const std::string out = fs::path(path).stem().string();
    const Outcome outcome = place.run({"convert", path, out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, out + "  facts: 6 facts, 1 relation, 4 entities\n");
    EXPECT_EQ(shown(place, path)["found"]["content_hash"],
              shown(place, out)["found"]["content_hash"]);
  }
  place.write("plain.txt", "0 1\n1 2\n");
  const Outcome file = place.run({"convert", "plain.txt", "graph.npz"});
  EXPECT_EQ(file.code, 2);
  EXPECT_TRUE(contains(file.err,
                       "plain: one graph without features and labels is written as a "
                       "folder"))
      << file.err;
  const Outcome graph = place.run({"convert", "plain.txt", "graph", "--json"});
  EXPECT_EQ(graph.code, 0) << graph.err;
  EXPECT_EQ(shown(place, "./graph")["found"]["content_hash"],
            json::parse(graph.out)["content_hash"]);
}

TEST(Facts, CutsAreASettingWithCommas) {
  const Workplace place;
  write_facts(place);
  const std::vector<std::string> scheme = {"--scheme", "time", "--splits", "s.json", "--set"};
  const auto converted = [&](std::vector<std::string> front, const std::string& set) {
    front.insert(front.end(), scheme.begin(), scheme.end());
    front.push_back(set);
    return place.run(front);
  };
  const Outcome outcome = converted({"convert", "made", "out"}, "cuts=2017,2018,2019,count=2");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json splits = json::parse(place.read("s.json"));
  ASSERT_EQ(splits.size(), 2u);
  const json time = shown(place, "made")["found"]["raw"];
  EXPECT_LT(splits[0]["test"].back(), time["facts"]) << "2020 is in no part";
  EXPECT_EQ(splits[1]["test"].back().get<int>() + 1, time["facts"]);
  EXPECT_TRUE(fs::exists(place.path("out/quadruples.csv")));
  const Outcome alone = converted({"convert", "made"}, "2018,cuts=2017");
  EXPECT_TRUE(contains(alone.err, "--set '2018' is not of the form NAME=VALUE")) << alone.err;
  const Outcome nowhere =
      place.run({"convert", "made", "other", "--scheme", "time", "--set", "cuts=2017,2018,2019"});
  EXPECT_TRUE(contains(nowhere.err, "--splits FILE alone can hold")) << nowhere.err;
  EXPECT_FALSE(fs::exists(place.path("other")));
}

// Before anything is read: what is wrong with the last line is not met.
TEST(Facts, MoreThanMayBeTakenIsRefusedBeforehand) {
  const Workplace place;
  write_facts(place);
  const std::vector<std::string> cuts = {"--split", "2018,2019,2020"};
  const auto asked = [&](const char* command, const char* path, const char* size) {
    std::vector<std::string> all = {command, path};
    if (size != nullptr) all.insert(all.end(), {"--memory", size});
    if (std::string(path) == "made") all.insert(all.end(), cuts.begin(), cuts.end());
    return place.run(all);
  };
  for (const char* command : {"stats", "audit"})
    for (const char* path : {"made", "quads"}) {
      const Outcome usual = asked(command, path, nullptr), told = asked(command, path, "8M"),
                    ample = asked(command, path, "1G");
      EXPECT_EQ(usual.err, "");
      EXPECT_EQ(ample.err, "");
      EXPECT_EQ(told.out, usual.out);
      EXPECT_TRUE(contains(told.err, std::string(path) + ": about ")) << told.err;
      EXPECT_TRUE(contains(told.err, " of memory; 8.0 MB are allowed.")) << told.err;
    }
  place.write("quads/test.txt", "1\t1\t3\t5\nno fact\n");
  place.write("snap.txt", "0 1 0\n1 2 1\n0 1\n");
  place.write("tgb.csv", "ts,u,i,w\n0,a,b,1\nnever,b,c,1\n");
  const auto before = place.files();
  for (const char* command : {"stats", "audit"})
    for (const char* path : {"made", "quads", "snap.txt", "tgb.csv"}) {
      const Outcome refused = asked(command, path, "1M");
      EXPECT_EQ(refused.code, 2);
      EXPECT_EQ(refused.out, "");
      for (const char* part : {path, ": about ", "and --memory allows 1.0 MB; allow more"})
        EXPECT_TRUE(contains(refused.err, part)) << refused.err;
    }
  EXPECT_EQ(place.files(), before);
  place.write("edges.txt", "0 1\n1 2\n");
  for (const char* command : {"stats", "audit"}) {
    EXPECT_TRUE(contains(asked(command, "made", "much").err, "--memory: 'much' is not a size"));
    const Outcome graph = asked(command, "edges.txt", "1G");
    EXPECT_EQ(graph.code, 2);
    EXPECT_TRUE(contains(graph.err, "edges.txt")) << graph.err;
  }
  EXPECT_TRUE(contains(asked("stats", "edges.txt", "1G").err,
                       "--memory is about facts over time, and this is none; leave it out"));
  // Without a size it is what is free. A file of nothing but its length is not read.
  fs::resize_file(place.path("made/entities.csv"), std::uintmax_t{1} << 42);
  for (const char* command : {"stats", "audit"}) {
    const Outcome refused = asked(command, "made", nullptr);
    EXPECT_EQ(refused.code, 2);
    for (const char* part : {"made: about ", " will take some 8.0 TB of memory, and ",
                             " are free; close programs", "or try with --memory 8388"})
      EXPECT_TRUE(contains(refused.err, part)) << refused.err;
  }
}

// What is written is read again, so that there are two of it.
TEST(Facts, ConvertingAndShowingAreToldBeforehand) {
  const Workplace place;
  write_facts(place);
  for (const auto& [name, cuts] :
       {std::pair{"made", "cuts=2017,2018,2019"}, std::pair{"snap.txt", "cuts=2,3,5"}}) {
    const std::vector<std::vector<std::string>> works = {
        {"convert", name, "out"},
        {"convert", name, "--scheme", "time", "--set", cuts, "--splits", "s.json"},
        {"show", std::string("./") + name}};
    for (const std::vector<std::string>& work : works) {
      const auto with = [&](const char* size) {
        std::vector<std::string> all = work;
        all.insert(all.end(), {"--memory", size});
        return place.run(all);
      };
      const auto before = place.files();
      const Outcome refused = with("1M");
      EXPECT_EQ(refused.code, 2);
      EXPECT_EQ(refused.out, "");
      for (const char* part : {name, ": about ", "and --memory allows 1.0 MB; allow more"})
        EXPECT_TRUE(contains(refused.err, part)) << refused.err;
      EXPECT_EQ(place.files(), before);
      const Outcome told = with("8M");
      EXPECT_EQ(told.code, 0) << told.err;
      EXPECT_TRUE(contains(told.err, " of memory; 8.0 MB are allowed.")) << told.err;
      fs::remove_all(place.path("out"));
      fs::remove(place.path("s.json"));
    }
  }
  place.write("edges.txt", "0 1\n1 2\n");
  for (const std::vector<std::string>& work :
       {std::vector<std::string>{"convert", "./edges.txt", "g", "--memory", "1G"},
        {"show", "./edges.txt", "--memory", "1G"}}) {
    const Outcome graph = place.run(work);
    EXPECT_EQ(graph.code, 2);
    EXPECT_TRUE(contains(graph.err, "--memory is about facts over time")) << graph.err;
  }
  fs::resize_file(place.path("made/entities.csv"), std::uintmax_t{1} << 41);
  const Outcome twice = place.run({"convert", "made", "out"});
  EXPECT_TRUE(contains(twice.err, " facts will take some 8.0 TB of memory")) << twice.err;
  EXPECT_FALSE(fs::exists(place.path("out")));
}

TEST(Facts, WhatIsLeftBehindIsTold) {
  const Workplace place;
  write_facts(place);
  for (const char* format : {"facts", "croissant"}) {
    const std::string out = std::string("as-") + format;
    const Outcome outcome = place.run({"convert", "made", out, "--format", format, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "is written without provenance.json")) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["written"]["not_held"].size(), 1u) << outcome.out;
    EXPECT_FALSE(fs::exists(place.path(out + "/provenance.json")));
  }
  EXPECT_EQ(place.run({"convert", "as-facts", "again"}).err, "");
  EXPECT_EQ(place.run({"convert", "quads", "from-text"}).err, "");
}

}  // namespace
}  // namespace cupel::test
