#include "cupel/judge/report/verdict.h"

#include "cupel/judge/stats/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace cupel {
namespace {

constexpr double kKnown = std::numeric_limits<double>::infinity();  // degrees of freedom

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

// The squared standard error that the publication states, if it does.
std::optional<ErrorPart> stated_error(const PublishedMean& published) {
  if (!published.spread) return std::nullopt;
  const double spread = *published.spread;
  const double df = published.draws && *published.draws > 1 ? *published.draws - 1 : kKnown;
  if (starts_with(published.spread_kind, "se")) return ErrorPart{spread * spread, df};
  if (starts_with(published.spread_kind, "ci95")) {
    const double error = spread / student_critical(0.05, kKnown);
    const bool of_pooled_runs = published.spread_kind == "ci95_bootstrap_pooled_runs";
    const double of_a_draw = of_pooled_runs && published.runs && published.draws
                                 ? std::max(1.0, *published.runs / *published.draws)
                                 : 1;
    return ErrorPart{error * error * of_a_draw, df};
  }
  if (!starts_with(published.spread_kind, "sd") || !published.draws) return std::nullopt;
  // Without Bessel's correction: the estimate of the variance is n / (n - 1) times its square.
  if (starts_with(published.spread_kind, "sd_ddof0"))
    return *published.draws > 1
               ? std::optional(ErrorPart{spread * spread / (*published.draws - 1), df})
               : std::nullopt;
  return ErrorPart{spread * spread / *published.draws, df};
}

// What is known of the published mean's error, with the words for it; absent if nothing is.
std::optional<ErrorPart> published_error(const OwnMean& ours, const PublishedMean& published,
                                         std::string& basis) {
  // Initialisations say nothing of the split that they share.
  if (is_over_inits(published.spread_kind) && ours.sd_over_splits && published.draws) {
    basis = fmt::format(
        "published spread is over initialisations of {:g} split{}; how far a split strays is taken "
        "from ours",
        *published.draws, *published.draws == 1 ? "" : "s");
    return ErrorPart{*ours.sd_over_splits * *ours.sd_over_splits / *published.draws,
                     ours.estimate->df};
  }
  if (const auto stated = stated_error(published)) {
    basis = published.draws ? fmt::format("published spread over {} draws", *published.draws)
                            : "published error as stated";
    return stated;
  }
  if (!published.spread && published.draws && ours.sd) {
    basis =
        fmt::format("published spread not stated, ours assumed over {} draws", *published.draws);
    return ErrorPart{*ours.sd * *ours.sd / *published.draws, ours.estimate->df};
  }
  if (published.spread && starts_with(published.spread_kind, "sd")) {
    basis = "published number of runs not stated: one is assumed, the largest error";
    return ErrorPart{*published.spread * *published.spread, kKnown};
  }
  return std::nullopt;
}

// How many times as far as ours the published draws strayed, where they are more than ours and so
// show better how far a draw strays; infinity where ours did not stray at all. 1 otherwise.
double strays_more(const OwnMean& ours, const PublishedMean& published) {
  const bool of_other_draws = is_over_inits(published.spread_kind) && ours.sd_over_splits;
  if (!published.spread || !ours.sd || !starts_with(published.spread_kind, "sd") || of_other_draws)
    return 1;
  if (!published.draws || *published.draws <= ours.estimate->draws) return 1;
  if (*published.spread <= *ours.sd) return 1;
  return *ours.sd == 0 ? kKnown : *published.spread / *ours.sd;
}

// By how much the variance over the published draws exceeds that over the draws of one repetition
// of ours; 0 where chance explains it. A run that collapsed there and in none of ours shows in
// this.
double excess_variance(const OwnMean& ours, const PublishedMean& published) {
  if (!published.spread || !published.draws || *published.draws < 2 ||
      !starts_with(published.spread_kind, "sd") || is_over_inits(published.spread_kind))
    return 0;
  const double n = *published.draws;
  const double bessel = starts_with(published.spread_kind, "sd_ddof0") ? n / (n - 1) : 1;
  const double excess = *published.spread * *published.spread * bessel - ours.between - ours.within;
  // Variance of a sample variance of fixed effects plus normal noise.
  const double noise =
      std::sqrt((4 * ours.between * ours.within + 2 * ours.within * ours.within) / (n - 1));
  return excess > student_critical(2 * kAlpha, kKnown) * noise ? excess : 0;
}

}  // namespace

std::string to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return "equivalent";
    case Verdict::kDifferent:
      return "different";
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kNotComparable:
      return "not comparable";
    case Verdict::kNotTested:
      return "not tested";
    case Verdict::kNotPublished:
      return "no published value";
    case Verdict::kNoRuns:
      return "no runs";
  }
  throw std::logic_error("verdict without a name");
}

std::string mark_of(Verdict verdict, double gap) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return "=";
    case Verdict::kDifferent:
      return gap > 0 ? "▲" : "▼";
    case Verdict::kUndecided:
      return "?";
    case Verdict::kNotComparable:
      return "–";
    case Verdict::kNotTested:
    case Verdict::kNotPublished:
    case Verdict::kNoRuns:
      return "";
  }
  throw std::logic_error("verdict without a mark");
}

