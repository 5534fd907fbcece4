// Too few pairs for what is to be measured.
//
// hits@K is 1 for every model where a question has no more than K - 1 candidates, and K over
// (candidates + 1) for one that guesses. From a tenth on, guessing shows. With fewer than a hundred
// test links, one of them moves a mean over links by more than a point.
#include <algorithm>

#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kGuess = 0.1;
constexpr Offset kFewLinks = 100;

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  const Offset links = std::ssize(subject.links(2));
  const std::optional<Ranking> ranking = subject.ranking(1);
  const Offset candidates = ranking ? candidate_counts(*ranking).smallest : 0;
  std::vector<Offset> void_ks, loose_ks;
  for (const Offset k : subject.ks) {
    if (!ranking) continue;
    if (k > candidates)
      void_ks.push_back(k);
    else if (static_cast<double>(k) >= kGuess * static_cast<double>(candidates + 1))
      loose_ks.push_back(k);
  }
  if (void_ks.empty() && loose_ks.empty() && links >= kFewLinks) return;
  Finding out;
  out.id = "link-few";
  out.severity = !void_ks.empty()    ? Severity::kError
                 : !loose_ks.empty() ? Severity::kWarning
                                     : Severity::kInfo;
  out.count = ranking && (!void_ks.empty() || !loose_ks.empty()) ? candidates : links;
  out.weight = -static_cast<double>(out.count);
  if (!void_ks.empty()) {
    out.title = fmt::format("hits@{} needs more than {}", fmt::join(void_ks, ", hits@"),
                            text::count(candidates, "candidate"));
  } else if (!loose_ks.empty()) {
    out.title =
        fmt::format("hits@{} is reached by guessing: there {} {}", fmt::join(loose_ks, ", hits@"),
                    text::verb(candidates, "is", "are"), text::count(candidates, "candidate"));
  } else {
    out.title = fmt::format("one split tests {}", text::count(links, "link"));
  }
  if (ranking)
    out.evidence =
        fmt::format("A question has {} at least. ", text::count(candidates, "candidate"));
  for (const Offset k : loose_ks)
    out.evidence +=
        fmt::format("Guessing has hits@{} = {}. ", k,
                    text::percent(static_cast<double>(k) / static_cast<double>(candidates + 1)));
  out.evidence += fmt::format("There {} {}: one of them is {} of any mean over links.",
                              text::verb(links, "is", "are"), text::count(links, "test link"),
                              text::percent(links > 0 ? 1 / static_cast<double>(links) : 1));
  out.details = {{"test_links", links},
                 {"fewest_candidates", ranking ? nlohmann::ordered_json(candidates) : nullptr},
                 {"k_beyond_candidates", void_ks},
                 {"k_near_guessing", loose_ks}};
  out.advice = void_ks.empty() && loose_ks.empty()
                   ? "Compare models over many splits."
                   : "Take a smaller K, or rank against more candidates.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_few;
const LinkCheck link_check_few = {"link-few", "too few pairs for what is to be measured", run};

}  // namespace cupel
