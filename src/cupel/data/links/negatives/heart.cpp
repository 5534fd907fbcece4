// Hard negatives: pairs that heuristics take for links.
//
// Li et al., "Evaluating Graph Neural Networks for Link Prediction: Current Pitfalls and New
// Benchmarking" (NeurIPS 2023, arXiv 2306.10453): HeaRT. Each positive has `count` negatives, half
// with its source and half with its target. The other end of a half are the nodes that rank best
// by any of three measures of nearness to the end that is kept, on training links: resource
// allocation, personalised PageRank (restart 0.15) and, where there are features, their cosine.
// Links known when the part is asked are left out, for test those of validation too; a positive of
// the part may be another one's negative.
//
// Where the released code does something else:
// - It ranks a node without a score by a measure one behind the last node with one, so that a
//   measure with few scores makes nearly all nodes equal. `zeros = "last"` does the same and is the
//   default, as published values are of such negatives; with "unranked" another measure decides.
//   On Cora the MRR of common neighbours, Adamic-Adar and resource allocation is the same in both.
// - Which of equal nodes it takes is left to a partial sort, and to chance, with repeats, where
//   fewer nodes than wanted have any score. Here the lowest ids are taken, each once.
// - Its PageRank is pushed to a threshold of 5e-5, and what lies below it is 0. Here it is exact to
//   1e-13 and compared as float32, so that rounding does not part what is equal.
// - It overwrites rows of the matrix of cosines by ranks, so that a node asked again has its
//   cosines the wrong way round. Here they are the same each time.
// - Its defaults combine ranks by their mean. The published negatives are by the minimum, as here.
// Negative cosines count as none.
//
// Each node's scores serve all positives that it is an end of, and are made for 16 nodes at a time:
// 58 steps over the links in float32, one over the features in double. PubMed's 4,432 test links
// have some 5,500 ends: at most 2.4e10 additions for PageRank, 5.5e9 multiply-adds for cosines.
#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/links/nearest.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/links/similarity.h"

namespace cupel {
namespace {

constexpr double kRestart = 0.15;
constexpr Offset kBatches = 8;  // in a block of parallel work

// A half of a question: the node that is kept, the one that is replaced, and where the picks go.
struct Half {
  Index kept, replaced;
  Offset slot;
};

// The end of a part's positives that can be paired with the fewest other nodes, the first of them.
struct Scarcest {
  Index node = -1;
  Index others = std::numeric_limits<Index>::max();
};

Scarcest scarcest(const NegativeContext& context, const Csr& known) {
  Scarcest out;
  for (const Pair& pair : context.positives()) {
    for (const Pair& half : {pair, Pair{pair.target, pair.source}}) {
      const Index others = context.links.nodes - 1 -
                           static_cast<Index>(known.row_size(half.source)) -
                           (has_arc(known, half) ? 0 : 1);
      if (others < out.others) out = {half.source, others};
    }
  }
  return out;
}

class HardNegatives {
 public:
  explicit HardNegatives(const NegativeContext& context)
      : context_(context),
        count_(static_cast<Index>(context.settings.integer("count") / 2)),
        unscored_(context.settings.text("zeros") == "last" ? Unscored::kLast : Unscored::kUnranked),
        messages_(context.arcs(true, false, false)),
        known_(context.known()),
        walks_(messages_, kRestart),
        cosine_(context.dataset.features) {
    for (const Pair& pair : context.positives()) {
      halves_.push_back({pair.source, pair.target, std::ssize(halves_)});
      halves_.push_back({pair.target, pair.source, std::ssize(halves_)});
    }
    std::sort(halves_.begin(), halves_.end(), [](const Half& a, const Half& b) {
      return a.kept != b.kept ? a.kept < b.kept : a.slot < b.slot;
    });
    for (std::size_t h = 0; h < halves_.size(); ++h) {
      if (h > 0 && halves_[h].kept == halves_[h - 1].kept) continue;
      nodes_.push_back(halves_[h].kept);
      first_.push_back(h);
    }
    first_.push_back(halves_.size());
    require_enough();
  }

  CandidateLists draw() {
    picks_.resize(halves_.size());
    const Offset batches = (std::ssize(nodes_) + kBatch - 1) / kBatch;
    parallel_blocks(context_.threads, batches, kBatches, [&](Offset begin, Offset end) {
      Work work{RankPicker(context_.links.nodes, unscored_), {}, {}, {}, {}, {}};
      work.shares.resize(static_cast<std::size_t>(context_.links.nodes));
      for (Offset b = begin; b < end; ++b) pick_batch(static_cast<std::size_t>(b), work);
    });
    CandidateLists out;
    out.pairs.reserve(halves_.size() * static_cast<std::size_t>(count_));
    const std::vector<Pair> positives = context_.positives();
    for (std::size_t q = 0; q < positives.size(); ++q) {
      const auto first = std::ssize(out.pairs);
      for (const auto& [slot, kept] :
           {std::pair{2 * q, positives[q].source}, {2 * q + 1, positives[q].target}}) {
        for (const Index node : picks_[slot])
          out.pairs.push_back({std::min(kept, node), std::max(kept, node)});
      }
      std::sort(out.pairs.begin() + first, out.pairs.end());
      out.start.push_back(std::ssize(out.pairs));
    }
    return out;
  }

