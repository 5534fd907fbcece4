#include "cupel/data/resolve/propose.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

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

// Pairs whose score is `show` at least, in the order of (first, second).
template <class Kind>
std::vector<MergeCandidate> candidates_of(const Kind& kind, double show, Threads threads) {
  constexpr std::int64_t kGrain = 1024;
  std::vector<std::vector<MergeCandidate>> parts(static_cast<std::size_t>(kind.names()) / kGrain +
                                                 1);
  parallel_blocks(threads, kind.names(), kGrain, [&](std::int64_t from, std::int64_t to) {
    std::vector<Index> others;
    for (auto name = static_cast<Index>(from); name < static_cast<Index>(to); ++name)
      kind.compare(name, show, others, parts[static_cast<std::size_t>(from / kGrain)]);
  });
  std::vector<MergeCandidate> out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

// About as many as these, by names at equal distances.
template <class Kind>
std::int64_t expected_of(const Kind& kind, double show, Threads threads) {
  constexpr std::int64_t kGrain = 64, kLeast = 4096, kOneIn = 64;
  const std::int64_t names = kind.names(),
                     looked = std::min(names, std::max(kLeast, names / kOneIn));
  if (looked == 0) return 0;
  std::vector<std::size_t> found(static_cast<std::size_t>(looked / kGrain) + 1);
  parallel_blocks(threads, looked, kGrain, [&](std::int64_t from, std::int64_t to) {
    std::vector<Index> others;
    std::vector<MergeCandidate> pairs;
    for (std::int64_t k = from; k < to; ++k)
      kind.compare(static_cast<Index>(k * names / looked), show, others, pairs);
    found[static_cast<std::size_t>(from / kGrain)] = pairs.size();
  });
  const std::size_t all = std::accumulate(found.begin(), found.end(), std::size_t{0});
  return std::llround(static_cast<double>(all) * static_cast<double>(names) /
                      static_cast<double>(looked));
}

// Of a type: its candidates, decided, in the numbers of the facts.
template <class Kind>
void propose_of_type(const Kind& kind, const Egos& egos, const std::string& type,
                     const ProposeSettings& settings, Threads threads, Proposals& out) {
  const std::vector<MergeCandidate> candidates = candidates_of(kind, settings.show, threads);
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

struct Proposer::Impl {
  ProposeSettings settings;
  Threads threads;
  Egos egos;
  std::optional<People> people;
  std::optional<Places> places;
  Proposals out;
};

Proposer::Proposer(const TemporalFacts& facts, const Authorships& authorships,
                   const ProposeSettings& settings, Threads threads)
    : impl_(std::make_unique<Impl>()) {
  for (const double value : {settings.threshold, settings.show}) {
    if (!(value >= 0 && value <= 1)) fail("a threshold is from 0 to 1, not {}", value);
  }
  impl_->settings = settings, impl_->threads = threads;
  if (facts.entity_names.empty()) {
    impl_->out.counts["entities without names, not compared"] = facts.entities();
    return;
  }
  impl_->egos = gather_egos(facts, authorships);
  impl_->out.counts = impl_->egos.counts;
  const int scientist = type_named(facts, "scientist"),
            institution = type_named(facts, "institution");
  if (settings.scientists && scientist >= 0) impl_->people.emplace(facts, impl_->egos, scientist);
  if (settings.institutions && institution >= 0)
    impl_->places.emplace(facts, impl_->egos, institution);
}

Proposer::~Proposer() = default;

std::int64_t Proposer::expected() const {
  const double show = impl_->settings.show;
  std::int64_t out = 0;
  if (impl_->people) out += expected_of(*impl_->people, show, impl_->threads);
  if (impl_->places) out += expected_of(*impl_->places, show, impl_->threads);
  return out;
}

Proposals Proposer::propose() && {
  auto& [settings, threads, egos, people, places, out] = *impl_;
  if (people) propose_of_type(*people, egos, "scientists", settings, threads, out);
  people.reset();
  if (places) propose_of_type(*places, egos, "institutions", settings, threads, out);
  places.reset();
  std::sort(out.decisions.begin(), out.decisions.end(),
            [](const MergeDecision& a, const MergeDecision& b) {
              return std::pair(a.first, a.second) < std::pair(b.first, b.second);
            });
  return std::move(out);
}

Proposals propose_merges(const TemporalFacts& facts, const Authorships& authorships,
                         const ProposeSettings& settings, Threads threads) {
  return Proposer(facts, authorships, settings, threads).propose();
}

}  // namespace cupel
