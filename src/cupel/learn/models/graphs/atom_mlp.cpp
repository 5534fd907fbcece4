// Learnt rows for the attributes of atoms, summed over a molecule, and a perceptron: the baseline
// that sees atoms and no bond. Li, Cao, Shuai, Miao and Hwang, IJCAI 2024 (on Tox21).
#include "cupel/learn/layers/atom_encoder.h"
#include "cupel/learn/models/graphs/graph_level.h"

namespace cupel {
namespace {

class AtomMlp final : public TrainableModel {
 public:
  explicit AtomMlp(const Options& o)
      : features_(node_composition(o)),
        hidden_(static_cast<Index>(o.integer("hidden"))),
        dropout_(o.real("dropout")),
        l2_(o.real("l2")) {}

  Value logits(Builder& b, GraphInputs& in) const override {
    const Value atoms = encode_atoms(b, in, features_, hidden_, l2_);
    Value x = batch_norm(b, pool(in, atoms, "sum"), "norm", l2_);
    x = b.dropout(relu(linear(b, x, "1", hidden_, l2_)), dropout_);
    return linear(b, relu(linear(b, x, "2", hidden_, l2_)), "out", in.classes(), l2_);
  }

 private:
  std::string features_;
  Index hidden_;
  double dropout_, l2_;
};

}  // namespace

extern const ModelEntry model_atom_mlp;
const ModelEntry model_atom_mlp = {
    .name = "atom-mlp",
    .title = "Multilayer perceptron (atoms)",
    .citation = kLiCitation,
    .equations = {"g = sum over the molecule's atoms of E_1(x_1) + ... + E_9(x_9), E_k(v) row v of "
                  "a learnt table, Glorot uniform at first",
                  "logits = linear(relu(linear(drop(relu(linear(norm(g)))))))", kLinear},
    .disagreements =
        {{"(no setting)",
          "The tables have the sizes of the code of Li et al. 2024 (119, 4, 12, 12, 10, 6, 6, 2, "
          "2); later versions of the library that atoms come from know a fifth chirality."},
         tox21_disagreement()},
    .options = {node_features_option("attributes"), hidden_option(300), learning_rate_option(0.001),
                dropout_option(0.5), all_weight_decay_option(0)},
    .unit = Unit::kGraph,
    .trainable = make_trainable<AtomMlp>,
};

}  // namespace cupel
