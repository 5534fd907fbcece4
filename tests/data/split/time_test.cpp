// The split scheme "time" of facts: cuts, quantiles, parts of the source, later cuts, refusals.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "csr_of.h"
#include "cupel/base/random.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/split/split.h"
#include "data/facts/made_facts.h"
#include "error_of.h"

namespace cupel {
namespace {

// Two facts a year from 2010 on, three in each third year; none in 2014.
Dataset yearly(const std::vector<FactPart>& parts = {}) {
  std::vector<Quadruple> facts;
  for (std::int64_t year = 2010; year < 2020; ++year)
    for (int i = 0; i < (year % 3 == 0 ? 3 : 2) && year != 2014; ++i)
      facts.push_back({i, 0, i + 1, year});
  TemporalFacts out = made_facts(5, 1, facts);
  out.name = "yearly", out.parts = parts;
  return dataset_of(std::make_shared<const TemporalFacts>(std::move(out)));
}

using Settings = std::map<std::string, OptionValue>;
SplitScheme by_time(Settings settings) { return {"time", std::move(settings)}; }

// First and last year of each part; checks that a part is all facts of its years.
std::vector<std::int64_t> years(const Dataset& data, const Split& split) {
  std::vector<std::int64_t> out;
  Index next = 0;
  for (const auto* part : {&split.train, &split.valid, &split.test}) {
    std::vector<Index> expected(part->size());
    std::iota(expected.begin(), expected.end(), next);
    EXPECT_EQ(*part, expected) << "parts follow one another";
    next += static_cast<Index>(part->size());
    out.push_back(data.facts->time[static_cast<std::size_t>(part->front())]);
    out.push_back(data.facts->time[static_cast<std::size_t>(part->back())]);
  }
  EXPECT_LT(out[1], out[2]);
  EXPECT_LT(out[3], out[4]);
  return out;
}

using Years = std::vector<std::int64_t>;

TEST(TimeScheme, CutsAreTheLastTimesOfParts) {
  const Dataset data = yearly();
  EXPECT_EQ(years(data, make_split(data, by_time({{"cuts", "2014,2016,2018"}}), 0)),
            (Years{2010, 2013, 2015, 2016, 2017, 2018}));
  EXPECT_EQ(years(data, make_split(data, by_time({{"cuts", "2010,2011,3000"}}), 0)),
            (Years{2010, 2010, 2011, 2011, 2012, 2019}));
}

// A quantile lies within a step, or between two: t <= quantile, as numpy has them.
TEST(TimeScheme, QuantilesEndWithTheirStep) {
  const Dataset data = yearly();
  ASSERT_EQ(data.examples(), 22);
  // numpy.quantile(times, [0.5, 0.8, 0.7, 0.85]) = [2015, 2017.8, 2016.7, 2018].
  EXPECT_EQ(years(data, make_split(data, by_time({{"quantiles", "0.5,0.8"}}), 0)),
            (Years{2010, 2015, 2016, 2017, 2018, 2019}));
  // Nothing given, and no parts: 0.7 and 0.85.
  EXPECT_EQ(years(data, make_split(data, by_time({}), 0)),
            (Years{2010, 2016, 2017, 2018, 2019, 2019}));
}

TEST(TimeScheme, PartsOfTheSourceAreTaken) {
  const Dataset data =
      yearly({{"train", 10, 2010, 2013}, {"valid", 5, 2015, 2016}, {"test", 7, 2017, 2019}});
  EXPECT_EQ(years(data, make_split(data, by_time({}), 0)),
            (Years{2010, 2013, 2015, 2016, 2017, 2019}));
  EXPECT_EQ(years(data, make_split(data, by_time({{"quantiles", "0.5,0.8"}}), 0)),
            (Years{2010, 2015, 2016, 2017, 2018, 2019}))
      << "what is asked for comes first";
  const Dataset overlap =
      yearly({{"train", 10, 2010, 2015}, {"valid", 5, 2015, 2016}, {"test", 7, 2017, 2019}});
  EXPECT_NE(error_of([&] { (void)make_split(overlap, by_time({}), 0); }).find("overlap in time"),
            std::string::npos);
}

// Quantiles would train on what the source tests.
TEST(TimeScheme, OtherPartsThanThreeAreNotCutAtQuantiles) {
  const Dataset two = yearly({{"train", 10, 2010, 2013}, {"test", 12, 2015, 2019}});
  EXPECT_EQ(error_of([&] { (void)make_split(two, by_time({}), 0); }),
            "yearly: it did not come in parts train, valid and test; name the last time of each, "
            "as 2018,2019,2021, or cut at quantiles, as 0.7,0.85");
  EXPECT_EQ(years(two, make_split(two, by_time({{"quantiles", "0.7,0.85"}}), 0)),
            (Years{2010, 2016, 2017, 2018, 2019, 2019}));
  const Dataset four = yearly({{"train", 10, 2010, 2013},
                               {"valid", 5, 2015, 2016},
                               {"test", 4, 2017, 2018},
                               {"later", 3, 2019, 2019}});
  EXPECT_EQ(years(four, make_split(four, by_time({}), 0)),
            (Years{2010, 2013, 2015, 2016, 2017, 2018}));
}

TEST(TimeScheme, LaterMembersMoveTheCutsByAStep) {
  const Dataset data = yearly();
  const SplitScheme scheme = by_time({{"cuts", "2012,2013,2016"}});
  EXPECT_EQ(years(data, make_split(data, scheme, 0)), (Years{2010, 2012, 2013, 2013, 2015, 2016}));
  EXPECT_EQ(years(data, make_split(data, scheme, 1)), (Years{2010, 2013, 2015, 2015, 2016, 2017}))
      << "2014 is no step";
  EXPECT_EQ(years(data, make_split(data, scheme, 3)), (Years{2010, 2016, 2017, 2017, 2018, 2019}));
  EXPECT_NE(error_of([&] { (void)make_split(data, scheme, 4); }), "no error");
  EXPECT_EQ(family_size(resolved_scheme(scheme, data), data), 4) << "until the last is tested";
}

TEST(TimeScheme, CardsSayTheCuts) {
  SplitScheme scheme = by_time({});
  scheme.count = 1;
  EXPECT_EQ(split_words(scheme), "1 x time");
  scheme.settings = {{"cuts", "2018,2019,2021"}}, scheme.count = 3;
  EXPECT_EQ(split_words(scheme), "3 x time; cuts = 2018,2019,2021");
}

// DyGLib's rule by a slow reading of it: the drawn are so many of all nodes, all of them are asked
// about, and training loses their facts and no others.
TEST(TimeScheme, NodesAreHeldOutOfTraining) {
  std::vector<Quadruple> made;
  for (Index i = 0; i < 600; ++i) {
    Stream draw(stream_key("held-out-test"), 1, 0, static_cast<std::uint32_t>(i));
    const std::int64_t time = i / 20;
    // Nodes 40 to 49 are gone before the test, nodes 50 to 54 come late; 55 to 59 have no fact.
    const std::uint32_t many = time < 20 ? 50 : 40;
    const auto node = [&] {
      const auto drawn = static_cast<Index>(draw.next_below(many + 5));
      return drawn < static_cast<Index>(many) ? drawn
             : time < 20                      ? 3
                                              : drawn - static_cast<Index>(many) + 50;
    };
    const Index s = node(), o = node();
    made.push_back({s, 0, o, time});
  }
  TemporalFacts facts = made_facts(60, 1, made);
  facts.name = "made";
  const Dataset data = dataset_of(std::make_shared<const TemporalFacts>(std::move(facts)));
  const auto split = [&](const Settings& more, int index = 0) {
    Settings settings = {{"cuts", "19,23,27"}};
    settings.insert(more.begin(), more.end());
    return make_split(data, by_time(settings), index);
  };
  const Split whole = split({});
  std::set<Index> there, asked;
  for (std::size_t i = 0; i < data.facts->time.size(); ++i) {
    if (data.facts->time[i] > 27) continue;
    for (const Index node : {data.facts->source[i], data.facts->target[i]}) {
      there.insert(node);
      if (data.facts->time[i] > 19) asked.insert(node);
    }
  }
  ASSERT_EQ(there.size(), 55u);
  ASSERT_EQ(asked.size(), 45u);
  std::set<std::vector<Index>> trains;
  for (int seed = 1; seed < 40; ++seed) {
    const Split held = split({{"holdout", 0.2}, {"seed", std::int64_t{seed}}});
    EXPECT_EQ(held.valid, whole.valid);
    EXPECT_EQ(held.test, whole.test);
    // Who was drawn: asked about, and in training no more.
    std::set<Index> left, before, drawn;
    for (const Index i : held.train)
      left.insert({data.facts->source[static_cast<std::size_t>(i)],
                   data.facts->target[static_cast<std::size_t>(i)]});
    for (const Index i : whole.train)
      before.insert({data.facts->source[static_cast<std::size_t>(i)],
                     data.facts->target[static_cast<std::size_t>(i)]});
    for (const Index node : before)
      if (!left.contains(node)) drawn.insert(node);
    // Nodes that come late may be among the 11, and are in no training fact.
    EXPECT_LE(drawn.size(), 11u);
    EXPECT_GE(drawn.size(), 6u);
    for (const Index node : drawn) EXPECT_TRUE(asked.contains(node)) << node;
    std::vector<Index> expected;
    for (const Index i : whole.train)
      if (!drawn.contains(data.facts->source[static_cast<std::size_t>(i)]) &&
          !drawn.contains(data.facts->target[static_cast<std::size_t>(i)]))
        expected.push_back(i);
    EXPECT_EQ(held.train, expected);
    trains.insert(held.train);
  }
  EXPECT_EQ(trains.size(), 39u) << "another seed, another draw";
  EXPECT_EQ(split({{"holdout", 0.2}}).train, split({{"holdout", 0.2}}).train);
  EXPECT_EQ(split({{"holdout", 0.2}}).train,
            split({{"holdout", 0.2}, {"seed", std::int64_t{2018}}}).train);
  EXPECT_EQ(split({{"holdout", 0.0}}).train, whole.train);
  // What is absent leaves identities as they are.
  const auto identity = [](const Settings& settings) { return by_time(settings).identity(); };
  EXPECT_EQ(identity({{"cuts", "19,23,27"}}), "time cuts=19,23,27 quantiles=");
  EXPECT_EQ(identity({{"cuts", "19,23,27"}, {"holdout", 0.1}}),
            "time cuts=19,23,27 quantiles= holdout=0.1");
  EXPECT_EQ(identity({{"cuts", "19,23,27"}, {"holdout", 0.1}, {"seed", std::int64_t{4}}}),
            "time cuts=19,23,27 quantiles= holdout=0.1 seed=4");
  EXPECT_EQ(
      error_of([&] {
        (void)split({{"holdout", 0.9}});
      }),
      "made: to hold out 0.9 of its 55 nodes wants 49 of those that are asked about, and they "
      "are 45; hold out fewer");
}

// How many splits there are says nothing where the first is none.
TEST(TimeScheme, TheFirstSplitIsCheckedBeforeTheyAreCounted) {
  const Dataset data = yearly();
  for (const auto& [cuts, said] :
       {std::pair{"2019,2020,2021", "no fact for validation after 2019 up to 2020"},
        std::pair{"2018,2019,2021", "no fact to test on after 2019 up to 2021"}})
    EXPECT_NE(error_of([&] {
                (void)family_size(by_time({{"cuts", cuts}}), data);
              }).find(said),
              std::string::npos)
        << cuts;
  EXPECT_EQ(family_size(by_time({{"cuts", "2012,2013,2021"}}), data), 1);
}

TEST(TimeScheme, RefusesWhatCannotBeSplit) {
  const Dataset data = yearly();
  const auto refusal = [&](Settings settings) {
    return error_of([&] { (void)make_split(data, by_time(std::move(settings)), 0); });
  };
  const std::string three =
      "is not three whole numbers; give the last times of train, valid and "
      "test, as 2018,2019,2021";
  for (const char* cuts : {"2012", "2012,2014", "2012,2014,2016,2018", "2012,,2014", "a,b,c",
                           "2012,2014,2016 ", "2012;2014;2016"})
    EXPECT_NE(refusal({{"cuts", cuts}}).find(three), std::string::npos) << cuts;
  for (const char* cuts : {"2014,2014,2016", "2016,2014,2018", "2012,2018,2016"})
    EXPECT_NE(refusal({{"cuts", cuts}}).find("does not ascend"), std::string::npos) << cuts;
  EXPECT_EQ(refusal({{"cuts", "2012,2014,2016"}, {"quantiles", "0.5,0.8"}}),
            "split scheme 'time': cuts and quantiles are both given; leave one of them out");
  for (const char* quantiles : {"0.7", "0.7,", "0.85,0.7", "0,0.5", "0.5,1", "0.7, 0.85", "nan,0.9",
                                "0.7,0.85,0.9", "0.5,0.5", "-0.1,0.5"})
    EXPECT_NE(refusal({{"quantiles", quantiles}}).find("are not two ascending shares"),
              std::string::npos)
        << quantiles;
  EXPECT_NE(refusal({{"cuts", "2000,2012,2016"}}).find("no fact for training"), std::string::npos);
  EXPECT_NE(refusal({{"cuts", "2013,2014,2016"}}).find("no fact for validation"),
            std::string::npos);
  EXPECT_NE(refusal({{"cuts", "2013,2019,2030"}}).find("no fact to test on"), std::string::npos);
  EXPECT_NE(refusal({{"quantiles", "0.97,0.99"}}).find("so that a part has no fact"),
            std::string::npos);
  Dataset graph;
  graph.name = "graph";
  graph.adjacency = test::csr_of({{1}, {0}}, 2);
  EXPECT_EQ(error_of([&] { (void)make_split(graph, by_time({}), 0); }),
            "graph: split scheme 'time' parts facts over time, and this is no data set of them");
}

}  // namespace
}  // namespace cupel
