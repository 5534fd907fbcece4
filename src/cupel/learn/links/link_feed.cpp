#include "cupel/learn/links/link_feed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/links/arc_sieve.h"
#include "cupel/engine/kernels/all_pairs_loss.h"
#include "cupel/engine/kernels/pair_loss.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/links/decoder.h"
#include "cupel/learn/links/embedding_scorer.h"
#include "cupel/learn/links/link_parts.h"
#include "cupel/learn/score/metrics.h"
#include "cupel/learn/train/replays.h"

namespace cupel {
namespace {

constexpr std::uint32_t kNegatives = 2;  // purpose of the pairs that an epoch draws

const LinkView& link_view(const View& view) { return dynamic_cast<const LinkView&>(view); }

bool takes_all_pairs(const Options& settings) { return settings.text("pair_loss") == "all-pairs"; }

void copy(ConstDenseView from, DenseView to) {
  for (Index r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.cols, to.row(r));
}

// Hands on scores as long as they are finite: markings refuse what is not a number.
class FiniteScores final : public ScoreSink {
 public:
  // `kept`: where the scores are put down as well; null: nowhere.
  FiniteScores(ScoreSink& next, std::vector<float>* kept) : next_(next), kept_(kept) {}
  void take(ConstDenseView rows) override {
    for (Index r = 0; r < rows.rows && finite_; ++r) finite_ = std::isfinite(*rows.row(r));
    if (!finite_) return;
    if (kept_ != nullptr)
      for (Index r = 0; r < rows.rows; ++r) kept_->push_back(*rows.row(r));
    next_.take(rows);
  }
  bool finite() const { return finite_; }

 private:
  ScoreSink& next_;
  std::vector<float>* kept_;
  bool finite_ = true;
};

class LinkFeed final : public Feed {
 public:
  LinkFeed(std::shared_ptr<const View> view, const TaskModel& model, LinkParts parts)
      : Feed(parts.parameters),
        view_(std::move(view)),
        links_(link_view(*view_)),
        metric_(model.metric),
        threads_(model.threads),
        parts_(std::move(parts)),
        evaluated_(compile(parts_.decoder, false)),
        decoder_values_(parts_.decoder.parameters),
        decoder_gradients_(parts_.decoder.parameters),
        encoder_(bind(*parts_.encoder, &gradients_, expected_epochs(model.rule))) {
    if (!evaluates_as_trained(parts_.encoder->program))
      evaluator_.emplace(bind(*parts_.encoder, nullptr, expected_epochs(model.rule)));
    if (parts_.loss == LinkParts::Loss::kAllPairs) {
      targets_ = add_self_loops(view_->adjacency());
      all_pairs_.emplace(targets_, encoder_.output().cols,
                         kernels::released_weights(view_->nodes(), view_->adjacency().entries()));
    }
    const Questions& questions = links_.valid_questions();
    if (has_valid_loss(links_)) {
      valid_answers_.assign(static_cast<std::size_t>(view_->valid_rows()), 0.0f);
      for (const Offset row : questions.positive) valid_answers_[static_cast<std::size_t>(row)] = 1;
    }
  }

  const std::vector<Parameter>& parameters() const override { return parts_.parameters; }

  void restart(StreamKey key) override {
    encoded_ = false;
    Feed::restart(key);
  }
  void recall() override {
    encoded_ = false;
    Feed::recall();
  }
  void taken_up() override { encoded_ = false; }
  double train(StreamKey key, int epoch, Adam& adam) override {
    const auto step = static_cast<std::uint32_t>(epoch);
    if (!encoded_) encoder_.forward(key, step);
    encoded_ = false;
    if (all_pairs_)
      (void)all_pairs_->compute(threads_, encoder_.output(), encoder_.output_gradient());
    else
      learn_from_samples(key, step);
    encoder_.backward();
    return adam.step(values_, gradients_, threads_);
  }

  Evaluation validate(StreamKey, int) override {
    const bool has_loss = has_valid_loss(links_);
    const std::unique_ptr<Marking> marking = view_->mark_valid();
    std::vector<float> scores;
    if (has_loss) scores.reserve(valid_answers_.size());
    FiniteScores sink(*marking, has_loss ? &scores : nullptr);
    evaluate(shown(), LinkPart::kValid, sink);
    if (!sink.finite()) return {std::numeric_limits<double>::quiet_NaN(), worst_score()};
    Evaluation out;
    if (has_loss)
      out.loss = kernels::pair_loss(threads_, kernels::PairLossForm::kMeansOfBoth, scores,
                                    valid_answers_, {})
                     .loss;
    out.score = marking->score(metric_);
    return out;
  }

