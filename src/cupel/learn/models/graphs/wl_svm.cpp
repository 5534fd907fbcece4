// Weisfeiler-Lehman subtree kernel. Shervashidze, Schweitzer, van Leeuwen, Mehlhorn and Borgwardt,
// "Weisfeiler-Lehman graph kernels", JMLR 12, 2011.
#include <fmt/format.h>

#include "cupel/learn/graph_kernels/kernel_svm.h"
#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"

namespace cupel {
namespace {

std::unique_ptr<DirectModel> make(const Options& o) {
  const auto levels = static_cast<int>(o.integer("levels"));
  const bool labels = o.text("start") == "labels";
  return std::make_unique<KernelSvm>(
      "wl-svm", fmt::format("wl kernel, {} levels, start {}", levels, o.text("start")), o,
      [=](const TaskView& view, Threads, const RunLimits& limits) {
        return wl_histograms(KernelGraphs("wl-svm", view, labels, false).graphs(), levels, limits);
      });
}

}  // namespace

extern const ModelEntry model_wl_svm;
const ModelEntry model_wl_svm = {
    .name = "wl-svm",
    .title = "Weisfeiler-Lehman kernel",
    .citation =
        "Shervashidze et al., Weisfeiler-Lehman graph kernels, Journal of Machine Learning "
        "Research 12, 2011",
    .equations = {"l_0(v) = the node's label, or one label for all",
                  "l_i(v) = (l_{i-1}(v), {{ l_{i-1}(u) : u neighbour of v }}) as one label",
                  "K(G, H) = sum over levels i = 0..h and labels l: n_G(i, l) n_H(i, l)",
                  kSvmEquation},
    .disagreements = {kernel_use_disagreement(),
                      fit_on_disagreement(),
                      start_disagreement("Shervashidze et al. start from the nodes' labels"),
                      {"levels = 5",
                       "Shervashidze et al. choose levels and C on the training part; Li et al. "
                       "2024 have C = 1 and 5 levels, in some runs 10 or 25. The matrix is not "
                       "normalised."}},
    .options = kernel_svm_options(
        {{.name = "levels",
          .fallback = std::int64_t{5},
          .doc = "Rounds of relabelling, h; labels of 0 to h rounds are compared.",
          .min = 0,
          .max = 1000},
         start_option()},
        false),
    .unit = Unit::kGraph,
    .direct = make,
};

}  // namespace cupel
