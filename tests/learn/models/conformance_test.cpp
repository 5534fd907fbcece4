// Every model of the registry, with its default settings and with each of its switches thrown: a
// new model is tested here without being named.
#include <gtest/gtest.h>

#include <cstring>

#include "cupel/learn/train/trainer.h"
#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel {
namespace {

struct Variant {
  const ModelEntry* entry;
  Settings settings;
  std::string name;  // letters, digits and '_' only
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

std::string test_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

// The defaults, each flag turned, and each other choice of a text.
std::vector<Variant> variants(bool trainable) {
  std::vector<Variant> all;
  for (const ModelEntry* entry : models()) {
    if ((entry->trainable != nullptr) != trainable) continue;
    all.push_back({entry, {}, test_name(entry->name)});
    const auto add = [&](const std::string& option, OptionValue value) {
      all.push_back(
          {entry, {{option, value}}, test_name(entry->name + "_" + option + "_" + to_text(value))});
    };
    for (const OptionSpec& option : entry->options) {
      if (const bool* flag = std::get_if<bool>(&option.fallback)) add(option.name, !*flag);
      for (const std::string& choice : option.choices)
        if (OptionValue(choice) != option.fallback) add(option.name, choice);
    }
  }
  return all;
}

std::string variant_name(const testing::TestParamInfo<Variant>& info) { return info.param.name; }

class Model : public testing::TestWithParam<Variant> {
 protected:
  const ModelEntry& entry() const { return *GetParam().entry; }
  // Wide models are tested at a width that takes seconds, not minutes.
  Options options(Settings more = {}) const {
    constexpr std::int64_t kWidest = 64;
    Settings all = GetParam().settings;
    all.merge(more);
    for (const OptionSpec& option : entry().options)
      if (option.name == "hidden" && std::get<std::int64_t>(option.fallback) > kWidest)
        all.emplace(option.name, kWidest);
    return configure(entry(), all);
  }
};

TEST_P(Model, SaysWhatItIs) {
  const ModelEntry& e = entry();
  EXPECT_EQ(find_model(e.name), &e);
  EXPECT_FALSE(e.title.empty());
  EXPECT_FALSE(e.citation.empty());
  EXPECT_FALSE(e.equations.empty());
  EXPECT_NE(e.trainable == nullptr, e.direct == nullptr) << "exactly one way to make it";
  for (const OptionSpec& option : e.options) {
    EXPECT_TRUE(option.doc.ends_with('.')) << option.name << ": " << option.doc;
    // A default has to pass the checks that a given value passes.
    EXPECT_NO_THROW(configure(e, {{option.name, option.fallback}})) << option.name;
  }
  for (const Disagreement& d : e.disagreements) {
    EXPECT_FALSE(d.text.empty());
    if (d.setting.starts_with('(')) continue;       // "(no setting)"
    if (d.setting.starts_with("train.")) continue;  // of the training rule
    const std::string named = d.setting.substr(0, d.setting.find(' '));
    EXPECT_TRUE(std::any_of(e.options.begin(), e.options.end(),
                            [&](const OptionSpec& o) { return o.name == named; }))
        << "there is no setting '" << named << "'";
  }
}

// Scores of test and validation nodes by node, from a whole trial.
Matrix trial_scores(const NodeTask& task, const ModelEntry& entry, const Options& options,
                    Threads threads) {
  TrainRule rule;
  rule.max_epochs = 6;
  Trainer trainer(task.view, entry, options, rule, "accuracy", threads);
  return *trainer.run(stream_key("trial")).test_scores;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows == b.rows && a.cols == b.cols &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

TEST_P(Model, SameBitsOnAnyNumberOfThreadsAndAgain) {
  // Large enough that loops are split.
  const NodeTask task = made_task({.nodes = 900, .words = 200, .words_per_node = 30}, 300, 200);
  const Matrix one = trial_scores(task, entry(), options(), {1});
  EXPECT_TRUE(same_bits(one, trial_scores(task, entry(), options(), {1})));
  EXPECT_TRUE(same_bits(one, trial_scores(task, entry(), options(), {2})));
  EXPECT_TRUE(same_bits(one, trial_scores(task, entry(), options(), {8})));
}

TEST_P(Model, MemoryStaysBelowItsEstimate) {
  const NodeTask task = made_task({.nodes = 300, .words = 100, .words_per_node = 20}, 60, 90);
  TrainRule rule;
  rule.max_epochs = 2;
  Trainer trainer(task.view, entry(), options(), rule);
  (void)trainer.run(stream_key("trial"));
  EXPECT_LE(trainer.memory_bytes(), estimate_memory(task.view, entry(), options(), rule));
}

bool all_finite(const Matrix& scores) {
  return std::all_of(scores.values.begin(), scores.values.end(),
                     [](float v) { return std::isfinite(v); });
}

// Arcs one way only, a node that arcs lead to but not from, one without any, and one without words.
Dataset poor_dataset() {
  Dataset data = made_dataset();
  const Index sink = 50, hermit = 51, wordless = 52;
  std::vector<Edge> arcs = {{3, sink}, {49, sink}};
  for (Index i = 0; i < data.nodes(); ++i)
    for (const Index j : data.adjacency.row_columns(i))
      if (i != sink && i != hermit && j != hermit && (i < j || i % 3 == 0)) arcs.push_back({i, j});
  data.adjacency = from_edges(data.nodes(), arcs);
  const Csr all = std::get<Csr>(data.features);
  Csr words;
  words.rows = all.rows;
  words.cols = all.cols;
  for (Index i = 0; i < all.rows; ++i) {
    const auto row = all.row_columns(i);
    if (i != wordless) words.columns.insert(words.columns.end(), row.begin(), row.end());
    words.row_ptr.push_back(static_cast<Offset>(words.columns.size()));
  }
  data.features = std::move(words);
  return data;
}

Dataset dense_dataset() {
  Dataset data = made_dataset();
  const Csr& words = std::get<Csr>(data.features);
  Matrix dense(words.rows, words.cols);
  for (Index i = 0; i < words.rows; ++i)
    for (const Index word : words.row_columns(i)) dense(i, word) = 0.5f;
  data.features = std::move(dense);
  return data;
}

TEST_P(Model, ScoresEveryNodeHoweverPoorAndDenseFeaturesToo) {
  for (const Dataset& data : {poor_dataset(), dense_dataset()}) {
    const NodeTask task = task_of(data, leading_split(data, 20, 20));
    EXPECT_TRUE(all_finite(trial_scores(task, entry(), options(), {1})));
  }
}

class DirectModelOf : public Model {};

TEST_P(DirectModelOf, RenumberedNodesGetTheSameScores) {
  const Dataset data = made_dataset();
  std::vector<Index> places(static_cast<std::size_t>(data.nodes()));
  for (Index i = 0; i < data.nodes(); ++i)
    places[i] = (i * 7 + 3) % data.nodes();  // 7 and 60 coprime
  const Split split = leading_split(data, 20, 20);
  Split moved = split;
  for (auto* part : {&moved.train, &moved.valid, &moved.test})
    for (Index& node : *part) node = places[node];
  const auto fit = [&](const Dataset& d, const Split& s) {
    return entry().direct(options())->fit_predict(task_of(d, s).view);
  };
  const auto a = fit(data, split), b = fit(renumbered(data, places), moved);
  ASSERT_EQ(a.test_scores.values.size(), b.test_scores.values.size());
  for (std::size_t i = 0; i < a.test_scores.values.size(); ++i)
    EXPECT_NEAR(a.test_scores.values[i], b.test_scores.values[i], 1e-6);
}

class TrainableModelOf : public Model {};

TEST_P(TrainableModelOf, HasALearningRate) { EXPECT_GT(options().real("lr"), 0); }

// Of the summed training loss, dropout on. Float forward passes leave about 1e-5 / h of noise in a
// difference; the rest of the tolerance is its cubic term.
TEST_P(TrainableModelOf, GradientEqualsDifferences) {
  const NodeTask task = made_task();
  // The loss compared here is that of the logits: a model's own penalty is tested beside it.
  Settings unpenalised;
  for (const OptionSpec& option : entry().options)
    if (option.name == "lamda") unpenalised[option.name] = 0.0;
  TracedModel traced(entry(), options(unpenalised), task.view);
  traced.shake(0.1);
  BoundProgram bound = traced.bind(task.view.train, true, true);
  const StreamKey key = stream_key("gradient");
  const auto loss = [&](DenseView gradient) {
    bound.forward(key, 3);
    return summed_cross_entropy(bound.output(), task.view.train_labels, gradient);
  };
  loss(bound.output_gradient());
  bound.backward();
  ParameterSet analytic = traced.gradients;
  Stream random(stream_key("entries to check"), 0);
  int checked = 0, kinks = 0;
  double largest = 0;
  for (int slot = 0; slot < static_cast<int>(traced.values.count()); ++slot) {
    for (int k = 0; k < 8; ++k) {
      const auto i = random.next_below(static_cast<std::uint32_t>(traced.values.slice_size(slot)));
      float& w = traced.values.view(slot).data[i];
      const float kept = w;
      const auto at = [&](float offset) {
        w = kept + offset;
        const double value = loss({});
        w = kept;
        return value;
      };
      const double here = at(0);
      const auto slope = [&](float h) { return (at(h) - at(-h)) / (2.0 * h); };
      const auto bend = [&](float h) { return (at(h) + at(-h) - 2 * here) / h; };
      const double expected = slope(4e-3f);
      const double tolerance = 5e-3 + 1e-2 * std::abs(expected);
      // Where a relu or a maximum switches within h there is no derivative to compare: slopes
      // differ, or slopes to the left and right do and their difference does not halve with h.
      if (std::abs(expected - slope(2e-3f)) > tolerance / 2 ||
          std::abs(2 * bend(2e-3f) - bend(4e-3f)) > tolerance) {
        ++kinks;
        continue;
      }
      const double got = analytic.view(slot).data[i];
      EXPECT_NEAR(got, expected, tolerance) << traced.program.parameters[slot].name << " " << i;
      largest = std::max(largest, std::abs(got));
      ++checked;
    }
  }
  EXPECT_LE(kinks, checked / 5);
  EXPECT_GT(largest, 0.1) << "there is no gradient to speak of";
}

// Where a parameter has a row for every node, rows move with their nodes.
void renumber_rows(TracedModel& traced, const std::vector<Index>& places) {
  for (const Parameter& p : traced.program.parameters) {
    if (p.rows != traced.nodes) continue;
    const DenseView view = traced.view(p.name);
    Matrix moved(view.rows, view.cols);
    for (Index i = 0; i < view.rows; ++i) std::copy_n(view.row(i), view.cols, moved.row(places[i]));
    std::copy(moved.values.begin(), moved.values.end(), view.data);
  }
}

// Node 0 stays in place: GraphSAGE's padding, as released, gives it a part of its own.
TEST_P(TrainableModelOf, RenumberedNodesGetTheSameLogits) {
  const Dataset data = made_dataset();
  std::vector<Index> places(static_cast<std::size_t>(data.nodes()));
  for (Index i = 1; i < data.nodes(); ++i)
    places[i] = 1 + (i * 6) % (data.nodes() - 1);  // 6 and 59 are coprime
  std::vector<Index> unmoved(places.size());
  std::iota(unmoved.begin(), unmoved.end(), 0);
  const auto logits = [&](const Dataset& d, const std::vector<Index>& at) {
    TracedModel traced(entry(), options(), task_of(d, leading_split(d, 20, 20)).view);
    traced.shake(0.1);
    renumber_rows(traced, at);
    return traced.evaluate();
  };
  const Matrix a = logits(data, unmoved), b = logits(renumbered(data, places), places);
  // The slip that this setting reproduces is that a graph depends on the numbers of its nodes; a
  // model of two phases does not read its graph in the first.
  const bool by_number = GetParam().settings.contains("node_order") &&
                         !entry().trainable(options())->second_phase_from();
  double largest = 0, moved = 0;
  for (Index i = 0; i < data.nodes(); ++i)
    for (Index c = 0; c < a.cols; ++c) {
      moved = std::max(moved, std::abs(double{a(i, c)} - b(places[i], c)));
      if (!by_number) {
        EXPECT_NEAR(a(i, c), b(places[i], c), 1e-5) << "node " << i;
      }
      largest = std::max(largest, std::abs(double{a(i, c)} - a(0, c)));
    }
  EXPECT_GT(largest, 1e-2) << "all nodes have the same logits";
  if (by_number) {
    EXPECT_GT(moved, 1e-2) << "the order of nodes does not matter";
  }
}

// A whole short training, and what is learnt by it, to the bit: rows that the loss does not read
// pass on gradients of zero, which no sum over rows can see.
TEST_P(TrainableModelOf, PrunedTrainingEqualsUnprunedToTheBit) {
  const NodeTask task = made_task({.nodes = 600, .words = 150, .words_per_node = 25}, 40, 20);
  const auto trained = [&](bool prune) {
    TracedModel traced(entry(), options(), task.view);
    traced.shake(0.1);
    train_by_hand(traced, task.view, 0.01, 10, prune);
    return traced.values.block();
  };
  EXPECT_EQ(trained(true), trained(false));
}

// Whether some value is a sum over all nodes, so that nothing can be left out before it.
bool reads_every_node(const Program& program) {
  for (const Node& node : program.nodes)
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.kind == Node::Kind::kOp &&
          program.nodes[node.inputs[i]].shape.space != kStaticSpace &&
          node.op->reads(static_cast<int>(i)) == Reads::kAllRows)
        return true;
  return false;
}

TEST_P(TrainableModelOf, ComputesFewerRowsPruned) {
  const NodeTask task = made_task({.nodes = 600}, 2, 5);
  Settings near;  // ten hops reach all nodes from any
  for (const OptionSpec& option : entry().options)
    if (option.name == "hops") near[option.name] = std::int64_t{2};
  TracedModel traced(entry(), options(near), task.view);
  const auto pruned = traced.bind(task.view.train, true, true).computed_rows();
  const auto all = traced.bind(task.view.train, true, false).computed_rows();
  EXPECT_LT(pruned, reads_every_node(traced.program) ? all : all / 2);
}

// Twenty nodes with random labels, no dropout and no L2: whoever can train at all learns them by
// heart.
TEST_P(TrainableModelOf, OverfitsTwentyNodes) {
  const NodeTask task = made_task();
  Settings plain;
  for (const OptionSpec& option : entry().options)
    if (option.name.ends_with("dropout") || option.name == "l2") plain[option.name] = 0.0;
  TracedModel traced(entry(), options(plain), task.view);
  train_by_hand(traced, task.view, 0.01, 600, true);
  const Matrix logits = traced.evaluate();
  int right = 0;
  for (std::size_t i = 0; i < task.view.train.size(); ++i) {
    const float* row = logits.row(task.view.train[i]);
    right += std::max_element(row, row + logits.cols) - row == task.view.train_labels[i];
  }
  EXPECT_EQ(right, 20);
}

TEST_P(TrainableModelOf, EveryParameterIsUsedAndStartsAsDeclared) {
  const NodeTask task = made_task();
  TracedModel traced(entry(), options(), task.view);
  for (int slot = 0; slot < static_cast<int>(traced.values.count()); ++slot) {
    const Parameter& p = traced.program.parameters[static_cast<std::size_t>(slot)];
    if (p.init == Parameter::Init::kFill) continue;
    double largest = 0;
    for (std::size_t i = 0; i < traced.values.slice_size(slot); ++i)
      largest = std::max(largest, std::abs(double{traced.values.view(slot).data[i]}));
    const double fan = p.fan > 0 ? p.fan : p.rows + p.cols;
    const double limit = p.init == Parameter::Init::kUniform ? std::sqrt(1.0 / fan)
                         : p.init == Parameter::Init::kGlorotNormal
                             ? 6 * p.gain * std::sqrt(2.0 / fan)
                             : std::sqrt(6.0 / fan);
    EXPECT_LE(largest, limit) << p.name;
    EXPECT_GT(largest, 0) << p.name;
  }
  std::vector<double> gradient(traced.values.count());
  const auto add_gradients = [&](TracedModel& phase) {
    phase.shake(0.1);
    BoundProgram bound = phase.bind(task.view.train, true, true);
    bound.forward(stream_key("use"), 0);
    summed_cross_entropy(bound.output(), task.view.train_labels, bound.output_gradient());
    bound.backward();
    for (std::size_t slot = 0; slot < gradient.size(); ++slot)
      for (std::size_t i = 0; i < phase.values.slice_size(static_cast<int>(slot)); ++i)
        gradient[slot] += std::abs(double{phase.gradients.view(static_cast<int>(slot)).data[i]});
  };
  add_gradients(traced);
  if (traced.model->second_phase_from()) {
    TracedModel second(entry(), options(), task.view,
                       [](TrainableModel& model, Builder& b, GraphInputs& in) {
                         return model.second_logits(b, in);
                       });
    ASSERT_EQ(second.values.count(), gradient.size());
    add_gradients(second);
  }
  for (std::size_t slot = 0; slot < gradient.size(); ++slot)
    EXPECT_GT(gradient[slot], 0) << "nothing reads " << traced.program.parameters[slot].name;
}

INSTANTIATE_TEST_SUITE_P(Trainable, Model, testing::ValuesIn(variants(true)), variant_name);
INSTANTIATE_TEST_SUITE_P(Direct, Model, testing::ValuesIn(variants(false)), variant_name);
INSTANTIATE_TEST_SUITE_P(Registry, TrainableModelOf, testing::ValuesIn(variants(true)),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Registry, DirectModelOf, testing::ValuesIn(variants(false)), variant_name);

}  // namespace
}  // namespace cupel
