// Subgraph matching kernel. Kriege and Mutzel, "Subgraph matching kernels for attributed graphs",
// ICML 2012.
#include <fmt/format.h>

#include "cupel/learn/graph_kernels/kernel_svm.h"
#include "cupel/learn/graph_kernels/subgraph_matching.h"

namespace cupel {
namespace {

std::unique_ptr<DirectModel> make(const Options& o) {
  const auto k = static_cast<int>(o.integer("k"));
  const bool labels = o.text("start") == "labels", arcs = o.text("arcs") == "labels";
  return std::make_unique<KernelSvm>(
      "sm-svm",
      fmt::format("sm kernel, k {}, start {}, arcs {}", k, o.text("start"), o.text("arcs")), o,
      [=](const TaskView& view, Threads threads, const RunLimits& limits) {
        return sm_histograms(KernelGraphs("sm-svm", view, labels, arcs).graphs(), k, threads,
                             limits);
      },
      [=](const TaskView& view) {
        refuse_large_sm("sm-svm", KernelGraphs("sm-svm", view, labels, arcs).graphs(), k);
      });
}

}  // namespace

extern const ModelEntry model_sm_svm;
const ModelEntry model_sm_svm = {
    .name = "sm-svm",
    .title = "Subgraph matching kernel",
    .citation = "Kriege and Mutzel, Subgraph matching kernels for attributed graphs, ICML 2012",
    .equations = {"K(G, H) = number of isomorphisms between connected induced subgraphs of G and "
                  "of H with at most k nodes that keep labels",
                  "= sum over classes S of isomorphic graphs: |Aut(S)| n_G(S) n_H(S)",
                  kSvmEquation},
    .disagreements = {kernel_use_disagreement(), fit_on_disagreement(),
                      start_disagreement("Kriege and Mutzel compare labels of nodes and arcs")},
    .options = kernel_svm_options(
        {{.name = "k",
          .fallback = std::int64_t{5},
          .doc = "Nodes of the largest subgraphs.",
          .min = 1,
          .max = kLargestMatch},
         start_option(),
         {.name = "arcs",
          .fallback = std::string("constant"),
          .doc = "Labels of arcs: constant, or labels (arcs are alike if their attributes "
                 "are; where there are none, all are).",
          .choices = {"constant", "labels"}}},
        false),
    .unit = Unit::kGraph,
    .direct = make,
};

}  // namespace cupel
