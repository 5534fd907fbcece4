// Facts over time through the real program: a protocol, its reports, and what is refused.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/card_words.h"
#include "cli/program.h"
#include "cupel/base/random.h"

namespace cupel::test {
namespace {

using nlohmann::json;

constexpr const char* kProtocol = R"(title = "Papers"
task = "events"
[data]
datasets = ["./papers"]
[split]
scheme = "time"
cuts = "2014,2015,2017"
count = 2
[models.recurrency]
[models.popularity]
)";

// Twelve scientists, of whom some come late, four institutions, ten years.
class EventsTest : public testing::Test {
 protected:
  EventsTest() {
    std::filesystem::create_directory(place_.path("papers"));
    std::string facts = "timestamp,head,tail,relation_type\n", entities = "id,type,name\n";
    for (int year = 2010; year < 2020; ++year)
      for (int i = 0; i < 16; ++i) {
        Stream draw(StreamKey{3, 3}, 1, static_cast<std::uint32_t>(year),
                    static_cast<std::uint32_t>(i));
        const std::uint32_t people = year < 2016 ? 8 : 12;
        const auto a = draw.next_below(people);
        const bool paper = i < 10;
        const auto b = paper ? (a + 1 + draw.next_below(2)) % people : 12 + draw.next_below(4);
        facts += std::to_string(year) + "," + std::to_string(a) + "," + std::to_string(b) + "," +
                 (paper ? "0" : "1") + "\n";
      }
    for (int e = 0; e < 16; ++e)
      entities += std::to_string(e) + (e < 12 ? ",scientist," : ",institution,") + "\"N" +
                  std::to_string(e) + "\"\n";
    place_.write("papers/quadruples.csv", facts);
    place_.write("papers/entities.csv", entities);
    place_.write("papers/relations.csv",
                 "id,name,head_type,tail_type,direction,time_unit\n"
                 "0,collaboration,scientist,scientist,either,year\n"
                 "1,\"partnership, paid\",scientist,institution,directed,year\n");
    place_.write("p.toml", kProtocol);
  }
  // The protocol with one piece replaced, or something behind it.
  std::string with(const std::string& piece, const std::string& by) const {
    std::string text = kProtocol;
    if (piece.empty()) return text + by;
    return text.replace(text.find(piece), piece.size(), by);
  }
  std::string refusal(const std::string& text) const {
    place_.write("bad.toml", text);
    const Outcome outcome = place_.run({"run", "bad.toml", "--store", "bad.sqlite"});
    EXPECT_NE(outcome.code, 0) << outcome.out;
    return outcome.err;
  }
  Outcome report(const std::string& format) const {
    return place_.run({"report", "p.sqlite", "--format", format});
  }
  Workplace place_;
};

TEST_F(EventsTest, RunsOnceAndReportsInEveryFormat) {
  const Outcome first = place_.run({"run", "p.toml"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(contains(first.err, "4 runs done")) << first.err;
  for (const char* part : {"Test MRR in percent", "MRR by relation and group, table 1",
                           "collaboration: C_trans", "questions"})
    EXPECT_TRUE(contains(first.out, part)) << part << first.out;
  const Outcome second = place_.run({"run", "p.toml"});
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(second.out, first.out);
  for (const char* format : {"text", "csv", "json", "markdown", "html", "latex"}) {
    const Outcome one = report(format);
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_TRUE(contains(one.out, "recurrency")) << format;
  }
  for (const char* format : {"text", "markdown", "html", "latex"})
    EXPECT_TRUE(contains(report(format).out, "seen to unseen")) << format;
}

// What a person reads of a run is what --json has of it.
TEST_F(EventsTest, ARunIsShownByGroup) {
  place_.run({"run", "p.toml", "--no-report"});
  const json dump = json::parse(place_.run({"show", "p.sqlite", "--json"}).out);
  const std::string id = dump.at("protocols").at(0).at("cells").at(0).at("runs").at(0).at("id");
  const json run = json::parse(place_.run({"show", id, "--store", "p.sqlite", "--json"}).out);
  const std::string text = place_.run({"show", id, "--store", "p.sqlite"}).out;
  std::vector<std::string> lines;
  std::istringstream in(text.substr(0, text.find("Identity")));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto begins = [&](const std::string& with) {
    return std::ranges::find_if(lines, [&](const std::string& l) { return l.starts_with(with); });
  };
  const auto all = begins("All relations: C_trans "), paid = begins("partnership, paid: C_trans ");
  ASSERT_TRUE(all < paid && paid < lines.end()) << text;
  EXPECT_TRUE(contains(all[1], "group") && contains(all[1], "questions") &&
              contains(all[1], "mrr"));
  EXPECT_TRUE(all[2].starts_with("  all ")) << text;
  EXPECT_TRUE(all[3].starts_with("  repeated ") || all[3].starts_with("  first time ")) << text;
  for (const auto& [group, line] : {std::pair("all", all[2]), {"all", paid[2]}}) {
    const std::string relation = line == all[2] ? "all" : "partnership, paid";
    const auto& scores = run.at("other_scores");
    const std::string end = "|relation=" + relation + "|group=" + group;
    EXPECT_TRUE(contains(line, fmt::format("{:.4f}", scores.at("mrr" + end).get<double>())))
        << line;
    EXPECT_TRUE(contains(line, fmt::format(" {:.0f} ", scores.at("n" + end).get<double>())))
        << line;
  }
}

TEST_F(EventsTest, NumbersDoNotDependOnJobs) {
  place_.run({"run", "p.toml", "--jobs", "1", "--no-report"});
  const std::string one = report("csv").out;
  std::filesystem::remove(place_.path("p.sqlite"));
  place_.run({"run", "p.toml", "--jobs", "2", "--no-report"});
  EXPECT_EQ(report("csv").out, one);
}

// Fields of a line; quoted ones without their quotes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

TEST_F(EventsTest, TheCsvHasARowForEachScore) {
  place_.run({"run", "p.toml", "--no-report"});
  std::istringstream csv(report("csv").out);
  std::string line;
  ASSERT_TRUE(std::getline(csv, line));
  EXPECT_EQ(line, "dataset,model,setting,filter,relation,group,metric,value,n,table");
  std::map<std::string, std::int64_t> questions;  // relation and group of recurrency's MRR
  std::set<std::string> relations, metrics;
  while (std::getline(csv, line)) {
    const auto fields = fields_of(line);
    ASSERT_EQ(fields.size(), 10u) << line;
    EXPECT_EQ(fields[0], "./papers");
    EXPECT_EQ(fields[2], "single-step");
    EXPECT_EQ(fields[3], "time");
    relations.insert(fields[4]), metrics.insert(fields[6]);
    if (fields[1] == "recurrency" && fields[6] == "mrr") {
      EXPECT_TRUE(questions.emplace(fields[4] + "|" + fields[5], std::stoll(fields[8])).second);
    }
    if (fields[6] == "mrr") {
      EXPECT_GT(std::stod(fields[7]), 0);
      EXPECT_LE(std::stod(fields[7]), 100);
    }
  }
  EXPECT_EQ(relations, (std::set<std::string>{"all", "collaboration", "partnership, paid"}));
  EXPECT_TRUE(metrics.contains("unknown") && metrics.contains("hits@10"));
  // Two splits of two years of 16 facts, asked at both ends.
  EXPECT_EQ(questions["all|all"], 2 * 2 * 16 * 2);
  EXPECT_EQ(questions["collaboration|all"], 2 * 2 * 10 * 2);
  std::int64_t groups = 0;
  for (const auto& [key, n] : questions)
    if (key.starts_with("all|") && key != "all|all" && !key.starts_with("all|staleness"))
      groups += n;
  EXPECT_EQ(groups, questions["all|all"]);
}

// Identities have the settings of the question that is asked, and none of the other's.
TEST_F(EventsTest, IdentitiesHaveTheQuestionsSettings) {
  const auto planned = [&](const std::string& settings) {
    place_.write("p.toml", with("", "[events]\n" + settings));
    const json plan = json::parse(place_.run({"run", "p.toml", "--dry-run", "--json"}).out);
    return plan["to_do"].empty() ? 0 : plan["runs"].get<int>();
  };
  const auto left = [&](const std::string& settings) {
    place_.write("p.toml", with("", "[events]\n" + settings));
    return json::parse(place_.run({"run", "p.toml", "--dry-run", "--json"}).out)["to_do"].size();
  };
  EXPECT_EQ(planned(""), 4);
  place_.write("p.toml", kProtocol);
  ASSERT_EQ(place_.run({"run", "p.toml", "--no-report"}).code, 0);
  for (const char* same : {"", "question = \"which\"", "negatives = \"historical\"", "batch = 7",
                           "average = \"batches\"", "filter = \"time\""})
    EXPECT_EQ(left(same), 0u) << same;
  for (const char* other : {"setting = \"multi-step\"", "ends = \"target\"", "sampled = 5",
                            "candidates = \"type\"", "filter = \"raw\"", "sampled = 5\nseed = 1"})
    EXPECT_EQ(left(other), 2u) << other;
  EXPECT_EQ(left("seed = 1"), 0u) << "nothing is drawn";
}

TEST_F(EventsTest, WhetherIsAskedAgainstNegatives) {
  place_.write("p.toml", with("[data]", "metric = \"average-precision\"\n[data]") +
                             "[events]\nquestion = \"whether\"\nnegatives = \"historical\"\n");
  const Outcome outcome = place_.run({"run", "p.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string csv = report("csv").out;
  EXPECT_TRUE(
      contains(csv, "./papers,recurrency,single-step,historical among=ends,all,all,roc-auc,"))
      << csv;
  EXPECT_FALSE(contains(csv, "mrr"));
}

// The protocol that is shipped, on a graph and with cuts that it knows nothing of.
TEST_F(EventsTest, TheShippedProtocolTakesAGraphAndCutsOfOnesOwn) {
  const auto ask = [&](const std::string& split, const std::string& tables) {
    return place_.run({"run", "expert", "--tables", tables, "--datasets", "./papers", "--split",
                       split, "--store", "e.sqlite"});
  };
  const Outcome which = ask("2014,2015,2016", "acl,acl-multi-step,acl-whether,acl-trained");
  ASSERT_EQ(which.code, 0) << which.err;
  for (const char* part :
       {"Table acl. ", "Table acl-multi-step. ", "Table acl-whether. ", "Table acl-trained. ",
        "past-resource-allocation", "transe", "re-net", "candidates are the entities of the type"})
    EXPECT_TRUE(contains(flat(which.out), part)) << part << "\n" << which.out;
  // One year is tested, and both ends of its 16 facts are asked for.
  EXPECT_TRUE(contains(flat(which.out), "questions 32 ")) << which.out;
  const Outcome again = ask("2014,2015,2016", "acl");
  EXPECT_TRUE(contains(again.err, "0 runs done")) << again.err;
  const Outcome other = ask("2014,2015,2017", "acl");
  EXPECT_TRUE(contains(other.err, "8 runs done")) << other.err;
  EXPECT_TRUE(contains(flat(other.out), "questions 64 ")) << other.out;
  // Published cuts are far from these years.
  const Outcome far = ask("iclr", "acl");
  EXPECT_EQ(far.code, 2);
  EXPECT_TRUE(contains(far.err, "2019,2020,2021") || contains(far.err, "2020")) << far.err;
  for (const auto& [split, part] :
       {std::pair("2014,2013,2016", "does not ascend"),
        {"ilcr", "is not three whole numbers"},
        {"0.9,0.2", "--split: '0.9,0.2' are not two ascending shares"}}) {
    const Outcome bad = ask(split, "acl");
    EXPECT_EQ(bad.code, 2) << split;
    EXPECT_TRUE(contains(bad.err, part)) << bad.err;
  }
  const Outcome nodes = place_.run({"run", "quickstart", "--split", "1,2,3"});
  EXPECT_EQ(nodes.code, 2);
  EXPECT_TRUE(contains(nodes.err, "--split: cuts facts over time")) << nodes.err;
}

TEST_F(EventsTest, WhatDoesNotGoTogetherIsSaid) {
  const struct {
    std::string text;
    std::vector<const char*> parts;
  } cases[] = {
      {with("./papers", "csbm:classes=3,features=6,nodes=20"),
       {"the task is about facts over time", "or name them by a path"}},
      {with("./papers", "./nothing"), {"./nothing", "no such file or folder"}},
      {with("task = \"events\"", "task = \"node-classification\""),
       {"./papers: holds facts over time", "task = \"events\""}},
      {with("models.popularity", "models.gcn"),
       {"model 'gcn' knows nothing of time", "popularity", "recurrency"}},
      {with("[data]", "metric = \"accuracy\"\n[data]"), {"'accuracy' is not one of", "mrr"}},
      {with("[data]", "metric = \"roc-auc\"\n[data]"), {"'roc-auc' is not one of ranks"}},
      {with("", "[events]\nquestion = \"whether\"\n"),
       {"bad.toml: [[table]]: question = \"whether\": metric 'mrr' is not one of a pool",
        "roc-auc"}},
      {with("", "[events]\nquestion = \"wether\"\n"), {"'wether'", "which, whether"}},
      {with("", "[events]\nnegatives = \"historicl\"\n"),
       {"bad.toml:11: [events]: negatives 'historicl' are unknown (did you mean 'historical'?)"}},
      {with("", "[events]\nnegatives = \"historical:among=tpe\"\n"),
       {"bad.toml:11: [events]: negatives 'historical': 'among' cannot be 'tpe'; it is one of"}},
      {with("", "[[table]]\nid = \"1\"\n[table.events]\nnegatives = \"random:avoid=maybe\"\n"),
       {"bad.toml:13: [[table]] events: negatives 'random': avoid = 'maybe'"}},
      {with("\"2014,2015,2017\"", "\"2014,2015\""), {"is not three whole numbers"}},
      {with("count = 2", "count = 9"),
       {"there are 3 'time' splits", "not 9; ask for fewer by count, or cut earlier"}},
      {with("scheme = \"time\"\ncuts = \"2014,2015,2017\"", "scheme = \"stored\""), {"papers"}},
      {with("", "[models.past-jaccard]\ntyped = true\nvia = \"colaboration\"\n"),
       {"via = \"colaboration\" is no relation", "collaboration, partnership, paid"}},
  };
  for (const auto& [text, parts] : cases) {
    const std::string message = refusal(text);
    for (const char* part : parts) EXPECT_TRUE(contains(message, part)) << message;
    EXPECT_FALSE(contains(message, "logic")) << message;
  }
}

TEST_F(EventsTest, ListAndCardsSayWhatThereIs) {
  const std::string list = place_.run({"list", "tasks"}).out;
  for (const char* part : {"events", "single-step | multi-step", "raw | time | static"})
    EXPECT_TRUE(contains(list, part)) << list;
  const std::string card = place_.run({"show", "recurrency"}).out;
  EXPECT_TRUE(contains(card, "Gastinger")) << card;
  // Of a protocol, with the settings of what it asks, and nothing of training by gradients.
  const auto of_protocol = [&](const std::string& text) {
    place_.write("q.toml", text);
    return flat(place_.run({"show", "q.toml"}).out);
  };
  const std::string which = of_protocol(kProtocol);
  EXPECT_TRUE(contains(which, "question = which") && contains(which, "filter = time")) << which;
  EXPECT_FALSE(contains(which, "negatives") || contains(which, "Training")) << which;
  const std::string whether = of_protocol(
      with("",
           "[events]\nquestion = \"whether\"\n[[table]]\nid = \"1\"\nmetric = \"roc-auc\"\n"
           "[[table]]\nid = \"2\"\n[table.events]\nquestion = \"which\"\n"));
  EXPECT_TRUE(contains(whether, "negatives = random")) << whether;
  EXPECT_TRUE(contains(whether, "asks: question = which")) << whether;
  EXPECT_TRUE(contains(whether, "filter = time")) << whether;
  EXPECT_EQ(whether.find("filter = "), whether.rfind("filter = ")) << "of the second table alone";
  place_.run({"run", "p.toml", "--no-report"});
  const json results = json::parse(report("json").out);
  EXPECT_TRUE(results.is_object() || results.is_array());
}

}  // namespace
}  // namespace cupel::test
