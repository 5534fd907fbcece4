#include "cupel/data/facts/doi_duplicates.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cupel/base/error.h"

namespace cupel {

void DoiDuplicates::see(const Publication& paper, std::string_view input) {
  entry_of_.push_back(-1);
  if (paper.doi.empty()) return;
  entry_of_.back() = static_cast<Index>(entries_.size());
  Entry& entry = entries_.emplace_back();
  entry.doi = dois_.id(paper.doi);
  ids_.add(paper.id);
  entry.year = paper.year.value_or(0);
  entry.authors = static_cast<std::int32_t>(paper.authors.size());
  for (const Author& author : paper.authors)
    entry.affiliations += static_cast<std::int32_t>(author.affiliations.size());
  entry.abstract = !paper.abstract.empty();
  const auto found = std::ranges::find(inputs_, input);
  entry.input = static_cast<std::uint8_t>(found - inputs_.begin());
  if (found == inputs_.end()) inputs_.emplace_back(input);
}

bool DoiDuplicates::is_fuller(Index a, Index b) const {
  const auto order = [this](Index k) {
    const Entry& entry = at(k);
    return std::tuple(entry.year == 0 || entry.authors == 0, -entry.authors, -entry.affiliations,
                      !entry.abstract, entry.input, ids_[k]);
  };
  return order(a) < order(b);
}

bool DoiDuplicates::is_told_twice(Index a, Index b) const {
  return at(a).input == at(b).input && ids_[a] == ids_[b] && !ids_[a].empty();
}

// The entries of one DOI.
void DoiDuplicates::settle_doi(const Index* begin, const Index* end) {
  Index best = *begin;
  for (const Index* one = begin + 1; one != end; ++one)
    if (is_fuller(*one, best)) best = *one;
  if (rule_ == DuplicateRule::kInputs) {
    bool unclear = false, several = false;
    std::vector<Index> first(inputs_.size(), -1);  // of each input
    for (const Index* one = begin; one != end; ++one) {
      Index& before = first[at(*one).input];
      if (before < 0) before = *one;
      unclear = unclear || (before != *one && !is_told_twice(before, *one));
      several = several || at(*one).input != at(*begin).input;
    }
    unclear_ += unclear && several;
    if (unclear || !several) return;
  }
  for (const Index* one = begin; one != end; ++one)
    if (*one != best && !is_told_twice(*one, best))
      entries_[static_cast<std::size_t>(*one)].kept = best;
}

void DoiDuplicates::settle() {
  std::vector<Index> order(entries_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](Index a, Index b) { return at(a).doi < at(b).doi; });
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && at(order[to]).doi == at(order[from]).doi) ++to;
    if (to > from + 1 && rule_ != DuplicateRule::kKeep)
      settle_doi(order.data() + from, order.data() + to);
  }
}

std::optional<DoiDuplicates::Fuller> DoiDuplicates::next() {
  if (next_ == entry_of_.size())
    fail("the records have changed while they were read; build again when they are complete");
  const Index entry = entry_of_[next_++];
  if (entry < 0 || at(entry).kept < 0) return std::nullopt;
  const Entry &mine = at(entry), &kept = at(at(entry).kept);
  return Fuller{inputs_[kept.input], mine.year != 0 && kept.year != 0 && mine.year != kept.year};
}

}  // namespace cupel
