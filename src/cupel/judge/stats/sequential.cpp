#include "cupel/judge/stats/sequential.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cupel {
namespace {

// P(Z > z) and the density of a standard normal.
double upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }
double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::acos(-1.0)); }

// A Brownian motion at one time, on the paths that crossed no boundary before: its density on an
// even grid, with the weights of the trapezoid rule.
class Motion {
 public:
  // At time 0: all mass at 0.
  Motion() : at_{0}, mass_{1} {}

  // P(crosses c after another `step` of time, not before).
  [[nodiscard]] double crossing(double c, double step) const {
    const double scale = std::sqrt(step);
    double sum = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) sum += mass_[i] * upper_tail((c - at_[i]) / scale);
    return sum;
  }

  // The motion after that step on the paths that stay below c; `time` is what has then passed.
  [[nodiscard]] Motion below(double c, double step, double time) const {
    constexpr int kPoints = 200;
    constexpr double kReach = 7;  // standard deviations; beyond lies 1e-12
    const double scale = std::sqrt(step), low = -kReach * std::sqrt(time);
    const double width = (c - low) / (kPoints - 1);
    Motion out;
    out.at_.resize(kPoints);
    out.mass_.resize(kPoints);
    for (std::size_t j = 0; j < kPoints; ++j) {
      const double x = low + width * static_cast<double>(j);
      double sum = 0;
      for (std::size_t i = 0; i < at_.size(); ++i) sum += mass_[i] * density((x - at_[i]) / scale);
      const double ends = j == 0 || j == kPoints - 1 ? 0.5 : 1;
      out.at_[j] = x;
      out.mass_[j] = ends * width * sum / scale;
    }
    return out;
  }

 private:
  std::vector<double> at_, mass_;
};

}  // namespace

std::vector<int> look_schedule(int first, int unit, int largest) {
  assert(first >= 1 && unit >= 1 && largest >= 1);
  const auto rounded = [&](int n) { return (n + unit - 1) / unit * unit; };
  std::vector<int> looks;
  for (int n = rounded(first); n < largest; n = rounded(n + std::max(unit, (n + 3) / 4)))
    looks.push_back(n);
  looks.push_back(largest);
  return looks;
}

std::vector<double> look_levels(std::span<const int> looks, int largest, double alpha) {
  assert(alpha > 0 && alpha < 0.5);
  std::vector<double> levels;
  Motion motion;
  double before = 0;
  for (const int n : looks) {
    const double time = static_cast<double>(n) / largest;
    assert(time > before && time <= 1);
    const double step = time - before, spend = alpha * step;
    double low = 0, high = 12 * std::sqrt(time);
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (motion.crossing(middle, step) > spend ? low : high) = middle;
    }
    levels.push_back(upper_tail(high / std::sqrt(time)));
    motion = motion.below(high, step, time);
    before = time;
  }
  return levels;
}

}  // namespace cupel
