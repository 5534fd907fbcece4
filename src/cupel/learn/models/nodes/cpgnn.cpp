// CPGNN. Zhu, Rossi, Rao, Mai, Lipka, Ahmed and Koutra, "Graph neural networks with heterophily",
// AAAI 2021, equations 3 to 11: a multi-layer perceptron's beliefs, propagated by a trained
// compatibility matrix.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

using Table = std::vector<std::vector<double>>;  // classes x classes

// Rows of classes that no training node has are NaN: filled from the transpose, and what is left by
// equal shares of what the row lacks to 1.
void fill_missing(Table& h) {
  const std::size_t classes = h.size();
  const Table before = h;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = 0; j < classes; ++j)
      if (std::isnan(h[i][j])) h[i][j] = before[j][i];
  for (auto& row : h) {
    double known = 0;
    const auto missing =
        std::count_if(row.begin(), row.end(), [](double v) { return std::isnan(v); });
    for (const double v : row) known += std::isnan(v) ? 0 : v;
    for (double& v : row)
      if (std::isnan(v)) v = (1 - known) / static_cast<double>(missing);
  }
}

// Columns, then rows, divided by their sums until nothing changes (Sinkhorn and Knopp 1967).
void make_doubly_stochastic(Table& h) {
  constexpr int kMostRounds = 3000;
  for (int round = 0; round < kMostRounds; ++round) {
    const Table before = h;
    for (std::size_t j = 0; j < h.size(); ++j) {
      double sum = 0;
      for (const auto& row : h) sum += row[j];
      if (sum != 0)
        for (auto& row : h) row[j] /= sum;
    }
    double change = 0;
    for (std::size_t i = 0; i < h.size(); ++i) {
      double sum = 0;
      for (const double v : h[i]) sum += v;
      for (std::size_t j = 0; j < h.size(); ++j) {
        if (sum != 0) h[i][j] /= sum;
        change += std::abs(h[i][j] - before[i][j]);
      }
    }
    if (change < 1e-12) return;
  }
}

