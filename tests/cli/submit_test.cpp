// Predictions instead of numbers. What a program wrote in a run of its own is submitted: its scores
// must be those that the run was given.
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "programs.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kProtocol = R"(
[data]
datasets = ["csbm:classes=3,features=60,nodes=200"]
prepare = ["largest-component"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 2
[train]
inits = 2
[models.own]
command = ["python3", "keep.py", "{task}"]
isolation = "none"
hops = 1
)";

// Runs the example, and keeps a copy of what it wrote as a submission.
constexpr const char* kKeep = R"(
import json, os, shutil, subprocess, sys
task = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
subprocess.run([sys.executable, here + "/own_model.py", task], check=True)
info = json.load(open(task + "/task.json"))
folder = "%s/sub/split-%d/init-%d" % (here, info["split"], info["init"])
os.makedirs(folder)
for name in ("scores.npy", "valid_scores.npy"):
    shutil.copy(task + "/" + name, folder)
)";

constexpr const char* kSubmission = R"(protocol = "../own.toml"
dataset = "csbm:classes=3,features=60,nodes=200"
model = "class means"
citation = "A. Author: Means of classes. 2026."
)";

class SubmitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
    place_.write("own.toml", kProtocol);
    place_.write("keep.py", kKeep);
    fs::copy_file(fs::path(CUPEL_SOURCE_DIR) / "examples/own_model.py",
                  place_.path("own_model.py"));
    fs::create_directory(place_.path("sub"));
    place_.write("sub/submission.toml", kSubmission);
    const Outcome run = place_.run({"run", "own.toml", "--no-report"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  json checked(int code) const {
    const Outcome outcome = place_.run({"submit", "check", "sub", "--json"});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  Workplace place_;
};

TEST_F(SubmitTest, PredictionsHaveTheScoresOfTheRunThatMadeThem) {
  const Outcome report = place_.run({"report", "own.sqlite", "--json"});
  ASSERT_EQ(report.code, 0) << report.err;
  const json cell = json::parse(report.out)["tables"][0]["cells"][0];
  ASSERT_EQ(cell["n"], 4) << cell;
  const json card = checked(0);
  EXPECT_EQ(card["suitable"], true);
  EXPECT_EQ(card["asked"], 4);
  EXPECT_EQ(card["scored"], 4);
  EXPECT_EQ(card["metric"], "accuracy");
  EXPECT_NEAR(card["mean"].get<double>(), cell["mean"].get<double>(), 1e-9) << card << cell;
  EXPECT_NEAR(card["sd"].get<double>(), cell["sd"].get<double>(), 1e-9) << card << cell;
  EXPECT_GT(card["mean"].get<double>(), 34) << "or the example has learnt nothing";
  const Outcome text = place_.run({"submit", "check", "sub"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(contains(text.out, "\nSUITABLE\n")) << text.out;
}

TEST_F(SubmitTest, EachMissingOrBrokenPredictionIsNamed) {
  fs::remove(place_.path("sub/split-1/init-1/scores.npy"));
  place_.write("sub/split-0/init-1/scores.npy", "no array");
  const json card = checked(1);
  EXPECT_EQ(card["suitable"], false);
  EXPECT_EQ(card["scored"], 2);
  ASSERT_EQ(card["faults"].size(), 2u) << card;
  EXPECT_EQ(card["faults"][0]["split"], 0);
  EXPECT_EQ(card["faults"][0]["init"], 1);
  EXPECT_TRUE(contains(card["faults"][1]["text"], "split-1/init-1/scores.npy")) << card;
  const Outcome text = place_.run({"submit", "check", "sub"});
  EXPECT_TRUE(contains(text.out, "NOT SUITABLE: 2 of 4 predictions")) << text.out;
}

// That there is nothing left to do is the submitter's word.
TEST_F(SubmitTest, ADeterministicModelIsSaidToBeOne) {
  place_.write("sub/submission.toml", std::string(kSubmission) + "deterministic = true\n");
  const json card = checked(0);
  EXPECT_EQ(card["scored"], 2);
  EXPECT_EQ(card["asked"], 2);
  EXPECT_EQ(card["protocol_asks"], 4);
  const Outcome text = place_.run({"submit", "check", "sub"});
  EXPECT_TRUE(contains(text.out, "2 of 4, said to be deterministic")) << text.out;
}

TEST_F(SubmitTest, ARightShapeIsDemanded) {
  // Validation scores in place of test scores: rows of another part.
  fs::copy_file(place_.path("sub/split-0/init-0/valid_scores.npy"),
                place_.path("sub/split-0/init-0/scores.npy"), fs::copy_options::overwrite_existing);
  const json card = checked(1);
  ASSERT_EQ(card["faults"].size(), 1u) << card;
  EXPECT_TRUE(contains(card["faults"][0]["text"], "has the shape")) << card;
}

TEST_F(SubmitTest, TasksSayWhatEachSplitAsks) {
  const Outcome outcome = place_.run({"submit", "tasks", "sub"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "2 tasks written")) << outcome.out;
  for (const char* split : {"0", "1"}) {
    const std::string folder = std::string("sub/split-") + split;
    EXPECT_EQ(json::parse(place_.read(folder + "/task.json"))["split"], std::stoi(split));
    EXPECT_GT(fs::file_size(place_.path(folder + "/task.npz")), 1000u);
  }
  EXPECT_TRUE(contains(place_.run({"submit", "tasks", "sub"}).out, "0 tasks written"));
  EXPECT_EQ(checked(0)["suitable"], true) << "tasks are in nobody's way";
}

// Splits drawn by another seed have as many test nodes: predictions for the one fit the other, and
// say nothing of it.
TEST_F(SubmitTest, PredictionsForAnotherTaskAreNotScored) {
  ASSERT_EQ(place_.run({"submit", "tasks", "sub"}).code, 0);
  std::string other = kProtocol;
  other.replace(other.find("count = 2"), 9, "count = 2\nseed = 7");
  place_.write("own.toml", other);
  const json card = checked(1);
  EXPECT_EQ(card["suitable"], false);
  EXPECT_EQ(card["scored"], 0);
  ASSERT_EQ(card["faults"].size(), 4u) << card;
  for (const json& fault : card["faults"])
    EXPECT_TRUE(contains(fault["text"], "task of another protocol, version or split")) << fault;
  const Outcome tasks = place_.run({"submit", "tasks", "sub"});
  EXPECT_EQ(tasks.code, 2);
  EXPECT_TRUE(contains(tasks.err, ", and predictions for it; move the folder away")) << tasks.err;
  // Of two files either tells, and one of one split speaks of that split alone.
  for (const char* file : {"split-0/task.npz", "split-1/task.npz", "split-1/task.json"})
    fs::remove(place_.path(std::string("sub/") + file));
  place_.write("sub/split-0/task.json", R"({"split": 0, "metric": "macro-f1"})");
  EXPECT_EQ(checked(1)["faults"].size(), 2u);
  // Back to what was predicted for.
  place_.write("own.toml", kProtocol);
  fs::remove(place_.path("sub/split-0/task.json"));
  EXPECT_EQ(checked(0)["scored"], 4);
}

TEST_F(SubmitTest, ATaskFileThatIsMissingOrDamagedIsSaidToBe) {
  ASSERT_EQ(place_.run({"submit", "tasks", "sub"}).code, 0);
  const std::string whole = place_.read("sub/split-0/task.npz");
  fs::remove(place_.path("sub/split-0/task.npz"));
  EXPECT_TRUE(contains(place_.run({"submit", "tasks", "sub"}).out, "1 task written"));
  EXPECT_EQ(place_.read("sub/split-0/task.npz"), whole);
  for (const char* file : {"sub/split-1/task.npz", "sub/split-1/task.json"}) {
    const std::string before = place_.read(file);
    place_.write(file, before.substr(0, before.size() / 2));
    const Outcome tasks = place_.run({"submit", "tasks", "sub"});
    EXPECT_EQ(tasks.code, 2);
    EXPECT_TRUE(contains(tasks.err, std::string(file) + " cannot be read")) << tasks.err;
    EXPECT_FALSE(contains(tasks.err, "predictions for it")) << tasks.err;
    EXPECT_EQ(checked(1)["faults"].size(), 2u) << "nobody knows what they are for";
    place_.write(file, before);
  }
  // Where nothing was predicted yet, nothing is said of predictions.
  for (const char* split : {"0", "1"})
    for (const char* init : {"0", "1"})
      fs::remove_all(place_.path(std::string("sub/split-") + split + "/init-" + init));
  place_.write("sub/split-0/task.json", "{}");
  const Outcome other = place_.run({"submit", "tasks", "sub"});
  EXPECT_EQ(other.code, 2);
  EXPECT_FALSE(contains(other.err, "predictions for it")) << other.err;
}

TEST_F(SubmitTest, AVersionThatIsNamedIsTheOnlyOneScored) {
  const Outcome tasks = place_.run({"submit", "tasks", "sub"});
  const std::size_t at = tasks.err.find("version = \"");
  ASSERT_NE(at, std::string::npos) << tasks.err;
  const std::string line = tasks.err.substr(at, tasks.err.find('"', at + 11) + 1 - at);
  EXPECT_EQ(checked(0)["pinned"], false);
  place_.write("sub/submission.toml", kSubmission + line + "\n");
  const json card = checked(0);
  EXPECT_EQ(card["pinned"], true);
  EXPECT_TRUE(card["version"].get<std::string>().starts_with(line.substr(11, 12))) << line;
  EXPECT_FALSE(contains(place_.run({"submit", "tasks", "sub"}).err, "version"));
  // A comment is no other version, fewer labels are.
  place_.write("own.toml", "# ours" + std::string(kProtocol));
  EXPECT_EQ(checked(0)["suitable"], true);
  std::string other = kProtocol;
  other.replace(other.find("train = 5"), 9, "train = 4");
  place_.write("own.toml", other);
  const Outcome outcome = place_.run({"submit", "check", "sub"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "the predictions are for version")) << outcome.err;
}

TEST_F(SubmitTest, ADeterministicModelHasNoOtherInitialisation) {
  place_.write("sub/submission.toml", std::string(kSubmission) + "deterministic = true\n");
  EXPECT_EQ(checked(0)["suitable"], true) << "the same twice is the same";
  // The last number of the last row.
  std::string scores = place_.read("sub/split-1/init-1/scores.npy");
  scores[scores.size() - 3] ^= 1;
  place_.write("sub/split-1/init-1/scores.npy", scores);
  const json card = checked(1);
  ASSERT_EQ(card["faults"].size(), 1u) << card;
  EXPECT_EQ(card["faults"][0]["split"], 1);
  EXPECT_EQ(card["faults"][0]["init"], 1);
  EXPECT_TRUE(contains(card["faults"][0]["text"], "deterministic = true")) << card;
}

// Whoever does what a message says is not told the opposite by the next.
TEST_F(SubmitTest, OtherNumbersAreToBeSavedAsFloatsThatAreRead) {
  const std::string scores = place_.read("sub/split-0/init-0/scores.npy");
  for (const std::string type : {"<f2", "<i4", "|b1"}) {
    std::string other = scores;
    const std::size_t at = other.find("<f");
    ASSERT_NE(at, std::string::npos);
    const std::size_t rows = other.size() - other.find('\n') - 1, bytes = other[at + 2] - '0';
    other.replace(at, 3, type);
    other.resize(other.find('\n') + 1 + rows / bytes * static_cast<std::size_t>(type[2] - '0'));
    place_.write("sub/split-0/init-0/scores.npy", other);
    const json card = checked(1);
    ASSERT_EQ(card["faults"].size(), 1u) << card;
    EXPECT_TRUE(contains(card["faults"][0]["text"], "save it as float32 or float64")) << card;
  }
}

TEST_F(SubmitTest, MistakesAreSentences) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = kSubmission;
    text.replace(text.find(from), from.size(), to);
    place_.write("sub/submission.toml", text);
    const Outcome outcome = place_.run({"submit", "check", "sub"});
    EXPECT_EQ(outcome.code, 2) << to << outcome.out;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("model =", "modle ="), "'model' is not said"));
  EXPECT_TRUE(contains(refused("citation", "scores = 99.9\ncitation"), "scores"));
  EXPECT_TRUE(contains(refused("nodes=200\"", "nodes=201\""), "is no data set of protocol"));
  EXPECT_TRUE(contains(refused("model =", "table = \"7\"\nmodel ="), "table '7'"));
  EXPECT_TRUE(contains(refused("../own.toml", "nowhere.toml"), "nowhere.toml"));
  place_.write("groups.toml", std::string(kProtocol) +
                                  "[strata.low]\nrule = \"degree-below\"\nvalue = 3\n"
                                  "[[table]]\nid = \"1\"\nstrata = \"low\"\n");
  EXPECT_TRUE(contains(refused("../own.toml", "../groups.toml"),
                       "table '1' of the protocol scores "
                       "groups of nodes"));
  EXPECT_EQ(place_.run({"submit", "chekc", "sub"}).code, 2);
  EXPECT_EQ(place_.run({"submit", "check", "nowhere"}).code, 2);
}

// Sets of graphs have the same folder: rows are of graphs.
constexpr const char* kGraphProtocol = R"(title = "Graphs"
task = "graph-classification"
[data]
datasets = ["./rings"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 10
count = 2
[train]
inits = 2
[models.size-svm]
)";

class SubmitGraphsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
    std::string arcs, graphs, labels;
    int first = 1;
    for (int g = 0; g < kGraphs; ++g) {
      const int size = 3 + g % 4;
      for (int i = 0; i + g % 2 < size; ++i) {  // a ring, or a path of the same nodes
        const int a = first + i, b = first + (i + 1) % size;
        arcs += fmt::format("{}, {}\n{}, {}\n", a, b, b, a);
      }
      for (int i = 0; i < size; ++i) graphs += std::to_string(g + 1) + "\n";
      labels += std::to_string(label(g)) + "\n";
      first += size;
    }
    fs::create_directory(place_.path("rings"));
    fs::create_directories(place_.path("all/ours"));
    place_.write("rings/rings_A.txt", arcs);
    place_.write("rings/rings_graph_indicator.txt", graphs);
    place_.write("rings/rings_graph_labels.txt", labels);
    place_.write("graphs.toml", kGraphProtocol);
    place_.write("all/ours/submission.toml",
                 "protocol = \"../../graphs.toml\"\ndataset = \"./rings\"\nmodel = \"ours\"\n"
                 "citation = \"A. Author\"\n");
    ASSERT_EQ(place_.run({"submit", "tasks", "all/ours"}).code, 0);
    place_.write("predict.py", R"(
import ast, os, struct, sys, zipfile
for split in range(2):
    folder = "all/ours/split-%d" % split
    data = zipfile.ZipFile(folder + "/task.npz").read("idx_test.npy")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    kind = {"<i4": "i", "<i8": "q"}[ast.literal_eval(data[10:start].decode())["descr"]]
    ids = [i for i, in struct.iter_unpack("<" + kind, data[start:])]
    print(split, *ids)
    for init in range(2):
        # Right but for the graphs whose number 5 + init divides.
        rows = [(g // 2 % 2) ^ (g % (5 + init) == 0) for g in ids]
        header = repr({"descr": "<f8", "fortran_order": False, "shape": (len(ids), 2)})
        header += " " * (-(len(header) + 11) % 64) + "\n"
        os.makedirs(folder + "/init-%d" % init)
        with open(folder + "/init-%d/scores.npy" % init, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
            for row in rows:
                file.write(struct.pack("<2d", 1 - row, row))
)");
    const std::string python = "cd '" + place_.path("").string() + "' && python3 predict.py > ids";
    ASSERT_EQ(std::system(python.c_str()), 0);
    asked_ = place_.read("ids");
  }
  static int label(int graph) { return graph / 2 % 2; }
  // The mean of the accuracies, counted here by the numbers of the graphs that were asked about.
  double counted() const {
    double sum = 0;
    std::istringstream lines(asked_);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream ids(line);
      int split = 0, all = 0, wrong = 0;
      ids >> split;
      for (int g = 0; ids >> g; ++all) wrong += (g % 5 == 0) + (g % 6 == 0);
      sum += 1 - wrong / (2.0 * all);
    }
    return 100 * sum / 2;
  }
  json check(int code) const {
    const Outcome outcome = place_.run({"submit", "check", "all/ours", "--json"});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  static constexpr int kGraphs = 40;
  Workplace place_;
  std::string asked_;
};

TEST_F(SubmitGraphsTest, GraphsAreScoredAsNodesAre) {
  const json card = check(0);
  EXPECT_EQ(card["suitable"], true);
  EXPECT_EQ(card["asked"], 4);
  EXPECT_EQ(card["scored"], 4);
  EXPECT_LT(counted(), 90);
  EXPECT_NEAR(card["mean"].get<double>(), counted(), 1e-9) << card << asked_;
}

TEST_F(SubmitGraphsTest, AMissingRunIsNamedBySplitAndInitialisation) {
  fs::remove(place_.path("all/ours/split-1/init-0/scores.npy"));
  const json card = check(1);
  EXPECT_EQ(card["suitable"], false);
  ASSERT_EQ(card["faults"].size(), 1u) << card;
  EXPECT_EQ(card["faults"][0]["split"], 1);
  EXPECT_EQ(card["faults"][0]["init"], 0);
  fs::copy_file(place_.path("all/ours/split-0/task.npz"),
                place_.path("all/ours/split-1/init-0/scores.npy"));
  EXPECT_EQ(check(1)["faults"].size(), 1u) << "no array";
  const Outcome text = place_.run({"submit", "check", "all/ours"});
  EXPECT_TRUE(contains(text.out, "NOT SUITABLE: 1 of 4 predictions is missing or broken"))
      << text.out;
}

TEST_F(SubmitGraphsTest, TheLeaderboardRecomputesThem) {
  const Outcome outcome = place_.run({"leaderboard", "build", "all", "--out", "site", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const json board = json::parse(outcome.out);
  bool found = false;
  for (const json& row : board["tables"][0]["rows"]) {
    if (row["model"] != "ours") continue;
    found = true;
    EXPECT_EQ(row["tier"], "recomputed from predictions") << row;
    EXPECT_NEAR(row["mean"].get<double>(), counted(), 1e-9) << row;
  }
  EXPECT_TRUE(found) << board;
}

TEST_F(SubmitGraphsTest, TheLeaderboardTakesNoneForAnotherTask) {
  std::string other = kGraphProtocol;
  other.replace(other.find("count = 2"), 9, "count = 2\nseed = 7");
  place_.write("graphs.toml", other);
  const Outcome outcome = place_.run({"leaderboard", "build", "all", "--out", "site", "--json"});
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "task of another protocol, version or split")) << outcome.out;
}

TEST(SubmitFacts, CannotBeAndASentenceSaysWhy) {
  const Workplace place;
  fs::create_directory(place.path("f"));
  fs::create_directory(place.path("sub"));
  place.write("f/quadruples.txt", [] {
    std::string out;
    for (int t = 0; t < 40; ++t) out += fmt::format("{}\t0\t{}\t{}\n", t % 5, 5 + t % 7, t);
    return out;
  }());
  place.write("f/stat.txt", "12\t1\n");
  place.write("facts.toml",
              "task = \"events\"\n[data]\ndatasets = [\"./f\"]\n[split]\nscheme = \"time\"\n"
              "cuts = \"20,25,30\"\n"
              "[models.popularity]\n");
  place.write("sub/submission.toml",
              "protocol = \"../facts.toml\"\ndataset = \"./f\"\nmodel = \"m\"\ncitation = \"A\"\n");
  const Outcome outcome = place.run({"submit", "check", "sub"});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "each question tells the answer to the one before"))
      << outcome.err;
}

}  // namespace
}  // namespace cupel::test
