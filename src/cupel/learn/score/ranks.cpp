#include "cupel/learn/score/ranks.h"

namespace cupel {

OptionSpec ties_option() {
  return {.name = "ties",
          .fallback = std::string("mean"),
          .doc =
              "The place of a positive among candidates that score as much: the mean of those "
              "it shares with them, the first or the last.",
          .choices = {"mean", "optimistic", "pessimistic"}};
}

TieRule tie_rule(const Options& settings) {
  const std::string& name = settings.text("ties");
  return name == "mean"         ? TieRule::kMean
         : name == "optimistic" ? TieRule::kOptimistic
                                : TieRule::kPessimistic;
}

double rank_of(const Ranks& ranks, std::size_t positive, TieRule rule) {
  const double share = rule == TieRule::kMean ? 0.5 : rule == TieRule::kOptimistic ? 0 : 1;
  return 1 + static_cast<double>(ranks.above[positive]) +
         share * static_cast<double>(ranks.ties[positive]);
}

}  // namespace cupel
