#include "cupel/data/facts/complexity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace cupel {
namespace {

std::optional<double> ratio(Offset part, Offset other) {
  if (other == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(other);
}

std::string words(const char* name, const std::optional<double>& ratio,
                  const std::optional<double>& share) {
  if (!share) return fmt::format("{} undefined", name);
  return fmt::format("{} {} (share {:.3g})", name,
                     ratio ? fmt::format("{:.3g}", *ratio) : "undefined", *share);
}

using Values = std::vector<std::optional<double>>;

// "0.394 ± 0.021" of the values that are there; "" if none is.
std::string mean_text(const Values& values) {
  double n = 0, sum = 0, squares = 0;
  for (const auto& value : values)
    if (value) n += 1, sum += *value;
  if (n == 0) return "";
  const double mean = sum / n;
  for (const auto& value : values)
    if (value) squares += (*value - mean) * (*value - mean);
  std::string out = fmt::format("{:.3g}", mean);
  if (n > 1) out += fmt::format(" ± {:.2g}", std::sqrt(squares / (n - 1)));
  if (const auto none = std::count(values.begin(), values.end(), std::nullopt); none > 0)
    out += fmt::format(", undefined in {}", none);
  return out;
}

std::string words(const char* name, const Values& ratios, const Values& shares) {
  const std::string ratio = mean_text(ratios), share = mean_text(shares);
  if (share.empty()) return fmt::format("{} undefined", name);
  return fmt::format("{} {} (share {})", name, ratio.empty() ? "undefined" : ratio, share);
}

}  // namespace

std::string complexity_text(std::span<const GroupCounts> cuts) {
  Values trans, trans_share, ind, ind_share;
  for (const GroupCounts& counts : cuts) {
    const Complexity c = complexity(counts);
    trans.push_back(c.trans), trans_share.push_back(c.trans_share);
    ind.push_back(c.ind), ind_share.push_back(c.ind_share);
  }
  return fmt::format("{}, {}, over {} cuts", words("C_trans", trans, trans_share),
                     words("C_ind", ind, ind_share), cuts.size());
}

std::string complexity_text(const GroupCounts& counts) {
  const Complexity c = complexity(counts);
  return words("C_trans", c.trans, c.trans_share) + ", " + words("C_ind", c.ind, c.ind_share);
}

Complexity complexity(const GroupCounts& counts) {
  const auto count = [&](FactGroup group) { return counts[static_cast<std::size_t>(group)]; };
  const Offset repeated = count(FactGroup::repeated), first = count(FactGroup::first_time);
  const Offset transductive = repeated + first;
  const Offset inductive = count(FactGroup::seen_to_unseen) + count(FactGroup::unseen_to_seen) +
                           count(FactGroup::unseen_to_unseen);
  return {ratio(first, repeated), ratio(first, transductive), ratio(inductive, transductive),
          ratio(inductive, transductive + inductive)};
}

}  // namespace cupel
