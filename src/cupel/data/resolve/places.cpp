#include "cupel/data/resolve/places.h"

#include <algorithm>
#include <cmath>

#include "cupel/data/resolve/key_hash.h"
#include "cupel/data/resolve/wording.h"

namespace cupel {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Log odds, by judgement; in the order of PlaceRelation.
constexpr double kOfRelation[] = {3.5, 1.3, 2.5, 2.3, -0.3, -0.6, -30.0};
constexpr double kOfStaff = 2.0;  // log(1 + people who were at both)
constexpr double kMostOfStaff = 3.0;
constexpr const char* kWords[] = {
    "the same words but for abbreviations and case",
    "the same words in another order, perhaps but for a department or a country",
    "the same but for a department or a country",
    "a word differs in one letter",
    "one is the initials of the other",
    "one has a word more",
    ""};
constexpr std::size_t kMostWords = 8;  // of a core, that keys without one of them are made of

std::uint64_t key_of(char kind, const std::vector<std::string>& words, std::size_t without) {
  KeyHash out(kind);
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k != without) out.next().add(words[k]);
  }
  return out.value();
}

}  // namespace

Places::Places(const TemporalFacts& facts, const Egos& egos, int type)
    : facts_(&facts),
      egos_(&egos),
      begin_(egos.begin(type)),
      size_(egos.end(type) - egos.begin(type)),
      names_([&] {
        std::vector<PlaceName> names;
        for (Index k = begin_; k < begin_ + size_; ++k)
          names.push_back(place_name(facts.entity_name(egos.entity[at(k)])));
        return names;
      }()),
      blocks_(size_, keys()) {}

std::vector<Blocks::Key> Places::keys() const {
  std::vector<Blocks::Key> out;
  for (Index k = 0; k < size_; ++k) {
    const PlaceName& name = names_[at(k)];
    if (name.all.empty()) continue;
    const std::size_t none = name.all.size();
    out.push_back({key_of('w', name.all, none), k});
    out.push_back({key_of('c', name.core, name.core.size()), k});
    for (std::size_t w = 0; w < name.core.size() && name.core.size() <= kMostWords; ++w)
      if (name.core.size() > 1) out.push_back({key_of('c', name.core, w), k});
    const bool short_form = name.all.size() == 1;
    if (short_form || name.initials.size() > 1)
      out.push_back({KeyHash('i').add(short_form ? name.all[0] : name.initials).value(), k});
  }
  return out;
}

Bar Places::bar(Index a, Index b) const {
  const PlaceName &mine = names_[at(a - begin_)], &yours = names_[at(b - begin_)];
  const PlaceRelation relation = compare_places(mine, yours);
  if (relation == PlaceRelation::kUnlike) return Bar::kConflict;
  if (!mine.country.empty() && !yours.country.empty() && mine.country != yours.country)
    return Bar::kToldApart;
  const auto name = [&](Index e) {
    return compared_name(facts_->entity_name(egos_->entity[at(e)]));
  };
  return relation == PlaceRelation::kSame && name(a) == name(b) ? Bar::kToldApart : Bar::kNone;
}

void Places::compare(Index name, double show, std::vector<Index>& others,
                     std::vector<MergeCandidate>& out) const {
  others.clear();
  blocks_.above(name, others);
  for (const Index other : others) {
    const auto kind = static_cast<std::size_t>(compare_places(names_[at(name)], names_[at(other)]));
    std::size_t staff = 0;
    for_shared(egos_->staff[begin_ + name], egos_->staff[begin_ + other], [&](Index) { ++staff; });
    const double graph = std::min(kMostOfStaff, kOfStaff * std::log1p(static_cast<double>(staff)));
    const double score = logistic(kOfRelation[kind] + graph);
    if (score < show) continue;
    out.push_back({begin_ + name, begin_ + other, logistic(kOfRelation[kind]), logistic(graph),
                   score, static_cast<std::uint8_t>(kind)});
  }
}

std::string Places::evidence(const MergeCandidate& one) const {
  std::string out = kWords[one.kind];
  const std::vector<Index> shared = shared_of(egos_->staff, one.first, one.second);
  join(out, listed(*facts_, *egos_, shared, egos_->institutions, "scientist"));
  join(out, both_years(*facts_, *egos_, one.first, one.second));
  return out;
}

}  // namespace cupel
