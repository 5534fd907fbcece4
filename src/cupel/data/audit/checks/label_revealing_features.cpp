// Features that give the label away.
//
// A feature alone reveals the label if
//   it orders a class before or behind all others: area under the ROC curve of class against rest
//   beyond kArea (Mann-Whitney's U over the product of sizes, ties half); or
//   its value names the class: of the nodes, the share whose class is that of most *other* nodes
//   with the same value (leave one out, ties wrong), beyond what the largest class scores, scaled
//   to 0..1, is at least kNamed. Values that no two nodes share therefore say nothing.
// Both must be no accident: with n_c of n nodes in the class, features times classes random orders
// must have a chance below kAccident to separate it.
// A single value (or "not zero") reveals the label for the nodes that have it if the lower end of
// Wilson's interval (JASA 1927) for the share of one class among them, scaled likewise, is at least
// kValue. Words that occur in one class only need some hundred nodes for that.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/feature_columns.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kArea = 0.99, kNamed = 0.95, kAccident = 0.01;
constexpr double kValue = 0.9,
                 kWilson = 4.0;  // four standard errors: thousands of values looked at
// From here on it is a warning: that many nodes, and hardly an exception.
constexpr double kManyNodes = 0.05, kPure = 0.99;

// What one feature shows, strongest first.
struct Evidence {
  std::optional<double> area;  // of the class it orders best
  Index area_class = 0;
  std::optional<double> named;  // accuracy of its values, leave one out
  struct Value {
    double value = 0, lower = 0;
    bool non_zero = false;  // stands for every value but zero
    Offset nodes = 0, right = 0;
    Index of_class = 0;
  };
  std::optional<Value> value;
  bool reveals() const { return area || named; }
};

class Judge {
 public:
  explicit Judge(const AuditSubject& subject)
      : labels_(subject.data.labels()), sizes_(subject.class_sizes), nodes_(subject.labelled) {
    largest_ = *std::max_element(sizes_.begin(), sizes_.end());
    const double tries = std::log(static_cast<double>(feature_count(subject.data.features)) *
                                  static_cast<double>(sizes_.size()));
    for (const Offset size : sizes_) {
      const auto n = static_cast<double>(nodes_), k = static_cast<double>(size);
      const double orders = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
      no_accident_.push_back(tries - orders < std::log(kAccident));
    }
  }

  Evidence judge(const FeatureColumn& column) const {
    Evidence out;
    std::vector<std::pair<float, Index>> order;
    order.reserve(column.nodes.size());
    std::vector<Offset> zeros = sizes_;
    float any_value = 0;  // the first, as far as nodes have labels
    for (std::size_t k = 0; k < column.nodes.size(); ++k) {
      const Index i = column.nodes[k];
      if (labels_[static_cast<std::size_t>(i)] == kNoLabel) continue;
      if (order.empty()) any_value = column.values[k];
      order.emplace_back(column.values[k], i);
      --zeros[label(i)];
    }
    if (order.empty()) return out;
    std::sort(order.begin(), order.end());

    Tally tally{*this, out};
    tally.rank_sum.assign(sizes_.size(), 0);
    std::vector<Offset> group(sizes_.size());
    bool zeros_done = false;
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
      if (!zeros_done && order[from].first > 0) {
        tally.add(zeros, 0);
        zeros_done = true;
      }
      std::fill(group.begin(), group.end(), 0);
      while (to < order.size() && order[to].first == order[from].first)
        ++group[label(order[to++].second)];
      tally.add(group, order[from].first);
    }
    if (!zeros_done) tally.add(zeros, 0);
    tally.finish();
    std::vector<Offset> others(sizes_.size());
    for (std::size_t c = 0; c < others.size(); ++c) others[c] = sizes_[c] - zeros[c];
    consider_value(others, any_value, true, out);
    return out;
  }

 private:
  // Groups of equal values in ascending order.
  struct Tally {
    const Judge& judge;
    Evidence& out;
    std::vector<double> rank_sum = {};
    double below = 0;
    Offset right = 0;

    void add(const std::vector<Offset>& group, float value) {
      Offset n = 0, most = 0, second = 0;
      for (const Offset k : group) {
        n += k;
        if (k > most)
          second = std::exchange(most, k);
        else
          second = std::max(second, k);
      }
      if (n == 0) return;
      const double rank = below + (static_cast<double>(n) + 1) / 2;
      for (std::size_t c = 0; c < group.size(); ++c)
        rank_sum[c] += rank * static_cast<double>(group[c]);
      below += static_cast<double>(n);
      if (most - 1 > second) right += most;
      if (n < judge.nodes_) judge.consider_value(group, value, false, out);
    }

    void finish() {
      const auto n = static_cast<double>(judge.nodes_);
      double best = kArea;
      bool any = false;
      for (std::size_t c = 0; c < rank_sum.size(); ++c) {
        any = any || judge.no_accident_[c];
        const auto k = static_cast<double>(judge.sizes_[c]);
        if (!judge.no_accident_[c] || k == n) continue;
        double area = (rank_sum[c] - k * (k + 1) / 2) / (k * (n - k));
        area = std::max(area, 1 - area);
        if (area < best) continue;
        best = area;
        out.area = area;
        out.area_class = static_cast<Index>(c);
      }
      const double base = static_cast<double>(judge.largest_) / n;
      const double named = static_cast<double>(right) / n;
      if (any && base < 1 && (named - base) / (1 - base) >= kNamed) out.named = named;
    }
  };

  std::size_t label(Index i) const {
    return static_cast<std::size_t>(labels_[static_cast<std::size_t>(i)]);
  }

  void consider_value(const std::vector<Offset>& group, float value, bool non_zero,
                      Evidence& out) const {
    Offset n = 0;
    for (const Offset k : group) n += k;
    const auto most = std::max_element(group.begin(), group.end());
    if (n < 10 || n == nodes_) return;
    const double share = static_cast<double>(*most) / static_cast<double>(n);
    const double zz = kWilson * kWilson / static_cast<double>(n);
    const double lower =
        (share + zz / 2 - std::sqrt(zz * (share * (1 - share) + zz / 4))) / (1 + zz);
    const auto c = static_cast<std::size_t>(most - group.begin());
    const double base = static_cast<double>(sizes_[c]) / static_cast<double>(nodes_);
    if (base >= 1 || (lower - base) / (1 - base) < kValue) return;
    if (out.value && out.value->nodes >= n) return;
    out.value = {value, lower, non_zero, n, *most, static_cast<Index>(c)};
  }

  const std::vector<Index>& labels_;
  const std::vector<Offset>& sizes_;
  Offset nodes_, largest_ = 0;
  std::vector<char> no_accident_;
};

