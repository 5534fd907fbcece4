// Sums of the nodes' features, and a perceptron on them: the baseline that sees no edge
// (graph_baseline.h). Ralaivola, Swamidass, Saigo and Baldi, "Graph kernels for chemical
// informatics", Neural Networks 2005; Luzhnica, Day and Lio, "On graph classification networks,
// datasets and baselines", 2019.
#include "cupel/learn/models/graphs/graph_baseline.h"

namespace cupel {
namespace {

class MolecularFingerprint final : public GraphBaseline {
 public:
  explicit MolecularFingerprint(const Options& o)
      : GraphBaseline(o), features_(node_composition(o)) {}

 private:
  Value graphs(GraphInputs& in) const override {
    return pool(in, in.node_features(features_), "sum");
  }
  std::string features_;
};

}  // namespace

extern const ModelEntry model_molecular_fingerprint;
const ModelEntry model_molecular_fingerprint = {
    .name = "molecular-fingerprint",
    .title = "Molecular fingerprint",
    .citation = kLiCitation,
    .equations = {kBaselineEquation, "g: the sum of the features of the graph's nodes", kLinear},
    .disagreements = {output_relu_disagreement(),
                      {"norm = true",
                       "Errica et al. 2020, whose baseline it is, have neither the normalisation "
                       "nor dropout (norm = false, dropout = 0)."}},
    .options = baseline_options(node_features_option("labels")),
    .exemptions = {output_relu_exemption()},
    .unit = Unit::kGraph,
    .trainable = make_trainable<MolecularFingerprint>,
};

}  // namespace cupel