  void test(StreamKey, ScoreSink& scores) override {
    if (parts_.test_encoder != nullptr && test_ == nullptr)
      test_ = std::make_unique<BoundProgram>(bind(*parts_.test_encoder, nullptr, kOnce));
    evaluate(test_ != nullptr ? *test_ : shown(), LinkPart::kTest, scores);
  }

  std::size_t program_bytes() const override {
    std::size_t bytes =
        encoder_.memory_bytes() + 2 * decoder_values_.block().size() * sizeof(float);
    if (evaluator_) bytes += evaluator_->memory_bytes();
    if (decoder_) bytes += decoder_->memory_bytes();
    if (test_ != nullptr) bytes += test_->memory_bytes();
    for (const auto* encoder : {&parts_.encoder, &parts_.test_encoder})
      if (*encoder != nullptr) bytes += (*encoder)->inputs.memory_bytes();
    if (all_pairs_) bytes += all_pairs_->memory_bytes();
    return bytes;
  }

 private:
  BoundProgram bind(const LinkEncoder& encoder, ParameterSet* gradients, int replays) {
    Binding binding = encoder.binding(values_, gradients);
    Program program = encoder.compiled(binding, replays);
    return {std::move(program), std::move(binding), threads_};
  }

  // The decoder's own parameters: behind the encoder's here, behind the embeddings there.
  template <class Each>
  void each_of_decoder(Each&& each) {
    const int first = static_cast<int>(parts_.encoder->program.parameters.size());
    for (int slot = kEmbeddings + 1; slot < static_cast<int>(decoder_values_.count()); ++slot)
      each(first + slot - kEmbeddings - 1, slot);
  }

  void show_decoder(ConstDenseView embeddings) {
    copy(embeddings, decoder_values_.view(kEmbeddings));
    each_of_decoder(
        [&](int ours, int its) { copy(values_.view(ours), decoder_values_.view(its)); });
  }

  // Of validation. There is no last place, but none behind all rows.
  double worst_score() const {
    const MetricScale scale = scale_of_metric(metric_);
    if (scale.larger_is_better) return scale.least;
    return std::min(scale.most, static_cast<double>(links_.asked(LinkPart::kValid).rows()));
  }

  bool corrupts() const { return parts_.loss == LinkParts::Loss::kCorrupted; }

  // Training arcs, then room for the pairs that an epoch draws.
  void prepare_pairs() {
    for (const Pair& link : links_.train()) {
      pairs_.push_back(link);
      if (!links_.directed()) pairs_.push_back({link.target, link.source});
    }
    const std::size_t positives = pairs_.size();
    const auto nodes = static_cast<double>(view_->nodes());
    if (!corrupts() && static_cast<double>(positives) > 0.9 * nodes * (nodes - 1))
      fail("{}: nearly all pairs of nodes are linked, so that none can be drawn that is not",
           view_->name());
    drawn_.resize(corrupts() ? 2 * positives : positives);
    pairs_.resize(positives + drawn_.size());
    answers_.assign(positives, 1.0f);
    answers_.resize(pairs_.size(), 0.0f);
    sieve_.emplace(view_->adjacency());
    batch_.emplace(view_->nodes());
    batch_->take(pairs_);
    decoder_.emplace(
        compile(parts_.decoder, true),
        Binding{batch_->constants(), batch_->rows(), false, &decoder_values_, &decoder_gradients_},
        threads_);
  }

  void draw_pairs(StreamKey key, std::uint32_t step) {
    Stream stream(key, kNegatives, step);
    const auto nodes = static_cast<std::uint32_t>(view_->nodes());
    const auto node = [&] { return static_cast<Index>(stream.next_below(nodes)); };
    if (corrupts()) {
      for (std::size_t i = 0; i < drawn_.size(); i += 2) {
        drawn_[i] = {pairs_[i / 2].source, node()};
        drawn_[i + 1] = {node(), pairs_[i / 2].target};
      }
    } else {
      for (Pair& pair : drawn_) {
        do {
          pair.source = node();
          pair.target = node();
        } while (pair.source == pair.target || sieve_->has(pair));
      }
    }
    batch_->replace(pairs_.size() - drawn_.size(), drawn_);
  }

