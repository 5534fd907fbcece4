#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/generate/generator.h"
#include "cupel/data/graph/graph.h"
#include "error_of.h"

namespace cupel {
namespace {

Dataset make(const std::string& text) { return generate(parse_generator_call(text)); }

std::string error_of(const std::string& text) {
  return cupel::error_of([&] { (void)make(text); });
}

double homophily(const Dataset& data) {
  std::int64_t same = 0;
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i)) {
      same +=
          data.labels()[static_cast<std::size_t>(i)] == data.labels()[static_cast<std::size_t>(j)];
    }
  }
  return static_cast<double>(same) / static_cast<double>(data.adjacency.entries());
}

// Share of stored words that belong to the topic of the node's class (word j: class j mod classes).
double on_topic(const Dataset& data) {
  const Csr& words = std::get<Csr>(data.features);
  std::int64_t own = 0;
  for (Index i = 0; i < words.rows; ++i) {
    for (const Index j : words.row_columns(i)) {
      own += j % data.classes() == data.labels()[static_cast<std::size_t>(i)];
    }
  }
  return static_cast<double>(own) / static_cast<double>(words.entries());
}

TEST(Csbm, HasWhatWasAskedFor) {
  struct Case {
    const char* text;
    double nodes, classes, degree, homophily, features, words, signal;
  };
  for (const Case& c :
       {Case{"csbm", 2500, 7, 4, .8, 500, 18, .2},
        Case{"csbm:nodes=30000,classes=3,degree=11.5,homophily=0.2,features=2000,"
             "words=40,signal=0.5,seed=9",
             30000, 3, 11.5, .2, 2000, 40, .5},
        Case{"csbm:nodes=4,classes=2,degree=0,features=2,words=1", 4, 2, 0, 0, 2, 1, .25}}) {
    SCOPED_TRACE(c.text);
    const Dataset data = make(c.text);
    EXPECT_EQ(data.nodes(), c.nodes);
    EXPECT_EQ(data.classes(), c.classes);
    EXPECT_EQ(feature_count(data.features), c.features);
    // Edges are drawn without repeats, so degree and homophily are exact to one edge.
    EXPECT_TRUE(is_symmetric(data.adjacency));
    EXPECT_EQ(count_self_loops(data.adjacency), 0);
    EXPECT_NEAR(static_cast<double>(data.adjacency.entries()) / c.nodes, c.degree, 2 / c.nodes);
    if (c.degree > 0) {
      EXPECT_NEAR(homophily(data), c.homophily, 2 / (c.nodes * c.degree));
    }
    std::vector<int> sizes(static_cast<std::size_t>(c.classes), 0);
    for (const Index label : data.labels()) ++sizes[static_cast<std::size_t>(label)];
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()) -
                  *std::min_element(sizes.begin(), sizes.end()),
              1);
    const Csr& words = std::get<Csr>(data.features);
    for (Index i = 0; i < words.rows; ++i) {
      ASSERT_GT(words.row_size(i), 0);
      ASSERT_TRUE(std::is_sorted(words.row_columns(i).begin(), words.row_columns(i).end()));
    }
    if (c.nodes < 100) continue;
    // A word drawn k times is stored once: with `words` draws over V words of which a share is on
    // topic, the expected number of distinct ones is summed over both kinds of word.
    const auto distinct = [](double vocabulary, double draws) {
      return vocabulary * (1 - std::exp(-draws / vocabulary));
    };
    const double own = c.features / c.classes, other = c.features - own;
    const double own_draws = c.words * (c.signal + (1 - c.signal) / c.classes);
    const double own_words = distinct(own, own_draws);
    const double other_words = distinct(other, c.words - own_draws);
    EXPECT_NEAR(static_cast<double>(words.entries()) / c.nodes, own_words + other_words,
                0.02 * c.words);
    EXPECT_NEAR(on_topic(data), own_words / (own_words + other_words), 0.02);
  }
}

TEST(Csbm, DegreesAreSpreadAsInASparseRandomGraph) {
  // Poisson: variance equals mean.
  const Dataset data = make("csbm:nodes=20000,degree=6");
  double square = 0;
  for (Index i = 0; i < data.nodes(); ++i) {
    const double d = static_cast<double>(data.adjacency.row_size(i)) - 6;
    square += d * d;
  }
  EXPECT_NEAR(square / data.nodes(), 6, 0.4);
}

TEST(Csbm, IsAFunctionOfItsSettings) {
  const std::string hash = content_hash(make("csbm"));
  EXPECT_EQ(content_hash(make("CSBM:seed=0,nodes=2500")), hash);
  EXPECT_NE(content_hash(make("csbm:seed=1")), hash);
  EXPECT_NE(content_hash(make("csbm:signal=0.3")), hash);
  // A node keeps its words when the graph is grown differently.
  const Csr a = std::get<Csr>(make("csbm:degree=2").features);
  const Csr b = std::get<Csr>(make("csbm:degree=8").features);
  EXPECT_EQ(a.columns, b.columns);
}

TEST(Csbm, HasOneNamePerDataSet) {
  EXPECT_EQ(make("csbm:seed=0").name, "csbm");
  EXPECT_EQ(make("csbm:seed=3,nodes=700").name, "csbm:nodes=700,seed=3");
  EXPECT_EQ(make("csbm:degree=3.5").name, make("csbm:degree=3.50").name);
  EXPECT_EQ(load_dataset("csbm:nodes=700", "/nowhere").name, "csbm:nodes=700");
  EXPECT_EQ(parse_generator_call("cora").generator, nullptr);
}

TEST(Csbm, RefusesWhatCannotBe) {
  const auto expect = [](const std::string& text, const std::string& part) {
    const std::string message = error_of(text);
    EXPECT_NE(message.find(part), std::string::npos) << text << " gave: " << message;
  };
  expect("csbm:nodes=2000000000000", "outside");
  expect("csbm:nodes=1000000000", "the limit is");
  expect("csbm:nodes=-5", "outside");
  expect("csbm:nodes=12.5", "not a whole number");
  expect("csbm:nodes=99999999999999999999", "out of the range of numbers");
  expect("csbm:nodes=", "not a whole number");
  expect("csbm:homophily=1.5", "outside");
  expect("csbm:homophily=nan", "outside");
  expect("csbm:degree=inf", "outside");
  expect("csbm:nodez=5", "did you mean 'nodes'?");
  expect("csbm:nodes=5,nodes=6", "given twice");
  expect("csbm:nodes", "not a setting");
  expect("csbm:=3", "not a setting");
  expect("csbm:nodes=10", "too few for 7 classes");
  expect("csbm:features=5,words=1", "too few for 7 classes");
  expect("csbm:words=300", "more than half");
  expect("csbm:nodes=100,degree=60", "lower the degree");
  expect("csbm:nodes=100,degree=30,homophily=0", "no error");
  expect("csbm:nodes=100,degree=30,homophily=1", "lower the degree");
}

TEST(Generators, AreSortedAndDeclareASeed) {
  ASSERT_FALSE(generators().empty());
  std::string last;
  for (const Generator* generator : generators()) {
    EXPECT_LT(last, generator->name);
    last = generator->name;
    EXPECT_TRUE(std::any_of(generator->settings.begin(), generator->settings.end(),
                            [](const OptionSpec& s) { return s.name == "seed"; }));
    EXPECT_EQ(content_hash(make(generator->name)), content_hash(make(generator->name)));
  }
}

}  // namespace
}  // namespace cupel
