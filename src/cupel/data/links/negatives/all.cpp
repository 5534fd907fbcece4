// Every node as the other end, links left out: the filtered setting of Bordes et al. (NIPS 2013).
//
// Links of all parts are left out, since a model that ranks one link behind another makes no error.
// Their raw setting ranks against them too.
#include "cupel/data/links/negatives.h"

namespace cupel {
namespace {

Candidates draw_all(const NegativeContext& context) {
  AllTargets out;
  out.end = context.links.nodes;
  const bool filtered = context.settings.flag("filtered");
  out.filter =
      arcs_of(filtered ? std::span<const Pair>(context.links.pairs) : std::span<const Pair>(),
              context.links.nodes, context.links.directed);
  return out;
}

}  // namespace

extern const NegativeKind negative_all;
const NegativeKind negative_all = {
    "all",
    "every node in place of the target; of an undirected pair, in place of either end",
    {{.name = "filtered", .fallback = true, .doc = "links of all parts are left out"}},
    CandidateForm::kAll,
    draw_all};

}  // namespace cupel
