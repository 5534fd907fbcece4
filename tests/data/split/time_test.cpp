// The split scheme "time" of facts: cuts, quantiles, parts of the source, later cuts, refusals.
#include <gtest/gtest.h>

#include <numeric>

#include "csr_of.h"
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