void add_features(const AuditSubject& subject, const std::vector<Evidence>& all,
                  std::vector<Finding>& findings) {
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  Finding out;
  for (std::size_t f = 0; f < all.size(); ++f) {
    const Evidence& e = all[f];
    if (!e.reveals()) continue;
    ++out.count;
    if (listed.size() < 100) {
      nlohmann::ordered_json one = {{"feature", f}};
      if (e.named) one["accuracy_of_values"] = *e.named;
      if (e.area) {
        one["class"] = subject.data.class_names()[static_cast<std::size_t>(e.area_class)];
        one["area"] = *e.area;
      }
      listed.push_back(one);
    }
    if (shown.size() == text::kExamples) continue;
    shown.push_back(
        e.named ? fmt::format("the values of column {} name the class of {} of the nodes", f,
                              text::percent(*e.named))
                : fmt::format("column {} separates {} from the others with an area under the ROC "
                              "curve of {:.4f}",
                              f, subject.class_name(e.area_class), *e.area));
  }
  if (out.count == 0) return;
  out.id = "label-revealing-features";
  out.severity = Severity::kError;
  out.title = fmt::format("{} almost all by {}",
                          text::count(out.count, "feature") +
                              text::verb(out.count, " predicts the label", " predict the label"),
                          text::verb(out.count, "itself", "themselves"));
  out.evidence = fmt::format("{}{}.", fmt::join(shown, "; "),
                             text::more(static_cast<std::size_t>(out.count), shown.size()));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"features", listed}, {"least_area", kArea}, {"least_accuracy_gain", kNamed}};
  out.advice =
      "Find out whether the feature was made from the label. If so, remove it; if not, the "
      "task is solved without a graph and without learning.";
  findings.push_back(std::move(out));
}

void add_values(const AuditSubject& subject, const std::vector<Evidence>& all,
                std::vector<Finding>& findings) {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < all.size(); ++f) {
    if (all[f].value && !all[f].reveals()) order.push_back(f);
  }
  if (order.empty()) return;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[a].value->nodes > all[b].value->nodes;
  });
  std::vector<std::string> shown;
  auto listed = nlohmann::ordered_json::array();
  for (const std::size_t f : order) {
    const auto& v = *all[f].value;
    if (listed.size() < 100)
      listed.push_back({{"feature", f},
                        {"value", v.non_zero ? nlohmann::ordered_json("not 0")
                                             : nlohmann::ordered_json(v.value)},
                        {"class", subject.data.class_names()[static_cast<std::size_t>(v.of_class)]},
                        {"nodes", v.nodes},
                        {"of_the_class", v.right},
                        {"lower_end_of_share", v.lower}});
    if (shown.size() < text::kExamples)
      shown.push_back(
          fmt::format("of {} with column {} {}, {} are of {}", text::count(v.nodes, "node"), f,
                      v.non_zero ? std::string("not 0") : fmt::format("= {:g}", v.value),
                      text::number(v.right), subject.class_name(v.of_class)));
  }
  const bool many = std::any_of(order.begin(), order.end(), [&](std::size_t f) {
    const auto& v = *all[f].value;
    return static_cast<double>(v.nodes) >= kManyNodes * static_cast<double>(subject.labelled) &&
           static_cast<double>(v.right) >= kPure * static_cast<double>(v.nodes);
  });
  Finding out;
  out.id = "label-revealing-values";
  out.count = static_cast<Offset>(order.size());
  out.severity = many ? Severity::kWarning : Severity::kInfo;
  out.title =
      fmt::format("{} a value that nearly always means one class",
                  text::count(out.count, "feature") + text::verb(out.count, " has", " have"));
  out.evidence =
      fmt::format("{}{}.", fmt::join(shown, "; "), text::more(order.size(), shown.size()));
  out.evidence = text::sentence(std::move(out.evidence));
  out.details = {{"values", listed}, {"least_share_gain", kValue}};
  out.advice =
      "Look where these come from: a telling word is fine, a field that was filled in "
      "because the label was known is not.";
  findings.push_back(std::move(out));
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  if (data.classes() < 2 || is_identity(data.features)) return;
  const Judge judge(subject);
  std::vector<Evidence> all(static_cast<std::size_t>(feature_count(data.features)));
  visit_columns(data.features, [&](const FeatureColumn& column) {
    all[static_cast<std::size_t>(column.feature)] = judge.judge(column);
  });
  add_features(subject, all, findings);
  add_values(subject, all, findings);
}

}  // namespace

extern const AuditCheck audit_check_label_revealing_features;
const AuditCheck audit_check_label_revealing_features = {"label-revealing-features",
                                                         "features that give the label away", run,
                                                         Concerns::kNodesOfClasses};

}  // namespace cupel
