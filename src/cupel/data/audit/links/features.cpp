// Test links that the features of their ends tell from negatives: their cosine.
#include "cupel/data/audit/link_area.h"
#include "cupel/data/links/similarity.h"

namespace cupel {
namespace {

void run(const LinkSubject& subject, std::vector<Finding>& findings) {
  if (feature_count(subject.data.features) == 0) return;
  const FeatureCosine cosine(subject.data.features);
  const auto area = shortcut_area(
      subject, [&](Pair pair) { return static_cast<float>(cosine.of(pair.source, pair.target)); });
  add_shortcut(subject, area, "link-features", "the cosine of the features",
               "A model without a graph may do as well. Report one beside the others, or rank "
               "against negatives with like features.",
               findings);
}

}  // namespace

extern const LinkCheck link_check_features;
const LinkCheck link_check_features = {"link-features", "test links that features alone answer",
                                       run};

}  // namespace cupel