class Cpgnn final : public TrainableModel {
 public:
  explicit Cpgnn(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        iterations_(o.integer("iterations")),
        pretraining_(static_cast<int>(o.integer("pretraining"))),
        l2_(o.real("l2")),
        features_(o.text("features")),
        node_order_(o.text("node_order")),
        beliefs_are_trained_(o.text("co_training") == "loss"),
        ranking_(o.text("ranking")) {}

  Value logits(Builder& b, GraphInputs& in) const override { return declare(b, in).beliefs; }

  Schedule schedule() const override {
    Schedule out = ranked_by(ranking_, TrainableModel::schedule());
    out.phases.push_back(
        {.from = pretraining_,
         .logits = [this](Builder& b, GraphInputs& in) { return propagated(b, in); },
         .start =
             [this](const TaskView& task, ConstDenseView scores) {
               return std::map<std::string, Matrix>{{"compatibility", compatibility(task, scores)}};
             }});
    return out;
  }

 private:
  struct Traced {
    Value w0, w1, compatibility, beliefs;
  };

  Value propagated(Builder& b, GraphInputs& in) const {
    const Traced t = declare(b, in);
    const double share = 1.0 / in.classes();
    const Value prior = affine(softmax_rows(t.beliefs), 1, -share);
    Value belief = prior;
    const Value graph = arcs(in);
    for (std::int64_t k = 0; k < iterations_; ++k)
      belief = prior + propagate(graph, matmul(belief, t.compatibility));
    const Value ones = in.static_constant("ones", column_of_ones(in.classes()));
    const Value unbalanced = column_sums(absolute(matmul(t.compatibility, ones)));
    Value penalty;
    if (beliefs_are_trained_) {
      penalty = unbalanced + cross_entropy_of(in, t.beliefs);
    } else {
      // As released: the loss of the beliefs, meant to train them along, is its regulariser alone,
      // which so counts twice.
      penalty = affine(unbalanced, 2);
      if (l2_ > 0)
        penalty =
            penalty + affine(squares(in, t.w0, hidden_) + squares(in, t.w1, in.classes()), l2_ / 2);
    }
    return with_penalty(affine(belief, 1, share), penalty);
  }

  // What H starts from, by the beliefs of the first phase.
  Matrix compatibility(const TaskView& task, ConstDenseView scores) const {
    const Index classes = task.classes();
    Table h = observed(task, scores);
    fill_missing(h);
    make_doubly_stochastic(h);
    Matrix out(classes, classes);
    for (Index i = 0; i < classes; ++i)
      for (Index j = 0; j < classes; ++j)
        out(i, j) = static_cast<float>((h[i][j] + h[j][i]) / 2 - 1.0 / classes);
    return out;
  }

  // Both phases declare the same parameters.
  Traced declare(Builder& b, GraphInputs& in) const {
    Traced t;
    t.w0 = b.glorot("w0", in.features(), hidden_, l2_);
    t.w1 = b.glorot("w1", hidden_, in.classes(), l2_);
    t.compatibility = b.parameter({.name = "compatibility",
                                   .rows = in.classes(),
                                   .cols = in.classes(),
                                   .init = Parameter::Init::kFill,
                                   .fill = {0.0f}});
    t.beliefs = matmul(relu(matmul(features_of(in, features_), t.w0)), t.w1);
    return t;
  }

  Value arcs(GraphInputs& in) const {
    return operator_in_order(in, node_order_, "arcs, no self-loops",
                             [](const Csr& a) { return pattern_of(drop_self_loops(a)); });
  }

  static Matrix column_of_ones(Index rows) {
    Matrix out(rows, 1);
    std::fill(out.values.begin(), out.values.end(), 1.0f);
    return out;
  }

  static Value squares(GraphInputs& in, Value w, Index cols) {
    const Value ones = in.static_constant("ones of " + std::to_string(cols), column_of_ones(cols));
    return matmul(column_sums(w * w), ones);
  }

  // Mean cross-entropy of softmax(z) over the training nodes.
  static Value cross_entropy_of(GraphInputs& in, Value z) {
    const TaskView& task = in.task();
    const Value self = in.sparse("each node itself", [](const Csr& a, const Features&) {
      std::vector<Edge> loops;
      for (Index v = 0; v < a.rows; ++v) loops.push_back({v, v});
      return from_edges(a.rows, loops);
    });
    const auto of_training = [&](const std::string& name, bool by_class) {
      return edge_sum(self, in.entry_constant(name, self, [&](const Csr&) {
        Matrix out(task.nodes(), by_class ? task.classes() : 1);
        const float weight = 1.0f / static_cast<float>(task.train.size());
        for (std::size_t i = 0; i < task.train.size(); ++i)
          out(task.train[i], by_class ? task.train_labels[i] : 0) = weight;
        return out;
      }));
    };
    // log(e^a + e^b) = a + softplus(b - a), class by class.
    Value total = columns(z, 0, 1);
    for (Index c = 1; c < in.classes(); ++c) total = total + softplus(columns(z, c, 1) - total);
    const Value ones = in.static_constant("ones", column_of_ones(in.classes()));
    return column_sums(total * of_training("training nodes", false)) -
           matmul(column_sums(z * of_training("training labels", true)), ones);
  }

  // Row c: the mean over training nodes of class c of the mean over their neighbours of labels
  // where trained on, of predicted probabilities elsewhere.
  Table observed(const TaskView& task, ConstDenseView scores) const {
    const Index classes = task.classes();
    Table believed(static_cast<std::size_t>(task.nodes()));
    for (Index v = 0; v < task.nodes(); ++v) {
      const float* z = scores.row(v);
      const double most = *std::max_element(z, z + classes);
      double sum = 0;
      for (Index c = 0; c < classes; ++c) {
        believed[v].push_back(std::exp(z[c] - most));
        sum += believed[v].back();
      }
      for (double& p : believed[v]) p /= sum;
    }
    for (std::size_t i = 0; i < task.train.size(); ++i) {
      auto& row = believed[task.train[i]];
      std::fill(row.begin(), row.end(), 0.0);
      row[task.train_labels[i]] = 1;
    }
    const Csr graph = drop_self_loops(in_order(task.adjacency(), node_order_));
    Table sums(classes, std::vector<double>(classes));
    std::vector<double> nodes(classes);
    for (std::size_t i = 0; i < task.train.size(); ++i) {
      const Index v = task.train[i];
      auto& row = sums[task.train_labels[i]];
      nodes[task.train_labels[i]] += 1;
      for (const Index u : graph.row_columns(v))
        for (Index c = 0; c < classes; ++c)
          row[c] += believed[u][c] / static_cast<double>(graph.row_size(v));
    }
    for (Index c = 0; c < classes; ++c)
      for (double& v : sums[c])
        v = nodes[c] > 0 ? v / nodes[c] : std::numeric_limits<double>::quiet_NaN();
    return sums;
  }

  Index hidden_;
  std::int64_t iterations_;
  int pretraining_;
  double l2_;
  std::string features_, node_order_;
  bool beliefs_are_trained_;
  std::string ranking_;
};

}  // namespace

