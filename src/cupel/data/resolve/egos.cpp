#include "cupel/data/resolve/egos.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "cupel/base/sort_unique.h"
#include "cupel/data/resolve/first_name_first.h"

namespace cupel {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27, x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t out = 0xcbf29ce484222325u;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mixed(out);
}

// Of what is around each entity; sums, which know no order.
std::vector<std::uint64_t> surroundings(const TemporalFacts& facts,
                                        const Authorships& authorships) {
  const auto size = at(facts.entities());
  std::vector<std::uint64_t> name(size), out(size);
  for (Index e = 0; e < facts.entities(); ++e)
    name[at(e)] = facts.entity_names.empty() ? 0 : hash_of(facts.entity_names[e]);
  for (std::size_t k = 0; k < facts.time.size(); ++k) {
    const auto when = mixed(static_cast<std::uint64_t>(facts.time[k]) * 31 +
                            static_cast<std::uint64_t>(facts.relation[k]));
    const std::size_t s = at(facts.source[k]), o = at(facts.target[k]);
    out[s] += mixed(when + name[o]);
    out[o] += mixed(when ^ name[s]);
  }
  for (std::size_t k = 0; k < authorships.paper.size(); ++k)
    out[at(authorships.entity[k])] += mixed(hash_of(authorships.papers[authorships.paper[k]]));
  return out;
}

// The entities in their new order.
std::vector<Index> ordered(const TemporalFacts& facts, const Authorships& authorships) {
  const std::vector<std::uint64_t> around = surroundings(facts, authorships);
  std::vector<Index> out(at(facts.entities()));
  std::iota(out.begin(), out.end(), 0);
  const bool named = !facts.entity_names.empty();
  std::sort(out.begin(), out.end(), [&](Index a, Index b) {
    if (facts.entity_types[at(a)] != facts.entity_types[at(b)])
      return facts.entity_types[at(a)] < facts.entity_types[at(b)];
    if (named) {
      const int order = facts.entity_names[a].compare(facts.entity_names[b]);
      if (order != 0) return order < 0;
    }
    return std::tie(around[at(a)], a) < std::tie(around[at(b)], b);
  });
  return out;
}

// Pairs of co-authors, of each paper; both ways.
Pairs co_authors_of(const Lists& authors, std::int64_t& large) {
  Pairs out;
  std::size_t room = std::size_t{1} << 26;
  for (Index paper = 0; paper < authors.size(); ++paper) {
    const auto all = authors[paper];
    if (std::ssize(all) > kMostCoAuthors) {
      ++large;
      continue;
    }
    for (const Index a : all) {
      for (const Index b : all) {
        if (a != b) out.emplace_back(a, b);
      }
    }
    // Told again and again, a pair would fill the memory.
    if (out.size() > room) {
      sort_unique(out);
      room = std::max(room, 2 * out.size());
    }
  }
  return out;
}

// The scientists of each name that is printed in several ways, one of them with a comma, as egos
// are numbered. A name that several have as it is printed is of people whom ids tell apart, so that
// nobody knows whom another way means; it is left out.
std::vector<std::vector<Index>> of_one_name(const TemporalFacts& facts, const Egos& egos,
                                            int scientist) {
  if (scientist < 0 || facts.entity_names.empty()) return {};
  std::unordered_map<std::string, std::vector<Index>> by_name;
  const auto each = [&](bool comma, const auto& take) {
    for (Index k = egos.begin(scientist); k < egos.end(scientist); ++k) {
      const std::string_view name = facts.entity_names[egos.entity[at(k)]];
      if ((name.find(',') != name.npos) == comma) take(k, name);
    }
  };
  each(true, [&](Index k, std::string_view name) {
    by_name[compared_name(first_name_first(name))].push_back(k);
  });
  if (by_name.empty()) return {};
  each(false, [&](Index k, std::string_view name) {
    const auto found = by_name.find(compared_name(name));
    if (found != by_name.end()) found->second.push_back(k);
  });
  std::vector<std::vector<Index>> out;
  for (auto& [name, all] : by_name) {
    std::vector<std::string> printed;
    for (const Index k : all)
      printed.push_back(compared_name(facts.entity_names[egos.entity[at(k)]]));
    sort_unique(printed);
    if (all.size() > 1 && printed.size() == all.size()) out.push_back(std::move(all));
  }
  return out;
}

