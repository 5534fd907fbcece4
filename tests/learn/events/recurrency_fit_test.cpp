// What Recurrency chooses for itself: against brute force.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "cupel/learn/events/recurrency.h"
#include "learn/events/recurrency_made.h"
#include "learn/events/recurrency_oracle.h"

namespace cupel {
namespace {

using made::facts_with_gaps;
using made::MadeFacts;
using made::RecurrencyOracle;

const std::vector<double> kLambdas = {0,   1e-4, 5e-4, 1e-3, 5e-3, .01, .02,
                                      .04, .06,  .08,  .1,   .5,   .9,  1.0001};
const std::vector<double> kAlphas = {0,  1e-5, 1e-4, 1e-3,  .01,    .1, .5,
                                     .9, .99,  .999, .9999, .99999, 1};

// The first that is better than all before it.
double slow_best(const std::vector<double>& values, const std::function<double(double)>& mrr) {
  double best = 0, of_best = -1;
  for (const double value : values)
    if (const double worth = mrr(value); worth > of_best * (1 + 1e-12)) {
      best = value;
      of_best = worth;
    }
  return best;
}

TEST(Recurrency, ChoosesWhatBruteForceChooses) {
  std::set<std::pair<double, double>> chosen;
  for (const std::uint32_t seed : {11u, 12u, 13u, 14u, 15u, 16u, 17u, 18u})
    for (const bool single_step : {true, false}) {
      const std::vector<std::uint8_t> undirected =
          seed % 3 == 0 ? std::vector<std::uint8_t>{} : std::vector<std::uint8_t>{0, 1};
      const std::int64_t window = seed % 4 == 3 ? 4 : 0, gap = seed % 2 == 0 ? 24 : 1;
      // Entity 0 is asked about ten answers at once, of which some were before, and others, too.
      const MadeFacts drawn = facts_with_gaps(seed, 130, gap);
      MadeFacts facts;
      for (Index o = 5; o < 15; ++o) facts.add(0, o % 2, o, drawn.time.front());
      for (Offset i = 0; i < 130; ++i) {
        const auto [s, r, o] = drawn.triple(i);
        facts.add(s, r, o, drawn.time[static_cast<std::size_t>(i)]);
      }
      for (Index o = 0; o < 20; ++o) facts.add(0, o % 2, o / 2, drawn.time.back());
      const FactColumns all = facts.columns();
      Offset cut = 95;
      while (facts.time[static_cast<std::size_t>(cut)] ==
             facts.time[static_cast<std::size_t>(cut) - 1])
        ++cut;
      Recurrency model({16, 2, undirected}, {.window = window});
      model.fit(all.part(0, cut), all.part(cut, all.size()), {single_step}, {});
      ASSERT_EQ(model.unit(), gap);
      const RecurrencyOracle oracle{facts, 16, undirected, window, gap};
      for (Index r = 0; r < 2; ++r)
        for (const bool inverse : {false, true}) {
          if (inverse && is_undirected(undirected, r)) continue;
          const auto mrr = [&](double lambda, double alpha) {
            return oracle.mrr(static_cast<std::size_t>(cut), r, inverse, lambda, alpha,
                              single_step);
          };
          const double lambda = slow_best(kLambdas, [&](double l) { return mrr(l, 1); });
          const double alpha = slow_best(kAlphas, [&](double a) { return mrr(lambda, a); });
          const auto choice = model.choices()[static_cast<std::size_t>(2 * r + inverse)];
          EXPECT_EQ(choice.lambda, lambda) << seed << " " << r << inverse << single_step;
          EXPECT_EQ(choice.alpha, alpha) << seed << " " << r << inverse << single_step;
          chosen.emplace(lambda, alpha);
        }
    }
  EXPECT_GT(chosen.size(), 8u);  // or the data would not tell choices apart
}

TEST(Recurrency, TakesWhatIsFixedAndTheUsualWhereNothingIsAsked) {
  const MadeFacts facts = facts_with_gaps(21, 130, 2);
  MadeFacts valid = facts_with_gaps(22, 60, 2);
  for (Index& r : valid.relation) r = 0;
  for (std::int64_t& t : valid.time) t += 1000;
  const auto choices = [&](const RecurrencySettings& settings, const MadeFacts& asked) {
    Recurrency model({9, 2, {}}, settings);
    model.fit(facts.columns(), asked.columns(), {}, {});
    return model.choices();
  };
  const auto free = choices({}, valid);
  EXPECT_EQ(free[2].lambda, 0.1);
  EXPECT_EQ(free[2].alpha, 0.99);
  EXPECT_EQ(choices({}, {})[0].lambda, 0.1);
  const auto psi = choices({.alpha = 1}, valid);
  EXPECT_EQ(psi[0].lambda, free[0].lambda);
  EXPECT_EQ(psi[0].alpha, 1);
  EXPECT_EQ(choices({.lambda = free[0].lambda}, valid)[0].alpha, free[0].alpha);
  EXPECT_EQ(choices({.lambda = 0.3, .alpha = 0.2}, valid)[1].lambda, 0.3);
  // The unit is that of the settings, or the usual step.
  Recurrency given({9, 2, {}}, {.unit = 7}), usual({9, 2, {}}, {});
  for (Recurrency* model : {&given, &usual}) model->fit(facts.columns(), {}, {}, {});
  EXPECT_EQ(given.unit(), 7);
  EXPECT_EQ(usual.unit(), 2);
}

}  // namespace
}  // namespace cupel
