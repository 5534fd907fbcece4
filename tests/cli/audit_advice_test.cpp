// What findings advise is what the program takes: every command, key and step in their advice.
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cli/program.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "data/audit/examples.h"

namespace cupel::test {
namespace {

struct Advice {
  std::set<std::string> commands;  // "--fix --out FILE"
  std::set<std::string> keys;      // "metric = \"roc-auc\""
  std::set<std::string> steps;     // "symmetrise"
};

void collect(const std::string& text, const std::string& pattern, std::set<std::string>& out) {
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    out.insert((*at)[1]);
}

Advice all_advice(bool sets) {
  Advice out;
  for (const Dataset& data : made::faulty_datasets()) {
    if (data.graphs.has_value() != sets) continue;
    for (const std::vector<std::string>& steps :
         {std::vector<std::string>{},
          {"symmetrise", "unweight", "drop-self-loops", "largest-component"}}) {
      for (const Finding& finding : made::audit_of(data, steps)) {
        std::set<std::string> quoted;
        collect(finding.advice, "`([^`]+)`", quoted);
        for (const std::string& one : quoted)
          (one.starts_with("--") ? out.commands : out.keys).insert(one);
        collect(finding.advice, "step \"([^\"]+)\"", out.steps);
      }
    }
  }
  return out;
}

std::vector<std::string> words_of(const std::string& command, const std::string& out,
                                  const std::string& itself) {
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string word; in >> word; words.push_back(word)) {
    if (word == "FILE" || word == "FOLDER")
      word = !words.empty() && words.back() == "--directed" ? itself : out;
  }
  return words;
}

TEST(AuditAdvice, CommandsAreTaken) {
  const Workplace place;
  cupel::write_heterophilous_npz(made::clean_dataset(60), place.path("graph.npz"));
  for (const bool sets : {false, true}) {
    const std::string name = sets ? "syn-degree:graphs=20" : "./graph.npz";
    const Advice advice = all_advice(sets);
    EXPECT_GE(advice.commands.size(), 3u);
    int n = 0;
    for (const std::string& command : advice.commands) {
      std::vector<std::string> words = {"audit", name};
      for (std::string& word :
           words_of(command, fmt::format("out{}", ++n) + (sets ? "" : ".npz"), name))
        words.push_back(std::move(word));
      const Outcome outcome = place.run(words);
      EXPECT_EQ(outcome.code, 0) << command << ": " << outcome.err;
    }
  }
}

TEST(AuditAdvice, StepsAndKeysAreTaken) {
  const Workplace place;
  const Advice advice = all_advice(false);
  EXPECT_GE(advice.steps.size(), 3u);
  for (const std::string& step : advice.steps) {
    std::string protocol = kSmallProtocol;
    const std::string as_written = "\"largest-component\"";
    protocol.replace(protocol.find(as_written), as_written.size(), "\"" + step + "\"");
    place.write("one.toml", protocol);
    const Outcome outcome = place.run({"run", "one.toml", "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << step << ": " << outcome.err;
  }
  std::set<std::string> keys = advice.keys;
  keys.merge(all_advice(true).keys);
  EXPECT_GE(keys.size(), 3u);
  for (const std::string& key : keys) {
    // A key of a model, or of the protocol.
    const bool of_model = key.starts_with("features");
    place.write("one.toml",
                of_model ? "title = \"Graphs\"\ntask = \"graph-classification\"\n[data]\ndatasets "
                           "= [\"syn-degree:graphs=20\"]\n"
                           "[split]\nscheme = \"stratified\"\n[models.gin]\n" +
                               key + "\n"
                         : key + "\n" + kSmallProtocol);
    const Outcome outcome = place.run({"run", "one.toml", "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << key << ": " << outcome.err;
  }
}

TEST(AuditAdvice, TheRuleIsChosenByName) {
  const Workplace place;
  // 1, 2, 3 lead to 0 alone and are of one class; 1 is entered, the others are not: the paper's
  // rule calls them copies, chance has it so.
  Dataset data = made::clean_dataset(12);
  for (Index i : {3, 6, 9}) data.labels()[i] = 0;
  data.adjacency = from_edges(12, std::vector<Edge>{{3, 1}, {6, 1}, {9, 1}, {2, 3}, {0, 4}});
  cupel::write_heterophilous_npz(data, place.path("graph.npz"));
  const auto severity = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"audit", "./graph.npz"});
    const Outcome outcome = place.run(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string& text = outcome.out;
    return text.find("ERROR duplicate-nodes\n") != std::string::npos  ? "error"
           : text.find("INFO duplicate-nodes\n") != std::string::npos ? "info"
                                                                      : "none";
  };
  EXPECT_STREQ(severity({}), "info");
  EXPECT_STREQ(severity({"--rule", "beyond-chance"}), "info");
  EXPECT_STREQ(severity({"--rule", "wikipedia"}), "error");
  const Outcome fixed =
      place.run({"audit", "./graph.npz", "--rule", "wikipedia", "--fix", "--out", "ten.npz"});
  EXPECT_TRUE(contains(fixed.out, "10 nodes of 12")) << fixed.out << fixed.err;
  EXPECT_TRUE(contains(place.read("ten.npz.provenance.json"), "\"rule\": \"wikipedia\""));
  const Outcome typo = place.run({"audit", "./graph.npz", "--rule", "paper"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(contains(typo.err, "wikipedia")) << typo.err;
}

}  // namespace
}  // namespace cupel::test