// Co-authors, each by the first of the name; empty where no name is printed in several ways.
Lists co_authors_by_name(const Lists& co_authors,
                         const std::vector<std::vector<Index>>& namesakes) {
  if (namesakes.empty()) return {};
  std::vector<Index> first(at(co_authors.size()));
  std::iota(first.begin(), first.end(), 0);
  for (const std::vector<Index>& all : namesakes)
    for (const Index k : all) first[at(k)] = std::ranges::min(all);
  Pairs out;
  for (Index k = 0; k < co_authors.size(); ++k)
    for (const Index by : co_authors[k])
      if (first[at(by)] != first[at(k)]) out.emplace_back(k, first[at(by)]);
  return {co_authors.size(), std::move(out)};
}

}  // namespace

Lists::Lists(Index things, std::vector<std::pair<Index, Index>> pairs) {
  sort_unique(pairs);
  from_.assign(at(things) + 1, 0);
  items_.reserve(pairs.size());
  for (const auto& [thing, number] : pairs) {
    ++from_[at(thing) + 1];
    items_.push_back(number);
  }
  std::partial_sum(from_.begin(), from_.end(), from_.begin());
}

int type_named(const TemporalFacts& facts, std::string_view name) {
  const auto found = std::find(facts.types.begin(), facts.types.end(), name);
  return found == facts.types.end() ? -1 : static_cast<int>(found - facts.types.begin());
}

Egos gather_egos(const TemporalFacts& facts, const Authorships& authorships) {
  Egos out;
  out.entity = ordered(facts, authorships);
  const Index size = facts.entities();
  std::vector<Index> number(at(size));
  out.type_begin.assign(facts.types.size() + 1, 0);
  for (Index k = 0; k < size; ++k) {
    number[at(out.entity[at(k)])] = k;
    ++out.type_begin[facts.entity_types[at(k)] + std::size_t{1}];
  }
  std::partial_sum(out.type_begin.begin(), out.type_begin.end(), out.type_begin.begin());

  const int scientist = type_named(facts, "scientist"), place = type_named(facts, "institution"),
            skill = type_named(facts, "capability");
  Pairs together, links, back, skills, experts;
  out.first.assign(at(size), std::numeric_limits<std::int64_t>::max());
  out.last.assign(at(size), std::numeric_limits<std::int64_t>::min());
  const bool by_paper = !authorships.paper.empty();
  for (std::size_t k = 0; k < facts.time.size(); ++k) {
    const Index s = number[at(facts.source[k])], o = number[at(facts.target[k])];
    for (const Index e : {s, o}) {
      out.first[at(e)] = std::min(out.first[at(e)], facts.time[k]);
      out.last[at(e)] = std::max(out.last[at(e)], facts.time[k]);
    }
    const FactRelation& relation = facts.relations[at(facts.relation[k])];
    if (relation.source_type != scientist || scientist < 0) continue;
    if (relation.target_type == scientist && !by_paper && s != o) {
      together.emplace_back(s, o), together.emplace_back(o, s);
    } else if (relation.target_type == place) {
      links.emplace_back(s, o), back.emplace_back(o, s);
    } else if (relation.target_type == skill) {
      skills.emplace_back(s, o), experts.emplace_back(o, s);
    }
  }
  out.institutions = Lists(size, std::move(links)), out.staff = Lists(size, std::move(back));
  out.capabilities = Lists(size, std::move(skills)), out.experts = Lists(size, std::move(experts));
  if (by_paper) {
    Pairs of_paper, of_author;
    for (std::size_t k = 0; k < authorships.paper.size(); ++k) {
      const Index author = number[at(authorships.entity[k])];
      of_paper.emplace_back(authorships.paper[k], author);
      of_author.emplace_back(author, authorships.paper[k]);
    }
    const Lists authors(authorships.papers.size(), std::move(of_paper));
    std::int64_t large = 0;
    together = co_authors_of(authors, large);
    out.papers = Lists(size, std::move(of_author));
    if (large > 0) out.counts["papers of too many authors to say who works with whom"] = large;
  } else {
    out.papers = Lists(size, {});
  }
  out.co_authors = Lists(size, std::move(together));
  out.co_authors_by_name = co_authors_by_name(out.co_authors, of_one_name(facts, out, scientist));
  return out;
}

}  // namespace cupel
