#include "cupel/judge/prediction/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"
#include "cupel/data/stats/correlation.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace {

constexpr std::uint32_t kSplitPurpose = 0x70736C74;   // "pslt"
constexpr std::uint32_t kForestPurpose = 0x70666F72;  // "pfor"

double population_sd(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

struct Scale {
  double mean = 0, sd = 1;

  // Numbers that are all alike have no spread, whatever rounding says.
  static Scale of(std::span<const double> values) {
    if (std::ranges::all_of(values, [&](double value) { return value == values[0]; }))
      return {values[0], 1};
    const double mean = mean_of(values);
    const double sd = population_sd(values, mean);
    return {mean, sd > 0 ? sd : 1};
  }
  double to(double value) const { return (value - mean) / sd; }
  double from(double value) const { return mean + sd * value; }
};

// Features and targets, standardised with the statistics of some of the samples.
class Standardised {
 public:
  Standardised(std::span<const PredictionSample> samples, std::span<const std::size_t> known) {
    std::vector<Scale> scales;
    std::vector<double> values(known.size());
    for (std::size_t f = 0; f < samples[0].features.size(); ++f) {
      for (std::size_t i = 0; i < known.size(); ++i) values[i] = samples[known[i]].features[f];
      scales.push_back(Scale::of(values));
    }
    for (std::size_t i = 0; i < known.size(); ++i) values[i] = samples[known[i]].effectiveness;
    target_ = Scale::of(values);
    for (const PredictionSample& sample : samples) {
      x_.push_back(sample.features);
      for (std::size_t f = 0; f < scales.size(); ++f)
        x_.back()[f] = scales[f].to(sample.features[f]);
      y_.push_back(target_.to(sample.effectiveness));
    }
  }

  const Scale& target() const { return target_; }
  const std::vector<double>& y() const { return y_; }

  std::vector<double> predict(Regressor regressor, std::span<const std::size_t> train,
                              std::span<const std::size_t> test, StreamKey key,
                              Threads threads) const {
    std::vector<RegressionRow> x, at;
    std::vector<double> y;
    for (const std::size_t i : train) {
      x.push_back(x_[i]);
      y.push_back(y_[i]);
    }
    for (const std::size_t i : test) at.push_back(x_[i]);
    return fit_predict(regressor, x, y, at, key, threads);
  }

 private:
  Scale target_;
  std::vector<RegressionRow> x_;
  std::vector<double> y_;
};

StreamKey forest_key(StreamKey key, std::uint32_t step, std::uint32_t row) {
  Stream stream(key, kForestPurpose, step, row);
  const std::uint32_t low = stream.next_u32();
  return {low, stream.next_u32()};
}

std::vector<std::size_t> all_of(std::span<const PredictionSample> samples) {
  std::vector<std::size_t> out(samples.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

AsReleasedScore as_released(Regressor regressor, std::span<const PredictionSample> samples,
                            int repeats, StreamKey key, Threads threads) {
  const std::vector<std::size_t> all = all_of(samples);
  const Standardised standardised(samples, all);
  // As the code rounds: 62 of 90, since 0.7 * 90 is a little less than 63.
  const auto trained = static_cast<std::size_t>(0.7 * static_cast<double>(samples.size()));
  std::vector<double> scores;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto step = static_cast<std::uint32_t>(repeat);
    std::vector<std::size_t> order = all;
    Stream stream(key, kSplitPurpose, step);
    shuffle(order, stream);
    const std::span<const std::size_t> drawn = order;
    const auto test = drawn.subspan(trained);
    const std::vector<double> predicted = standardised.predict(
        regressor, drawn.first(trained), test, forest_key(key, step, 0), threads);
    std::vector<double> truth;
    for (const std::size_t i : test) truth.push_back(standardised.y()[i]);
    if (const auto score = spearman(predicted, truth)) scores.push_back(*score);
  }
  AsReleasedScore out;
  out.repeats = static_cast<int>(scores.size());
  if (!scores.empty()) {
    out.mean = mean_of(scores);
    out.sd = population_sd(scores, *out.mean);
  }
  return out;
}

GroupedScore grouped(Regressor regressor, std::span<const PredictionSample> samples,
                     const std::vector<std::string>& datasets, StreamKey key, Threads threads) {
  GroupedScore out;
  out.predictions.resize(samples.size());
  std::vector<double> truth;
  double squares = 0, constant_squares = 0;
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    std::vector<std::size_t> train, test;
    for (std::size_t i = 0; i < samples.size(); ++i)
      (samples[i].dataset == datasets[d] ? test : train).push_back(i);
    const Standardised standardised(samples, train);
    const std::vector<double> predicted = standardised.predict(
        regressor, train, test, forest_key(key, static_cast<std::uint32_t>(d), 1), threads);
    for (std::size_t k = 0; k < test.size(); ++k) {
      const double target = samples[test[k]].effectiveness;
      const double found = standardised.target().from(predicted[k]);
      out.predictions[test[k]] = found;
      squares += (found - target) * (found - target);
      const double constant = standardised.target().mean;
      constant_squares += (constant - target) * (constant - target);
    }
  }
  for (const PredictionSample& sample : samples) truth.push_back(sample.effectiveness);
  out.spearman = spearman(out.predictions, truth);
  out.error = std::sqrt(squares / static_cast<double>(samples.size()));
  out.constant_error = std::sqrt(constant_squares / static_cast<double>(samples.size()));
  return out;
}

std::vector<std::string> datasets_of(std::span<const PredictionSample> samples) {
  std::vector<std::string> out;
  for (const PredictionSample& sample : samples)
    if (!std::count(out.begin(), out.end(), sample.dataset)) out.push_back(sample.dataset);
  return out;
}

void check(std::span<const PredictionSample> samples) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  for (const PredictionSample& sample : samples) {
    if (!is_finite(sample.effectiveness) || !std::ranges::all_of(sample.features, is_finite))
      fail("prediction: split {} of '{}' has a number that is not finite; leave the data set out",
           sample.split, sample.dataset);
  }
}

}  // namespace

void check_prediction_datasets(const std::vector<std::string>& datasets) {
  if (datasets.size() < kFewestPredictionDatasets)
    fail(
        "prediction: one data set is predicted from all others, for which there must be {} with "
        "effectiveness at least; there {} {}: run the protocol on more",
        kFewestPredictionDatasets, datasets.size() == 1 ? "is" : "are",
        datasets.empty() ? "none" : fmt::format("{}", fmt::join(datasets, ", ")));
}

std::vector<RegressorScore> evaluate_prediction(std::span<const PredictionSample> samples,
                                                int repeats, StreamKey key, Threads threads) {
  const std::vector<std::string> datasets = datasets_of(samples);
  check_prediction_datasets(datasets);
  if (repeats < 1) fail("prediction: {} repeats are none; take 1 or more", repeats);
  check(samples);
  std::vector<RegressorScore> out;
  for (const Regressor regressor : kRegressors)
    out.push_back({regressor, as_released(regressor, samples, repeats, key, threads),
                   grouped(regressor, samples, datasets, key, threads)});
  return out;
}

}  // namespace cupel
