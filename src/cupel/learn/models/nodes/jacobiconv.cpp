// JacobiConv. Wang and Zhang, "How powerful are spectral graph neural networks", ICML 2022,
// sections 4 and 5.
#include <algorithm>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/learn/models/nodes/heterophily.h"

namespace cupel {
namespace {

class JacobiConv final : public TrainableModel {
 public:
  explicit JacobiConv(const Options& o)
      : hops_(static_cast<Index>(o.integer("hops"))),
        a_(o.real("a")),
        b_(o.real("b")),
        feature_dropout_(o.real("feature_dropout")),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")),
        sign_(o.text("recurrence") == "released" ? -1 : 1),
        ranking_(o.text("ranking")),
        features_(o.text("features")) {
    if (hops_ > 1 && a_ + b_ <= -2)
      fail(
          "jacobiconv: a + b = {} is not above -2; from hops = 2 on its coefficients divide by "
          "a + b + 2",
          a_ + b_);
  }

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value step = in.sparse("arcs of both directions, summed", both_directions);
    const Value x = b.dropout(features_of(in, features_), feature_dropout_);
    const Value alpha = affine(tanh(b.parameter({.name = "eta",
                                                 .rows = hops_ + 1,
                                                 .cols = 1,
                                                 .init = Parameter::Init::kFill,
                                                 .fill = {0.5f},
                                                 .l2 = l2_})),
                               kAlphaScale);
    std::vector<Value> p = {b.dropout(linear(b, x, "1", in.classes(), l2_), dropout_)};
    for (Index k = 1; k <= hops_; ++k) p.push_back(next(step, alpha, p, k));
    return weighted_sum(p, b.parameter({.name = "combination",
                                        .rows = hops_ + 1,
                                        .cols = in.classes(),
                                        .init = Parameter::Init::kFill,
                                        .fill = {1.0f},
                                        .l2 = l2_}));
  }

  Schedule schedule() const override { return ranked_by(ranking_, TrainableModel::schedule()); }

 private:
  static constexpr double kAlphaScale = 2;

  // Jacobi polynomial k of the operator, from the two before it. The second term has a plus in
  // textbooks, a minus in the released code.
  Value next(Value step, Value alpha, const std::vector<Value>& p, Index k) const {
    const Value last = element(alpha, k - 1, 0);
    const Value moved = propagate(step, p[k - 1]);
    if (k == 1)
      return weighted_sum({p[0], moved}, stack_rows({affine(last, (a_ - b_) / 2),
                                                     affine(last, (a_ + b_ + 2) / 2)}));
    const double s = 2 * k + a_ + b_;  // 2k + a + b
    const double t1 = (s - 1) * s / (2 * k * (k + a_ + b_));
    const double t2 = (s - 1) * (a_ * a_ - b_ * b_) / (2 * k * (k + a_ + b_) * (s - 2));
    const double t3 = (k - 1 + a_) * (k - 1 + b_) * s / (k * (k + a_ + b_) * (s - 2));
    const Value before = last * element(alpha, k - 2, 0);
    return weighted_sum(
        {moved, p[k - 1], p[k - 2]},
        stack_rows({affine(last, t1), affine(last, sign_ * t2), affine(before, -t3)}));
  }

  // A of an undirected graph; of a directed one A + A^T, where an arc in both directions, and a
  // self-loop, weighs 2. Divided by the roots of the numbers of neighbours, not of weights.
  static Csr both_directions(const Csr& adjacency, const Features&) {
    Csr out = symmetric_operator(symmetrise(adjacency));
    if (is_symmetric(adjacency)) return out;
    const Csr back = transpose(adjacency);
    const auto has = [](const Csr& graph, Index i, Index j) {
      const auto row = graph.row_columns(i);
      return std::binary_search(row.begin(), row.end(), j);
    };
    for (Index i = 0; i < out.rows; ++i)
      for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
        if (has(adjacency, i, out.columns[e]) && has(back, i, out.columns[e])) out.values[e] *= 2;
    return out;
  }

  Index hops_;
  double a_, b_, feature_dropout_, dropout_, l2_, sign_;
  std::string ranking_, features_;
};

}  // namespace

extern const ModelEntry model_jacobiconv;
const ModelEntry model_jacobiconv = {
    .name = "jacobiconv",
    .title = "JacobiConv",
    .citation = "Wang and Zhang, How powerful are spectral graph neural networks, ICML 2022",
    .equations =
        {"P_0 = drop(drop'(X) W + b)", "alpha_k = 2 tanh(eta_k)",
         "P_1 = alpha_0 ((a - b) / 2 P_0 + (a + b + 2) / 2 S P_0)",
         "P_k = alpha_{k-1} t1 S P_{k-1} - alpha_{k-1} t2 P_{k-1} - alpha_{k-1} alpha_{k-2} t3 "
         "P_{k-2}, + t2 of recurrence = textbook",
         "logits = sum over k = 0 .. hops of combination_k P_k, class by class",
         "t1, t2, t3 those of the Jacobi polynomials; S = D^-1/2 A D^-1/2, A + A^T where arcs have "
         "directions; L2 on every parameter"},
    .disagreements =
        {{"recurrence = released",
          "The second term has a plus in the recurrence of Jacobi polynomials (\"textbook\") and a "
          "minus in the authors' code, which Platonov et al. 2023 ran; where a = b it is 0."},
         {"lr",
          "The authors give W, eta and combination a rate and a decay each, found by a search on "
          "each data set. Here all have the same."},
         {"train.patience", "The authors stop after 200 epochs, and assess the best epoch."},
         {"ranking = \"margin\"",
          "The code run by Platonov et al. 2023 computes ROC AUC from output 1 alone (\"column\"), "
          "and assesses the parameters of the last epoch (train.keep = \"last\")."},
         rounding_disagreement("three decimals")},
    .options = {count_option("hops", 10, "The degree of the polynomial.", 0),
                real_option("a", 0.5, "First parameter of the polynomials.", -1, 10),
                real_option("b", 0.25, "Second parameter of the polynomials.", -1, 10),
                learning_rate_option(0.03),
                real_option("feature_dropout", 0.4, "Probability of dropping a feature.", 0, 0.99),
                real_option("dropout", 0.1, "Probability of dropping an element of P_0.", 0, 0.99),
                weight_decay_option(0, "all parameters"),
                features_option("raw"),
                ranking_option("column"),
                {.name = "recurrence",
                 .fallback = std::string("released"),
                 .doc = "Sign of the second term: minus (the released code) or plus (the "
                        "polynomials of textbooks).",
                 .choices = {"released", "textbook"},
                 .later = true}},
    .trainable = make_trainable<JacobiConv>,
};

}  // namespace cupel
