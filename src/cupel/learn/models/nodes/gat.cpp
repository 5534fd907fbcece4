// Graph attention network. Veličković, Cucurull, Casanova, Romero, Liò and Bengio, "Graph attention
// networks", ICLR 2018, equations 1 to 6, in the form that Shchur et al. 2018 assessed.
#include <cmath>
#include <string>
#include <vector>

#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

class Gat final : public TrainableModel {
 public:
  explicit Gat(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        heads_(static_cast<Index>(o.integer("heads"))),
        dropout_(o.real("dropout")),
        attention_dropout_(o.real("attention_dropout")),
        l2_(o.real("l2")),
        self_loops_(o.flag("self_loops")),
        residual_(o.flag("residual")),
        as_dgl_(o.text("form") == "dgl") {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value hidden = elu(layer(b, in, in.feature_matrix(), heads_, hidden_, "1"));
    return layer(b, in, hidden, 1, in.classes(), "2");
  }

 private:
  // The heads side by side: nodes x heads * width.
  Value layer(Builder& b, GraphInputs& in, Value x, Index heads, Index width,
              const std::string& number) const {
    const Value adj = in.adjacency(self_loops_);
    if (as_dgl_) return layer_of_dgl(b, adj, x, heads, width, number);
    const Value h = transformed(b, x, heads, width, number);
    const Value receiver = scores(b, h, heads, width, "receiver" + number);
    const Value sender = scores(b, h, heads, width, "sender" + number);
    Value alpha = edge_softmax(adj, leaky_relu(edge_add(adj, receiver, sender)));
    alpha = b.dropout(alpha, attention_dropout_);
    // The attention saw h undropped; what it weighs is dropped once more.
    const Value out = edge_gather(adj, alpha, b.dropout(h, dropout_), false) +
                      b.zeros("b" + number, heads * width);
    return is_residual(number)
               ? out + matmul(x, b.glorot("w_residual", x.shape().cols, heads * width, l2_))
               : out;
  }

  // The library's example has no residual connection around the features.
  bool is_residual(const std::string& layer) const { return residual_ && layer == "2"; }

  // One mask of the inputs for all heads, none of h, no bias, and normal initial values.
  Value layer_of_dgl(Builder& b, Value adj, Value x, Index heads, Index width,
                     const std::string& number) const {
    const auto start = [&](const std::string& name, Index rows, Index cols, Index fan) {
      return b.parameter({.name = name,
                          .rows = rows,
                          .cols = cols,
                          .init = Parameter::Init::kGlorotNormal,
                          .l2 = l2_,
                          .fan = fan,
                          .gain = std::sqrt(2.0)});
    };
    const Index inputs = x.shape().cols, outputs = heads * width;
    x = b.dropout(x, dropout_);
    const Value h = matmul(x, start("w" + number, inputs, outputs, inputs + outputs));
    // Of 1 x heads x width numbers PyTorch takes heads * width as fan in and width as fan out.
    const Value receiver = head_dot(h, start("a_receiver" + number, heads, width, outputs + width));
    const Value sender = head_dot(h, start("a_sender" + number, heads, width, outputs + width));
    const Value alpha = edge_softmax(adj, leaky_relu(edge_add(adj, receiver, sender)));
    const Value out = edge_gather(adj, b.dropout(alpha, attention_dropout_), h, false);
    return is_residual(number)
               ? out + matmul(x, start("w_residual", inputs, outputs, inputs + outputs))
               : out;
  }

  // drop(x) W of every head, side by side; every head drops inputs of its own.
  Value transformed(Builder& b, Value x, Index heads, Index width,
                    const std::string& number) const {
    const Index inputs = x.shape().cols;
    if (x.shape().layout == Layout::kSparse && heads <= 8) {
      const Value w = b.parameter({.name = "w" + number,
                                   .rows = inputs,
                                   .cols = heads * width,
                                   .l2 = l2_,
                                   .fan = inputs + width});
      return headwise_product(x, w, heads, dropout_);
    }
    std::vector<Value> parts;
    for (Index k = 0; k < heads; ++k) {
      const Value w = b.glorot("w" + number + "." + std::to_string(k), inputs, width, l2_);
      parts.push_back(matmul(b.dropout(x, dropout_), w));
    }
    return concat_columns(parts);
  }

  // Each head's h a + beta; a of one head is a width x 1 matrix.
  Value scores(Builder& b, Value h, Index heads, Index width, const std::string& name) const {
    const Value a = b.parameter(
        {.name = "a_" + name, .rows = heads, .cols = width, .l2 = l2_, .fan = width + 1});
    return head_dot(h, a) + b.zeros("beta_" + name, heads);
  }

  Index hidden_, heads_;
  double dropout_, attention_dropout_, l2_;
  bool self_loops_, residual_, as_dgl_;
};

}  // namespace

extern const ModelEntry model_gat;
const ModelEntry model_gat = {
    .name = "gat",
    .title = "Graph attention network",
    .citation = "Veličković et al., Graph attention networks, ICLR 2018",
    .equations =
        {"H = drop(X) W", "e_ij = leaky_relu(H_i a + beta + H_j a' + beta')   for (i, j) in A + I",
         "alpha_i = drop'(softmax over j of e_ij)",
         "head(X)_i = sum over j of alpha_ij drop(H)_j + b", "Z = elu(heads of X side by side)",
         "logits = one head of Z",
         "each head has masks and parameters of its own; L2 on W, a and a' of both layers; "
         "slope of leaky_relu 0.2",
         "form = dgl: one mask of X for all heads; H is not dropped again; without beta, beta' and "
         "b; W, a and a' start as Glorot's normal values times sqrt(2); L2 on all of them",
         "residual: logits gain Z W_r"},
    .disagreements =
        {{"(no setting)",
          "The paper's equations drop inputs and coefficients. Both released codes, the authors' "
          "and that of Shchur et al. 2018, also drop H after the coefficients were computed from "
          "it, and add a bias to each half of e_ij; so is it here."},
         {"form = authors",
          "The layer of the Deep Graph Library, with which Wiki-CS was assessed, has one mask of "
          "inputs for all heads, drops no H and has no bias up to version 0.4 (form = dgl)."}},
    .options = {{.name = "hidden",
                 .fallback = std::int64_t{8},
                 .doc = "Width of each head of the hidden layer.",
                 .min = 1,
                 .max = 65536},
                {.name = "heads",
                 .fallback = std::int64_t{8},
                 .doc = "Heads of the hidden layer; the output layer has one.",
                 .min = 1,
                 .max = 1024},
                learning_rate_option(0.01),
                dropout_option(0.6),
                {.name = "attention_dropout",
                 .fallback = 0.3,
                 .doc = "Probability of dropping an attention coefficient.",
                 .min = 0,
                 .max = 0.99},
                l2_option(0.01),
                {.name = "form",
                 .fallback = std::string("authors"),
                 .doc = "The layer of the authors' code and that of Shchur et al. 2018, or that of "
                        "the Deep Graph Library 0.4.",
                 .choices = {"authors", "dgl"},
                 .later = true},
                {.name = "self_loops",
                 .fallback = true,
                 .doc = "A node attends to itself as well.",
                 .later = true},
                {.name = "residual",
                 .fallback = false,
                 .doc = "Add a linear map of the hidden layer to the outputs.",
                 .later = true}},
    .exemptions = {{Requirement::kCapacity, "self_loops", false,
                    "What a node is reaches it by way of its neighbours alone."}},
    .trainable = make_trainable<Gat>,
};

}  // namespace cupel
