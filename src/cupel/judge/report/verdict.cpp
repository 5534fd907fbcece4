#include "cupel/judge/report/verdict.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>

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
    return ErrorPart{error * error, df};
  }
  if (!starts_with(published.spread_kind, "sd") || !published.draws) return std::nullopt;
  // Without Bessel's correction: the estimate of the variance is n / (n - 1) times its square.
  if (starts_with(published.spread_kind, "sd_ddof0"))
    return *published.draws > 1
               ? std::optional(ErrorPart{spread * spread / (*published.draws - 1), df})
               : std::nullopt;
  return ErrorPart{spread * spread / *published.draws, df};
}

}  // namespace

std::string to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees";
    case Verdict::kHigher:
      return "higher";
    case Verdict::kLower:
      return "lower";
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kNotComparable:
      return "not comparable";
    case Verdict::kTooFewRuns:
      return "too few runs";
    case Verdict::kNotTested:
      return "not tested";
    case Verdict::kNotPublished:
      return "no published value";
    case Verdict::kNoRuns:
      return "no runs";
  }
  throw std::logic_error("verdict without a name");
}

std::string mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "=";
    case Verdict::kHigher:
      return "▲";
    case Verdict::kLower:
      return "▼";
    case Verdict::kUndecided:
      return "?";
    case Verdict::kNotComparable:
      return "–";
    case Verdict::kTooFewRuns:
      return "…";
    case Verdict::kNotTested:
    case Verdict::kNotPublished:
    case Verdict::kNoRuns:
      return "";
  }
  throw std::logic_error("verdict without a mark");
}

std::string meaning_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees: the gap is within the error of both means";
    case Verdict::kHigher:
      return "higher than published, beyond the error of both means";
    case Verdict::kLower:
      return "lower than published, beyond the error of both means";
    case Verdict::kUndecided:
      return "undecided: the publication does not state its error, and the answer depends on it";
    case Verdict::kNotComparable:
      return "not comparable: the published value covers other data sets or models than the runs";
    case Verdict::kTooFewRuns:
      return fmt::format("too few runs to test: fewer than {} independent ones", kFewestDraws);
    case Verdict::kNotTested:
      return "not tested: ranks have no error of their own";
    case Verdict::kNotPublished:
      return "no published value";
    case Verdict::kNoRuns:
      return "no runs";
  }
  throw std::logic_error("verdict without a meaning");
}

GapTest test_gap(const Estimate& ours, std::optional<double> our_sd,
                 const PublishedMean& published) {
  assert(ours.standard_error);
  const ErrorPart own{*ours.standard_error * *ours.standard_error, ours.df};
  const ErrorPart rounding{published.unit * published.unit / 12, kKnown};
  const double gap = ours.mean - published.mean;

  std::optional<ErrorPart> error = stated_error(published);
  GapTest result;
  if (error) {
    result.basis = published.draws ? fmt::format("published spread over {} draws", *published.draws)
                                   : "published error as stated";
  } else if (!published.spread && published.draws && our_sd) {
    error = ErrorPart{*our_sd * *our_sd / *published.draws, ours.df};
    result.basis =
        fmt::format("published spread not stated, ours assumed over {} draws", *published.draws);
  }
  if (error) {
    const ErrorPart errors[] = {own, *error, rounding};
    result.gap = welch(gap, errors);
    result.p_smallest = result.p_largest = result.gap.p;
    return result;
  }

  const ErrorPart least[] = {own, rounding};
  result.gap = welch(gap, least);
  result.p_smallest = result.gap.p;
  if (published.spread && starts_with(published.spread_kind, "sd")) {
    const ErrorPart most[] = {own, rounding, {*published.spread * *published.spread, kKnown}};
    result.p_largest = welch(gap, most).p;
    result.basis = "published number of runs not stated: from one to any number";
  } else {
    result.p_largest = 1;
    result.basis = "published error not stated";
  }
  return result;
}

std::vector<Decision> decide(std::span<const GapTest> family) {
  std::vector<double> smallest, largest;
  for (const GapTest& test : family) {
    smallest.push_back(test.p_smallest);
    largest.push_back(test.p_largest);
  }
  const std::vector<double> low = holm(smallest), high = holm(largest);
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < family.size(); ++i) {
    Decision decision{.p_corrected = high[i]};
    if (high[i] <= kAlpha) {
      decision.verdict = family[i].gap.value > 0 ? Verdict::kHigher : Verdict::kLower;
    } else {
      decision.verdict = low[i] > kAlpha ? Verdict::kAgrees : Verdict::kUndecided;
    }
    decisions.push_back(decision);
  }
  return decisions;
}

}  // namespace cupel
