#include "cupel/learn/links/link_view.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/named_settings.h"
#include "cupel/data/split/link_split.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// Scores of one run on a part, counted as they come.
class LinkMarking final : public Marking {
 public:
  LinkMarking(std::shared_ptr<const Ranking> ranking, Threads threads)
      : ranking_(std::move(ranking)), counter_(*ranking_, threads) {}

  void take(ConstDenseView rows) override {
    if (rows.cols != 1) fail("scores have {} columns; give one score for each pair", rows.cols);
    if (counter_.rows_taken() + rows.rows > ranking_->asked.rows())
      fail("more scores than the {} that are asked for", ranking_->asked.rows());
    std::vector<float> block(static_cast<std::size_t>(rows.rows));
    for (Index r = 0; r < rows.rows; ++r) block[static_cast<std::size_t>(r)] = *rows.row(r);
    counter_.add(block);
  }

  double score(const std::string& name) const override {
    count();
    const auto found = find_metric(name);
    if (is_pool() && found && found->is_of(AnswerForm::kPool)) return pool_metric(name, pool_);
    if (!is_pool()) (void)parse_metric("", name, {AnswerForm::kRanks});
    return rank_metric(name, ranks());
  }

  // Groups are of nodes, and a pair has two.
  std::optional<double> score_on(const std::string&, std::span<const Index>) const override {
    return {};
  }

  std::vector<std::pair<std::string, double>> other_scores(const std::string& but) const override {
    count();
    NamedScores all;
    if (is_pool()) all = other_pool_metrics(but, pool_);
    std::ranges::copy(other_rank_metrics(but, ranks()), std::back_inserter(all));
    return all;
  }

 private:
  bool is_pool() const { return ranking_->questions.form == CandidateForm::kPool; }
  Ranks ranks() const { return {counts_->above, counts_->ties, counts_->candidates, is_pool()}; }

  void count() const {
    if (counts_) return;
    if (counter_.rows_taken() != ranking_->asked.rows())
      fail("there are {} scores for {} pairs", counter_.rows_taken(), ranking_->asked.rows());
    counts_ = counter_.finish();
    if (!is_pool()) return;
    const PoolScores scores = counter_.pool_scores();
    pool_ = make_pool(scores.scores, scores.positive);
  }

  std::shared_ptr<const Ranking> ranking_;
  mutable RankCounter counter_;
  mutable std::optional<RankCounts> counts_;  // once all rows are there
  mutable Pool pool_;
};

class SealedLinks final : public SealedAnswers {
 public:
  SealedLinks(std::shared_ptr<const Ranking> ranking, Threads threads)
      : ranking_(std::move(ranking)), threads_(threads) {}
  std::unique_ptr<Marking> open() const override {
    return std::make_unique<LinkMarking>(ranking_, threads_);
  }

 private:
  std::shared_ptr<const Ranking> ranking_;
  Threads threads_;
};

}  // namespace

const TaskKind& LinkView::kind() const { return *find_task_kind("links"); }

std::unique_ptr<Marking> LinkView::mark_valid() const {
  return std::make_unique<LinkMarking>(valid_, Threads{});
}

NegativeChoice read_negatives(const std::string& where, const std::string& text) {
  const NamedSettings named = named_settings(text);
  const NegativeKind& kind = find_negative_kind(named.name);
  return {&kind, parse_options(fmt::format("{}: negatives '{}'", where, named.name), kind.settings,
                               named.settings)};
}

// Of a part: validation may have its own.
const std::string& negatives_of(const Options& settings, LinkPart part) {
  const std::string& own = settings.text("valid_negatives");
  return part == LinkPart::kValid && !own.empty() ? own : settings.text("negatives");
}

std::map<std::string, OptionValue> link_identity(const Dataset& dataset, const Options& settings) {
  std::map<std::string, OptionValue> out;
  for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
    const NegativeChoice chosen = read_negatives(dataset.name, negatives_of(settings, part));
    out[part == LinkPart::kTest ? "negatives" : "valid_negatives"] =
        negatives_identity(*chosen.kind, dataset, chosen.settings);
  }
  return out;
}

