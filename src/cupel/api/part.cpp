#include "cupel/api/part.h"

#include <utility>

#include "cupel/lab/plan/at_hand.h"

namespace cupel {

ProtocolPart part_of(const Protocol& protocol, const PartRequest& request,
                     const std::function<PlanSources()>& sources) {
  ProtocolPart out;
  out.selection.datasets = request.datasets;
  out.selection.models = request.models;
  out.selection.tables = request.tables;
  out.selection.choices = parse_choice_filters(request.choices);
  out.selection.splits = request.splits;
  out.selection.inits = request.inits;
  if (!request.available) return out;
  AtHand known = at_hand(protocol, out.selection, sources());
  out.left_out = left_out_text(known);
  out.selection = std::move(known.selection);
  return out;
}

}  // namespace cupel
