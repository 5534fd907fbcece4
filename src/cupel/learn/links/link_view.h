// Which pairs of nodes are linked? What may be seen of it, and the answers.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cupel/data/links/candidates.h"
#include "cupel/data/links/negatives.h"
#include "cupel/data/links/rank_counter.h"
#include "cupel/learn/pair_scorer.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

// A view of one split of the links of a graph. graph() has the arcs of the training links and no
// other, so that whatever is derived from it knows no more.
class LinkView final : public View {
 public:
  const TaskKind& kind() const override;
  std::int64_t valid_rows() const override { return valid_->asked.rows(); }
  std::int64_t test_rows() const override { return test_.rows(); }
  Index outputs() const override { return 1; }
  std::unique_ptr<Marking> mark_valid() const override;

  bool directed() const { return directed_; }
  // The links that may be learnt from. Undirected: source < target.
  const std::vector<Pair>& train() const { return train_; }
  // The arcs that carry messages when a part is asked about: those of graph(), for test with the
  // validation links where the split says so.
  const std::shared_ptr<const VisibleGraph>& graph_of(LinkPart part) const {
    return part == LinkPart::kTest ? test_graph_ : shared_graph();
  }
  // What is to be scored, row by row.
  const Asked& asked(LinkPart part) const {
    return part == LinkPart::kTest ? test_ : valid_->asked;
  }
  // Validation's answers: models are selected by them. Of a view in which nothing is asked, their
  // form alone.
  const Questions& valid_questions() const { return valid_->questions; }

 private:
  friend Task make_link_task(const TaskRequest& request);
  explicit LinkView(std::shared_ptr<const VisibleGraph> graph) : View(std::move(graph)) {}

  bool directed_ = false;
  std::vector<Pair> train_;
  std::shared_ptr<const VisibleGraph> test_graph_;
  std::shared_ptr<const Ranking> valid_;
  Asked test_;
};

// Splits are of pairs (data/split/link_split.h); settings are those of the kind "links". Loops and
// repeats are in no part. Throws Error if the split is not one of pairs, a part has no candidates,
// or negatives cannot be drawn.
[[nodiscard]] Task make_link_task(const TaskRequest& request);

// The kind of negatives that a setting names, "heart:count=500", and its settings. Throws Error.
struct NegativeChoice {
  const NegativeKind* kind = nullptr;
  Options settings;
};
[[nodiscard]] NegativeChoice read_negatives(const std::string& where, const std::string& text);

// What the task of a run depends on beside data and split: negatives with all their settings, and
// the content of files that they come from.
[[nodiscard]] std::map<std::string, OptionValue> link_identity(const Dataset& dataset,
                                                               const Options& settings);

// The files of the user that negatives of either part come from: what is asked and is none of them
// is a link.
[[nodiscard]] std::vector<std::filesystem::path> negative_files(const Dataset& dataset,
                                                                const Options& settings);

// Hands `scorer`'s scores of all rows to `sink`, a block at a time.
void score_rows(const Asked& asked, PairScorer& scorer, const RunLimits& limits, ScoreSink& sink);

}  // namespace cupel
