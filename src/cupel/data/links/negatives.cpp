#include "cupel/data/links/negatives.h"

#include "cupel/base/error.h"

namespace cupel {

#include "negative_registry.inc"

const char* to_text(LinkPart part) { return part == LinkPart::kValid ? "validation" : "test"; }

const std::vector<Index>& NegativeContext::ids() const {
  return part == LinkPart::kValid ? split.valid : split.test;
}

std::vector<Pair> NegativeContext::positives() const {
  std::vector<Pair> out;
  out.reserve(ids().size());
  for (const Index id : ids()) out.push_back(links.pairs[static_cast<std::size_t>(id)]);
  return out;
}

Csr NegativeContext::arcs(bool train, bool valid, bool test) const {
  std::vector<Pair> pairs;
  const auto add = [&](bool wanted, const std::vector<Index>& part_ids) {
    if (!wanted) return;
    for (const Index id : part_ids) pairs.push_back(links.pairs[static_cast<std::size_t>(id)]);
  };
  add(train, split.train);
  add(valid, split.valid);
  add(test, split.test);
  return arcs_of(pairs, links.nodes, links.directed);
}

std::string NegativeContext::where() const {
  return fmt::format("{}: {} negatives", dataset.name, to_text(part));
}

const std::vector<const NegativeKind*>& negative_kinds() {
  static const std::vector<const NegativeKind*> all = negative_registry();
  return all;
}

const NegativeKind& find_negative_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const NegativeKind* kind : negative_kinds()) {
    if (kind->name == name) return *kind;
    known.push_back(kind->name);
  }
  const std::string near = nearest_name(name, known);
  fail("negatives '{}' are unknown{}; there are {}", name,
       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", "));
}

std::string negatives_identity(const NegativeKind& kind, const Dataset& dataset,
                               const Options& settings) {
  if (kind.content) return fmt::format("{} {}", kind.name, kind.content(dataset, settings));
  std::string out = kind.name;
  for (const auto& [name, value] : settings.identity())
    out += fmt::format(" {}={}", name, to_text(value));
  return out;
}

CandidatesAhead check_negatives(const NegativeKind& kind, const NegativeContext& context) {
  if (kind.check != nullptr && kind.form) return {*kind.form, kind.check(context)};
  const Ranking drawn = draw_ranking(kind, context);
  return {drawn.questions.form, candidate_counts(drawn).smallest};
}

Ranking draw_ranking(const NegativeKind& kind, const NegativeContext& context) {
  return make_ranking(context.positives(), context.links.directed, context.links.nodes,
                      kind.draw(context));
}

}  // namespace cupel
