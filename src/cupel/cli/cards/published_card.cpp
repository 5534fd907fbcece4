#include "cupel/cli/cards/published_card.h"

#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

std::string verdict(const ComparedCount& count) {
  if (count.ours == count.published) return "equal";
  const Offset difference = count.ours - count.published;
  const std::string by = (difference > 0 ? "+" : "-") + grouped(std::abs(difference));
  if (count.published == 0) return by;
  return fmt::format("{} ({:+.1f} %)", by,
                     100 * static_cast<double>(difference) / static_cast<double>(count.published));
}

}  // namespace

std::string published_text(const PublishedComparison& comparison) {
  const TimeCuts& cuts = comparison.cuts;
  const std::string parts = fmt::format("{},{},{}", cuts.train, cuts.valid, cuts.test);
  std::string out =
      fmt::format("\nPublished counts of {} (EXPERT, 2022, Table 2)\n", comparison.graph);
  if (!comparison.same_cuts)
    return out +
           wrap(fmt::format("They are of the parts --split {}; take these to compare.", parts), 2);
  Columns columns("llrrl");
  columns.row({"PART", "COUNT", "PUBLISHED", "OURS", "VERDICT"});
  for (const ComparedCount& count : comparison.counts)
    columns.row(
        {count.part, count.what, grouped(count.published), grouped(count.ours), verdict(count)});
  out += columns.text();
  for (const std::string& reason : comparison.reasons) out += wrap(reason, 2);
  return out;
}

}  // namespace cupel::cli
