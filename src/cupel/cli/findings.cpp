#include "cupel/cli/findings.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kInfo};

std::string summary(const std::string& name, const std::vector<Finding>& findings) {
  if (findings.empty()) return fmt::format("{}: nothing found\n", name);
  std::string counts;
  for (const Severity severity : kSeverities) {
    const auto n = std::count_if(findings.begin(), findings.end(),
                                 [&](const Finding& f) { return f.severity == severity; });
    if (n == 0) continue;
    counts += (counts.empty() ? "" : ", ") + counted(n, to_text(severity));
  }
  return fmt::format("{}: {}\n", name, counts);
}

std::string finding_text(const Finding& finding) {
  std::string severity = to_text(finding.severity);
  std::transform(severity.begin(), severity.end(), severity.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format("\n{} {}\n{}{}{}", severity, finding.id, wrap(finding.title, 2),
                     wrap(finding.evidence, 4), wrap("-> " + finding.advice, 4));
}

}  // namespace

std::string report_text(const AuditReport& report) {
  std::string out = summary(report.name, report.findings);
  for (const Finding& finding : report.findings) out += finding_text(finding);
  if (!report.notes.empty()) out += "\n";
  for (const std::string& note : report.notes) out += wrap(note);
  return out;
}

std::optional<Severity> fail_severity(const std::string& text) {
  if (text.empty()) return std::nullopt;
  for (const Severity severity : kSeverities) {
    if (to_text(severity) == text) return severity;
  }
  fail("audit: --fail-on '{}' is none of error, warning, info", text);
}

int exit_code(const std::vector<Finding>& findings, const std::string& fail_on) {
  const std::optional<Severity> least = fail_severity(fail_on);
  const bool failed =
      least && std::any_of(findings.begin(), findings.end(),
                           [&](const Finding& finding) { return finding.severity >= *least; });
  return failed ? kRunsFailed : kDone;
}

}  // namespace cupel::cli
