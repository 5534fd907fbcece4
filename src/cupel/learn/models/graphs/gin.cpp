// GIN. Xu, Hu, Leskovec and Jegelka, "How powerful are graph neural networks?", ICLR 2019, equation
// 4.1 and section 4.2, as written for the fair comparison of Errica, Podda, Bacciu and Micheli,
// ICLR 2020, and run by Li, Cao, Shuai, Miao and Hwang, IJCAI 2024.
#include <string>
#include <vector>

#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {
namespace {

class Gin final : public TrainableModel {
 public:
  explicit Gin(const Options& o)
      : features_(node_composition(o)),
        pooling_(o.text("pooling")),
        widths_(widths_of("hidden", o.text("hidden"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        train_eps_(o.flag("train_eps")),
        drop_evaluated_(o.flag("readout_dropout_when_evaluated")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    Value x = mlp(b, in.node_features(features_), "0", widths_.front());
    Value out = b.dropout(pool(in, linear(b, x, "out0", in.classes(), l2_), pooling_), dropout_,
                          drop_evaluated_);
    for (std::size_t l = 0; l < widths_.size(); ++l) {
      const std::string number = std::to_string(l + 1);
      x = mlp(b, sum(b, in, x, number), number, widths_[l]);
      const Value read = linear(b, pool(in, x, pooling_), "out" + number, in.classes(), l2_);
      out = out + b.dropout(read, dropout_);
    }
    return out;
  }

 private:
  Value mlp(Builder& b, Value x, const std::string& number, Index width) const {
    for (const char* half : {"a", "b"}) {
      const std::string name = number + half;
      x = relu(batch_norm(b, linear(b, x, name, width, l2_), "norm_" + name, l2_));
    }
    return x;
  }

  // (1 + eps) x + the sum over neighbours.
  Value sum(Builder& b, GraphInputs& in, Value x, const std::string& number) const {
    if (!train_eps_) return propagate(in.adjacency(true), x);
    const Value eps = b.parameter({.name = "eps" + number,
                                   .rows = 1,
                                   .cols = 1,
                                   .init = Parameter::Init::kFill,
                                   .fill = {0.0f},
                                   .l2 = l2_});
    return propagate(in.adjacency(false), x) + x * affine(eps, 1.0, 1.0);
  }

  std::string features_, pooling_;
  std::vector<Index> widths_;
  double dropout_, l2_;
  bool train_eps_, drop_evaluated_;
};

}  // namespace

extern const ModelEntry model_gin;
const ModelEntry model_gin = {
    .name = "gin",
    .title = "Graph isomorphism network",
    .citation =
        "Xu et al., How powerful are graph neural networks?, ICLR 2019; as in Errica et al., A "
        "fair comparison of graph neural networks for graph classification, ICLR 2020",
    .equations = {"X_0 = MLP_0(X), X_l = MLP_l((1 + eps_l) X_(l-1) + A X_(l-1)), widths: hidden, "
                  "its first twice",
                  "MLP(X) = relu(norm(linear(relu(norm(linear(X))))))",
                  "logits = drop(pool(linear(X_0))) + sum over l of drop(linear(pool(X_l)))",
                  kLinear},
    .disagreements =
        {{"readout_dropout_when_evaluated = false",
          "The code of Errica et al. 2020, and so that of Li et al. 2024, drops numbers of the "
          "first read-out when it evaluates, too, so that scores of validation and test graphs are "
          "drawn at random. Their tables were made so; it is not meant."},
         {"train_eps = false",
          "Errica et al. 2020 choose between eps trained and 0 on validation graphs; Li et al. "
          "2024 have 0."},
         {"pooling = \"mean\"",
          "Xu et al. 2019 sum over the nodes, and read X itself out where X_0 is read here; "
          "Errica et al. 2020 choose between mean and sum, Li et al. 2024 have the mean."},
         {"hidden = \"64,300,300,64\"",
          "Widths of Li et al. 2024. Errica et al. 2020 choose among 64,64,64,64; 32,32,32,32; 64; "
          "and 32,32."},
         {"train.patience",
          "Li et al. 2024 stop after 30 epochs. The runs on degrees of May 2023, of which part of "
          "their table is, stopped after 50."},
         tox21_disagreement()},
    .options = {node_features_option("labels"),
                {.name = "hidden",
                 .fallback = std::string("64,300,300,64"),
                 .doc = "Widths of the layers that see neighbours, with commas between."},
                pooling_option("mean"),
                switch_option("train_eps", false, "Whether eps is trained, from 0, or stays 0."),
                switch_option("readout_dropout_when_evaluated", false,
                              "Whether, as released, the first read-out drops numbers when it is "
                              "evaluated, too."),
                learning_rate_option(0.001),
                dropout_option(0.5),
                all_weight_decay_option(0)},
    .unit = Unit::kGraph,
    .trainable = make_trainable<Gin>,
};

}  // namespace cupel
