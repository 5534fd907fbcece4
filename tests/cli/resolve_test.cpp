// `resolve` as a user meets it: proposals, a table that is edited, a folder, scores.
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "cli/program.h"
#include "cupel/data/formats/csv.h"

namespace cupel::test {
namespace {

using nlohmann::json;

constexpr const char* kHeader = "first_id,first_name,second_id,second_name,verdict\n";

// Ann (0), Bob (1), Bobby (2), Cy (3), Dee (4): five names that no rule takes for one.
void write_folder(const Workplace& place) {
  std::filesystem::create_directory(place.path("acl"));
  place.write("acl/entities.csv",
              "id,type,name\n0,\"scientist\",\"Ann Abel\"\n1,\"scientist\",\"Bob Ray\"\n"
              "2,\"scientist\",\"Xaver Ochs\"\n3,\"scientist\",\"Cy Quint\"\n"
              "4,\"scientist\",\"Dee Zorn\"\n");
  place.write("acl/relations.csv",
              "id,name,head_type,tail_type,direction,time_unit\n"
              "0,\"collaboration\",\"scientist\",\"scientist\",either,\"year\"\n");
  place.write("acl/quadruples.csv",
              "timestamp,head,tail,relation_type\n2018,0,1,0\n2018,2,0,0\n2018,1,2,0\n"
              "2019,3,1,0\n2020,4,3,0\n");
  place.write("acl/authorships.csv",
              "paper,position,entity\n\"p1\",0,0\n\"p1\",1,1\n\"p2\",0,2\n\"p2\",1,0\n\"p3\",0,1\n"
              "\"p3\",1,2\n\"p4\",0,3\n\"p4\",1,1\n\"p5\",0,4\n\"p5\",1,3\n");
}

std::vector<std::string> resolve(std::vector<std::string> more) {
  more.insert(more.begin(), {"resolve", "acl"});
  return more;
}

TEST(Resolve, AppliesDecisionsAgainAndAgain) {
  const Workplace place;
  write_folder(place);
  place.write("mine.csv", std::string(kHeader) +
                              "1,Bob Ray,2,Xaver Ochs,accept\n"
                              "3,Cy Quint,4,Dee Zorn,reject\n");
  const Outcome done =
      place.run(resolve({"--decisions", "mine.csv", "--out", "new", "--no-proposals", "--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  const json told = json::parse(done.out);
  EXPECT_EQ(told["counts"]["entities: scientist"], 4);
  EXPECT_EQ(told["counts"]["facts of one with oneself, left out: collaboration"], 1);
  EXPECT_EQ(told["counts"]["facts that became equal, taken once: collaboration"], 1);
  EXPECT_EQ(told["counts"]["facts: collaboration"], 3);
  EXPECT_EQ(told["counts"]["pairs accepted by a person"], 1);
  EXPECT_EQ(place.read("new/quadruples.csv"),
            "timestamp,head,tail,relation_type\n2018,0,1,0\n2019,2,1,0\n2020,3,2,0\n");
  EXPECT_EQ(place.read("new/merged.csv"),
            "type,former_name,entity\n\"scientist\",\"Xaver Ochs\",1\n");
  const json account = json::parse(place.read("new/provenance.json"));
  EXPECT_EQ(account["content_hash"], told["content_hash"]);
  EXPECT_EQ(account["source"]["content_hash"].get<std::string>().size(), 64u);
  EXPECT_EQ(account["counts"], told["counts"]);

  // The table that came out, its lines turned round, gives the same bytes.
  const std::string table = place.read("new/decisions.csv");
  std::istringstream lines(table);
  std::string header, all, line;
  std::getline(lines, header);
  while (std::getline(lines, line)) all = line + "\n" + all;
  place.write("turned.csv", header + "\n" + all);
  ASSERT_EQ(
      place.run(resolve({"--decisions", "turned.csv", "--out", "two", "--no-proposals"})).code, 0);
  for (const char* file : {"quadruples.csv", "entities.csv", "authorships.csv", "merged.csv",
                           "decisions.csv", "stat.txt"})
    EXPECT_EQ(place.read(std::string("new/") + file), place.read(std::string("two/") + file));

  // On the folder that it made it finds its work done.
  const Outcome again = place.run(
      {"resolve", "new", "--decisions", "mine.csv", "--out", "three", "--no-proposals", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out)["content_hash"], told["content_hash"]);
  EXPECT_EQ(json::parse(again.out)["counts"]["lines about entities that are merged already"], 1);
  EXPECT_EQ(place.read("three/merged.csv"), place.read("new/merged.csv"));
}

TEST(Resolve, AFolderBesideMayBeNamedThroughTheOneThatIsRead) {
  const Workplace place;
  write_folder(place);
  const Outcome done = place.run(resolve({"--out", "acl/../beside"}));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_FALSE(place.read("beside/quadruples.csv").empty());
}

// Two of one name whom ids tell apart, and three of whom somebody keeps two apart.
TEST(Resolve, GivesTheSameTableOfItsOwn) {
  const Workplace place;
  place.write("two.csv",
              "id,year,title,authors,author_ids\nP1,2018,a,Yang Liu;Bob Ray,y1;b\n"
              "P2,2019,a,Yang Liu;Cy Quint,y2;c\nP3,2020,a,Yang Liu,y3\n");
  ASSERT_EQ(place
                .run({"build", "expert", "--from", "records=two.csv", "--set", "identity=id",
                      "--out", "two"})
                .code,
            0);
  place.write("mine.csv",
              "first_name,second_name,verdict,first_authorship,second_authorship\n"
              "Yang Liu,Yang Liu,accept,0 of P1,0 of P2\n");
  ASSERT_EQ(place.run({"resolve", "two", "--decisions", "mine.csv", "--out", "one"}).code, 0);
  for (const char* table : {"mine.csv", "one/decisions.csv"}) {
    const Outcome again =
        place.run({"resolve", "one", "--decisions", table, "--decisions-out", "x.csv", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(json::parse(again.out)["counts"]["lines about entities that are merged already"], 1);
    std::filesystem::remove(place.path("x.csv"));
  }

  std::string records = "id,year,title,authors\n";
  int paper = 0;
  for (const char* name : {"John Smithers", "J. A. Smithers", "John A. Smithers"})
    for (const char* by : {"Ada Zwolle", "Pierre Morand", "Ming Guo", "Olga Weiss"})
      records += "Q" + std::to_string(++paper) + ",2015,a," + name + ";" + by + "\n";
  place.write("three.csv", records);
  ASSERT_EQ(place.run({"build", "expert", "--from", "records=three.csv", "--out", "three"}).code,
            0);
  place.write("apart.csv",
              "first_name,second_name,verdict\nJohn A. Smithers,John Smithers,reject\n");
  std::vector<std::string> tables;
  for (const auto& [from, to] : {std::pair{"apart.csv", "1.csv"}, std::pair{"1.csv", "2.csv"}}) {
    const Outcome done =
        place.run({"resolve", "three", "--decisions", from, "--decisions-out", to, "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(json::parse(done.out)["counts"]["pairs left open by a person"], 1);
    tables.push_back(place.read(to));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_TRUE(contains(tables[0], "open,person")) << tables[0];
}

// Facts that a resolved folder has lost are missed as those of a built one are.
TEST(Resolve, WhatItWroteIsHeldAgainstItsAccount) {
  const Workplace place;
  write_folder(place);
  place.write("mine.csv", std::string(kHeader) + "1,Bob Ray,2,Xaver Ochs,accept\n");
  ASSERT_EQ(place.run(resolve({"--decisions", "mine.csv", "--out", "new", "--no-proposals"})).code,
            0);
  EXPECT_FALSE(contains(place.run({"audit", "new"}).out, "facts-unlike-the-build"));
  place.write("new/quadruples.csv", "timestamp,head,tail,relation_type\n2018,0,1,0\n2019,2,1,0\n");
  const Outcome told = place.run({"audit", "new"});
  EXPECT_TRUE(contains(told.out, "1 fact fewer than were written")) << told.out;
  const Outcome again =
      place.run({"resolve", "new", "--decisions", "mine.csv", "--out", "x", "--no-proposals"});
  EXPECT_TRUE(contains(again.err, "new: has 2 facts, and provenance.json counts 3")) << again.err;
}

// An account says how the folder was built. What is none says nothing.
TEST(Resolve, AnOddAccountIsNone) {
  const Workplace place;
  write_folder(place);
  place.write("mine.csv", std::string(kHeader) + "1,Bob Ray,2,Xaver Ochs,accept\n");
  const auto facts = [&](const std::string& account) {
    place.write("acl/provenance.json", account);
    std::filesystem::remove_all(place.path("new"));
    const Outcome done =
        place.run(resolve({"--decisions", "mine.csv", "--out", "new", "--no-proposals"}));
    EXPECT_EQ(done.code, 0) << account << done.err;
    return place.read("new/quadruples.csv");
  };
  const std::string unknown = facts("{}");
  for (const char* odd :
       {R"({"command": 5})", R"({"command": "resolve"})",
        R"({"command": "resolve", "source": "x"})", R"({"command": "resolve", "source": [1]})",
        R"({"command": ["resolve"], "settings": 3})",
        R"({"command": "resolve", "source": {"provenance": "x"}})", "[1]", "3"})
    EXPECT_EQ(facts(odd), unknown) << odd;
}

TEST(Resolve, ProposesIntoATable) {
  const Workplace place;
  write_folder(place);
  const Outcome done = place.run({"resolve", "acl"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(place.read("decisions.csv").starts_with("first_id,first_name,second_id,"))
      << done.out;
  const Outcome again = place.run({"resolve", "acl"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.err, "decisions.csv: is there already")) << again.err;
  EXPECT_EQ(
      place.run(resolve({"--decisions", "decisions.csv", "--decisions-out", "decisions.csv"})).code,
      0);
}

// Decisions of `out`, which is built of two files and resolved, by what they say of names.
std::multiset<std::string> decided(const Workplace& place, const std::vector<std::string>& first,
                                   const std::vector<std::string>& second, const std::string& out) {
  const std::string head = "id,year,authors,affiliations\n";
  place.write("in/a.csv", fmt::format("{}{}\n", head, fmt::join(first, "\n")));
  place.write("in/b.csv", fmt::format("{}{}\n", head, fmt::join(second, "\n")));
  EXPECT_EQ(place.run({"build", "expert", "--from", "records=in", "--out", out}).code, 0);
  const std::string table = out + ".csv";
  EXPECT_EQ(
      place.run({"resolve", out, "--show", "0.01", "--threshold", "0.6", "--decisions-out", table})
          .code,
      0);
  CsvReader rows(place.path(table));
  std::multiset<std::string> decisions;
  while (rows.next()) {
    const auto& row = rows.fields();
    const auto [one, other] = std::minmax(row[1], row[3]);
    decisions.insert(
        fmt::format("{}|{}|{}", one, other, fmt::join(row.begin() + 4, row.begin() + 11, "|")));
  }
  return decisions;
}

// Names are printed in several ways, which `build` takes for one, and commas say which name is the
// first: what is printed where must not decide which way the entity has.
TEST(Resolve, DecidesTheSameInAnyOrderOfRecordsAndFiles) {
  const Workplace place;
  std::filesystem::create_directory(place.path("in"));
  std::mt19937 bits(7);
  const auto one_of = [&](const std::vector<std::string>& all) { return all[bits() % all.size()]; };
  std::vector<std::string> records;
  for (int k = 0; k < 240; ++k) {
    std::string authors;
    for (std::size_t a = 0; a <= static_cast<std::size_t>(k) % 4; ++a) {
      const std::string first = one_of({"Ana", "A.", "Bo", "Bo C.", "Li-Wei", "Liwei", "Robert",
                                        "Bob", "Tim", "Timothy"}),
                        last = one_of({"Kim", "Müller", "Muller", "Wang", "Sierra", "Ng"});
      authors += (a == 0 ? "" : ";") + one_of({first + " " + last, last + ", " + first,
                                               last + " " + first, first + " " + last + "."});
    }
    records.push_back(fmt::format("p{},{},\"{}\",{}", k, 1990 + bits() % 30, authors,
                                  one_of({"MIT", "Univ. of X", "UNIV OF X", "University of X"})));
  }
  const auto half = [&](std::size_t from, std::size_t to) {
    return std::vector<std::string>(records.begin() + static_cast<std::ptrdiff_t>(from),
                                    records.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto expected = decided(place, half(0, 120), half(120, 240), "as-is");
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(decided(place, half(120, 240), half(0, 120), "files-swapped"), expected);
  std::shuffle(records.begin(), records.end(), bits);
  EXPECT_EQ(decided(place, half(0, 200), half(200, 240), "shuffled"), expected);
}

TEST(Resolve, JudgesByGold) {
  const Workplace place;
  write_folder(place);
  place.write("mine.csv", std::string(kHeader) + "1,Bob Ray,2,Xaver Ochs,accept\n");
  place.write("gold.csv", "name,person\nBob Ray,b\nXaver Ochs,b\nCy Quint,c\nDee Zorn,c\n");
  const Outcome done = place.run(
      resolve({"--gold", "gold.csv", "--decisions", "mine.csv", "--no-proposals", "--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  const json told = json::parse(done.out);
  // Authorships: Ann 2, Bob 3, Xaver 2, Cy 2, Dee 1; persons of 2, 5 and 3: 1 + 10 + 3 pairs, of
  // which 1 + 3 + 1 + 1 are found before, 1 + 10 + 1 after.
  EXPECT_DOUBLE_EQ(told["before"]["pairwise"]["recall"], 6.0 / 14);
  EXPECT_DOUBLE_EQ(told["pairwise"]["recall"], 12.0 / 14);
  EXPECT_EQ(told["pairwise"]["precision"], 1.0);
  EXPECT_DOUBLE_EQ(told["b_cubed"]["recall"], (2 + 5 + (4.0 + 1) / 3) / 10);
  EXPECT_EQ(told["mentions"], 10);
  EXPECT_EQ(place.files(), (std::vector<std::string>{"acl", "gold.csv", "mine.csv"}));

  // Of a merged folder names say little; places are as they were.
  ASSERT_EQ(place.run(resolve({"--decisions", "mine.csv", "--out", "new", "--no-proposals"})).code,
            0);
  place.write("places.csv", "paper,position,person\np1,0,a\nP1,1,b\np2,7,c\n");
  const std::vector<std::string> judge = {"resolve", "new", "--json", "--gold"};
  const auto judged = [&](const char* file) {
    std::vector<std::string> arguments = judge;
    arguments.push_back(file);
    return place.run(arguments);
  };
  EXPECT_TRUE(contains(judged("gold.csv").err, "new was merged before"));
  const Outcome places = judged("places.csv");
  EXPECT_FALSE(contains(places.err, "merged before")) << places.err;
  EXPECT_TRUE(contains(places.err,
                       "all that places.csv lists, beginning with author 1 of paper "
                       "'P1'"))
      << places.err;
  EXPECT_EQ(json::parse(places.out)["counts"]["gold: authorships that the folder does not have"],
            2);
}

TEST(Resolve, TellsWhatItTakesOfMemoryAndKeepsToALimit) {
  const Workplace place;
  write_folder(place);
  const std::vector<std::string> before = place.files();
  const Outcome told = place.run(resolve({"--dry-run", "--memory", "8M", "--json"}));
  ASSERT_EQ(told.code, 0) << told.err;
  const json needs = json::parse(told.out);
  EXPECT_EQ(needs["entities"], 5);
  EXPECT_EQ(needs["facts"], 5);
  EXPECT_EQ(needs["authorships"], 10);
  EXPECT_EQ(needs["pairs"], 0);
  EXPECT_EQ(needs["memory_limit_bytes"], 8 << 20);
  EXPECT_GT(needs["memory_bytes"], 5 * 350);
  // Without room for what reading takes, nobody looks for pairs.
  const json none = json::parse(place.run(resolve({"--dry-run", "--memory", "1M", "--json"})).out);
  EXPECT_TRUE(none["pairs"].is_null()) << none;
  const Outcome text = place.run(resolve({"--dry-run"}));
  EXPECT_TRUE(
      contains(text.out, "acl: 5 names, 5 facts, 10 authorships, about 0 pairs\nmemory: about "))
      << text.out;
  EXPECT_TRUE(contains(place.run(resolve({"--dry-run", "--memory", "1M"})).out,
                       "10 authorships; pairs were not looked for, as there is no room\n"));
  const Outcome refused = place.run(resolve({"--memory", "1K", "--out", "new"}));
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err,
                       "acl: about 6 facts will take some 4.0 MB of memory, and "
                       "--memory allows 1.0 KB; allow more, or take fewer facts"))
      << refused.err;
  EXPECT_EQ(place.run(resolve({"--memory", "much"})).code, 2);
  EXPECT_EQ(place.files(), before);
  const Outcome much = place.run(resolve({"--memory", "8M", "--out", "new"}));
  EXPECT_EQ(much.code, 0);
  EXPECT_TRUE(contains(much.err,
                       "acl: 5 names, 5 facts and about 0 pairs will take some 4.0 MB of "
                       "memory; 8.0 MB are allowed."))
      << much.err;
  EXPECT_EQ(place.run(resolve({"--memory", "1G", "--out", "other"})).err, "");
}

// Without the pairs there would be room.
TEST(Resolve, PairsThatAreTooManyAreRefusedBeforehand) {
  const Workplace place;
  std::string text = "id,year,title,authors\n";
  for (int k = 0; k < 3000; ++k)
    for (const char* first : {"Ann", "A.", "Ann B.", "A. B."})
      text += fmt::format("{0}{1},2000,fair,{1} Zu{2}{3}{4}xyzt\n", k, first,
                          static_cast<char>('a' + k % 26), static_cast<char>('a' + k / 26 % 26),
                          static_cast<char>('a' + k / 676));
  place.write("papers.csv", text);
  ASSERT_EQ(place.run({"build", "expert", "--from", "records=papers.csv", "--out", "mine"}).code,
            0);
  const auto needs = [&](const char* show) {
    const Outcome told =
        place.run({"resolve", "mine", "--dry-run", "--json", "--show", show, "--threshold", "1"});
    EXPECT_EQ(told.code, 0) << told.err;
    return json::parse(told.out);
  };
  const json none = needs("1"), many = needs("0.1");
  EXPECT_EQ(none["pairs"], 0);
  EXPECT_GT(many["pairs"], 8000);
  const auto few = none["memory_bytes"].get<std::size_t>(),
             all = many["memory_bytes"].get<std::size_t>();
  EXPECT_GT(all, few + 2'000'000);
  const auto resolved = [&](const char* show) {
    return place.run({"resolve", "mine", "--show", show, "--threshold", "1", "--out", "new",
                      "--memory", fmt::format("{}K", (few + all) / 2048)});
  };
  const std::vector<std::string> before = place.files();
  const Outcome refused = resolved("0.1");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, " facts and about ")) << refused.err;
  EXPECT_TRUE(contains(refused.err, " pairs will take some ")) << refused.err;
  EXPECT_EQ(place.files(), before);
  EXPECT_EQ(resolved("1").code, 0);
}

TEST(Resolve, SaysWhatIsWrongAndWritesNothing) {
  const Workplace place;
  write_folder(place);
  const auto table = [&](const std::string& name, const std::string& lines) {
    place.write(name, kHeader + lines);
  };
  table("chain.csv",
        "0,Ann Abel,1,Bob Ray,accept\n1,Bob Ray,2,Xaver Ochs,accept\n"
        "0,Ann Abel,2,Xaver Ochs,reject\n");
  table("cut.csv", "0,Ann Abel,1,Bob Ray,accept\n1,Bob R");
  table("itself.csv", "0,Ann Abel,0,Ann Abel,accept\n");
  place.write("no.csv", "a,b\n");
  place.write("edges.txt", "0 1 0\n1 2 1\n0 1 2\n");
  ASSERT_EQ(place.run({"convert", "./edges.txt", "edges", "--format", "facts"}).code, 0);
  const std::vector<std::string> before = place.files();
  const Outcome nobody = place.run({"resolve", "edges"});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_TRUE(contains(nobody.err, "edges: has neither scientists nor institutions")) << nobody.err;
  EXPECT_EQ(place.files(), before);
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--decisions", "chain.csv", "--out", "x"},
       "chain.csv: line 4: keeps 'Ann Abel' and 'Xaver Ochs' apart, which the pairs accepted on "
       "lines 2 and 3 join"},
      {{"--decisions", "cut.csv", "--out", "x"}, "cut.csv: line 3: has 2 fields"},
      {{"--decisions", "itself.csv", "--out", "x"}, "itself.csv: line 2: entity 0, 'Ann Abel',"},
      {{"--decisions", "none.csv", "--out", "x"}, "none.csv: there is no such file"},
      {{"--decisions", "chain.csv"}, "nothing is to be written; give --out"},
      {{"--no-proposals"}, "--no-proposals goes with --decisions"},
      {{"--gold", "no.csv"}, "no.csv: line 1: the columns 'a', 'b' are no gold"},
      {{"--gold", "none.csv"}, "none.csv"},
      {{"--gold-ids", "xml"}, "--gold-ids goes with --gold"},
      {{"--threshold", "2"}, "--threshold 2 is above 1"},
      {{"--threshold", "0.5", "--show", "0.6"}, "--show 0.6 is above --threshold 0.5"},
      {{"--only", "robots"}, "--only 'robots' is neither"},
      {{"--out", "acl"}, "acl: holds something already"},
      {{"--out", "acl/x/y"}, "--out acl/x/y lies in acl, which is not changed"},
      {{"--out", "./acl/x/"}, "--out ./acl/x/ lies in acl, which is not changed"}};
  for (const auto& [arguments, part] : cases) {
    const Outcome outcome = place.run(resolve(arguments));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err << "\nwanted: " << part;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(place.files(), before);
  }
}

}  // namespace
}  // namespace cupel::test
