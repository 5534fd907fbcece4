// Pairs drawn evenly from those that are no links: the usual negatives.
//
// Kipf & Welling, "Variational Graph Auto-Encoders" (2016), as many as positives. Two readings:
//   all    no link of any part is a negative, and no pair is one of both validation and test
//          (the default; PyTorch Geometric's train_test_split_edges does so)
//   known  links known by then are left out: for validation those of training and validation, so
//          that a validation negative may be a test link, or a test negative (Kipf's released gae)
// Test negatives are the same in both, and are drawn first.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "cupel/base/error.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/links/outside.h"

namespace cupel {
namespace {

// Rows of the stream.
constexpr std::uint32_t kPurpose = 0, kShared = 0, kOwn = 1;

std::size_t wanted(const NegativeContext& context, const std::vector<Index>& ids) {
  const double count = context.settings.real("ratio") * static_cast<double>(ids.size());
  return static_cast<std::size_t>(std::max(1.0, std::floor(count)));
}

// The draws [first, first + count) of a sequence of distinct non-links.
std::vector<Pair> draw_pairs(const NegativeContext& context, const Csr& links, std::uint32_t row,
                             std::size_t first, std::size_t count) {
  const NonLinks from(links, context.links.directed);
  if (first + count > from.size())
    fail(
        "{}: {} distinct pairs without a link are needed, and the graph has {}; lower ratio, or "
        "ask fewer pairs",
        context.where(), first + count, from.size());
  Stream stream(context.key, kPurpose, 0, row);
  std::unordered_set<std::uint64_t> seen;
  std::vector<Pair> out;
  out.reserve(count);
  while (seen.size() < first + count) {
    const std::uint64_t number = below(stream, from.size());
    if (seen.insert(number).second && seen.size() > first) out.push_back(from.at(number));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Candidates draw_uniform(const NegativeContext& context) {
  const std::size_t test = wanted(context, context.split.test),
                    valid = wanted(context, context.split.valid);
  const bool is_test = context.part == LinkPart::kTest;
  if (!is_test && context.settings.text("exclude") == "known")
    return CandidatePool{draw_pairs(context, context.arcs(true, true, false), kOwn, 0, valid)};
  const Csr links = arcs_of(context.links.pairs, context.links.nodes, context.links.directed);
  return CandidatePool{
      draw_pairs(context, links, kShared, is_test ? 0 : test, is_test ? test : valid)};
}

}  // namespace

extern const NegativeKind negative_uniform;
const NegativeKind negative_uniform = {
    "uniform",
    "pairs drawn evenly from those without a link, the same for all positives",
    {{.name = "ratio",
      .fallback = 1.0,
      .doc = "negatives for each positive",
      .min = 1e-3,
      .max = 1e4},
     {.name = "exclude",
      .fallback = std::string("all"),
      .doc = "links that are no negatives: all, or those known when validation is asked, so that "
             "test links may be validation negatives",
      .choices = {"all", "known"}}},
    CandidateForm::kPool,
    draw_uniform};

}  // namespace cupel
