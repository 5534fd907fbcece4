#include "cupel/data/resolve/people.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cupel/base/sort_unique.h"
#include "cupel/data/resolve/key_hash.h"
#include "cupel/data/resolve/people_weights.h"

namespace cupel {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::string_view head(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  while (end < text.size() && characters > 0) {
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    --characters;
  }
  return text.substr(0, end);
}

constexpr double kUnit = 1 << 20;
// Somebody who works with many says little.
std::int64_t weight_of(std::size_t others) {
  return std::llround(kUnit / std::log2(2.0 + static_cast<double>(others)));
}

constexpr std::size_t kMostBetween = 500;  // co-authors of someone through whom pairs are found
constexpr std::size_t kMostLooked = 64, kMostNear = 512;  // for `near`
constexpr std::size_t kMostSkilled = 20;  // a capability of more than 1 in that many says nothing

}  // namespace

People::People(const TemporalFacts& facts, const Egos& egos, int type)
    : facts_(&facts),
      egos_(&egos),
      begin_(egos.begin(type)),
      size_(egos.end(type) - egos.begin(type)),
      names_([&] {
        NameBook names;
        for (Index k = begin_; k < begin_ + size_; ++k)
          names.add(facts.entity_name(egos.entity[at(k)]));
        names.settle();
        return names;
      }()),
      blocks_(size_, keys()) {
  count_words();
}

std::string_view People::name_of(Index entity) const {
  return facts_->entity_names[egos_->entity[at(entity)]];
}

// The first or last word; of the first, hyphens do not part it. -1: there is none.
Index People::end_word(Index name, bool last) const {
  const auto words = names_.words(name, last);
  if (words.empty()) return -1;
  return last ? words.back() : words.front();
}

void People::count_words() {
  as_first_.assign(at(names_.word_count()), 0), as_last_ = as_first_;
  std::unordered_map<char32_t, Index> letters;
  for (Index k = 0; k < size_; ++k) {
    const Index first = end_word(k, false), last = end_word(k, true);
    if (first < 0) continue;
    ++as_first_[at(first)], ++as_last_[at(last)];
    ++letters[names_.word(first).first];
  }
  for (Index word = 0; word < names_.word_count(); ++word) {
    const NameBook::Word& one = names_.word(word);
    if (one.initial && letters.contains(one.first)) as_first_[at(word)] = letters.at(one.first);
  }
}

std::vector<Blocks::Key> People::keys() const {
  std::vector<Blocks::Key> out;
  std::vector<Index> words;
  for (Index k = 0; k < size_; ++k) {
    const auto put = [&](const KeyHash& key) { out.push_back({key.value(), k}); };
    const auto whole = names_.words(k, false);
    if (whole.empty()) continue;
    KeyHash letters('j');
    for (const Index word : whole) letters.add(names_.text(word));
    put(letters);
    if (names_.is_long(k)) continue;
    for (const bool parted : {false, true}) {
      if (parted && !names_.has_hyphen(k)) continue;
      const auto all = names_.words(k, parted);
      words.assign(all.begin(), all.end());
      // By text: numbers of words depend on the order of names.
      const auto by_text = [&](Index a, Index b) { return names_.text(a) < names_.text(b); };
      std::sort(words.begin(), words.end(), by_text);
      KeyHash sorted('s');
      for (const Index word : words) sorted.next().add(names_.text(word));
      put(sorted);
      std::erase_if(words,
                    [&](Index w) { return names_.word(w).initial || names_.word(w).particle; });
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t j = i + 1; j < words.size(); ++j)
          put(KeyHash('p').add(names_.text(words[i])).next().add(names_.text(words[j])));
      }
      if (all.size() < 2) continue;
      const std::string_view first = names_.text(all.front()), last = names_.text(all.back());
      put(KeyHash('l').add(last).next().add(head(first, 1)));
      if (names_.word(all.front()).initial) {
        if (all.size() > 2) put(KeyHash('l').add(last).next().add(head(names_.text(all[1]), 1)));
      } else {
        put(KeyHash('f').add(first).next().add(head(last, 2)));
      }
    }
  }
  return out;
}

// Names that are to be compared with a name, all above it.
void People::gather(Index name, std::vector<Index>& out) const {
  out.clear();
  blocks_.above(name, out);
  const Index first = end_word(name, false), last = end_word(name, true);
  if (first < 0) return;
  const std::size_t had = out.size();
  for (const Index by : egos_->co_authors[begin_ + name]) {
    const auto others = egos_->co_authors[by];
    if (others.size() > kMostBetween) continue;
    for (auto other = std::upper_bound(others.begin(), others.end(), begin_ + name);
         other != others.end(); ++other) {
      const Index one = *other - begin_;
      if (end_word(one, true) == last || end_word(one, false) == first) out.push_back(one);
    }
  }
  if (out.size() > had) sort_unique(out);
}

