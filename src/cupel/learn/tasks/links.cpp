// Which pairs of nodes are linked? Some links of a graph are given, others are ranked among pairs
// that are none.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/learn/links/link_feed.h"
#include "cupel/learn/links/link_parts.h"
#include "cupel/learn/links/link_program.h"
#include "cupel/learn/links/link_view.h"
#include "cupel/learn/model.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/score/threshold.h"

namespace cupel {
namespace {

const LinkView& link_view(const View& view) { return dynamic_cast<const LinkView&>(view); }

void links_check(const std::string& where, const TaskFacts& facts, const ModelEntry* model,
                 const TrainRule& rule, const std::string& metric) {
  if (facts.over_time)
    fail("{}: links are asked of one graph, and data set '{}' is facts over time", where,
         facts.dataset);
  if (facts.set_of_graphs)
    fail("{}: links are asked of one graph, and data set '{}' is a set of graphs", where,
         facts.dataset);
  if (!metric.empty() &&
      is_by_valid(parse_metric(where, metric, {AnswerForm::kPool, AnswerForm::kRanks}).settings))
    fail(
        "{}: metric '{}' has a threshold that validation chooses, as facts over time are judged; "
        "give one, \"precision:threshold=0\"",
        where, metric);
  if (rule.loss == "binary-cross-entropy")
    fail(
        "{}: loss = \"binary-cross-entropy\" is for sets of graphs; a row's pair_loss says how "
        "links are learnt",
        where);
  if (model == nullptr || model->unit == Unit::kPair) return;
  if (model->unit == Unit::kNode && model->trainable != nullptr) return;
  std::vector<std::string> fitting;
  for (const ModelEntry* entry : models())
    if (entry->unit == Unit::kPair || (entry->unit == Unit::kNode && entry->trainable != nullptr))
      fitting.push_back(entry->name);
  fail("{}: model '{}' {}, and links are asked about; take one of {}", where, model->name,
       model->unit == Unit::kGraph ? "classifies graphs" : "gives classes and no embeddings",
       fmt::join(fitting, ", "));
}

void links_check_settings(const std::string& where, const View& view, const TaskModel& model) {
  if (model.entry.trainable == nullptr) return;
  const auto encoder = model.entry.trainable(model.settings);
  check_link_settings(where, link_view(view), encoder->schedule(), model);
  // Tracing finds what only the graph or a width tells: an encoder that reads labels, a decoder
  // that halves an odd width.
  try {
    (void)LinkParts(link_view(view), encoder->schedule(), model.settings);
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
}

LinkGraph link_graph(const LinkView& view, LinkPart part) {
  const VisibleGraph& graph = *view.graph_of(part);
  return {graph.arcs(), graph.features(), view.directed()};
}

// A model without gradients: one scorer for each graph that it is asked about.
class LinkTrial final : public DirectTrial {
 public:
  LinkTrial(std::shared_ptr<const View> view, const TaskModel& model)
      : view_(std::move(view)),
        links_(link_view(*view_)),
        entry_(model.entry),
        settings_(model.settings),
        metric_(model.metric),
        threads_(model.threads) {}

  TrialOutcome run(StreamKey, const RunLimits& limits, ScoreSink& test) override {
    const auto score = [&](LinkPart part, ScoreSink& sink) {
      const auto scorer = entry_.scorer(link_graph(links_, part), settings_, threads_);
      score_rows(links_.asked(part), *scorer, limits, sink);
    };
    TrialOutcome outcome;
    const std::unique_ptr<Marking> valid = links_.mark_valid();
    score(LinkPart::kValid, *valid);
    outcome.valid_score = valid->score(metric_);
    score(LinkPart::kTest, test);
    return outcome;
  }
  std::size_t memory_bytes() const override { return 0; }

 private:
  std::shared_ptr<const View> view_;
  const LinkView& links_;
  const ModelEntry& entry_;
  Options settings_;
  std::string metric_;
  Threads threads_;
};

std::unique_ptr<DirectTrial> links_direct(const std::shared_ptr<const View>& view,
                                          const TaskModel& model) {
  return std::make_unique<LinkTrial>(view, model);
}

std::unique_ptr<Feed> links_feed(const std::shared_ptr<const View>& view, const Schedule& schedule,
                                 const TaskModel& model) {
  return make_link_feed(view, schedule, model);
}

std::size_t links_memory(const View& view, const TaskModel& model) {
  const LinkView& links = link_view(view);
  // Scores that are held until they are counted, of validation and of test.
  const auto held = [](const Asked& asked) {
    return sizeof(float) *
           static_cast<std::size_t>(asked.all_targets() ? asked.width() : asked.rows());
  };
  const std::size_t scores =
      2 * (held(links.asked(LinkPart::kValid)) + held(links.asked(LinkPart::kTest)));
  // Column solvers hold the most among the scorers: 256 bytes for each node and thread.
  if (model.entry.trainable == nullptr)
    return scores + (std::size_t{1} << 20) +
           512 * static_cast<std::size_t>(view.nodes()) *
               static_cast<std::size_t>(std::max(1, model.threads.count));
  const auto encoder = model.entry.trainable(model.settings);
  return scores + link_feed_bytes(links, encoder->schedule(), model);
}

ProgramTask links_program(const View& view) { return link_program(link_view(view)); }

}  // namespace

extern const TaskKind task_links;
const TaskKind task_links = {
    .name = "links",
    .doc = "Which pairs of nodes are linked?",
    .words = "links between nodes",
    .unit = Unit::kPair,
    .forms = {AnswerForm::kPool, AnswerForm::kRanks},
    .metric = "roc-auc",
    .settings =
        {
            {"negatives", std::string("uniform"),
             "What links are ranked against: a kind of negatives and its settings, "
             "\"heart:count=500\"."},
            {"valid_negatives", std::string(),
             "The same for the validation links; nothing: as for test."},
        },
    .model_settings = link_feed_settings(),
    .check = links_check,
    .check_settings = links_check_settings,
    .make = make_link_task,
    .identity = link_identity,
    .feed = links_feed,
    .direct = links_direct,
    .memory = links_memory,
    .program = links_program,
    .answer_files = negative_files,
};

}  // namespace cupel
