// GraphStar. Lu Haonan, Seth H. Huang, Tian Ye and Guo Xiuyan, "Graph star net for generalized
// multi-task learning", 2019, arXiv:1906.12330, as the code released with it computes it.
//
// A star is a node that every node is joined to. It collects from all of them by attention, and
// nodes attend to their neighbours, to themselves and to the star, each by keys of its own, in one
// softmax. Rows of two kinds are none of the graph's: "star", the star alone, and "sender", whom
// one attends to: node v as a neighbour (row v), as oneself (row n + v), and the star (row 2 n).
#include <cmath>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

// Rows [first, first + cols) of `rows` have an entry, in column 0 and on.
Csr placed(Index rows, Index first, Index cols) {
  Csr out;
  out.rows = rows;
  out.cols = cols;
  for (Index r = 0; r < rows; ++r) {
    if (r >= first && r < first + cols) out.columns.push_back(r - first);
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

// The star as a row that collects from all nodes; `itself`: and from itself, among all senders.
Csr star_row(Index nodes, bool itself) {
  Csr out;
  out.rows = 1;
  out.cols = itself ? 2 * nodes + 1 : nodes;
  for (Index v = 0; v < nodes; ++v) out.columns.push_back(v);
  if (itself) out.columns.push_back(2 * nodes);
  out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  return out;
}

// Row v: v's neighbours, v itself, and maybe the star.
Csr node_rows(const Csr& arcs, bool star) {
  Csr out;
  out.rows = arcs.rows;
  out.cols = 2 * arcs.rows + 1;
  for (Index v = 0; v < arcs.rows; ++v) {
    const auto neighbours = arcs.row_columns(v);
    out.columns.insert(out.columns.end(), neighbours.begin(), neighbours.end());
    out.columns.push_back(arcs.rows + v);
    if (star) out.columns.push_back(2 * arcs.rows);
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

// What is read of the graph.
struct Roles {
  Value neighbours, oneself, star;        // rows of senders from those of nodes and of the star
  Value of_nodes, of_star, of_star_seed;  // whom a row attends to
  Value itself;                           // the star's row from a static one

  Roles(GraphInputs& in, bool star) {
    const auto senders = [&](const char* name, auto make) {
      return in.sparse_over("sender", name,
                            [make](const Csr& a, const Features&) { return make(a.rows); });
    };
    neighbours = senders("nodes as neighbours", [](Index n) { return placed(2 * n + 1, 0, n); });
    oneself = senders("nodes as themselves", [](Index n) { return placed(2 * n + 1, n, n); });
    of_nodes = in.sparse(star ? "neighbours, oneself and the star" : "neighbours and oneself",
                         [star](const Csr& a, const Features&) { return node_rows(a, star); });
    if (!star) return;
    this->star = senders("the star as sender", [](Index n) { return placed(2 * n + 1, 2 * n, 1); });
    const auto of = [&](const char* name, auto make) {
      return in.sparse_over("star", name,
                            [make](const Csr& a, const Features&) { return make(a.rows); });
    };
    itself = of("the star", [](Index) { return placed(1, 0, 1); });
    of_star_seed = of("nodes of the star", [](Index n) { return star_row(n, false); });
    of_star = of("nodes of the star, and itself", [](Index n) { return star_row(n, true); });
  }
};

class GraphStar final : public TrainableModel {
 public:
  explicit GraphStar(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        heads_(static_cast<Index>(o.integer("heads"))),
        layers_(static_cast<Index>(o.integer("layers"))),
        star_(o.flag("star")),
        cross_layer_(o.flag("cross_layer")),
        dropout_(o.real("dropout")),
        embedding_dropout_(o.real("embedding_dropout")),
        l2_(o.real("l2")) {
    if (hidden_ % heads_ != 0)
      fail("hidden = {} cannot be shared out to heads = {}; make it a multiple", hidden_, heads_);
  }

  Value logits(Builder& b, GraphInputs& in) const override {
    const Index width = hidden_ > 0 ? hidden_ : in.classes();
    if (width % heads_ != 0)
      fail(
          "hidden = 0 takes the width of the output, {}, which cannot be shared out to heads = {}; "
          "make it a multiple, or give hidden",
          width, heads_);
    const Roles roles(in, star_);
    Value x = relu(linear(b, in.feature_matrix(), width, "input"));
    Value star = star_ ? seeded_star(b, in, roles, x) : x;
    std::vector<Value> layers;
    for (Index l = 1; l <= layers_; ++l) {
      const std::string name = "layer" + std::to_string(l);
      x = nodes(b, roles, x, star, name);
      layers.push_back(x);
      if (star_ && l < layers_) star = updated_star(b, roles, x, star, name + ".star");
    }
    if (cross_layer_) x = across(b, in, layers);
    x = b.dropout(x, embedding_dropout_);
    return hidden_ > 0 ? linear(b, x, in.classes(), "output") : x;
  }

 private:
  Value product(Builder& b, Value x, Index width, const std::string& name) const {
    const Index rows = x.shape().cols;
    return matmul(x, b.uniform(name + ".w", rows, width, rows, l2_));
  }
  Value linear(Builder& b, Value x, Index width, const std::string& name) const {
    const Value mapped = product(b, x, width, name);
    return mapped + b.uniform(name + ".b", 1, width, x.shape().cols, l2_);
  }
  Value norm(Builder& b, Value x, const std::string& name) const {
    const auto row = [&](const char* what, float start) {
      return b.parameter({.name = name + what,
                          .rows = 1,
                          .cols = x.shape().cols,
                          .init = Parameter::Init::kFill,
                          .fill = {start},
                          .l2 = l2_});
    };
    const Value gain = row(".gain", 1), shift = row(".shift", 0);
    return layer_norm(x, gain, shift);
  }
  Value attention(Value rows, Value query, Value key, Value value, Index heads) const {
    const double width_of_head = query.shape().cols / heads;
    return elu(dot_attention(rows, query, key, value, heads, 1 / std::sqrt(width_of_head)));
  }

  // By one head, asked by the mean of the nodes.
  Value seeded_star(Builder& b, GraphInputs& in, const Roles& roles, Value x) const {
    const Index width = x.shape().cols;
    const Value mean = affine(column_sums(x), 1.0 / std::max<Index>(1, in.nodes()));
    const Value query = matmul(roles.itself, linear(b, mean, width, "star.query"));
    const Value key = product(b, x, width, "star.key");
    const Value value = b.dropout(linear(b, x, width, "star.value"), dropout_);
    return norm(b, attention(roles.of_star_seed, query, key, value, 1), "star");
  }

  Value updated_star(Builder& b, const Roles& roles, Value x, Value star,
                     const std::string& name) const {
    const Index width = x.shape().cols;
    const Value all = propagate(roles.neighbours, x) + propagate(roles.star, star);
    const Value query = linear(b, star, width, name + ".query");
    const Value key = product(b, all, width, name + ".key");
    const Value value = b.dropout(linear(b, all, width, name + ".value"), dropout_);
    return norm(b, star + attention(roles.of_star, query, key, value, heads_), name);
  }

  // A key is the value as well.
  Value nodes(Builder& b, const Roles& roles, Value x, Value star, const std::string& name) const {
    const Index width = x.shape().cols;
    const Value query = linear(b, x, width, name + ".query");
    const Value neighbour = linear(b, x, width, name + ".neighbour");
    const Value oneself = linear(b, x, width, name + ".oneself");
    Value key = propagate(roles.neighbours, neighbour) + propagate(roles.oneself, oneself);
    if (star_) key = key + propagate(roles.star, linear(b, star, width, name + ".to_star"));
    const Value value = b.dropout(key, dropout_);
    return norm(b, x + attention(roles.of_nodes, query, key, value, heads_), name);
  }

  // Attention of each node to itself in every layer, asked by their mean.
  Value across(Builder& b, GraphInputs& in, const std::vector<Value>& layers) const {
    const Index width = layers[0].shape().cols, width_of_head = width / heads_;
    Value sum = layers[0];
    for (std::size_t l = 1; l < layers.size(); ++l) sum = sum + layers[l];
    const Value query =
        linear(b, affine(sum, 1.0 / static_cast<double>(layers.size())), width, "across.query");
    // The same maps for every layer.
    const Value w_key = b.uniform("across.key.w", width, width, width, l2_);
    const Value w_value = b.uniform("across.value.w", width, width, width, l2_);
    const Value b_value = b.uniform("across.value.b", 1, width, width, l2_);
    Matrix factors(heads_, width_of_head);
    factors.values.assign(factors.values.size(),
                          static_cast<float>(1 / std::sqrt(static_cast<double>(width_of_head))));
    const Value factor = in.static_constant("factors of scores", std::move(factors));
    std::vector<Value> scores, values;
    for (const Value& x : layers) {
      scores.push_back(head_dot(query * matmul(x, w_key), factor));
      values.push_back(matmul(x, w_value) + b_value);
    }
    std::vector<Value> heads;
    for (Index h = 0; h < heads_; ++h) {
      std::vector<Value> of_head;
      for (const Value& score : scores) of_head.push_back(columns(score, h, 1));
      const Value weights = softmax_rows(concat_columns(of_head));
      const auto part = [&](std::size_t l) {
        return columns(values[l], h * width_of_head, width_of_head) *
               columns(weights, static_cast<Index>(l), 1);
      };
      Value total = part(0);
      for (std::size_t l = 1; l < values.size(); ++l) total = total + part(l);
      heads.push_back(total);
    }
    return concat_columns(heads);
  }

  Index hidden_, heads_, layers_;
  bool star_, cross_layer_;
  double dropout_, embedding_dropout_, l2_;
};

}  // namespace

extern const ModelEntry model_graph_star;
const ModelEntry model_graph_star = {
    .name = "graph-star",
    .title = "GraphStar",
    .citation = "Lu et al., Graph star net for generalized multi-task learning, arXiv:1906.12330",
    .equations =
        {"x = relu(X W + b); star = norm(elu(att(mean of x W_q + b_q; x W_k, x W_v + b_v)))",
         "each layer: x_v = norm(x_v + elu(att(x_v W_q + b_q; keys k, values drop(k)))), k being "
         "x_u W_n + b_n of every neighbour u, x_v W_o + b_o of v itself and star W_s + b_s",
         "then star = norm(star + elu(att(star W_q + b_q; C W_k, drop(C W_v + b_v)))), C the rows "
         "of x and star; after the last layer nobody reads it",
         "att: dot products over the square root of a head's columns, one softmax over all of a "
         "row's keys, head by head; of the first star by one head",
         "cross_layer: x = att(mean of the layers W_q + b_q; each layer's x W_k, x W_v + b_v)",
         "logits = drop'(x) W + b, or drop'(x) itself where hidden = 0; L2 on every parameter"},
    .disagreements =
        {{"hidden",
          "The released commands give 128 for classes of nodes; for links 2048, or 512 of PubMed, "
          "and no linear map behind the last layer: hidden = 0, with that as the dimension, "
          "heads = 4, layers = 3, cross_layer = false, dropout = 0, lr = 2e-4 and l2 = 5e-4 "
          "(2e-4 of CiteSeer)."},
         {"embedding_dropout",
          "Where links are asked about, the released code drops half of the embeddings in "
          "training, whatever its dropout is set to (embedding_dropout = 0.5); of classes none."},
         {"dropout",
          "The released code drops numbers of each arc's copy of a value. Here a value is dropped "
          "before it is copied, alike for all who attend to it. Coefficients, of which the code "
          "drops a fifth where classes are asked about, are not dropped here."},
         {"star = true",
          "The released code takes any number of stars, and gives one in every command. Without "
          "a star nodes attend to their neighbours and themselves."},
         {"(no setting)",
          "In the released code keys are values as well and there is no map behind the heads; "
          "separate values and that map stand there as comments. A bias of the keys of the star, "
          "or of layers, changes no softmax and is left out here. L2 is there on the weights of "
          "the decoder too, and here on the model's parameters alone."},
         {"(a metric's positives)",
          "The released code scores each test link in both directions and each of as many "
          "negatives once: two positives for a negative, which raises average precision and leaves "
          "ROC AUC alone (positives=2). It prints the mean of the two (\"auc-ap-mean\")."},
         {"train.keep",
          "What the released code prints as the result is the largest ROC AUC on test of all "
          "epochs and the largest average precision on test, each at an epoch of its own. Here "
          "training never sees a test score, so that no setting gives this."},
         {"train.clip_norm",
          "The released code scales the gradient down to a norm of 0.01 before it adds L2, which "
          "then outweighs it: a row's rule has clip_norm = 0.01."},
         {"train.decay",
          "The released code halves the learning rate where the training loss stays above its best "
          "for 200 epochs (500 of CiteSeer and PubMed), which is not done here."},
         {"(a row's pair_loss)",
          "The released code draws two negatives for each arc, one with another target and one "
          "with another source. It means to leave training links out, but compares objects that "
          "are never equal (\"corrupted\")."}},
    .options = {{.name = "hidden",
                 .fallback = std::int64_t{128},
                 .doc =
                     "Width of every layer; 0: that of the output, which then is the last layer.",
                 .min = 0,
                 .max = 65536},
                {.name = "heads",
                 .fallback = std::int64_t{8},
                 .doc = "Heads of attention, which share out the width.",
                 .min = 1,
                 .max = 1024},
                {.name = "layers",
                 .fallback = std::int64_t{2},
                 .doc = "Layers of attention.",
                 .min = 1,
                 .max = 64},
                {.name = "star",
                 .fallback = true,
                 .doc = "Nodes and a star attend to each other; false: there is no star."},
                {.name = "cross_layer",
                 .fallback = true,
                 .doc = "Each node attends to its rows of all layers; false: the last one counts."},
                learning_rate_option(1e-3),
                {.name = "dropout",
                 .fallback = 0.7,
                 .doc = "Probability of dropping a number of a value that is attended to.",
                 .min = 0,
                 .max = 0.99},
                {.name = "embedding_dropout",
                 .fallback = 0.0,
                 .doc = "Probability of dropping a number of what the layers give.",
                 .min = 0,
                 .max = 0.99},
                l2_option(2e-3)},
    .trainable = make_trainable<GraphStar>,
};

}  // namespace cupel