Bar People::bar(Index a, Index b) const {
  const NameRelation relation = compare_names(names_, a - begin_, b - begin_);
  if (relation == NameRelation::kConflict) return Bar::kConflict;
  // Two entities of one name are two because the source's ids are.
  if (relation == NameRelation::kSame && compared_name(name_of(a)) == compared_name(name_of(b)))
    return Bar::kToldApart;
  const auto authors = egos_->co_authors[a];
  bool together = std::binary_search(authors.begin(), authors.end(), b);
  for_shared(egos_->papers[a], egos_->papers[b], [&](Index) { together = true; });
  return together ? Bar::kToldApart : Bar::kNone;
}

// How many have the word there; of words that differ, the more common one.
double People::commonness(Index word, bool last) const {
  return 0.5 + static_cast<double>((last ? as_last_ : as_first_)[at(word)]);
}

double People::name_logit(Index a, Index b, NameRelation relation) const {
  const double last =
      std::min(commonness(end_word(a, true), true), commonness(end_word(b, true), true));
  const double first =
      std::max(commonness(end_word(a, false), false), commonness(end_word(b, false), false));
  const double expected = last * first / std::max(kLeastNames, static_cast<double>(size_));
  return kOfRelation[static_cast<std::size_t>(relation)] + kOfCommon * std::log(expected);
}

People::Around People::around(Index a, Index b) const {
  Around out;
  const Lists& circles = egos_->circles();
  auto mine = circles[a], yours = circles[b];
  for_shared(mine, yours, [&](Index by) {
    ++out.shared;
    out.weight += weight_of(circles[by].size());
  });
  if (mine.size() > yours.size()) std::swap(mine, yours);
  if (out.shared == 0 && !mine.empty()) {
    const std::size_t looked = std::min(mine.size(), kMostLooked);
    int near = 0;
    for (const Index by : mine.first(looked)) {
      bool meets = false;
      const auto others = circles[by];
      if (others.size() <= kMostNear) for_shared(others, yours, [&](Index) { meets = true; });
      if (meets) ++near;
    }
    out.near = near / static_cast<double>(looked);
  }
  const std::size_t x = at(a), y = at(b);
  const bool known = egos_->first[x] <= egos_->last[x] && egos_->first[y] <= egos_->last[y];
  if (known && facts_->time_unit == "year") {
    out.gap = std::max(
        std::max(egos_->first[x], egos_->first[y]) - std::min(egos_->last[x], egos_->last[y]),
        std::int64_t{0});
  }
  for_shared(egos_->institutions[a], egos_->institutions[b],
             [&](Index place) { out.places += weight_of(egos_->staff[place].size()); });
  for_shared(egos_->capabilities[a], egos_->capabilities[b], [&](Index skill) {
    const std::size_t experts = egos_->experts[skill].size();
    if (experts * kMostSkilled <= at(size_)) out.skills += weight_of(experts);
  });
  return out;
}

double People::graph_logit(Index a, Index b) const {
  const Around found = around(a, b);
  const Lists& circles = egos_->circles();
  const auto fewer = static_cast<double>(std::min(circles[a].size(), circles[b].size()));
  const auto papers =
      static_cast<double>(std::min(egos_->papers[a].size(), egos_->papers[b].size()));
  const auto log_sum = [](std::int64_t sum) {
    return std::log1p(static_cast<double>(sum) / kUnit);
  };
  double out = kOfPapers * std::log1p(papers) + kOfGap * std::log1p(static_cast<double>(found.gap));
  if (found.shared > 0) {
    out += kOfAnyShared + kOfShared * log_sum(found.weight) +
           kOfShareShared * static_cast<double>(found.shared) / fewer;
  } else {
    out += kOfLonely * std::log1p(fewer) + kOfNear * found.near;
  }
  out += std::min(1.0, kOfPlaces * log_sum(found.places));
  return out + std::min(0.3, kOfSkills * log_sum(found.skills));
}

bool People::score(Index a, Index b, double show, MergeCandidate& out) const {
  const NameRelation relation = compare_names(names_, a, b);
  if (relation == NameRelation::kUnlike || relation == NameRelation::kConflict) return false;
  const double name = name_logit(a, b, relation), graph = graph_logit(begin_ + a, begin_ + b);
  out = {begin_ + a,
         begin_ + b,
         logistic(name),
         logistic(graph),
         logistic(name + graph),
         static_cast<std::uint8_t>(relation)};
  return out.score >= show;
}

void People::compare(Index name, double show, std::vector<Index>& others,
                     std::vector<MergeCandidate>& out) const {
  gather(name, others);
  MergeCandidate one;
  for (const Index other : others)
    if (score(name, other, show, one)) out.push_back(one);
}

}  // namespace cupel
