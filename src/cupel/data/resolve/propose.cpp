#include "cupel/data/resolve/propose.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/resolve/candidate.h"
#include "cupel/data/resolve/egos.h"
#include "cupel/data/resolve/people.h"
#include "cupel/data/resolve/places.h"
#include "cupel/data/resolve/wording.h"

namespace cupel {
namespace {

struct Reason {
  const char *count, *words;
};

Reason reason_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAccepted:
      return {"accepted", ""};
    case Outcome::kToldApart:
      return {"open: the source tells them apart", "the source tells them apart"};
    case Outcome::kAmbiguous:
      return {"open: another one fits as well or nearly",
              "another one, which is not the same, fits as well or nearly"};
    case Outcome::kClash:
      return {"open: they would join what cannot be one",
              "with what was accepted before they would join what cannot be one"};
    case Outcome::kTooMany:
      return {"open: they would join too many", "they would join too many at once"};
    case Outcome::kOpen:
      break;
  }
  return {"open", ""};
}

// Of a type: its candidates, decided, in the numbers of the facts.
template <class Kind>
void propose(const Kind& kind, const Egos& egos, const std::string& type,
             const ProposeSettings& settings, Threads threads, Proposals& out) {
  const std::vector<MergeCandidate> candidates = kind.candidates(settings.show, threads);
  const std::vector<Outcome> outcomes =
      decide(candidates, settings.threshold, [&](Index a, Index b) { return kind.bar(a, b); });
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const MergeCandidate& one = candidates[k];
    const auto [count, words] = reason_of(outcomes[k]);
    ++out.counts[type + ": " + count];
    MergeDecision decision;
    decision.first = egos.entity[static_cast<std::size_t>(one.first)];
    decision.second = egos.entity[static_cast<std::size_t>(one.second)];
    if (decision.first > decision.second) std::swap(decision.first, decision.second);
    decision.name_score = one.name, decision.graph_score = one.graph, decision.score = one.score;
    decision.evidence = kind.evidence(one);
    join(decision.evidence, words);
    if (outcomes[k] == Outcome::kAccepted) decision.verdict = MergeVerdict::kAccept;
    out.decisions.push_back(std::move(decision));
  }
  out.counts[type + ": blocks of names, compared"] = kind.blocks().blocks();
  if (kind.blocks().left_out() > 0)
    out.counts[type + ": blocks of too many names, not compared"] = kind.blocks().left_out();
}

}  // namespace

Proposals propose_merges(const TemporalFacts& facts, const Authorships& authorships,
                         const ProposeSettings& settings, Threads threads) {
  for (const double value : {settings.threshold, settings.show}) {
    if (!(value >= 0 && value <= 1)) fail("a threshold is from 0 to 1, not {}", value);
  }
  Proposals out;
  if (facts.entity_names.empty()) {
    out.counts["entities without names, not compared"] = facts.entities();
    return out;
  }
  const Egos egos = gather_egos(facts, authorships);
  out.counts = egos.counts;
  const int scientist = type_named(facts, "scientist"),
            institution = type_named(facts, "institution");
  if (settings.scientists && scientist >= 0)
    propose(People(facts, egos, scientist), egos, "scientists", settings, threads, out);
  if (settings.institutions && institution >= 0)
    propose(Places(facts, egos, institution), egos, "institutions", settings, threads, out);
  std::sort(out.decisions.begin(), out.decisions.end(),
            [](const MergeDecision& a, const MergeDecision& b) {
              return std::pair(a.first, a.second) < std::pair(b.first, b.second);
            });
  return out;
}

}  // namespace cupel
