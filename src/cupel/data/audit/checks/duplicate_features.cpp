// Features that are the same as another for every node.
#include <algorithm>
#include <bit>
#include <map>

#include "cupel/base/hash.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/feature_columns.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const Dataset& data = subject.data;
  const Index features = feature_count(data.features);
  std::vector<std::string> content(static_cast<std::size_t>(features));  // SHA-256: equal is equal
  visit_columns(data.features, [&](const FeatureColumn& column) {
    const bool same = std::all_of(column.values.begin(), column.values.end(),
                                  [&](float v) { return v == column.values[0]; });
    const bool constant =
        column.nodes.empty() || (same && static_cast<Index>(column.nodes.size()) == data.nodes());
    if (constant) return;  // another check's
    Hasher hasher;
    hasher.array(column.nodes).array(column.values);
    content[static_cast<std::size_t>(column.feature)] = hasher.hex();
  });
  std::map<std::string_view, Index> first;
  std::vector<std::string> shown;
  auto pairs = nlohmann::ordered_json::array();
  Finding out;
  for (Index c = 0; c < features; ++c) {
    const std::string& key = content[static_cast<std::size_t>(c)];
    if (key.empty()) continue;
    const auto [at, is_new] = first.emplace(key, c);
    if (is_new) continue;
    ++out.count;
    if (shown.size() == text::kExamples) continue;
    shown.push_back(fmt::format("{} = {}", at->second, c));
    pairs.push_back({at->second, c});
  }
  if (out.count == 0) return;
  out.id = "duplicate-features";
  out.title =
      fmt::format("{} an earlier one for every node",
                  text::count(out.count, "feature") + text::verb(out.count, " repeats", " repeat"));
  out.evidence = fmt::format("{} of {}; columns {}{}.", text::number(out.count),
                             text::count(features, "feature"), fmt::join(shown, ", "),
                             text::more(static_cast<std::size_t>(out.count), shown.size()));
  out.details = {{"features", features}, {"examples", pairs}};
  out.advice =
      "Harmless, but a repeated feature counts twice in distances and under weight decay; "
      "leave the repeats out of new files.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_duplicate_features;
const AuditCheck audit_check_duplicate_features = {
    "duplicate-features", "features that are the same as another for every node", run};

}  // namespace cupel
