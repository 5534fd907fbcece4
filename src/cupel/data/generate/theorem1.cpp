#include "cupel/data/generate/theorem1.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr std::uint32_t kLabelPurpose = 1;
constexpr double kRounding = 1e-12;  // of 0.6^2 + 0.8^2

}  // namespace

std::vector<OptionSpec> label_model_settings() {
  return {{"graphs", std::int64_t{4096}, "graphs", 2, 10'000'000, {}},
          {"classes", std::int64_t{2}, "classes", 2, 1000, {}},
          {.name = "distribution",
           .fallback = std::string("uniform"),
           .doc = "of properties and of the noise in labels",
           .choices = {"uniform", "gaussian"}},
          {.name = "labels",
           .fallback = std::string("code"),
           .doc = "code: as many labels as classes; paper: one more, as algorithm 1 rounds",
           .choices = {"code", "paper"}},
          {"seed", std::int64_t{0}, "which member of the family", 0, 4294967295.0, {}}};
}

LabelModel label_model(const std::string& where, const Options& settings,
                       const std::vector<std::string>& names) {
  LabelModel model;
  double squares = 0;
  std::string sum;
  for (const std::string& name : names) {
    model.r.push_back(settings.real(name));
    squares += model.r.back() * model.r.back();
    sum += fmt::format("{}{}^2", sum.empty() ? "" : " + ", model.r.back());
  }
  if (squares > 1 + kRounding) {
    fail(
        "{}: {} = {:.4g} is more than 1, and no label correlates that much with independent "
        "properties; lower {}",
        where, sum, squares, fmt::join(names, ", "));
  }
  model.gaussian = settings.text("distribution") == "gaussian";
  model.classes = static_cast<Index>(settings.integer("classes"));
  model.one_more = settings.text("labels") == "paper";
  return model;
}

std::vector<Index> round_to_labels(const std::vector<double>& y, Index steps) {
  const auto [least, most] = std::ranges::minmax(y);
  std::vector<Index> labels;
  labels.reserve(y.size());
  for (const double value : y) {
    const double unit = most > least ? (value - least) / (most - least) : 0;
    labels.push_back(static_cast<Index>(std::nearbyint(unit * steps)));
  }
  return labels;
}

LabelledDraws draw_labelled(const LabelModel& model, Index graphs, StreamKey key,
                            std::uint32_t step) {
  double squares = 0;
  for (const double r : model.r) squares += r * r;
  const double noise = std::sqrt(std::max(0.0, 1 - squares));
  LabelledDraws out;
  out.n.resize(model.r.size());
  std::vector<double> y;
  for (Index g = 0; g < graphs; ++g) {
    Stream stream(key, kLabelPurpose, step, static_cast<std::uint32_t>(g));
    const auto draw = [&] {
      return model.gaussian ? stream.next_normal() : std::sqrt(3.0) * (2 * stream.next_unit() - 1);
    };
    double sum = noise * draw();
    for (std::size_t k = 0; k < model.r.size(); ++k) {
      out.n[k].push_back(draw());
      sum += model.r[k] * out.n[k].back();
    }
    y.push_back(sum);
  }
  out.labels = round_to_labels(y, model.labels() - 1);
  return out;
}

double property_of(double n, double low, double high) {
  return (low + high) / 2 + n * (high - low) / std::sqrt(12.0);
}

}  // namespace cupel
