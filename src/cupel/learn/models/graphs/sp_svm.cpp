// Shortest-path kernel. Borgwardt and Kriegel, "Shortest-path kernels on graphs", ICDM 2005.
#include <fmt/format.h>

#include "cupel/learn/graph_kernels/kernel_svm.h"
#include "cupel/learn/graph_kernels/shortest_path.h"

namespace cupel {
namespace {

std::unique_ptr<DirectModel> make(const Options& o) {
  const bool labels = o.text("start") == "labels";
  return std::make_unique<KernelSvm>(
      "sp-svm", fmt::format("sp kernel, start {}", o.text("start")), o,
      [=](const TaskView& view, Threads threads, const RunLimits& limits) {
        return sp_histograms(KernelGraphs("sp-svm", view, labels, false).graphs(), threads, limits);
      },
      [=](const TaskView& view) {
        refuse_large_sp("sp-svm", KernelGraphs("sp-svm", view, labels, false).graphs());
      });
}

}  // namespace

extern const ModelEntry model_sp_svm;
const ModelEntry model_sp_svm = {
    .name = "sp-svm",
    .title = "Shortest-path kernel",
    .citation = "Borgwardt and Kriegel, Shortest-path kernels on graphs, ICDM 2005",
    .equations = {"c_G(d) = ordered pairs of nodes of G at distance d, 1 <= d < infinity",
                  "K(G, H) = sum over d of c_G(d) c_H(d); with labels, over (label, label, d)",
                  "normalised: K(G, H) / sqrt(K(G, G) K(H, H)), 0 without a path", kSvmEquation},
    .disagreements = {fit_on_disagreement()},
    .options = kernel_svm_options({start_option()}, true),
    .unit = Unit::kGraph,
    .direct = make,
};

}  // namespace cupel