  void learn_from_samples(StreamKey key, std::uint32_t step) {
    constexpr std::uint32_t kDecoderSteps = 1u << 30;  // apart from what the encoder draws
    if (!decoder_) prepare_pairs();
    draw_pairs(key, step);
    show_decoder(encoder_.output());
    std::ranges::fill(decoder_gradients_.block(), 0.0f);
    decoder_->forward(key, kDecoderSteps + step);
    const auto form = parts_.loss == LinkParts::Loss::kSampledMeans
                          ? kernels::PairLossForm::kMeansOfBoth
                          : kernels::PairLossForm::kMean;
    // One column, so that rows are next to each other.
    (void)kernels::pair_loss(threads_, form, {decoder_->output().data, pairs_.size()}, answers_,
                             {decoder_->output_gradient().data, pairs_.size()});
    decoder_->backward();
    copy(decoder_gradients_.view(kEmbeddings), encoder_.output_gradient());
    each_of_decoder(
        [&](int ours, int its) { copy(decoder_gradients_.view(its), gradients_.view(ours)); });
  }

  // The encoder as it is evaluated, which may be the one that is trained.
  BoundProgram& shown() { return evaluator_ ? *evaluator_ : encoder_; }

  void evaluate(BoundProgram& encoder, LinkPart part, ScoreSink& sink) {
    if (!encoded_ || &encoder != &encoder_) encoder.forward({}, 0);
    encoded_ = &encoder == &encoder_;
    show_decoder(encoder.output());
    EmbeddingScorer scorer(evaluated_, decoder_values_, view_->nodes(), threads_);
    score_rows(links_.asked(part), scorer, limits_, sink);
  }

  std::shared_ptr<const View> view_;
  const LinkView& links_;
  std::string metric_;
  Threads threads_;
  LinkParts parts_;
  Program evaluated_;  // the decoder's
  ParameterSet decoder_values_, decoder_gradients_;
  BoundProgram encoder_;
  bool encoded_ = false;                   // encoder_ holds its output at these parameters
  std::optional<BoundProgram> evaluator_;  // none: encoder_ is evaluated as it is
  std::unique_ptr<BoundProgram> test_;     // bound when first needed
  Csr targets_;
  std::optional<kernels::AllPairsLoss> all_pairs_;
  // Of sampled pairs, from the first epoch on: links, then those that an epoch draws.
  std::vector<Pair> pairs_, drawn_;
  std::optional<ArcSieve> sieve_;
  std::optional<PairBatch> batch_;
  std::optional<BoundProgram> decoder_;
  std::vector<float> answers_, valid_answers_;
};

}  // namespace

std::vector<OptionSpec> link_feed_settings() {
  return {
      {"decoder", std::string("dot"),
       "How two embeddings become a score: a kind of decoder and its settings."},
      {"dimension", std::int64_t{16}, "Width of an embedding.", 1, 4096},
      {"pair_loss",
       std::string("sampled"),
       "Over which pairs the loss is taken, and how they are weighed.",
       0,
       0,
       {"sampled", "sampled-means", "corrupted", "all-pairs"}},
  };
}

bool has_valid_loss(const LinkView& view) {
  return view.valid_questions().form != CandidateForm::kAll;
}

void check_link_settings(const std::string& where, const LinkView& view, const Schedule& encoder,
                         const TaskModel& model) {
  const Options& settings = model.settings;
  const TrainRule& rule = model.rule;
  try {
    if (encoder.phases.size() > 1)
      fail(
          "it is trained in {} phases by the classes of nodes, and links have none; take another "
          "model",
          encoder.phases.size());
    // What neither stops by a loss nor keeps the parameters of the best does without.
    if (rule.stop_on != "valid-score" && (rule.patience > 0 || rule.keep != "last") &&
        !has_valid_loss(view))
      fail(
          "stop_on = \"{}\" goes by a validation loss, and there is none where validation links "
          "are ranked among all nodes; set stop_on = \"valid-score\"",
          rule.stop_on);
    const auto ranked = find_metric(form_of_metric(model.metric, encoder.ranking));
    if (ranked && !ranked->is_of(AnswerForm::kPool) && !ranked->is_of(AnswerForm::kRanks))
      fail(
          "ranking = \"{}\" ranks by single outputs for two classes, and a pair has one score; "
          "leave ranking out",
          encoder.ranking);
    const DecoderChoice chosen = read_decoder(settings.text("decoder"));
    if (!takes_all_pairs(settings)) return;
    if (chosen.decoder.name != "dot")
      fail("pair_loss = \"all-pairs\" goes with decoder = \"dot\", not \"{}\"; take \"sampled\"",
           chosen.decoder.name);
    if (view.directed()) fail("pair_loss = \"all-pairs\" is of undirected links; take \"sampled\"");
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
}

std::unique_ptr<Feed> make_link_feed(const std::shared_ptr<const View>& view,
                                     const Schedule& encoder, const TaskModel& model) {
  check_link_settings(fmt::format("model '{}'", model.entry.name), link_view(*view), encoder,
                      model);
  return std::make_unique<LinkFeed>(view, model,
                                    LinkParts(link_view(*view), encoder, model.settings));
}

}  // namespace cupel
