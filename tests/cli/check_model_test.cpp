// What an author of a program is told.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "programs.h"

namespace cupel::test {
namespace {

using nlohmann::json;

std::string example(const std::string& name) {
  return std::string(CUPEL_SOURCE_DIR) + "/examples/" + name + ".toml";
}

TEST(CheckModel, TheExamplesAreGood) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const Workplace place;
  for (const char* name :
       {"own_model", "own_worker", "own_links", "own_graphs", "own_events", "own_events_worker"}) {
    const Outcome outcome = place.run({"check-model", example(name), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const json rows = json::parse(outcome.out);
    ASSERT_EQ(rows.size(), 1u) << name;  // the others are models of the registry
    EXPECT_GE(rows[0]["checks"].size(), 4u);
    for (const json& check : rows[0]["checks"]) EXPECT_NE(check["outcome"], "bad") << check;
    EXPECT_TRUE(contains(outcome.out, "so that it can be tuned")) << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "inputs = ")) << outcome.out;
  }
}

// Two classes for a metric that needs them, and nodes for as many negatives as are asked for; the
// metric is that of the table whose question is asked.
TEST(CheckModel, MadeDataFitTheQuestion) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const Workplace place;
  const auto program = [](const std::string& name) {
    return "[models.own]\ncommand = [\"python3\", \"" + std::string(CUPEL_SOURCE_DIR) +
           "/examples/" + name + ".py\", \"{task}\"]\n";
  };
  const std::string nodes = std::string(kSmallProtocol) + program("own_model") + "hops = 2\n";
  const std::string links =
      "task = 'links'\n[data]\ndatasets = ['csbm']\n[split]\nscheme = 'links'\n" +
      program("own_links");
  const std::pair<std::string, std::string> cases[] = {
      {"metric = 'roc-auc'\n" + nodes, "roc-auc"},
      {nodes + "[[table]]\nid = '1'\nmetric = 'roc-auc'\n", "roc-auc"},
      {links + "[[table]]\nid = '1'\nmetric = 'mrr'\nlinks = { negatives = 'heart' }\n", "mrr"},
  };
  for (const auto& [text, metric] : cases) {
    place.write("p.toml", text);
    const Outcome outcome = place.run({"check-model", "p.toml", "--models", "own"});
    EXPECT_EQ(outcome.code, 0) << text << outcome.out << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "scores were read: " + metric)) << outcome.out;
  }
}

TEST(CheckModel, SaysWhatIsWrong) {
  const Workplace place;
  place.write("p.toml",
              std::string(kSmallProtocol) +
                  "[models.mute]\ncommand = [\"true\"]\n"
                  "[models.crash]\ncommand = [\"sh\", \"-c\", \"echo so it is; exit 4\"]\n");
  const Outcome outcome = place.run({"check-model", "p.toml"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "scores.npy")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "exit code 4")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "so it is")) << outcome.out;
  // By name, one of them.
  EXPECT_FALSE(contains(place.run({"check-model", "p.toml", "--models", "mute"}).out, "exit code"));
}

// The row's own limit is 600 s.
TEST(CheckModel, AProgramThatHangsIsToldOfInSeconds) {
  const Workplace place;
  place.write(
      "p.toml",
      std::string(kSmallProtocol) +
          "[models.hangs]\ncommand = [\"sh\", \"-c\", \"sleep 400\"]\n"
          "[models.short]\ncommand = [\"sh\", \"-c\", \"sleep 400\"]\n"
          "timeout_seconds = 0.2\n"
          "[models.tells]\n"
          "command = [\"sh\", \"-c\", \"grep budget $CUPEL_TASK/task.json >&2; exit 1\"]\n");
  const Outcome asked = place.run({"check-model", "p.toml", "--models", "hangs", "--timeout", "1"});
  EXPECT_EQ(asked.code, 1) << asked.err;
  EXPECT_TRUE(contains(asked.out, "gave no answer in 1 s on 200 nodes")) << asked.out;
  EXPECT_TRUE(contains(asked.out, "--timeout SECONDS")) << asked.out;
  const Outcome own = place.run({"check-model", "p.toml", "--models", "short"});
  EXPECT_TRUE(contains(own.out, "gave no answer in 0.2 s on 200 nodes")) << own.out;
  // Where nothing is asked for, by what a program is told.
  const Outcome usual = place.run({"check-model", "p.toml", "--models", "tells"});
  EXPECT_TRUE(contains(usual.out, "budget_seconds\": 20")) << usual.out;
}

