// Each positive with one end replaced by a node drawn evenly.
//
// Bordes et al., "Translating Embeddings for Modeling Multi-relational Data" (NIPS 2013), where
// candidates that are links are left out ("filtered") or not ("raw").
#include <algorithm>
#include <unordered_set>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/links/outside.h"

namespace cupel {
namespace {

constexpr std::uint32_t kPurpose = 1;
constexpr Offset kQuestions = 256;  // in a block of parallel work

// `count` different nodes outside the sorted list, or all there are.
void draw_nodes(Stream& stream, Index nodes, std::span<const Index> excluded, Index count,
                std::vector<Index>& out) {
  const Index available = nodes - static_cast<Index>(excluded.size());
  std::unordered_set<Index> seen;
  out.clear();
  while (static_cast<Index>(out.size()) < std::min(count, available)) {
    const auto rank = static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(available)));
    if (seen.insert(rank).second) out.push_back(nth_outside(excluded, rank));
  }
}

class Corrupter {
 public:
  explicit Corrupter(const NegativeContext& context)
      : context_(context),
        directed_(context.links.directed),
        filtered_(context.settings.flag("filtered")),
        successors_(arcs_of(context.links.pairs, context.links.nodes, directed_)),
        predecessors_(directed_ ? transpose(successors_) : Csr{}) {}

  // Pairs with `kept` and `count` nodes in place of `replaced`.
  void add(Stream& stream, Index kept, Index replaced, bool replaces_target, Index count,
           std::vector<Pair>& out) const {
    const Csr& links = directed_ && !replaces_target ? predecessors_ : successors_;
    std::vector<Index> excluded{kept, replaced}, drawn;
    if (filtered_) {
      const auto row = links.row_columns(kept);
      excluded.insert(excluded.end(), row.begin(), row.end());
    }
    sort_unique(excluded);
    draw_nodes(stream, context_.links.nodes, excluded, count, drawn);
    if (static_cast<Index>(drawn.size()) < count)
      fail(
          "{}: node {} has {} nodes that it can be paired with instead of {}, and {} are needed; "
          "lower count{}",
          context_.where(), kept, drawn.size(), replaced, count,
          filtered_ ? ", or let links be candidates with filtered = false" : "");
    for (const Index node : drawn) {
      const Pair pair = replaces_target ? Pair{kept, node} : Pair{node, kept};
      out.push_back(directed_ || pair.source < pair.target ? pair : Pair{pair.target, pair.source});
    }
  }

 private:
  const NegativeContext& context_;
  const bool directed_, filtered_;
  const Csr successors_, predecessors_;  // of undirected links the first alone
};

Candidates draw_corrupt(const NegativeContext& context) {
  const Corrupter corrupter(context);
  const std::vector<Pair> positives = context.positives();
  const auto count = static_cast<Index>(context.settings.integer("count"));
  const std::string& end = context.settings.text("end");
  const Index targets = end == "target" ? count : end == "source" ? 0 : (count + 1) / 2;
  CandidateLists out;
  for (std::size_t q = 1; q <= positives.size(); ++q)
    out.start.push_back(static_cast<Offset>(q) * count);
  out.pairs.resize(positives.size() * static_cast<std::size_t>(count));
  parallel_blocks(context.threads, std::ssize(positives), kQuestions, [&](Offset b, Offset e) {
    std::vector<Pair> list;
    for (Offset q = b; q < e; ++q) {
      Stream stream(context.key, kPurpose, static_cast<std::uint32_t>(context.part),
                    static_cast<std::uint32_t>(q));
      const auto [source, target] = positives[static_cast<std::size_t>(q)];
      list.clear();
      corrupter.add(stream, source, target, true, targets, list);
      corrupter.add(stream, target, source, false, count - targets, list);
      std::sort(list.begin(), list.end());
      std::copy(list.begin(), list.end(), out.pairs.begin() + out.start[q]);
    }
  });
  return out;
}

}  // namespace

extern const NegativeKind negative_corrupt;
const NegativeKind negative_corrupt = {
    "corrupt",
    "for each positive, pairs in which a node drawn evenly replaces one of its ends",
    {{.name = "count",
      .fallback = std::int64_t{100},
      .doc = "negatives of each positive",
      .min = 1,
      .max = 1e6},
     {.name = "end",
      .fallback = std::string("both"),
      .doc = "which end is replaced; both: the target in every other pair, beginning with it",
      .choices = {"both", "source", "target"}},
     {.name = "filtered", .fallback = true, .doc = "leave out links, of whatever part"}},
    CandidateForm::kLists,
    draw_corrupt};

}  // namespace cupel