std::vector<std::filesystem::path> negative_files(const Dataset& dataset, const Options& settings) {
  std::vector<std::filesystem::path> out;
  for (const LinkPart part : {LinkPart::kValid, LinkPart::kTest}) {
    const NegativeChoice chosen = read_negatives(dataset.name, negatives_of(settings, part));
    if (chosen.kind->files == nullptr) continue;
    for (const std::string& path : chosen.kind->files(dataset, chosen.settings))
      out.emplace_back(path);
  }
  return out;
}

namespace {

// Whether the metrics can be told of so many candidates.
void check_candidates(const std::string& where, const std::vector<std::string>& metrics,
                      const CandidatesAhead& candidates) {
  const std::vector<AnswerForm> forms = candidates.form == CandidateForm::kPool
                                            ? std::vector{AnswerForm::kPool, AnswerForm::kRanks}
                                            : std::vector{AnswerForm::kRanks};
  for (const std::string& metric : metrics) {
    const Metric found = parse_metric(where, metric, forms);
    if (found.entry->candidates_needed == nullptr) continue;
    const Offset needed = found.entry->candidates_needed(found.settings);
    if (needed > candidates.smallest)
      fail(
          "{}: {} needs {} candidates for each link, and some have {}; take a smaller number or "
          "more negatives",
          where, metric, needed, candidates.smallest);
  }
}

}  // namespace

Task make_link_task(const TaskRequest& request) {
  const Dataset& dataset = request.data->data();
  const PairList links = links_of(dataset, request.scheme);
  check_parts(request.split, Unit::kPair, links.size(), dataset.name);
  const auto ranking = [&](LinkPart part) {
    const NegativeChoice chosen =
        read_negatives(dataset.name, negatives_of(request.settings, part));
    const NegativeContext context = {.dataset = dataset,
                                     .links = links,
                                     .split = request.split,
                                     .part = part,
                                     .key = request.key,
                                     .threads = request.threads,
                                     .settings = chosen.settings};
    const std::string where = fmt::format("{}: {} links", dataset.name, to_text(part));
    auto drawn = std::make_shared<Ranking>();
    if (!request.asked) {
      const CandidatesAhead ahead = check_negatives(*chosen.kind, context);
      check_candidates(where, request.metrics, ahead);
      drawn->questions.form = ahead.form;
      return drawn;
    }
    *drawn = draw_ranking(*chosen.kind, context);
    check_candidates(where, request.metrics,
                     {drawn->questions.form, candidate_counts(*drawn).smallest});
    return drawn;
  };
  const auto graph = [&](bool valid) {
    std::vector<Pair> known = pairs_at(links, request.split.train);
    if (valid) std::ranges::copy(pairs_at(links, request.split.valid), std::back_inserter(known));
    return std::make_shared<const VisibleGraph>(
        *request.data->visible(),
        std::make_shared<const Csr>(arcs_of(known, links.nodes, links.directed)));
  };
  LinkView view(graph(false));
  view.directed_ = links.directed;
  view.train_ = pairs_at(links, request.split.train);
  std::ranges::sort(view.train_);
  view.test_graph_ = valid_carries_messages(request.scheme) ? graph(true) : view.shared_graph();
  view.valid_ = ranking(LinkPart::kValid);
  Task out;
  if (request.scored) {
    const auto test = ranking(LinkPart::kTest);
    view.test_ = test->asked;
    out.answers = std::make_shared<const SealedLinks>(test, request.threads);
  }
  out.view = std::make_shared<const LinkView>(std::move(view));
  return out;
}

void score_rows(const Asked& asked, PairScorer& scorer, const RunLimits& limits, ScoreSink& sink) {
  constexpr Offset kBlock = 1 << 16;
  std::vector<Pair> pairs;
  std::vector<float> scores;
  for (Offset first = 0; first < asked.rows(); first += kBlock) {
    const Offset count = std::min(kBlock, asked.rows() - first);
    pairs.clear();
    for (Offset row = first; row < first + count; ++row) pairs.push_back(asked.pair(row));
    scores.resize(pairs.size());
    scorer.score(pairs, scores, limits);
    sink.take({scores.data(), static_cast<Index>(count), 1, 1});
  }
}

}  // namespace cupel
