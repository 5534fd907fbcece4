#include "cupel/learn/graph_kernels/kernel_svm.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/learn/graph_kernels/row_distances.h"

namespace cupel {

OptionSpec svm_c_option() {
  return {.name = "C",
          .fallback = 1.0,
          .doc = "Weight of errors of the support vector machine.",
          .min = 1e-9,
          .max = 1e9};
}

OptionSpec fit_on_option() {
  return {.name = "fit_on",
          .fallback = std::string("train"),
          .doc = "What the machine is trained on; nothing is selected on the validation part.",
          .choices = {"train", "train+valid"}};
}

OptionSpec start_option() {
  return {.name = "start",
          .fallback = std::string("constant"),
          .doc =
              "Labels of nodes to start from: constant (structure alone) or labels (nodes are "
              "alike if their features are).",
          .choices = {"constant", "labels"}};
}

std::vector<OptionSpec> kernel_svm_options(std::vector<OptionSpec> own, bool normalised) {
  own.push_back({.name = "normalise",
                 .fallback = normalised,
                 .doc = "Divide K(G, H) by the square root of K(G, G) K(H, H)."});
  own.push_back(svm_c_option());
  own.push_back({.name = "use",
                 .fallback = std::string("precomputed"),
                 .doc = "precomputed: the kernel is the machine's; rbf-rows: its values with the "
                        "training graphs are features of a machine with an RBF kernel.",
                 .choices = {"precomputed", "rbf-rows"}});
  own.push_back(fit_on_option());
  return own;
}

Disagreement kernel_use_disagreement() {
  return {"use = precomputed",
          "The code released with Li et al. 2024 gives the rows of the kernel matrix to a machine "
          "with an RBF kernel, gamma = 1 / (columns var), for the Weisfeiler-Lehman and the "
          "subgraph matching kernel (not for shortest paths): use = rbf-rows."};
}

Disagreement fit_on_disagreement() {
  return {"fit_on = train",
          "The code released with Li et al. 2024 trains on the inner training part and leaves the "
          "validation part unused; a machine without selection could have both: fit_on = "
          "train+valid."};
}

Disagreement start_disagreement(const std::string& who) {
  const std::string text =
      who +
      "; Li et al. 2024 give one label to all, to see structure alone, and that is the default.";
  return {"start = constant", text};
}

namespace {

bool is_symmetric(const Csr& adjacency) {
  const Csr turned = transpose(adjacency);
  return turned.row_ptr == adjacency.row_ptr && turned.columns == adjacency.columns;
}

const GraphSet& graphs_of(const std::string& who, const TaskView& view) {
  if (!view.graphs())
    fail("{}: the model classifies graphs of a set and the data set is one graph; choose another",
         who);
  return *view.graphs();
}

// Subgraphs are read with the label of one of the two arcs between nodes.
void check_arc_labels(const std::string& who, const LabelledGraphs& graphs) {
  const Csr& arcs = graphs.adjacency;
  for (Index u = 0; u < arcs.rows; ++u)
    for (Offset e = arcs.row_ptr[u]; e < arcs.row_ptr[u + 1]; ++e) {
      const Index v = arcs.columns[e];
      const auto row = arcs.row_columns(v);
      const Offset back =
          arcs.row_ptr[v] + (std::lower_bound(row.begin(), row.end(), u) - row.begin());
      if (graphs.arc_labels[e] == graphs.arc_labels[back]) continue;
      const auto graph = std::upper_bound(graphs.start.begin(), graphs.start.end(), u) - 1;
      fail(
          "{}: arcs = labels, and in graph {} the arc from node {} to node {} has other attributes "
          "than its way back, where the kernel is one of undirected graphs; set arcs = constant",
          who, graph - graphs.start.begin(), u - *graph, v - *graph);
    }
}

std::vector<double> kernel_rows(const SvmRows& gram, std::span<const Index> examples,
                                std::span<const Index> columns) {
  std::vector<double> out;
  out.reserve(examples.size() * columns.size());
  for (const Index i : examples)
    for (const Index c : columns) out.push_back(gram.value(i, c));
  return out;
}

}  // namespace

KernelGraphs::KernelGraphs(const std::string& who, const TaskView& view, bool labels,
                           bool arc_labels)
    : graphs_{view.adjacency(), graphs_of(who, view).start, {}, {}} {
  if (!is_symmetric(view.adjacency()))
    fail(
        "{}: arcs go one way only and the kernel is one of undirected graphs; prepare the data "
        "with the step symmetrise",
        who);
  if (labels) {
    if (feature_count(view.features()) == 0)
      fail("{}: start = labels and the nodes have no features; set start = constant", who);
    node_labels_ = distinct_rows(view.features());
    graphs_.node_labels = node_labels_;
  }
  const Matrix& arcs = view.graphs()->arc_attributes;
  if (arc_labels && arcs.rows == view.adjacency().entries()) {
    arc_labels_ = distinct_rows(arcs);
    graphs_.arc_labels = arc_labels_;
    check_arc_labels(who, graphs_);
  }
}

FitPart::FitPart(const TaskView& view, const std::string& fit_on)
    : examples(view.train), labels(view.train_labels) {
  if (fit_on != "train+valid") return;
  examples.insert(examples.end(), view.valid.begin(), view.valid.end());
  labels.insert(labels.end(), view.valid_labels.begin(), view.valid_labels.end());
}

KernelSvm::KernelSvm(std::string who, std::string name, const Options& options, MakeHistograms make,
                     RefuseLarge refuse_large)
    : who_(std::move(who)),
      name_(std::move(name)),
      make_(std::move(make)),
      refuse_large_(std::move(refuse_large)),
      normalise_(options.flag("normalise")),
      rows_as_features_(options.text("use") == "rbf-rows"),
      c_(options.real("C")),
      fit_on_(options.text("fit_on")) {}

std::size_t KernelSvm::memory_bytes(const TaskView& view) const {
  const auto graphs = static_cast<std::size_t>(view.examples());
  constexpr std::size_t kRowsAsFeatures = 8 + 8 + 16;  // features, RBF kernel, LIBSVM's copy of it
  return static_cast<std::size_t>(gram_bytes(view.examples())) +
         std::min(kSvmCache, graphs * graphs * sizeof(float)) +
         (rows_as_features_ ? kRowsAsFeatures * graphs * graphs : 0);
}

void KernelSvm::check(const TaskView& view) const {
  refuse_large_gram(who_, graphs_of(who_, view).size());
  if (refuse_large_) refuse_large_(view);
}

DirectModel::Result KernelSvm::fit_predict(const TaskView& view, const RunLimits& limits) const {
  // Made by whoever comes first while all other threads wait for it: it may use every processor.
  const auto gram = view.derived<SvmRows>(name_ + (normalise_ ? ", normalised" : ""), [&] {
    check(view);
    const Threads threads = {available_processors()};
    Gram values = inner_products(make_(view, threads, limits), threads, limits);
    limits.check();
    if (normalise_) normalise(values);
    limits.check();
    return SvmRows(values);
  });
  limits.check();
  const FitPart fit(view, fit_on_);
  if (!rows_as_features_) {
    const Svm machine(*gram, fit.examples, fit.labels, view.classes(), {.c = c_}, limits);
    return {machine.scores(view.valid), machine.scores(view.test), machine.iterations()};
  }

  std::vector<Index> examples = fit.examples;
  examples.insert(examples.end(), view.valid.begin(), view.valid.end());
  examples.insert(examples.end(), view.test.begin(), view.test.end());
  const std::vector<double> features = kernel_rows(*gram, examples, fit.examples);
  const auto columns = fit.examples.size();
  const double gamma =
      scaled_gamma({features.data(), columns * columns}, static_cast<Index>(columns));
  std::vector<Index> places(examples.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<Index>(i);
  const std::span<const Index> all = places;
  const auto all_rows = static_cast<Index>(examples.size());
  std::vector<double> kernel =
      squared_row_distances(features, all_rows, static_cast<Index>(columns), limits);
  for (double& value : kernel) value = std::exp(-gamma * value);
  const SvmRows rows(kernel, all_rows, all.first(columns));
  limits.check();
  const Svm machine(rows, all.first(columns), fit.labels, view.classes(), {.c = c_}, limits);
  return {machine.scores(all.subspan(columns, view.valid.size())),
          machine.scores(all.subspan(columns + view.valid.size())), machine.iterations()};
}

}  // namespace cupel
