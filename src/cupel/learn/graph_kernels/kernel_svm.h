// What the kernel models share: settings, and training a machine on a kernel matrix that is made
// once for all splits of a data set.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/learn/graph_kernels/labelled_graphs.h"
#include "cupel/learn/graph_kernels/svm.h"
#include "cupel/learn/model.h"

namespace cupel {

// Settings by name, where several models have them.
OptionSpec svm_c_option();
OptionSpec fit_on_option();
OptionSpec start_option();
// Settings of a KernelSvm: `own`, those of its kernel, then those of every kernel's machine.
std::vector<OptionSpec> kernel_svm_options(std::vector<OptionSpec> own, bool normalised);
Disagreement kernel_use_disagreement();
Disagreement fit_on_disagreement();
// `who`: "Kriege and Mutzel compare labels".
Disagreement start_disagreement(const std::string& who);
inline constexpr const char* kSvmEquation =
    "class = vote of support vector machines of class pairs (LIBSVM, C-SVC)";

// The graphs of `view`: nodes labelled by their features if `labels`, arcs by their attributes, if
// there are any, if `arc_labels`. Throws Error, beginning with `who`, if the view is of one graph,
// its adjacency is not symmetric, there are no features to label by, or an arc and its way back get
// different labels.
class KernelGraphs {
 public:
  KernelGraphs(const std::string& who, const TaskView& view, bool labels, bool arc_labels);
  KernelGraphs(const KernelGraphs&) = delete;  // graphs_ views the labels
  KernelGraphs& operator=(const KernelGraphs&) = delete;
  const LabelledGraphs& graphs() const { return graphs_; }

 private:
  std::vector<Index> node_labels_, arc_labels_;
  LabelledGraphs graphs_;
};

// Ids of the examples to train on and their labels: the training part, with `fit_on` =
// "train+valid" the validation part too.
struct FitPart {
  FitPart(const TaskView& view, const std::string& fit_on);
  std::vector<Index> examples, labels;
};

// Histograms of all graphs of a view. May throw Interrupted or TimedOut.
using MakeHistograms =
    std::function<Histograms(const TaskView& view, Threads threads, const RunLimits& limits)>;
// Throws Error if making them would take too long. Called before they are made.
using RefuseLarge = std::function<void(const TaskView& view)>;

// A machine on the kernel that counts features. The kernel matrix is kept with the data set under
// `name`, which must say all that it depends on. The limits of a run hold while the matrix is made
// and while the machine is trained (svm.h); a matrix that was not finished is not kept, and the
// next run begins it anew.
class KernelSvm final : public DirectModel {
 public:
  KernelSvm(std::string who, std::string name, const Options& options, MakeHistograms make,
            RefuseLarge refuse_large = nullptr);
  Result fit_predict(const TaskView& view, const RunLimits& limits) const override;
  std::size_t memory_bytes(const TaskView& view) const override;
  void check(const TaskView& view) const override;

 private:
  std::string who_, name_;
  MakeHistograms make_;
  RefuseLarge refuse_large_;
  bool normalise_, rows_as_features_;
  double c_;
  std::string fit_on_;
};

}  // namespace cupel
