// FSGNN. Maurya, Liu and Murata, "Simplifying approach to node classification in graph neural
// networks", Journal of Computational Science 2022, section 4.
#include <string>
#include <vector>

#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

class Fsgnn final : public TrainableModel {
 public:
  explicit Fsgnn(const Options& o)
      : hidden_(static_cast<Index>(o.integer("hidden"))),
        hops_(static_cast<Index>(o.integer("hops"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        operators_(o.text("operators")),
        features_(o.text("features")),
        ranking_(o.text("ranking")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const std::vector<Value> inputs = views(in);
    const Value attention = softmax_rows(b.parameter({.name = "attention",
                                                      .rows = 1,
                                                      .cols = static_cast<Index>(inputs.size()),
                                                      .init = Parameter::Init::kFill,
                                                      .fill = {1.0f},
                                                      .l2 = l2_}));
    std::vector<Value> parts;
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const Value u = linear(b, inputs[t], std::to_string(t), hidden_, l2_);
      parts.push_back(normalise_rows(u, 1e-12) * element(attention, 0, static_cast<Index>(t)));
    }
    return linear(b, b.dropout(relu(concat_columns(parts)), dropout_), "out", in.classes(), l2_);
  }

  Schedule schedule() const override { return ranked_by(ranking_, TrainableModel::schedule()); }

 private:
  // X, A X, (A + I) X, A^2 X, (A + I)^2 X, ...: they depend on no parameter and are made once.
  std::vector<Value> views(GraphInputs& in) const {
    const bool raw = operators_ == "raw";
    const Value without = raw ? in.adjacency(false) : in.symmetric_normalised(false);
    // A self-loop is added where one exists, too.
    const Value with = in.sparse(raw ? "A + I, counted" : "A + I, counted, symmetric",
                                 [raw](const Csr& a, const Features&) {
                                   Csr sum = one_more_self_loop(pattern_of(a));
                                   return raw ? sum : symmetric_operator(std::move(sum));
                                 });
    std::vector<Value> out = {features_of(in, features_)};
    Value x = out.front(), looped = out.front();
    for (Index hop = 0; hop < hops_; ++hop) {
      out.push_back(x = propagate(without, x));
      out.push_back(looped = propagate(with, looped));
    }
    return out;
  }

  Index hidden_, hops_;
  double dropout_, l2_;
  std::string operators_, features_, ranking_;
};

}  // namespace

extern const ModelEntry model_fsgnn;
const ModelEntry model_fsgnn = {
    .name = "fsgnn",
    .title = "Feature selection graph neural network",
    .citation =
        "Maurya et al., Simplifying approach to node classification in graph neural "
        "networks, Journal of Computational Science 2022",
    .equations =
        {"X_t of [X, A X, (A + I) X, A^2 X, (A + I)^2 X, ...], up to the power hops",
         "u_t = softmax(attention)_t * (X_t W_t + b_t) / |X_t W_t + b_t|, row by row",
         "logits = drop(relu([u_0 | u_1 | ...])) W + b",
         "A and A + I normalised: D^-1/2 . D^-1/2, D their row sums; L2 on every parameter"},
    .disagreements =
        {{"operators = \"normalised\"",
          "The authors normalise A and A + I symmetrically; the code run by Platonov et al. 2023 "
          "takes them as they are (\"raw\"), which the normalisation of rows after W hides in "
          "part. "
          "The authors also give attention, W_t and W weight decays and rates of their own."},
         {"ranking = \"margin\"",
          "The code run by Platonov et al. 2023 computes ROC AUC from output 1 alone "
          "(\"column\")."},
         {"features = \"raw\"",
          "The authors divide feature rows by their sums (\"row-sum\"); Platonov et al. 2023 ran "
          "it "
          "on features as they are, and only so is it in their table."}},
    .options = {hidden_option(64),
                count_option("hops", 3, "The largest power.", 0),
                learning_rate_option(0.01),
                dropout_option(0.7),
                weight_decay_option(0, "all parameters"),
                {.name = "operators",
                 .fallback = std::string("normalised"),
                 .doc = "Whether A and A + I are normalised or taken as they are.",
                 .choices = {"normalised", "raw"}},
                features_option("raw"),
                ranking_option("column")},
    .trainable = make_trainable<Fsgnn>,
};

}  // namespace cupel
