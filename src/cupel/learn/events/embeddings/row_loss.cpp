#include "cupel/learn/events/embeddings/row_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cupel/engine/kernels/rows.h"

namespace cupel {
namespace {

constexpr float kLeftOut = -std::numeric_limits<float>::infinity();

// The vectors that walk over an answer list are short; over others they are long.
struct Row {
  std::span<float> answers;
  std::span<const float> counts;
  std::span<float> others;
  double counted = 0;  // others that count
};

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double cross_entropy(const Row& row, double stand_for) {
  const double all = std::accumulate(row.counts.begin(), row.counts.end(), 0.0);
  // Of the others: the largest score m, and log sum exp, from the largest share of their softmax.
  double others_log = kLeftOut;
  if (row.counted > 0) {
    const float m = *std::max_element(row.others.begin(), row.others.end());
    const auto size = static_cast<Index>(row.others.size());
    const DenseView view{row.others.data(), 1, size, size};
    kernels::softmax_rows({1}, view, view);
    const float share = *std::max_element(row.others.begin(), row.others.end());
    others_log = m - std::log(double{share}) + std::log(stand_for / row.counted);
  } else {
    std::fill(row.others.begin(), row.others.end(), 0.0f);
  }
  double top = others_log;
  for (const float s : row.answers) top = std::max(top, double{s});
  double sum = std::exp(others_log - top);
  for (const float s : row.answers) sum += std::exp(s - top);
  const double log_sum = top + std::log(sum);
  double loss = 0;
  for (std::size_t i = 0; i < row.answers.size(); ++i) {
    float& s = row.answers[i];
    loss += row.counts[i] * (log_sum - s);
    s = static_cast<float>(all * std::exp(s - log_sum) - row.counts[i]);
  }
  const auto scale = static_cast<float>(all * std::exp(others_log - log_sum));
  for (float& g : row.others) g *= scale;
  return loss;
}

double logistic(const Row& row, double margin) {
  double loss = 0, all = 0;
  for (std::size_t i = 0; i < row.answers.size(); ++i) {
    float& s = row.answers[i];
    const double x = s + margin, count = row.counts[i];
    all += count;
    loss += count * softplus(-x);
    s = static_cast<float>(-count * sigmoid(-x));
  }
  const double each = row.counted > 0 ? all / row.counted : 0;
  for (float& s : row.others) {
    const double x = s + margin;
    if (s != kLeftOut) loss += each * softplus(x);
    s = s == kLeftOut ? 0.0f : static_cast<float>(each * sigmoid(x));
  }
  return loss;
}

double hinges(const Row& row, double margin) {
  // Gradients of others have to wait until all answers have met their scores.
  double loss = 0;
  std::vector<float> above(row.others.size());
  for (std::size_t i = 0; i < row.answers.size(); ++i) {
    float& s = row.answers[i];
    const double bound = s - margin;
    const auto each = static_cast<float>(row.counted > 0 ? row.counts[i] / row.counted : 0);
    double sum = 0, met = 0;
    for (std::size_t j = 0; j < row.others.size(); ++j) {
      const double over = row.others[j] - bound;
      if (!(over > 0)) continue;
      sum += over, met += 1;
      above[j] += each;
    }
    loss += each * sum;
    s = static_cast<float>(-each * met);
  }
  std::copy(above.begin(), above.end(), row.others.begin());
  return loss;
}

}  // namespace

double RowLoss::operator()(std::span<float> answers, std::span<const float> counts,
                           std::span<float> others, double stand_for) const {
  const auto left_out = std::count(others.begin(), others.end(), kLeftOut);
  const Row row{answers, counts, others, static_cast<double>(std::ssize(others) - left_out)};
  switch (loss) {
    case FactLoss::kCrossEntropy:
      return cross_entropy(row, stand_for);
    case FactLoss::kLogistic:
      return logistic(row, margin);
    case FactLoss::kMargin:
      return hinges(row, margin);
  }
  return 0;
}

}  // namespace cupel
