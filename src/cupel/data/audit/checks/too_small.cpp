// Too few test nodes for an interval that separates two models one point apart.
//
// Both models answer the same n test nodes. With q the share of nodes on which exactly one of them
// is right, the difference of their accuracies has the standard error sqrt((q - delta^2) / n)
// (McNemar, Psychometrika 1947, for paired proportions), so 95 % intervals exclude 0 for a true
// difference delta when n >= (1.96 / delta)^2 (q - delta^2), half of the time; with 80 % power when
// 1.96 becomes 1.96 + 0.84. q is not known before there are models. 0.10 is taken: models that
// differ on fewer nodes are rare among those that papers compare.
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kDelta = 0.01, kDiscordant = 0.10, kNormal = 1.959964, kPower = 0.841621;

// The test nodes of a split, and the distinct ones of all splits. Scores of the same node in
// several splits share its luck, so that splits beyond covering all nodes add nothing.
struct TestNodes {
  Offset fewest = 0, distinct = 0, splits = 0;
};

TestNodes test_nodes(const Dataset& data) {
  TestNodes out;
  out.splits = static_cast<Offset>(data.stored_splits.size());
  if (out.splits == 0) {
    out.fewest = out.distinct = data.examples();
    return out;
  }
  std::vector<char> seen(static_cast<std::size_t>(data.examples()), 0);
  out.fewest = data.examples();
  for (const Split& split : data.stored_splits) {
    out.fewest = std::min(out.fewest, static_cast<Offset>(split.test.size()));
    for (const Index i : split.test) seen[static_cast<std::size_t>(i)] = 1;
  }
  for (const char s : seen) out.distinct += s;
  return out;
}

double half_width(Offset n) {
  return n == 0 ? 1 : kNormal * std::sqrt((kDiscordant - kDelta * kDelta) / static_cast<double>(n));
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const std::string one = subject.example;
  const TestNodes tests = test_nodes(data);
  const double variance = kDiscordant - kDelta * kDelta;
  const auto needed = static_cast<Offset>(std::ceil(std::pow(kNormal / kDelta, 2) * variance));
  const auto powered =
      static_cast<Offset>(std::ceil(std::pow((kNormal + kPower) / kDelta, 2) * variance));
  if (tests.fewest >= needed) return;
  const bool hopeless = tests.distinct < needed;
  Finding out;
  out.id = "too-small";
  out.count = tests.distinct;
  out.severity = hopeless ? Severity::kWarning : Severity::kInfo;
  const auto points = [](Offset n) { return fmt::format("{:.1f}", 100 * half_width(n)); };
  out.title =
      hopeless
          ? fmt::format(
                "too few test {}s to tell apart two models one point apart: {}, and {} are needed",
                subject.example, text::number(tests.distinct), text::number(needed))
          : fmt::format(
                "one split cannot tell apart two models one point apart: {}, and {} are needed",
                text::count(tests.fewest, ("test " + one).c_str()), text::number(needed));
  out.evidence = fmt::format(
      "The 95 % interval of a difference in accuracy is +-1.96 sqrt((q - d^2) / n) for n test "
      "{}s and models that differ in being right on a share q of them. For d = 1 point and q = 10 "
      "% "
      "that takes n = {} ({} to find it four times out of five). ",
      subject.example, text::number(needed), text::number(powered));
  Offset splits_needed = 0;
  if (tests.splits == 0) {
    out.evidence +=
        fmt::format("With {} for test it would be +-{} points.",
                    text::count(data.examples(), subject.example), points(data.examples()));
  } else {
    out.evidence +=
        fmt::format("A split has {}: +-{} points.",
                    text::count(tests.fewest, ("test " + one).c_str()), points(tests.fewest));
    if (tests.splits > 1)
      out.evidence += fmt::format(
          " All {} splits together test {}: at best +-{} points.", text::number(tests.splits),
          text::count(tests.distinct, ("different " + one).c_str()), points(tests.distinct));
    if (tests.fewest > 0) splits_needed = (needed + tests.fewest - 1) / tests.fewest;
  }
  out.details = {{"discordant_share_assumed", kDiscordant},
                 {"difference", kDelta},
                 {"test_" + one + "s_per_split", tests.fewest},
                 {"distinct_test_" + one + "s", tests.distinct},
                 {"test_" + one + "s_needed", needed},
                 {"test_" + one + "s_needed_80_percent_power", powered},
                 {"half_width_one_split", half_width(tests.fewest)},
                 {"half_width_all_splits", half_width(tests.distinct)}};
  if (data.examples() < needed) {
    out.details["splits_needed"] = nullptr;
    out.advice = fmt::format(
        "No number of splits mends this: with {}, differences below about {} points are "
        "within the noise of which {}s were collected. Use more data sets, or a larger one.",
        text::count(data.examples(), one.c_str()), points(data.examples()), one);
  } else if (tests.splits == 0) {
    out.details["splits_needed"] = nullptr;
    out.advice = fmt::format("Use splits whose test parts together cover all {}s.", one);
  } else {
    out.details["splits_needed"] = splits_needed;
    out.advice = fmt::format(
        "Compare models pairwise over all splits. {} with test parts that do not overlap "
        "would be the fewest (as in cross-validation); with random splits take more.",
        text::count(splits_needed, "split"));
  }
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_too_small;
const AuditCheck audit_check_too_small = {
    "too-small", "too few test nodes to separate two models one point apart", run,
    Concerns::kClasses};

}  // namespace cupel
