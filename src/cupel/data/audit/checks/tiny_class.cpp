// Classes with too few nodes to be in every part of a split.
#include <algorithm>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr Offset kParts = 3;  // a class of fewer nodes misses training, validation or test
constexpr Offset kFew = 10;   // of fewer, a score on the class is luck

// Whether the nodes of the class are in no part of any stored split, as where they were masked out.
bool is_unused(const Dataset& data, Index c) {
  if (data.stored_splits.empty()) return false;
  for (const Split& split : data.stored_splits) {
    for (const std::vector<Index>* part : split.parts()) {
      for (const Index i : *part) {
        if (data.labels()[static_cast<std::size_t>(i)] == c) return false;
      }
    }
  }
  return true;
}

void add(const AuditSubject& subject, const std::vector<Index>& classes, Severity severity,
         std::vector<Finding>& findings) {
  if (classes.empty()) return;
  const Dataset& data = subject.data;
  std::vector<std::string> named;
  auto listed = nlohmann::ordered_json::array();
  for (const Index c : classes) {
    const Offset size = subject.class_sizes[static_cast<std::size_t>(c)];
    std::vector<Index> nodes;
    for (Index i = 0; i < data.examples() && nodes.size() < text::kExamples; ++i) {
      if (data.labels()[static_cast<std::size_t>(i)] == c) nodes.push_back(i);
    }
    if (named.size() < text::kExamples)
      named.push_back(fmt::format("{} has {} ({})", subject.class_name(c),
                                  text::count(size, subject.example), fmt::join(nodes, ", ")));
    listed.push_back({{"class", data.class_names()[static_cast<std::size_t>(c)]},
                      {std::string(subject.example) + "s", size},
                      {"examples", nodes}});
  }
  const auto found = static_cast<Offset>(classes.size());
  Finding out;
  out.id = severity == Severity::kError     ? "tiny-class"
           : severity == Severity::kWarning ? "small-class"
                                            : "unused-class";
  out.severity = severity;
  out.count = found;
  out.details = {{"classes", listed}};
  const std::string all =
      fmt::format("{}{}", fmt::join(named, "; "), text::more(classes.size(), named.size()));
  if (severity == Severity::kError) {
    out.title = fmt::format("{} too small to split: fewer than {} {}s",
                            text::count(found, "class") + text::verb(found, " is", " are"), kParts,
                            subject.example);
    out.evidence = text::sentence(all) +
                   ". Such a class is missing from training, validation or test in every split.";
    out.advice = fmt::format(
        "Remove the class{} or merge it with another; do not average per-class scores "
        "over it.",
        data.graphs ? "" : " (preparation step \"drop-small-classes:2\")");
  } else if (severity == Severity::kWarning) {
    out.title = fmt::format("{} fewer than {} {}s",
                            text::count(found, "class") + text::verb(found, " has", " have"), kFew,
                            subject.example);
    out.evidence =
        fmt::format("{}. With a fifth of the {}s in test, that is one or no test {} each.",
                    text::sentence(all), subject.example, subject.example);
    out.advice =
        "Use splits stratified by class, many of them, and no metric that averages over classes.";
  } else {
    out.title = fmt::format("{} fewer than {} {}s, and no split uses {}",
                            text::count(found, "class") + text::verb(found, " has", " have"),
                            kParts, subject.example, text::verb(found, "it", "them"));
    out.evidence = text::sentence(all) + ".";
    out.advice = "Nothing to mend with the stored splits; a model still has an output for it.";
  }
  findings.push_back(std::move(out));
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  std::vector<Index> unused, tiny, few;
  for (Index c = 0; c < subject.data.classes(); ++c) {
    const Offset size = subject.class_sizes[static_cast<std::size_t>(c)];
    if (size < kParts) {
      (is_unused(subject.data, c) ? unused : tiny).push_back(c);
    } else if (size < kFew) {
      few.push_back(c);
    }
  }
  add(subject, tiny, Severity::kError, findings);
  add(subject, few, Severity::kWarning, findings);
  add(subject, unused, Severity::kInfo, findings);
}

}  // namespace

extern const AuditCheck audit_check_tiny_class;
const AuditCheck audit_check_tiny_class = {
    "tiny-class", "classes with too few nodes to be in every part of a split", run,
    Concerns::kClasses};

}  // namespace cupel