// 40 labelled nodes are left of 200 for training and validation; the test part has the rest.
TEST(CheckModel, TellsRandomnessThatIsNotOfTheSeed) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const Workplace place;
  place.write("random.py", R"(
import array, ast, os, struct, sys, zipfile
folder = sys.argv[1]
def count(name):
    data = zipfile.ZipFile(folder + "/task.npz").read(name + ".npy")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    return ast.literal_eval(data[10:start].decode())["shape"][0]
rows = count("idx_test")
header = repr({"descr": "|u1", "fortran_order": False, "shape": (rows, 3)}).replace("|u1", "<f4")
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(folder + "/scores.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    array.array("f", [float(b) for b in os.urandom(3 * rows)]).tofile(file)
)");
  place.write("p.toml", std::string(kSmallProtocol) +
                            "[models.dice]\ncommand = [\"python3\", \"random.py\", \"{task}\"]\n");
  const Outcome outcome = place.run({"check-model", "p.toml", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  int warnings = 0;
  const json told = json::parse(outcome.out);
  for (const json& check : told[0]["checks"]) warnings += check["outcome"] == "warning";
  EXPECT_GE(warnings, 2) << outcome.out;  // the seed, and no validation scores
  EXPECT_TRUE(contains(outcome.out, "cannot be repeated")) << outcome.out;
}

// What happened is the answer to what the next run asks.
TEST(CheckModel, TellsThatAWorkerRemembersTheRunBefore) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const Workplace place;
  std::string program = read_file(std::string(CUPEL_SOURCE_DIR) + "/examples/own_events_worker.py");
  const std::string forgets = "counts = defaultdict(lambda: [0] * task[\"nodes\"])";
  const auto at = program.find(forgets);
  ASSERT_NE(at, std::string::npos);
  program.replace(at, forgets.size(),
                  "counts = globals().setdefault(\"kept\", " + forgets.substr(9) + ")");
  place.write("keeps.py", program);
  place.write(
      "p.toml",
      "task = 'events'\nmetric = 'mrr'\n[data]\ndatasets = ['facts']\n[split]\nscheme = 'time'\n"
      "[models.keeps]\nworker = true\ncommand = ['python3', 'keeps.py', '{task}']\n");
  const Outcome outcome = place.run({"check-model", "p.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "or something of one run is left in the next")) << outcome.out;
}

// In a search nothing is asked of test.
TEST(CheckModel, TellsThatAProgramCannotBeTuned) {
  const Workplace place;
  // The ids of validation, scored 0: rows x 3 floats.
  const std::string prelude =
      "import array, ast, struct, sys, zipfile\n"
      "def count(name):\n"
      "    data = zipfile.ZipFile(sys.argv[1] + '/task.npz').read(name + '.npy')\n"
      "    start = 10 + struct.unpack_from('<H', data, 8)[0]\n"
      "    return ast.literal_eval(data[10:start].decode())['shape'][0]\n"
      "def write(name, rows):\n"
      "    header = repr({'descr': '<f4', 'fortran_order': False, 'shape': (rows, 3)})\n"
      "    header += ' ' * (-(len(header) + 11) % 64) + '\\n'\n"
      "    with open(sys.argv[1] + '/' + name, 'wb') as file:\n"
      "        file.write(b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(header)))\n"
      "        file.write(header.encode() + bytes(12 * rows))\n"
      "write('valid_scores.npy', count('idx_valid'))\n";
  place.write("trips.py", prelude +
                              "assert count('idx_test') > 0, 'nothing to do'\n"
                              "write('scores.npy', count('idx_test'))\n");
  place.write("p.toml", std::string(kSmallProtocol) +
                            "[models.trips]\ncommand = [\"python3\", \"trips.py\", \"{task}\"]\n");
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const Outcome outcome = place.run({"check-model", "p.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "cannot be tuned")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "nothing to do")) << outcome.out;
}

TEST(CheckModel, WhatCannotBeStartedIsBadAndTheOthersAreToldOf) {
  const Workplace place;
  place.write("p.toml", std::string(kSmallProtocol) + "[models.first]\ncommand = [\"true\"]\n" +
                            "[models.gone]\ncommand = [\"no-such-program\"]\n" +
                            "[models.last]\ncommand = [\"true\"]\n");
  const Outcome outcome = place.run({"check-model", "p.toml", "--json"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1]["checks"][0]["outcome"], "bad");
  EXPECT_TRUE(contains(rows[1]["checks"][0]["text"], "'no-such-program' cannot be started"));
}

TEST(CheckModel, BadInputIsOneSentence) {
  const Workplace place;
  place.write("p.toml", kSmallProtocol);
  for (const auto& [command, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"check-model", "p.toml"}, "no row of p.toml has a command"},
           {{"check-model", "p.toml", "--models", "mlp"}, "no row 'mlp' with a command"},
           {{"check-model", "absent.toml"}, "absent.toml"},
           {{"check-model", "my models.py"},
            "'my models.py' is Python; `python -m cupel check-model 'my models.py'` looks at"}}) {
    const Outcome outcome = place.run(command);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
}

}  // namespace
}  // namespace cupel::test
