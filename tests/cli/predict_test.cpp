// `cupel predict` as a user meets it.
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace cupel::test {
namespace {

using nlohmann::json;

// 40 rings, with a chord in those of class 1, of sizes that follow `shift`.
void write_set(const Workplace& place, const std::string& name, int shift) {
  std::filesystem::create_directory(place.path(name));
  std::string arcs, graphs, labels;
  int first = 1;
  const auto edge = [&](int a, int b) {
    arcs += std::to_string(a) + ", " + std::to_string(b) + "\n" + std::to_string(b) + ", " +
            std::to_string(a) + "\n";
  };
  for (int g = 0; g < 40; ++g) {
    const int size = 4 + (g * shift) % 5 + shift;
    const int label = (g / 2 + g * shift) % 2;
    for (int i = 0; i < size; ++i) {
      edge(first + i, first + (i + 1) % size);
      graphs += std::to_string(g + 1) + "\n";
    }
    if (label == 1 && g % 7 != shift) edge(first, first + 2);
    labels += std::to_string(label) + "\n";
    first += size;
  }
  place.write(name + "/" + name + "_A.txt", arcs);
  place.write(name + "/" + name + "_graph_indicator.txt", graphs);
  place.write(name + "/" + name + "_graph_labels.txt", labels);
}

constexpr const char* kProtocol = R"(title = "Graphs"
task = "graph-classification"
[data]
datasets = ["./one", "./two", "./three"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 10
count = 4
[train]
max_epochs = 5
inits = 1
[models.sp-svm]
[models.size-svm]
[[table]]
id = "1"
)";

class PredictTest : public testing::Test {
 protected:
  void SetUp() override {
    write_set(place_, "one", 1);
    write_set(place_, "two", 2);
    write_set(place_, "three", 3);
    place_.write("graphs.toml", kProtocol);
    const Outcome run = place_.run({"run", "graphs.toml", "--no-report"});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  Outcome predict(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"predict", "graphs.sqlite"});
    return place_.run(arguments);
  }
  Workplace place_;
};

TEST_F(PredictTest, JsonHasASampleForEverySplitAndAScoreForEveryRegressor) {
  const Outcome outcome = predict({"--structure", "sp-svm,size-svm", "--repeats", "3", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["samples"].size(), 12u);
  ASSERT_EQ(found["regressors"].size(), 3u);
  for (const json& sample : found["samples"]) {
    EXPECT_EQ(sample["features"].size(), 26u);
    EXPECT_EQ(sample["grouped"].size(), 3u);
  }
  for (const json& one : found["regressors"]) {
    EXPECT_LE(one["as_released"]["repeats"], 3);
    EXPECT_TRUE(one["grouped"]["rmse"].is_number());
  }
  EXPECT_EQ(outcome.out,
            predict({"--structure", "sp-svm,size-svm", "--repeats", "3", "--json"}).out);
}

TEST_F(PredictTest, TextSaysWhatIsCompared) {
  const Outcome outcome =
      place_.run({"predict", "graphs.toml", "--structure", "sp-svm,size-svm", "--repeats", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"AS RELEASED", "GROUPED", "ridge", "svr", "random-forest",
                           "sp-svm over size-svm", "12 of 3 data sets", "three"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << " is not in:\n" << outcome.out;
}

TEST_F(PredictTest, RefusesWithAWayOut) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& with) {
    const Outcome outcome = predict(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, with)) << outcome.err;
  };
  refused({"--structure", "sp-svm,size-svm", "--datasets", "./one,./two"}, "there must be 3");
  refused({"--structure", "sp-svm,size-svm", "--repeats", "0"}, "--repeats");
  refused({"--structure", "sp-svm"}, "no pair of rows");
  refused({}, "sp-svm, size-svm");
  refused({"--structure", "sp-svm,size-svm", "--store", "x.sqlite"}, "predict: ");
}

}  // namespace
}  // namespace cupel::test
