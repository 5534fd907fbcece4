#include "cupel/data/audit/link_area.h"

#include <algorithm>

#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

constexpr Offset kBlock = 4096;

// The n for which every n-th link alone makes about `most` pairs. Where all targets are ranked,
// links of one source share a block of pairs, so that leaving out links does not leave out as many
// blocks: there pairs are counted by question.
Offset every_for(const Ranking& ranking, Offset most) {
  const Asked& asked = ranking.asked;
  if (asked.rows() <= most) return 1;
  const Offset pairs =
      asked.all_targets() ? ranking.questions.size() * asked.width() : asked.rows();
  return (pairs + most - 1) / most;
}

}  // namespace

std::optional<ShortcutArea> shortcut_area(const LinkSubject& subject,
                                          const std::function<float(Pair)>& score, Offset most) {
  std::optional<Ranking> ranking = subject.ranking(1);
  if (!ranking || ranking->questions.size() == 0) return std::nullopt;
  const Offset every = every_for(*ranking, most);
  if (every > 1) ranking = subject.ranking(1, every);
  RankCounter counter(*ranking);
  std::vector<float> scores;
  for (Offset row = 0; row < ranking->asked.rows(); ++row) {
    scores.push_back(score(ranking->asked.pair(row)));
    if (std::ssize(scores) < kBlock && row + 1 < ranking->asked.rows()) continue;
    counter.add(scores);
    scores.clear();
  }
  const double area = mean_area(counter.finish());
  return ShortcutArea{std::max(area, 1 - area), area < 0.5, every};
}

void add_shortcut(const LinkSubject& subject, const std::optional<ShortcutArea>& area,
                  const char* id, const char* what, const char* advice,
                  std::vector<Finding>& findings) {
  if (!area || area->area < kAreaNotable) return;
  Finding out;
  out.id = id;
  out.severity = area->area >= kAreaHigh ? Severity::kWarning : Severity::kInfo;
  out.count = std::ssize(subject.links(2));
  out.title = fmt::format("{} alone tells {} of test links from their negatives", what,
                          audit_text::percent(area->area));
  out.evidence = fmt::format(
      "With nothing learnt, {} ranks a test link {} a negative with probability {:.3f}.", what,
      area->low_is_link ? "below" : "above", area->area);
  out.details = {{"area", area->area}, {"low_is_link", area->low_is_link}};
  if (area->every > 1) {
    out.evidence += fmt::format(" One test link in {} was asked about.", area->every);
    out.details["one_in"] = area->every;
  }
  out.weight = area->area;
  out.advice = advice;
  findings.push_back(std::move(out));
}

}  // namespace cupel