bool is_over_inits(const std::string& spread_kind) { return spread_kind.ends_with("over_inits"); }

GapTest test_gap(const OwnMean& ours, const PublishedMean& published) {
  assert(ours.estimate && ours.estimate->standard_error);
  const Estimate& mean = *ours.estimate;
  const double gap = mean.mean - published.mean;
  const double variance = *mean.standard_error * *mean.standard_error;
  const ErrorPart rounding{published.unit * published.unit / 12, kKnown};
  GapTest result;
  result.design.per_draw = variance * mean.draws;
  if (ours.repetitions > 0) {
    // One estimate of variance serves both sides, so its degrees of freedom count once.
    const double excess = excess_variance(ours, published);
    const double once = variance * ours.repetitions + (excess > 0 ? excess / *published.draws : 0);
    const ErrorPart errors[] = {{variance + once, mean.df}, rounding};
    result.gap = welch(gap, errors);
    result.design.fixed = once + rounding.variance;
    result.basis = ours.basis;
    if (excess > 0) result.basis += ", and strayed further, which counts as well";
    return result;
  }
  std::vector<ErrorPart> errors = {{variance, mean.df}, rounding};
  if (const auto theirs = published_error(ours, published, result.basis)) {
    if (const double factor = strays_more(ours, published); factor > 1) {
      // One spread serves both sides, so its degrees of freedom count once.
      const double taken = std::isinf(factor) ? *published.spread * *published.spread / mean.draws
                                              : variance * factor * factor;
      result.design.per_draw = taken * mean.draws;
      errors[0] = {taken + theirs->variance, theirs->df};
      result.basis += ", taken for ours too, which are fewer and strayed less";
    } else {
      errors.push_back(*theirs);
    }
    result.design.fixed = theirs->variance;
  } else {
    result.error_known = false;
    result.basis = "published error not stated; the interval leaves it out";
  }
  if (!ours.basis.empty()) result.basis = ours.basis + "; " + result.basis;
  result.design.fixed += rounding.variance;
  result.gap = welch(gap, errors);
  return result;
}

Levels levels_for(int family) { return {kAlpha, kAlpha / std::max(1, family)}; }

std::vector<Levels> levels_of_looks(const std::vector<int>& sizes, const Levels& once) {
  // All cells of a table ask the same, and an answer takes milliseconds.
  static std::mutex mutex;
  static std::map<std::tuple<std::vector<int>, double, double>, std::vector<Levels>> known;
  const std::lock_guard lock(mutex);
  std::vector<Levels>& levels = known[{sizes, once.equivalent, once.different}];
  if (!levels.empty()) return levels;
  const std::vector<double> equivalent = look_levels(sizes, sizes.back(), once.equivalent);
  // Each side of the two-sided test is a sequence of its own.
  const std::vector<double> side = look_levels(sizes, sizes.back(), once.different / 2);
  for (std::size_t i = 0; i < sizes.size(); ++i) levels.push_back({equivalent[i], 2 * side[i]});
  return levels;
}

bool may_be_decided(const OwnMean& ours, const GapTest& test, double delta, const Levels& levels) {
  constexpr double kErrors = 4;
  if (ours.estimate->draws < kFewestDraws) return true;
  if (!test.error_known) return false;
  // Errors that more runs make known better, or smaller.
  if (ours.repetitions > 0 || !ours.sharper.empty()) return true;
  const auto decided = [&](double gap) {
    return draws_to_decide(gap, test.design, delta, levels.equivalent, levels.different)
        .has_value();
  };
  const double gap = std::abs(test.gap.value), reach = kErrors * *ours.estimate->standard_error;
  return decided(std::max(0.0, gap - reach)) || decided(gap + reach);
}

Judgement judge_drawless(double gap, double unit, double delta) {
  const double rounding = unit / 2;
  Judgement out;
  out.interval = {gap - rounding, gap + rounding};
  out.smallest_delta = std::abs(gap) + rounding;
  if (out.smallest_delta <= delta) {
    out.verdict = Verdict::kEquivalent;
  } else if (std::abs(gap) > rounding) {
    out.verdict = Verdict::kDifferent;
  }
  return out;
}

Judgement judge(const GapTest& test, int draws, double delta, const Levels& levels) {
  Judgement out;
  out.interval = equivalence_interval(test.gap, levels.equivalent);
  out.smallest_delta = smallest_delta(test.gap, levels.equivalent);
  out.p_corrected = std::min(1.0, test.gap.p * kAlpha / levels.different);
  out.detectable_gap =
      detectable_difference(test.gap.standard_error, test.gap.df, levels.different, kPower);
  if (!test.error_known) return out;
  const bool enough = draws >= kFewestDraws;
  if (enough && out.smallest_delta <= delta) {
    out.verdict = Verdict::kEquivalent;
  } else if (enough && out.p_corrected <= kAlpha) {
    out.verdict = Verdict::kDifferent;
  } else if (const auto needed = draws_to_decide(test.gap.value, test.design, delta,
                                                 levels.equivalent, levels.different)) {
    out.draws = std::max(*needed, double{kFewestDraws});
  }
  return out;
}

}  // namespace cupel
