// Negatives that are links.
//
// A known link as a negative is an error: training taught the opposite. So is a positive in its own
// pool. Others are right answers that count as wrong; where they are below a hundredth of the
// negatives, they move no metric by more than a point. Where
// all targets are ranked, known links that are not filtered count among these.
#include <algorithm>
#include <iterator>

#include "cupel/base/sort_unique.h"
#include "cupel/data/audit/link_audit.h"
#include "cupel/data/audit/wording.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kMany = 0.01;

// Negatives, one for each question that ranks against it; of all targets those that are links.
struct Negatives {
  std::vector<Pair> pairs;
  Offset all = 0;
  bool pool = false, raw = false;  // raw: all targets
};

Negatives negatives_of(const LinkSubject& subject, std::size_t asked) {
  Negatives out;
  const Candidates& candidates = *subject.candidates[asked];
  if (const auto* pool = std::get_if<CandidatePool>(&candidates)) {
    out = {pool->pairs, std::ssize(pool->pairs), true, false};
  } else if (const auto* lists = std::get_if<CandidateLists>(&candidates)) {
    out = {lists->pairs, std::ssize(lists->pairs), false, false};
  } else {
    const auto& all = std::get<AllTargets>(candidates);
    out.raw = true;
    const std::vector<Pair> positives = subject.links(asked + 1);
    std::vector<Index> sources;
    for (const Pair& pair : positives) {
      sources.push_back(pair.source);
      if (!subject.directed) sources.push_back(pair.target);
    }
    std::sort(sources.begin(), sources.end());
    out.all = std::ssize(sources) * (Offset{all.end} - all.begin);
    std::vector<Pair> links;  // those of two parts once
    for (std::size_t part = 0; part < 3; ++part)
      std::ranges::copy(subject.links(part), std::back_inserter(links));
    sort_unique(links);
    for (const Pair& pair : links) {
      // A positive is no candidate of its own question.
      const Offset own = std::ranges::binary_search(positives, pair) ? 1 : 0;
      const auto add = [&](Index source, Index target) {
        const auto [from, to] = std::equal_range(sources.begin(), sources.end(), source);
        const Offset questions = to - from - own;
        if (questions <= 0 || target < all.begin || target >= all.end) return;
        if (!has_arc(all.filter, {source, target}))
          out.pairs.insert(out.pairs.end(), static_cast<std::size_t>(questions), pair);
      };
      add(pair.source, pair.target);
      if (!subject.directed) add(pair.target, pair.source);
    }
  }
  return out;
}

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  const std::vector<Pair> links[] = {subject.links(0), subject.links(1), subject.links(2)};
  Finding out;
  out.id = "link-negatives";
  std::vector<Pair> found;
  bool known = false;
  double share = 0;
  for (std::size_t asked = 0; asked < 2; ++asked) {
    if (!subject.candidates[asked]) continue;
    const Negatives negatives = negatives_of(subject, asked);
    std::vector<Offset> of_part(3, 0);
    for (const Pair& pair : negatives.pairs) {
      for (std::size_t part = 0; part < 3; ++part) {
        if (!std::binary_search(links[part].begin(), links[part].end(), subject.same_way(pair)))
          continue;
        ++of_part[part];
        known =
            known || (!negatives.raw && (part <= asked || (negatives.pool && part == asked + 1)));
        found.push_back(pair);
        break;
      }
    }
    const Offset count = of_part[0] + of_part[1] + of_part[2];
    out.details[asked == 0 ? "validation" : "test"] = {{"negatives", negatives.all},
                                                       {"training_links", of_part[0]},
                                                       {"validation_links", of_part[1]},
                                                       {"test_links", of_part[2]}};
    if (count == 0) continue;
    const double part_share = static_cast<double>(count) / static_cast<double>(negatives.all);
    share = std::max(share, part_share);
    out.evidence += fmt::format(
        "{} of {} are links ({}): {} training, {} validation, {} test. ", text::number(count),
        text::count(negatives.all, asked == 0 ? "validation negative" : "test negative"),
        text::percent(part_share), text::number(of_part[0]), text::number(of_part[1]),
        text::number(of_part[2]));
  }
  if (found.empty()) return;
  out.count = std::ssize(found);
  sort_unique(found);
  out.severity = known ? Severity::kError : share < kMany ? Severity::kInfo : Severity::kWarning;
  out.title = fmt::format("{} {} a link", text::count(out.count, "negative"),
                          text::verb(out.count, "is", "are each"));
  out.evidence += fmt::format("For example {}.", link_text::pairs(found));
  out.details["examples"] = link_text::examples(found);
  out.advice =
      known
          ? "Models are told that these are links and then marked down for it. Leave out links "
            "that are known by then, and a part's positives from its pool."
          : "A model that finds these is marked down. Draw negatives from pairs without a link in "
            "any part, or say that links of later parts may be among them.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const LinkCheck link_check_negatives;
const LinkCheck link_check_negatives = {"link-negatives", "negatives that are links", run};

}  // namespace cupel
