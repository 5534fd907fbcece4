#include "cupel/data/formats/text_labels.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Ascending by value if all are whole numbers (equal values by text), else by text.
std::vector<std::string> ordered_classes(const std::map<std::string, Index>& found) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : found) names.push_back(name);
  if (std::ranges::all_of(names, [](const auto& n) { return whole_number(n).has_value(); })) {
    std::ranges::stable_sort(names, {}, [](const auto& n) { return *whole_number(n); });
  }
  return names;
}

}  // namespace

void set_text_labels(Dataset& dataset, const std::vector<std::string>& labels,
                     const std::string& where) {
  std::map<std::string, Index> classes;
  for (const std::string& label : labels) {
    if (!label.empty()) classes.emplace(label, 0);
  }
  if (classes.empty()) fail("{}: no node has a label; give at least one a class", where);
  dataset.class_names() = ordered_classes(classes);
  for (Index c = 0; c < dataset.classes(); ++c) classes[dataset.class_names()[c]] = c;
  dataset.labels().clear();
  dataset.labels().reserve(labels.size());
  for (const std::string& label : labels)
    dataset.labels().push_back(label.empty() ? kNoLabel : classes[label]);
}

Csr identity_features(Index nodes) {
  Csr out;
  out.rows = out.cols = nodes;
  for (Index i = 0; i < nodes; ++i) {
    out.columns.push_back(i);
    out.row_ptr.push_back(i + 1);
  }
  return out;
}

void NamesLeftOut::add(std::string_view name) {
  constexpr Index kExamples = 3;
  lost_ = lost_ || name != usual_ + std::to_string(names_);
  if (names_ < kExamples) examples_ += (names_ == 0 ? "" : ", ") + in_quotes(name);
  if (names_ == kExamples) examples_ += ", ...";
  ++names_;
}

void NamesLeftOut::tell(std::vector<std::string>& out) const {
  if (lost_) out.push_back(fmt::format("the names of its {} ({})", of_, examples_));
}

}  // namespace cupel
