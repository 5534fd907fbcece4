#include "cupel/data/audit/link_splits.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/base/words.h"
#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/split/link_split.h"

namespace cupel {
namespace {

constexpr LinkPart kAskedParts[] = {LinkPart::kValid, LinkPart::kTest};

Candidates draw_negatives(const LinkAuditSource& source, const PairList& links, const Split& split,
                          LinkPart part, StreamKey key) {
  return source.kind->draw({.dataset = source.data,
                            .links = links,
                            .split = split,
                            .part = part,
                            .key = key,
                            .threads = source.threads,
                            .settings = source.settings});
}

// As a pool holds its pairs: each once, no node with itself.
void take_pool(LinkSubject& subject, std::size_t asked, const std::vector<Pair>& pairs) {
  CandidatePool pool;
  for (const Pair& pair : pairs)
    if (pair.source != pair.target) pool.pairs.push_back(subject.same_way(pair));
  const Offset kept = std::ssize(pool.pairs);
  sort_unique(pool.pairs);
  subject.left_out[asked] = {std::ssize(pairs) - kept, kept - std::ssize(pool.pairs)};
  subject.candidates[asked] = std::move(pool);
}

// The links of the graph and of the split, whatever else is wrong with it.
PairList all_links(const Dataset& data, const LinkSubject& subject) {
  PairList out = pairs_of(data.adjacency, subject.directed);
  for (std::size_t part = 0; part < 3; ++part)
    std::ranges::copy(subject.links(part), std::back_inserter(out.pairs));
  sort_unique(out.pairs);
  return out;
}

// Places of the pairs of the parts, in their order: a list of negatives for each of them.
Split places_of(const LinkSubject& subject, const PairList& links) {
  const auto places = [&](std::size_t part) {
    std::vector<Index> out;
    for (const Pair& pair : subject.parts[part]) {
      if (pair.source == pair.target) continue;
      const auto at = std::ranges::lower_bound(links.pairs, subject.same_way(pair));
      out.push_back(static_cast<Index>(at - links.pairs.begin()));
    }
    return out;
  };
  return {places(0), places(1), places(2)};
}

std::pair<Severity, double> badness(const Finding& finding) {
  return {finding.severity, finding.weight.value_or(static_cast<double>(finding.count))};
}

}  // namespace

LinkSubject link_subject(const LinkAuditSource& source, const SplitScheme& scheme,
                         const PairList& links, int member, StreamKey key) {
  const Split split = make_split(source.data, links, scheme, member);
  LinkSubject out{.data = source.data, .directed = links.directed, .ks = source.ks};
  out.parts = {pairs_at(links, split.train), pairs_at(links, split.valid),
               pairs_at(links, split.test)};
  std::vector<Pair> carried = out.parts[0];
  out.messages[0] = arcs_of(carried, links.nodes, links.directed);
  if (valid_carries_messages(scheme)) std::ranges::copy(out.parts[1], std::back_inserter(carried));
  out.messages[1] = arcs_of(carried, links.nodes, links.directed);
  for (std::size_t asked = 0; asked < 2; ++asked)
    out.candidates[asked] = draw_negatives(source, links, split, kAskedParts[asked], key);
  return out;
}

LinkSubject link_subject(const LinkAuditSource& source, const LinkFile& file, std::size_t split,
                         StreamKey key) {
  const Dataset& data = source.data;
  if (data.graphs)
    fail("{}: splits links of one graph, and {} is a set of {}", file.path, data.name,
         counted(data.graphs->size(), "graph"));
  const LinkFileSplit& given = file.splits[split];
  LinkSubject out{.data = data, .directed = file.directed, .parts = given.parts, .ks = source.ks};
  for (std::size_t asked = 0; asked < 2; ++asked) {
    const auto& messages = given.messages[asked] ? *given.messages[asked] : given.parts[0];
    out.messages[asked] = arcs_of(messages, data.nodes(), file.directed);
    if (given.negatives[asked]) take_pool(out, asked, *given.negatives[asked]);
  }
  if (out.candidates[0] && out.candidates[1]) return out;
  const PairList links = all_links(data, out);
  const Split places = places_of(out, links);
  for (std::size_t asked = 0; asked < 2; ++asked)
    if (!out.candidates[asked])
      out.candidates[asked] = draw_negatives(source, links, places, kAskedParts[asked], key);
  return out;
}

Offset count_unknown(const LinkSubject& subject) {
  const PairList graph = pairs_of(subject.data.adjacency, subject.directed);
  return std::ssize(all_links(subject.data, subject).pairs) - graph.size();
}

std::vector<Finding> worst_of_splits(std::vector<std::vector<Finding>> by_split) {
  struct Worst {
    const Finding* finding = nullptr;
    std::size_t split = 0;
    std::vector<Index> splits;
  };
  std::map<std::string, Worst> worst;
  for (std::size_t s = 0; s < by_split.size(); ++s) {
    for (const Finding& finding : by_split[s]) {
      Worst& one = worst[finding.id];
      one.splits.push_back(static_cast<Index>(s));
      if (one.finding == nullptr || badness(finding) > badness(*one.finding)) {
        one.finding = &finding;
        one.split = s;
      }
    }
  }
  std::vector<Finding> out;
  for (const auto& [id, one] : worst) {
    Finding& finding = out.emplace_back(*one.finding);
    if (by_split.size() == 1) continue;
    const std::string where =
        one.splits.size() == by_split.size()
            ? fmt::format("each of the {} splits", by_split.size())
            : fmt::format("{}, of {} splits", audit_text::ids("split", one.splits),
                          by_split.size());
    finding.evidence +=
        fmt::format(" The finding is in {}; the numbers are those of split {}.", where, one.split);
    finding.details["split"] = one.split;
    finding.details["splits"] = one.splits;
  }
  sort_findings(out);
  return out;
}

}  // namespace cupel