 private:
  void require_enough() const {
    const Scarcest here = scarcest(context_, known_);
    if (here.others >= count_) return;
    // What is advised has to do for the other part too.
    NegativeContext other = context_;
    other.part = context_.part == LinkPart::kTest ? LinkPart::kValid : LinkPart::kTest;
    const Index enough = std::min(here.others, scarcest(other, other.known()).others);
    fail("{}: node {} has no known link with {}, and half of count = {} are needed; {}",
         context_.where(), here.node, counted(here.others, "other node"), 2 * count_,
         enough > 0 ? fmt::format("lower count to at most {}", 2 * enough)
                    : "take negatives of another kind");
  }

  // What a block of parallel work uses again and again.
  struct Work {
    RankPicker picker;
    PersonalisedPageRank::Work solving;
    NodeBatch walks, likes;
    std::vector<double> shares;  // per node; 0 between nodes that are asked about
    std::vector<Index> touched;
  };

  void pick_batch(std::size_t batch, Work& work) {
    const std::size_t begin = batch * kBatch, end = std::min(begin + kBatch, nodes_.size());
    const std::span<const Index> nodes(nodes_.data() + begin, end - begin);
    std::vector<NodeBatch*> batches = {&work.walks};
    walks_.batch(nodes, work.solving, work.walks);
    if (feature_count(context_.dataset.features) > 0) {
      cosine_.batch(nodes, work.likes);
      batches.push_back(&work.likes);
    }
    std::vector<std::vector<Index>> excluded;
    for (const Index node : nodes) excluded.push_back(excluded_of(node));
    std::vector<std::vector<Shortlist>> lists;  // by batch and node
    for (NodeBatch* scores : batches) {
      for (std::size_t c = 0; c < nodes.size(); ++c)
        for (const Index node : excluded[c])
          (*scores)[static_cast<std::size_t>(node) * kBatch + c] = 0;
      lists.push_back(shortlists(*scores, nodes.size(), count_ + 1));
    }
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      resource_allocation(messages_, nodes[c], work.shares, work.touched);
      for (const Index node : excluded[c]) work.shares[node] = 0;
      std::vector<Shortlist::Entry> shared;
      for (const Index node : work.touched)
        shared.push_back({static_cast<float>(work.shares[node]), node});
      const Shortlist allocation = shortlist(shared, count_ + 1);
      for (std::size_t h = first_[begin + c]; h < first_[begin + c + 1]; ++h) {
        const auto replaced = static_cast<std::size_t>(halves_[h].replaced);
        std::vector<RankPicker::Measure> by = {
            {&allocation, static_cast<float>(work.shares[replaced])}};
        for (std::size_t m = 0; m < batches.size(); ++m)
          by.push_back({&lists[m][c], (*batches[m])[replaced * kBatch + c]});
        picks_[static_cast<std::size_t>(halves_[h].slot)] =
            work.picker.pick(by, halves_[h].replaced, excluded[c], count_);
      }
      for (const Index node : work.touched) work.shares[node] = 0;
      work.touched.clear();
    }
  }

  std::vector<Index> excluded_of(Index node) const {
    const auto row = known_.row_columns(node);
    std::vector<Index> out(row.begin(), row.end());
    out.insert(std::lower_bound(out.begin(), out.end(), node), node);
    return out;
  }

  const NegativeContext& context_;
  const Index count_;  // of a half
  const Unscored unscored_;
  const Csr messages_, known_;
  const PersonalisedPageRank walks_;
  const FeatureCosine cosine_;
  std::vector<Half> halves_;        // by the node that is kept
  std::vector<Index> nodes_;        // these nodes, each once
  std::vector<std::size_t> first_;  // of each, its first half; and the end
  std::vector<std::vector<Index>> picks_;
};

void check_settings(const NegativeContext& context) {
  if (context.links.directed)
    fail(
        "{}: negatives 'heart' are defined for undirected links; take 'corrupt', or directed = "
        "false",
        context.where());
  if (context.settings.integer("count") % 2 != 0)
    fail("{}: count = {} is odd, and half of the negatives belong to either end; make it even",
         context.where(), context.settings.integer("count"));
}

Candidates draw_heart(const NegativeContext& context) {
  check_settings(context);
  return HardNegatives(context).draw();
}

// The two halves of a question have no pair in common.
Offset check(const NegativeContext& context) {
  check_settings(context);
  (void)HardNegatives(context);
  return context.settings.integer("count");
}

}  // namespace

extern const NegativeKind negative_heart;
const NegativeKind negative_heart = {
    "heart",
    "for each positive, pairs of its ends with the nodes nearest to them by resource allocation, "
    "PageRank or features (HeaRT, Li et al. 2023)",
    {{.name = "count",
      .fallback = std::int64_t{500},
      .doc = "negatives of each positive, half of them for either end",
      .min = 2,
      .max = 1e6},
     {.name = "zeros",
      .fallback = std::string("last"),
      .doc = "what a node without a score by a measure ranks: one behind the last one with a score "
             "(the released code), or nothing",
      .choices = {"last", "unranked"}}},
    CandidateForm::kLists,
    draw_heart,
    check};

}  // namespace cupel
