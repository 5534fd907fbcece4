#include "cupel/data/audit/link_audit.h"

#include <algorithm>

#include "cupel/base/sort_unique.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {

#include "link_check_registry.inc"

Pair LinkSubject::same_way(Pair pair) const {
  return directed || pair.source <= pair.target ? pair : Pair{pair.target, pair.source};
}

std::vector<Pair> LinkSubject::links(std::size_t part) const {
  std::vector<Pair> out;
  for (const Pair& pair : parts[part]) {
    if (pair.source != pair.target) out.push_back(same_way(pair));
  }
  sort_unique(out);
  return out;
}

namespace {

std::vector<Pair> every_nth(const std::vector<Pair>& pairs, Offset n) {
  std::vector<Pair> out;
  for (Offset k = 0; k < std::ssize(pairs); k += n) out.push_back(pairs[k]);
  return out;
}

// For every n-th positive.
Candidates every_nth(const Candidates& candidates, Offset n) {
  if (const auto* pool = std::get_if<CandidatePool>(&candidates))
    return CandidatePool{every_nth(pool->pairs, n)};
  const auto* lists = std::get_if<CandidateLists>(&candidates);
  if (lists == nullptr) return candidates;
  CandidateLists out;
  for (Offset k = 0; k + 1 < std::ssize(lists->start); k += n) {
    out.pairs.insert(out.pairs.end(), lists->pairs.begin() + lists->start[k],
                     lists->pairs.begin() + lists->start[k + 1]);
    out.start.push_back(std::ssize(out.pairs));
  }
  return out;
}

}  // namespace

std::optional<Ranking> LinkSubject::ranking(std::size_t asked, Offset every) const {
  if (!candidates[asked]) return std::nullopt;
  std::vector<Pair> positives = links(asked + 1);
  if (const auto* pool = std::get_if<CandidatePool>(&*candidates[asked])) {
    const auto& pairs = pool->pairs;
    if (std::any_of(positives.begin(), positives.end(), [&](const Pair& pair) {
          return std::binary_search(pairs.begin(), pairs.end(), pair);
        }))
      return std::nullopt;
  }
  // Lists belong to positives in the order of their part.
  if (std::holds_alternative<CandidateLists>(*candidates[asked])) {
    positives.clear();
    for (const Pair& pair : parts[asked + 1]) {
      if (pair.source == pair.target) return std::nullopt;
      positives.push_back(same_way(pair));
    }
  }
  if (every == 1) return make_ranking(positives, directed, data.nodes(), *candidates[asked]);
  return make_ranking(every_nth(positives, every), directed, data.nodes(),
                      every_nth(*candidates[asked], every));
}

const std::vector<const LinkCheck*>& link_checks() {
  static const std::vector<const LinkCheck*> all = link_check_registry();
  return all;
}

std::vector<Finding> audit_links(const LinkSubject& subject) {
  std::vector<Finding> findings;
  for (const LinkCheck* check : link_checks()) check->run(subject, findings);
  sort_findings(findings);
  return findings;
}

std::string link_text::pairs(const std::vector<Pair>& pairs) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(pairs.size(), audit_text::kExamples); ++i)
    shown.push_back(fmt::format("({}, {})", pairs[i].source, pairs[i].target));
  return fmt::format("{}{}", fmt::join(shown, ", "), audit_text::more(pairs.size(), shown.size()));
}

nlohmann::ordered_json link_text::examples(const std::vector<Pair>& pairs) {
  auto out = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < std::min(pairs.size(), audit_text::kExamples); ++i)
    out.push_back({pairs[i].source, pairs[i].target});
  return out;
}

double mean_area(const RankCounts& counts) {
  double sum = 0;
  Offset questions = 0;
  for (std::size_t q = 0; q < counts.above.size(); ++q) {
    if (counts.candidates[q] == 0) continue;
    sum += 1 - (static_cast<double>(counts.above[q]) + 0.5 * static_cast<double>(counts.ties[q])) /
                   static_cast<double>(counts.candidates[q]);
    ++questions;
  }
  return questions == 0 ? 0.5 : sum / static_cast<double>(questions);
}

}  // namespace cupel