extern const ModelEntry model_cpgnn;
const ModelEntry model_cpgnn = {
    .name = "cpgnn",
    .title = "Compatibility-matrix graph neural network",
    .citation = "Zhu et al., Graph neural networks with heterophily, AAAI 2021",
    .equations =
        {"Z = relu(X W0) W1, trained alone for the first `pretraining` epochs",
         "E = softmax(Z) - 1/C, B = E, then B <- E + A B H for each iteration", "logits = B + 1/C",
         "H starts from the labels of training nodes and the probabilities elsewhere, averaged "
         "over "
         "neighbours, made doubly stochastic and symmetric, minus 1/C",
         "loss = cross-entropy + 2 (l2 / 2 (|W0|^2 + |W1|^2) + sum of |row sums of H|), or once "
         "and the cross-entropy of Z; A has no self-loops, is not normalised, and its arcs count 1 "
         "whatever their weights"},
    .disagreements =
        {{"co_training = regulariser",
          "The paper trains the beliefs Z along with B by their own cross-entropy (\"loss\"). Both "
          "released codes add the regulariser a second time instead, and so does this by default: "
          "the authors' code, not their paper."},
         {"train.patience",
          "The authors do not stop early by default (0). The code run by Platonov et al. 2023 "
          "stops "
          "after 100 epochs without a better validation score, counted from the first: where that "
          "happens in pretraining, the result is a perceptron that never saw the graph."},
         {"node_order = \"file\"",
          "The same code numbers the adjacency's nodes by first appearance in the list of edges "
          "(\"first-appearance\")."},
         {"ranking = \"margin\"",
          "The same code computes ROC AUC as the mean over both classes, each by its own output "
          "(\"columns\")."},
         {"l2", "The authors add w times the sum of squares to the loss: l2 = 2 w."},
         rounding_disagreement("two decimals of a percentage")},
    .options = {hidden_option(64),
                count_option("iterations", 2, "How often beliefs are propagated."),
                count_option("pretraining", 400, "Epochs in which the perceptron is trained alone.",
                             1, 1e6),
                learning_rate_option(0.01),
                l2_option(0),
                features_option("row-sum"),
                node_order_option(),
                ranking_option("columns"),
                {.name = "co_training",
                 .fallback = std::string("regulariser"),
                 .doc = "What is added to the loss of B: its regulariser once more (the released "
                        "codes) or the cross-entropy of Z (the paper).",
                 .choices = {"regulariser", "loss"},
                 .later = true}},
    .exemptions = {node_order_exemption()},
    .revision = 2,  // 1 started H from nodes numbered without the self-loops
    .trainable = make_trainable<Cpgnn>,
};

}  // namespace cupel
