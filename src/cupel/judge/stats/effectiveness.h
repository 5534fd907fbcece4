// How well a data set of a benchmark tells a graph model from one that does not see the graph
// (Li, Cao, Shuai, Miao, Hwang, "Rethinking the Effectiveness of Graph Classification Datasets in
// Benchmarks for Assessing GNNs", IJCAI 2024, section 3.1).
//
// Of two test scores R1 (graph model) and R2 (baseline), R* = min(R1, R2), on |Y| classes:
//   gap            R1 - R2, signed
//   factor         lambda = (1 - R*) / (1 - 1/|Y|), the room that the lower score leaves
//   effectiveness  E = |R1 - R2| / (R* (|Y| - 1)) * lambda                           (equation 1)
// A data set has such a pair for its structure and, where its nodes have attributes, one for them.
//
// Where the paper is silent, or at odds with itself or its released code:
//   - lambda is 1 at random guessing and above 1 below it; it is not clamped (neither is the code);
//   - E does not say who is ahead: a baseline that wins makes it as large as one that loses;
//   - at the same two scores E falls with |Y|, as |Y| / (|Y| - 1)^2; the inequality of the paper's
//     Property 4 says so, its last sentence the opposite;
//   - of ROC AUC, which is for two classes, |Y| is 2;
//   - the code's Tox21 has |Y| = 12, its tasks; its classes are 2.
//
// Scores are fractions, never percent. Pure functions, safe from any thread.
#pragma once

#include <optional>

namespace cupel {

struct PairEffectiveness {
  double gap = 0;
  double factor = 0;
  double effectiveness = 0;
};

// R1 - R2. Throws Error for a score that is not in [0, 1].
[[nodiscard]] double performance_gap(double graph_model, double baseline);

// lambda for the lower of two scores. Throws Error for a score that is not in (0, 1] or fewer than
// two classes.
[[nodiscard]] double complexity_factor(double lower, int classes);

// Equation 1, of accuracy or balanced accuracy, whose random guess is 1/|Y|. Throws Error for a
// score that is not in (0, 1], percents among them, or fewer than two classes.
[[nodiscard]] PairEffectiveness pair_effectiveness(double graph_model, double baseline,
                                                   int classes);

// The same of ROC AUC on two classes, whose random guess is 1/2. Throws Error for a value that is
// not in (0, 1].
[[nodiscard]] PairEffectiveness pair_effectiveness_auc(double graph_model, double baseline);

// How the two parts make one number: their sum, as equation 1 has it, or their mean, by which the
// released code predicts effectiveness from properties of a data set.
enum class Parts { kSum, kMean };

// E of a data set. A part that is not there counts nothing; the mean is then the other part, as in
// the code. Absent without parts.
[[nodiscard]] std::optional<double> dataset_effectiveness(std::optional<double> structure,
                                                          std::optional<double> attributes,
                                                          Parts parts = Parts::kSum);

}  // namespace cupel
