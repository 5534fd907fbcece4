// Multilayer perceptron on features of whole graphs, such as the average degree: the baseline that
// sees no node (graph_baseline.h). Called MolecularGraphMLP in the released code.
#include "cupel/data/features/features.h"
#include "cupel/learn/models/graphs/graph_baseline.h"

namespace cupel {
namespace {

class GraphMlp final : public GraphBaseline {
 public:
  explicit GraphMlp(const Options& o) : GraphBaseline(o), features_(o.text("features")) {
    check_graph_features(features_);
  }

 private:
  Value graphs(GraphInputs& in) const override { return in.graph_features(features_); }
  std::string features_;
};

}  // namespace

extern const ModelEntry model_graph_mlp;
const ModelEntry model_graph_mlp = {
    .name = "graph-mlp",
    .title = "Multilayer perceptron (graph features)",
    .citation = kLiCitation,
    .equations = {kBaselineEquation, "g: features of the graph, by default its average degree",
                  kLinear},
    .disagreements =
        {output_relu_disagreement(),
         {"features = \"average-degree\"",
          "The released code standardises the average degree over all graphs, those of the test "
          "part too (\"average-degree:standardise=all\"), before it normalises each batch."},
         {"(no setting)",
          "A last batch of one graph is trained on without its normalisation in the released code. "
          "Here it is left out, as the released code leaves it out for all other models."},
         tox21_disagreement()},
    .options = baseline_options(
        {.name = "features",
         .fallback = std::string("average-degree"),
         .doc = "What a graph is described by: names of features, with commas between."}),
    .exemptions = {output_relu_exemption()},
    .unit = Unit::kGraph,
    .trainable = make_trainable<GraphMlp>,
};

}  // namespace cupel
