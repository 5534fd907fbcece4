// Negatives that ask nothing: a node with itself is no link in any graph, and a repeat counts one
// pair several times. Pairs of the split that are either are told by "link-overlap".
#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  Finding out;
  out.id = "link-void-negatives";
  out.severity = Severity::kWarning;
  for (std::size_t asked = 0; asked < 2; ++asked) {
    const auto& [loops, repeats] = subject.left_out[asked];
    out.count += loops + repeats;
    const char* part = link_text::kParts[asked + 1];
    out.details[part] = {{"loops", loops}, {"repeats", repeats}};
    if (loops + repeats == 0) continue;
    if (!out.evidence.empty()) out.evidence += ' ';
    out.evidence += fmt::format(
        "Among {} negatives {} {} of a node with itself, and {} {} there already, whichever way "
        "round.",
        part, text::number(loops), text::verb(loops, "is", "are"), text::number(repeats),
        text::verb(repeats, "is", "are"));
  }
  if (out.count == 0) return;
  out.title = fmt::format("{} {} of a node with itself, or there already",
                          text::count(out.count, "negative"), text::verb(out.count, "is", "are"));
  out.advice =
      "Scores over them say nothing of links. Draw each negative once, from pairs of two nodes; "
      "runs refuse such a file.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_void_negatives;
const LinkCheck link_check_void_negatives = {
    "link-void-negatives", "negatives of a node with itself, or given twice", run};

}  // namespace cupel
